// Package store knows where sessions lie on this machine and how to find one.
//
//	<root>/projects/<slug>-<12 hex of BLAKE3(cwd)>/<session id>.jsonl
//
// The folder name holds for one cwd only. Files are 0600, folders 0700.
package store

import (
	"context"
	"time"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// Store is a folder of sessions. It need not exist.
type Store struct{ root string }

// Open gives the store at root, an absolute path.
func Open(root string) *Store { return &Store{root: root} }

// Locate finds the root by the rule of docs/store.md: dir ($TLOG_DIR) if not empty, else the nearest .tlog folder at or above cwd,
// else dataHome/tlog, where dataHome is $XDG_DATA_HOME if absolute, else home/.local/share.
func Locate(dir, cwd, xdgDataHome, home string) (root string, err error) { panic("todo") }

// Root is the store's folder.
func (s *Store) Root() string { return s.root }

// Project is the name of the folder for a working folder, whose symlinks are resolved here.
func Project(cwd string) (name, resolved string, err error) { panic("todo") }

// Info is what a listing tells of a session without reading all of it.
type Info struct {
	ID            objects.ID
	File          string
	Project       string // the folder's name
	Cwd           string
	Name          string // of the header or the last session_info seen at the ends of the file
	FirstPrompt   string // the first user text at the head of the file
	Agent         string
	Version       int
	ParentSession objects.ID
	Created       time.Time // zero if the header has none
	Modified      time.Time // of the file
	Size          int64
}

// Sessions lists the sessions of a project, newest first; of all projects if cwd is empty.
// Files that are no sessions are given to skipped (which may be nil) and left out.
func (s *Store) Sessions(cwd string, skipped func(file string, err error)) ([]Info, error) {
	panic("todo")
}

// Newest is the session of the project that was changed last. objects.ErrNotFound if there is none.
func (s *Store) Newest(cwd string) (Info, error) { panic("todo") }

// Find looks a session up by id or id prefix, first in the project, then in all. The error wraps
// objects.ErrNotFound, or objects.ErrAmbiguous and lists the candidates.
func (s *Store) Find(cwd, prefix string) (Info, error) { panic("todo") }

// Contains reports whether file lies in the store.
func (s *Store) Contains(file string) bool { panic("todo") }

// File is the path for a session of a project.
func (s *Store) File(cwd string, id objects.ID) (string, error) { panic("todo") }

// Create makes a new session for the working folder.
func (s *Store) Create(cwd, name string, opt checkout.Options) (*checkout.Session, error) {
	panic("todo")
}

// Imported says what an import did.
type Imported struct {
	checkout.Imported
	Session       objects.ID
	File          string
	Created       bool
	ParentSession objects.ID
	ParentEntry   objects.ID
	Original      string // the file that keeps the whole source, empty if none is needed
}

// Import brings a transcript into the store, into the project of its own cwd (of cwd if it names none). A session of the same id, or for a
// bare message log one whose source this one continues, takes what is new. An empty source makes no session (Session is empty then). The source is never written to.
func (s *Store) Import(ctx context.Context, path, cwd string, opt checkout.Options) (Imported, error) {
	panic("todo")
}

// Original opens what gives back an imported session's source byte for byte.
func (s *Store) Original(info Info, session *checkout.Session) (*OriginalReader, error) {
	panic("todo")
}

// OriginalReader reads a source.
type OriginalReader struct{}

// Read implements io.Reader.
func (*OriginalReader) Read([]byte) (int, error) { panic("todo") }

// Close frees the file.
func (*OriginalReader) Close() error { panic("todo") }

// WriteFork writes a fork into the project of cwd and returns its file.
func (s *Store) WriteFork(fork checkout.Fork, cwd string, opt log.WriteOptions) (string, error) {
	panic("todo")
}
