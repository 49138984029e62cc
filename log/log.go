// Package log reads and appends to one log file: which line is where, and
// how the entries hang together. What names mean is decided in package refs.
//
// A file of an older version is read as if it were version 4 (package
// migrate); nothing is ever written by reading. A bad line is reported in
// Damage and skipped.
package log

import (
	"context"
	"iter"
	"time"

	"tlog/objects"
)

// None stands for no entry where an index into a Log is expected.
const None = -1

// A Record says where an entry is and how it hangs in the graph. Records are
// in file order, the header is none of them.
type Record struct {
	Offset   int64        // of the line in the file
	Size     int          // of the line, without "\n"
	Line     int          // number of the line, from 1
	Type     objects.Type //
	ID       objects.ID   // effective id: derived or told apart where needed, see docs/format.md
	ParentID objects.ID   // as it stands in the (migrated) line
	Parent   int          // the parent tree entry, journal entries stepped over; None for a root, a missing parent or a cut cycle
	Ref      string       // the branch that the entry moves; empty for HEAD's
	Chained  bool
	// RepeatOf is the index of the entry that this line repeats to the byte, else None.
	// A repeat is no entry: it has no node, it only moves its branch.
	RepeatOf int
	// Gap: ParentID is nowhere in the file.
	Gap bool
}

// Tree reports whether the record is a node of the history.
func (r *Record) Tree() bool { return r.RepeatOf == None && !r.Type.Journal() }

// Log is one log file. Its methods are not safe for use by several goroutines at once.
type Log struct {
	path   string
	header objects.Header
}

// Open reads the log file at path. An empty file is a version 0 log without messages. The error wraps
// fs.ErrNotExist, or objects.ErrCorrupt (a *objects.CorruptError) if no line begins a session.
// A newer version opens. Close the Log after use.
func Open(path string) (*Log, error) { panic("todo") }

// Create makes a new log file with the header (version 4; chain is added), durable together with
// its folder entry; folders above it are made 0700, the file is 0600. The error wraps fs.ErrExist if path exists.
func Create(path string, header objects.Header, opt WriteOptions) (*Log, error) { panic("todo") }

// Close frees the file.
func (l *Log) Close() error { panic("todo") }

// Path is the file's path as given to Open.
func (l *Log) Path() string { return l.path }

// Header is the header as it stands in the file (of a version 0 file: one without Raw whose id is derived from the first line).
func (l *Log) Header() objects.Header { return l.header }

// Version is the version of the file on disk.
func (l *Log) Version() int { return l.header.Version }

// Size is the number of bytes read so far.
func (l *Log) Size() int64 { panic("todo") }

// Len is the number of records.
func (l *Log) Len() int { panic("todo") }

// Record is the i-th record. It stays valid until the next Refresh or Update.
func (l *Log) Record(i int) *Record { panic("todo") }

// Entry reads the i-th entry, migrated if need be.
func (l *Log) Entry(i int) (objects.Entry, error) { panic("todo") }

// Line reads the bytes of the i-th record's line as they stand on disk, without "\n".
func (l *Log) Line(i int) ([]byte, error) { panic("todo") }

// Find gives the record with exactly this (effective) id.
func (l *Log) Find(id objects.ID) (int, bool) { panic("todo") }

// FindPrefix gives the records whose id or tail has the prefix, in file order, at most max of them (max <= 0: all).
func (l *Log) FindPrefix(prefix string, max int) []int { panic("todo") }

// Short is the short form of the i-th record's id.
func (l *Log) Short(i int) string { panic("todo") }

// Path to i: the tree entries from a root to i, oldest first. Empty for None.
func (l *Log) Ancestry(i int) []int { panic("todo") }

// IsAncestor reports whether a is on the path to b (or b itself).
func (l *Log) IsAncestor(a, b int) bool { panic("todo") }

// CommonAncestor is the newest entry that is on the paths to both, or None.
func (l *Log) CommonAncestor(a, b int) int { panic("todo") }

// Children are the tree entries whose Parent is i, in file order; of None: the roots.
func (l *Log) Children(i int) []int { panic("todo") }

// Leaves are the tree entries without children, in file order.
func (l *Log) Leaves() []int { panic("todo") }

// Last is the record of the file's last readable entry line, repeats included, or None.
func (l *Log) Last() int { panic("todo") }

// Damage is a bad line or another finding of the reader.
type Damage struct {
	Code   Code
	Line   int
	Offset int64 // of the fault itself where it is known, else of the line
	Reason string
}

// Damaged are the lines that were skipped (codes bad-line, torn-tail, glued-lines, nul-bytes without an object), in file order.
func (l *Log) Damaged() []Damage { panic("todo") }

// Refresh reads what was appended since the last reading and returns the index
// of the first new record. A file that became shorter or was replaced is an error that wraps objects.ErrCorrupt.
func (l *Log) Refresh() (first int, err error) { panic("todo") }

// Follow yields the index of each record appended to the file, looking again at each tick, until ctx ends.
func (l *Log) Follow(ctx context.Context, tick <-chan time.Time) iter.Seq2[int, error] { panic("todo") }

// Durability says when a write counts as done.
type Durability uint8

// The durabilities.
const (
	DurabilityDisk Durability = iota // on disk: fdatasync before the acknowledgement
	DurabilityOS                     // handed to the operating system
)

// WriteOptions are how to write. The zero value is durable and waits 10 seconds for the lock.
type WriteOptions struct {
	Durability  Durability
	LockTimeout time.Duration // 0: DefaultLockTimeout; negative: do not wait
}

// DefaultLockTimeout is how long a writer waits for another one.
const DefaultLockTimeout = 10 * time.Second

// Update appends lines. It takes the lock, reads what others appended, calls build, and writes the lines
// that it returns with one write, each with chain added. Lines are objects without "\n"; raw lines that are no
// objects (of an import) are written as they are when opt allows it.
//
// The error wraps objects.ErrLocked (who holds the lock), objects.ErrVersion (a newer file), objects.ErrRefused (an older
// one: it must be migrated first), objects.ErrInvalid (a line that is no object, an id that is
// there already, a parent that is not there). Nothing is written then.
// If build returns no lines nothing is written. The new records are readable when Update returns.
func (l *Log) Update(ctx context.Context, opt WriteOptions, build func() ([]Line, error)) error {
	panic("todo")
}

// A Line is to be appended.
type Line struct {
	Bytes []byte
	// Verbatim lines come out of a file of an agent: no check of id and parent, and a line
	// that is no JSON object is written as it is, without chain.
	Verbatim bool
}

// Rewrite migrates the file on disk to version 4 through a temporary file and a rename; the original stays beside it, and its
// path is returned. Nothing happens, and kept is empty, if the file is version 4 already. The same
// file gives the same bytes. The Log reads the new file afterwards.
func (l *Log) Rewrite(ctx context.Context, opt WriteOptions) (kept string, err error) { panic("todo") }

// WriteFile writes a whole log file: header and lines as Update would, durable, through a temporary
// file and a rename; fs.ErrExist if path is there. It is how a fork is made in one step.
func WriteFile(path string, header objects.Header, lines []Line, opt WriteOptions) error {
	panic("todo")
}
