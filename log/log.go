// Package log reads and appends to one log file: which line is where, and
// how the entries hang together. What names mean is decided in package refs.
//
// A file of an older version is read as if it were version 4 (package
// migrate); nothing is ever written by reading. A bad line is reported in
// Damage and skipped.
package log

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"tlog/blobs"
	"tlog/blobs/disk"
	"tlog/migrate"
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
	// RepeatOf is the index of the entry that this line repeats to the byte, else None.
	// A repeat is no entry: it has no node, it only moves its branch.
	RepeatOf int
	Chained  bool
	Blobs    bool // the line has a table of strings that lie in blobs
	// Gap: ParentID is nowhere in the file.
	Gap bool
	// Of a line of an agent's file: it is one, log does not show it by default, and its own parent is nowhere in the
	// file, so that Parent only bridges the gap.
	Foreign, Hidden, Bridged bool
	Titled                   bool // and it names the session
	// Replaced: it is a part of a document of which a later import had another form, and that one counts.
	Replaced bool
}

// Visible reports whether log shows the entry by default and `rev~n` counts it, if it is not undone.
func (r *Record) Visible() bool { return r.Type.Visible() && !r.Hidden }

// Tree reports whether the record is a node of the history.
func (r *Record) Tree() bool { return r.RepeatOf == None && !r.Type.Journal() }

// Log is one log file. Its methods are not safe for use by several goroutines at once.
type Log struct {
	path string
	real string // path with symlinks resolved: what is locked, appended to and replaced
	fs   disk.FS
	file disk.File

	header   objects.Header
	begun    bool // the first object of the file has been seen
	headless bool // the line of the header is lost to damage
	headLine int  // number of the header's line; 0 if the file has none
	migrator *migrate.Migrator
	migrated map[int][]byte // objects of records that the migration changed
	records  []Record
	damage   []Damage

	end      int64 // where the next line begins: behind the last "\n"
	size     int64 // bytes read
	expected int64 // size of the file when the last reading began
	lines    int   // ended lines before end
	tail     tail  // what stands between end and size
	chain    chainEnd

	store    *blobs.Store // made when it is asked for
	ids      idTable
	missing  map[objects.ID]struct{} // parents that are nowhere in the file
	relink   bool                    // an id went to another record: all parents have to be looked up again
	children childLists
	depths   []int32
	prefixes prefixIndex

	decoders func(agent string) (objects.Decoder, bool) // nil for none
	redact   func(object []byte) []byte                 // nil for none

	check *checker // nil but during Check
}

// An Option says how to open a log.
type Option func(*Log)

// WithDecoders sets where the decoders of agents' lines are found, for [Log.Message] and [Log.Compaction].
func WithDecoders(lookup func(agent string) (objects.Decoder, bool)) Option {
	return func(l *Log) { l.decoders = lookup }
}

// WithFS sets the file system that the log is read from and written to; nil is the real one.
func WithFS(fsys disk.FS) Option {
	return func(l *Log) { l.fs = disk.Or(fsys) }
}

// tail is the last line while it has no "\n".
type tail struct {
	open    bool
	size    int
	counted bool // it was read as an object: more bytes behind it call for a new reading
	damaged bool // it is the last in Log.damage
	record  int  // the first record that is not older than the line
}

// Open reads the log file at path. An empty file is a version 0 log without messages. The error wraps
// fs.ErrNotExist, or objects.ErrCorrupt (a *objects.CorruptError) if no line begins a session.
// What is no regular file is refused without being opened, with an error that wraps objects.ErrInvalid. A newer version
// opens. Close the Log after use.
func Open(path string, options ...Option) (*Log, error) {
	l := &Log{path: path, real: path, fs: disk.OS}
	for _, option := range options {
		option(l)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		l.real = real
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	return l, nil
}

// open opens the file at the log's path and reads all of it, in place of what
// was read before.
func (l *Log) open() error {
	// Before it is opened: to open a named pipe is to wait for its writer.
	if info, err := l.fs.Stat(l.real); err != nil {
		return fmt.Errorf("open log: %w", err)
	} else if err := checkRegular(l.path, info); err != nil {
		return err
	}
	file, err := l.fs.Open(l.real)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	fresh := l.fresh(file)
	if err := fresh.readAll(); err != nil {
		return errors.Join(err, file.Close())
	}
	old := l.file
	*l = *fresh
	if old != nil {
		return old.Close()
	}
	return nil
}

// fresh is the Log as it was before anything of its file was read.
func (l *Log) fresh(file disk.File) *Log {
	return &Log{path: l.path, real: l.real, fs: l.fs, file: file, store: l.store, decoders: l.decoders}
}

// readAll reads the file of a Log that has read nothing yet.
func (l *Log) readAll() error {
	info, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	if err := checkRegular(l.path, info); err != nil {
		return err
	}
	if err := l.scan(); err != nil {
		return err
	}
	if !l.begun && len(l.damage) > 0 {
		d := l.damage[0]
		return &objects.CorruptError{File: l.path, Line: d.Line, Offset: d.Offset, Reason: "no line begins a session: " + d.Reason}
	}
	if !l.begun {
		l.header = objects.Header{ID: bareID(nil)}
	}
	return nil
}

// checkRegular refuses folders, and pipes and devices, which may have no end.
func checkRegular(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("open log %s: %w: it is a folder", path, objects.ErrInvalid)
	case !info.Mode().IsRegular():
		return fmt.Errorf("open log %s: %w: expected a regular file", path, objects.ErrInvalid)
	}
	return nil
}

