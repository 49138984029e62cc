// Package blobs keeps large content beside the logs of a project, addressed by its BLAKE3 hash.
//
// A blob is a file blobs/ab/cdef... of plain bytes: `b3sum` of it is its name and any
// viewer opens it. It is written whole and durable before a line names it, never changed, and checked when it is read.
package blobs

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"
)

// The errors of reading a blob.
var (
	ErrMissing = errors.New("blob is missing")
	ErrCorrupt = errors.New("blob is damaged") // its bytes do not have its hash
	ErrHash    = errors.New("not a blob hash")
)

// Hash is the BLAKE3 hash of a blob's bytes.
type Hash [32]byte

// ParseHash reads 64 lower-case hex digits and nothing else, so that what comes
// from a log never reaches a path unchecked. The error wraps ErrHash.
func ParseHash(s string) (Hash, error) { panic("todo") }

// String is the hash in 64 lower-case hex digits.
func (h Hash) String() string { panic("todo") }

// Sum is the hash of content.
func Sum(content []byte) Hash { panic("todo") }

// Store is a folder of blobs. It need not exist; it is made 0700 by the first Put. Any number of processes may use one folder.
type Store struct{ dir string }

// Open gives the store in dir.
func Open(dir string) *Store { return &Store{dir: dir} }

// Dir is the store's folder.
func (s *Store) Dir() string { return s.dir }

// Options are how to write. The zero value is durable.
type Options struct {
	NoSync bool // hand to the operating system only
}

// Put stores content and returns its hash. When it returns, the blob is on disk together with its folder entry (temporary file, fsync, rename, fsync of the
// folder), unless opt says otherwise. Content that is there already is not written again; a file of its name that is damaged is replaced.
func (s *Store) Put(content []byte, opt Options) (Hash, error) { panic("todo") }

// Get reads a blob and checks its hash. The error wraps ErrMissing or ErrCorrupt.
func (s *Store) Get(h Hash) ([]byte, error) { panic("todo") }

// Open reads a blob as a stream. The hash is checked at the end: the last Read gives ErrCorrupt instead of io.EOF.
func (s *Store) Reader(h Hash) (io.ReadCloser, error) { panic("todo") }

// Path is the blob's file, there or not.
func (s *Store) Path(h Hash) string { panic("todo") }

// Info is a blob in the folder.
type Info struct {
	Hash     Hash
	Size     int64
	Modified time.Time
}

// Stat tells of one blob. The error wraps ErrMissing.
func (s *Store) Stat(h Hash) (Info, error) { panic("todo") }

// All yields every blob, by hash. Files that are no blobs are passed over.
func (s *Store) All() iter.Seq2[Info, error] { panic("todo") }

// Garbage is what a collection found.
type Garbage struct {
	Blobs     []Info   // not named by anybody and older than the limit
	Young     int      // not named, but too young to be touched
	Kept      int      // named
	Leftovers []string // temporary files of writers that died, older than the limit
}

// Collect finds what nothing names. named must hold every hash that any line of any log of the project names. before is the
// youngest time of modification that may be collected.
func (s *Store) Collect(ctx context.Context, named map[Hash]bool, before time.Time) (Garbage, error) {
	panic("todo")
}

// Remove deletes what Collect found and is still as old as it was then.
func (s *Store) Remove(ctx context.Context, g Garbage) (freed int64, err error) { panic("todo") }
