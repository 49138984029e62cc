// Package store knows where sessions lie on this machine and how to find one.
//
//	<root>/projects/<slug>-<12 hex of BLAKE3(cwd)>/<session id>.jsonl
//
// The folder name holds for one cwd only. Files are 0600, folders 0700.
// docs/store.md describes the layout for those who look at it by hand.
package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tlog/agents"
	"tlog/blobs/disk"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// Names within a store.
const (
	projectsFolder  = "projects"
	logSuffix       = ".jsonl"
	originalSuffix  = ".orig"
	folderMode      = 0o700
	fileMode        = 0o600
	markFolder      = ".tlog" // a store of its own at the root of a project
	dataFolder      = "tlog"  // the store's name in the user's data folder
	defaultDataHome = ".local/share"
)

// Store is a folder of sessions. It need not exist.
type Store struct {
	fs   disk.FS
	root string
	open opener
	// foreign finds the agent whose transcript begins with head.
	foreign func(head []byte) (agents.Foreign, bool)
	beside  besideReaders
}

// Open gives the store at root, an absolute path.
func Open(root string) *Store { return OpenOn(nil, root) }

// OpenOn is Open on a file system, which is that of [log.WriteOptions] too; nil is the real one.
func OpenOn(fsys disk.FS, root string) *Store {
	return &Store{fs: disk.Or(fsys), root: filepath.Clean(root), open: openRegular, foreign: agents.Detect}
}

// Locate finds the root by the rule of docs/store.md: dir ($TLOG_DIR) if not empty, else the nearest .tlog folder at or above cwd,
// else dataHome/tlog, where dataHome is $XDG_DATA_HOME if absolute, else home/.local/share.
// A relative dir is one below cwd. The error wraps objects.ErrInvalid if nothing is left to go by.
func Locate(dir, cwd, xdgDataHome, home string) (root string, err error) {
	if dir != "" {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(cwd, dir)
		}
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("store %q: %w: expected an absolute path or a working folder", dir, objects.ErrInvalid)
		}
		return filepath.Clean(dir), nil
	}
	if filepath.IsAbs(cwd) {
		for at := filepath.Clean(cwd); ; at = filepath.Dir(at) {
			mark := filepath.Join(at, markFolder)
			if info, err := os.Stat(mark); err == nil && info.IsDir() {
				return mark, nil
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	switch {
	case filepath.IsAbs(xdgDataHome):
		return filepath.Join(xdgDataHome, dataFolder), nil
	case filepath.IsAbs(home):
		return filepath.Join(home, defaultDataHome, dataFolder), nil
	}
	return "", fmt.Errorf("store: %w home folder %q: expected an absolute path", objects.ErrInvalid, home)
}

// Root is the store's folder.
func (s *Store) Root() string { return s.root }

// Contains reports whether file lies in the store, by whatever way its path leads there.
func (s *Store) Contains(file string) bool {
	root, err := resolve(filepath.Join(s.root, projectsFolder))
	if err != nil {
		return false
	}
	file, err = filepath.Abs(file)
	if err != nil {
		return false
	}
	file, err = resolve(file)
	return err == nil && strings.HasPrefix(file, root+string(filepath.Separator))
}

// InProject reports whether a file lies in the folder of the project of cwd.
func (s *Store) InProject(cwd, file string) bool {
	folder, _, err := s.folder(cwd)
	return err == nil && filepath.Dir(file) == folder
}

// File is the path for a session of a project. The error wraps
// objects.ErrInvalid for an id that is none.
func (s *Store) File(cwd string, id objects.ID) (string, error) {
	folder, _, err := s.folder(cwd)
	if err != nil {
		return "", err
	}
	name, err := fileName(id)
	return filepath.Join(folder, name), err
}

// fileName is the name of a session's log. Ids have no separators, but they come
// out of files of others, so it is checked here again.
func fileName(id objects.ID) (string, error) {
	if !id.Valid() {
		return "", fmt.Errorf("session id %.40q: %w: expected 1 to 128 of A-Z a-z 0-9 . _ : -", string(id), objects.ErrInvalid)
	}
	return string(id) + logSuffix, nil
}

// folder is the project's folder for cwd, and cwd resolved.
func (s *Store) folder(cwd string) (folder, resolved string, err error) {
	name, resolved, err := Project(cwd)
	return filepath.Join(s.root, projectsFolder, name), resolved, err
}

// Create makes a new session for the working folder. opt gives the id and the time.
func (s *Store) Create(cwd, name string, opt checkout.Options) (*checkout.Session, error) {
	folder, resolved, err := s.folder(cwd)
	if err != nil {
		return nil, err
	}
	id, err := objects.NewID(opt.Now(), opt.Random)
	if err != nil {
		return nil, err
	}
	file, err := fileName(id)
	if err != nil {
		return nil, err
	}
	header := objects.Header{ID: id, Cwd: resolved, Name: name}
	return checkout.Create(filepath.Join(folder, file), header, opt)
}

// WriteFork writes a fork into the project of cwd, that of its header if cwd is
// empty, and returns its file. A fork of a session whose folder was moved belongs to the folder's new place.
func (s *Store) WriteFork(fork checkout.Fork, cwd string, opt log.WriteOptions) (string, error) {
	if cwd == "" {
		cwd = fork.Header.Cwd
	}
	cwd, err := s.MovedTo(cwd)
	if err != nil {
		return "", err
	}
	folder, resolved, err := s.folder(cwd)
	if err != nil {
		return "", err
	}
	name, err := fileName(fork.Header.ID)
	if err != nil {
		return "", err
	}
	header := fork.Header
	header.Cwd = resolved
	file := filepath.Join(folder, name)
	return file, log.WriteFile(file, header, fork.Lines, opt)
}