// Close frees the file.
func (l *Log) Close() error { return l.file.Close() }

// Path is the file's path as given to Open.
func (l *Log) Path() string { return l.path }

// Header is the header as it stands in the file, but for an id that breaks the
// rule: it is replaced by a derived one. That of a version 0 file has no Raw, and
// its id is derived from the bytes of the first message's line.
func (l *Log) Header() objects.Header { return l.header }

// Version is the version of the file on disk.
func (l *Log) Version() int { return l.header.Version }

// GoBy makes the log go by another path, in Path and in errors. It is for a file that is not where it was opened any more and
// stands for another one.
func (l *Log) GoBy(path string) { l.path = path }

// Size is the number of bytes read so far.
func (l *Log) Size() int64 { return l.size }

// Len is the number of records.
func (l *Log) Len() int { return len(l.records) }

// Record is the i-th record. It stays valid until the next Refresh or Update.
func (l *Log) Record(i int) *Record { return &l.records[i] }

// Last is the record of the file's last readable entry line, repeats included, or None.
func (l *Log) Last() int { return len(l.records) - 1 }

// Entry reads the i-th entry, migrated if need be. Its ID is that of the line;
// the effective one is in the record. Placeholders stand for strings that lie in blobs: see [Log.Whole].
func (l *Log) Entry(i int) (objects.Entry, error) {
	e, err := l.entry(i)
	if err != nil || l.redact == nil {
		return e, err
	}
	whole, _ := l.fill(e, l.records[i].Line, l.records[i].ID) // of holes Whole tells
	return l.redacted(i, whole)
}

// Redact makes the log give its entries as redact returns their objects; strings that lie in blobs are in them then. Ids, parents and what
// else ties entries together must stay. Such a log is one to be read: Update refuses it. What gives lines of the file as they stand,
// [Log.Line], [Log.Lines] and [Log.ReadAt], gives them unredacted.
func (l *Log) Redact(redact func(object []byte) []byte) { l.redact = redact }

// redacted is an entry without blobs as it may leave the log.
func (l *Log) redacted(i int, e objects.Entry) (objects.Entry, error) {
	if l.redact == nil {
		return e, nil
	}
	redacted, err := objects.ParseEntry(l.redact(e.Raw))
	if err != nil {
		return objects.Entry{}, fmt.Errorf("redact line %d of %s: %w", l.records[i].Line, l.path, err)
	}
	return redacted, nil
}

// entry reads the i-th entry as it stands, migrated if need be.
func (l *Log) entry(i int) (objects.Entry, error) {
	if object, ok := l.migrated[i]; ok {
		return objects.ParseEntry(object)
	}
	line, err := l.Line(i)
	if err != nil {
		return objects.Entry{}, err
	}
	start, end := objectBounds(line)
	e, err := objects.ParseEntry(line[start:end])
	if err != nil {
		return objects.Entry{}, l.changed(i, err)
	}
	return e, nil
}

// Line reads the bytes of the i-th record's line as they stand on disk, without "\n".
func (l *Log) Line(i int) ([]byte, error) {
	r := &l.records[i]
	line := make([]byte, r.Size)
	if n, err := l.file.ReadAt(line, r.Offset); n < len(line) {
		return nil, l.changed(i, err)
	}
	return line, nil
}

// changed is the error for a record that is not in the file any more as it was read.
func (l *Log) changed(i int, err error) error {
	r := &l.records[i]
	return fmt.Errorf("%w: %w", &objects.CorruptError{
		File: l.path, Line: r.Line, Offset: r.Offset, Reason: "the line changed since it was read",
	}, err)
}
