// Package blobs keeps large content beside the logs of a project, addressed by its BLAKE3 hash.
//
// A blob is a file blobs/ab/cdef... of plain bytes: `b3sum` of it is its name and any
// viewer opens it. It is written whole and durable before a line names it, never changed, and checked when it is read.
//
// # What is taken for granted
//
// Rename replaces a file in one step. What fsync of a file and of its folder has returned for is there after
// a power cut; anything else may be there, be missing, or be a file of the right name with bytes
// missing. Such a file is damage: Get says so and the next Put replaces it.
//
// # Writers and collections at the same time
//
// A blob is put first and named by a line afterwards, so that there is a time in which it looks like garbage. Its
// time of modification protects it: Put sets it anew when the content was there already, Collect passes over what is
// younger than the caller's limit, and Remove looks at each file again before it deletes it. Whoever
// calls Collect chooses a limit well above the time between a Put and its line (weeks against seconds).
//
// "Look again, then delete" and "look, then touch" are two steps each, and they must not interleave. So each of them
// holds a lock on the blob's folder (flock, which the system drops when a process dies; no lock files). On a file
// system without such locks the steps are merely close to each other.
package blobs

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tlog/blobs/disk"
)

// The errors of reading a blob.
var (
	ErrMissing = errors.New("blob is missing")
	ErrCorrupt = errors.New("blob is damaged") // its bytes do not have its hash
	ErrHash    = errors.New("not a blob hash")
)

// tempPrefix begins the names of files that are being written. No blob's name begins with a dot.
const tempPrefix = ".tmp-"

// Store is a folder of blobs. It need not exist; it is made 0700 by the first Put. Any number of processes may use one folder,
// and any number of goroutines one Store.
type Store struct {
	fs  disk.FS
	dir string

	mu      sync.Mutex
	durable map[Hash]os.FileInfo   // files that this Store has seen on disk, with their folder entries
	folders map[string]os.FileInfo // folders whose own entries this Store has brought to disk
}

// OpenOn is Open on a file system; nil is the real one.
func OpenOn(fsys disk.FS, dir string) *Store { return &Store{fs: disk.Or(fsys), dir: dir} }

// Open gives the store in dir.
func Open(dir string) *Store { return OpenOn(nil, dir) }

// Dir is the store's folder.
func (s *Store) Dir() string { return s.dir }

// Path is the blob's file, there or not.
func (s *Store) Path(h Hash) string {
	name := h.String()
	return filepath.Join(s.dir, name[:2], name[2:])
}

// Info is a blob in the folder.
type Info struct {
	Hash     Hash
	Size     int64 // in bytes
	Modified time.Time
}
