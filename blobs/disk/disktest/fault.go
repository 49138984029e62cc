// Package disktest has a file system that fails, or stands still, at the n-th operation, and knows what a crash at that moment may leave on
// disk (docs/reliability.md "What a crash leaves").
package disktest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"tlog/blobs/disk"
)

// ErrFrozen is what every operation gives from the one on at which the machine stops.
var ErrFrozen = errors.New("the machine has stopped")

// FS is the real file system below a folder, with a fault. It counts the operations that change something or bring something to disk; others
// pass. It may be used by several goroutines.
type FS struct {
	mu    sync.Mutex
	model *model
	calls []string // what was counted, in order

	at     int   // the operation that fails, from 1; 0 for none
	fault  error // what it gives; nil: the machine stops
	frozen bool
}

// New is a file system without a fault. All that lies below root is on disk already.
func New(root string) (*FS, error) {
	m, err := newModel(root)
	return &FS{model: m}, err
}

// FailAt makes the n-th operation from now fail with an error; a write leaves the half of its bytes then.
func (f *FS) FailAt(n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at, f.fault = len(f.calls)+n, err
}

// FreezeAt makes the machine stop before the n-th operation from now is done.
func (f *FS) FreezeAt(n int) { f.FailAt(n, nil) }

// Calls is what was counted: the name of each operation and what it was done to.
func (f *FS) Calls() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.calls...)
}

// Frozen reports whether the machine has stopped.
func (f *FS) Frozen() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.frozen
}

// step counts an operation. With an error it is not to be done.
func (f *FS) step(op, name string) error {
	if f.frozen {
		return ErrFrozen
	}
	f.calls = append(f.calls, op+" "+f.model.short(name))
	if len(f.calls) != f.at {
		return nil
	}
	if f.fault == nil {
		f.frozen = true
		return ErrFrozen
	}
	return &fs.PathError{Op: op, Path: name, Err: f.fault}
}

// change does an operation on the real files, and notes it.
func (f *FS) change(op, name string, do func() error, note func()) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(op, name); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	note()
	return nil
}

// Open implements disk.FS.
func (f *FS) Open(name string) (disk.File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile implements disk.FS.
func (f *FS) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	open := func() (disk.File, error) { return disk.OS.OpenFile(name, flag, perm) }
	switch {
	case flag&os.O_TRUNC != 0:
		return nil, fmt.Errorf("open %s: disktest knows no truncation", name)
	case flag&os.O_CREATE != 0:
		return f.create(name, open)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.frozen {
		return nil, ErrFrozen
	}
	return f.wrap(open())
}

// CreateTemp implements disk.FS.
func (f *FS) CreateTemp(dir, pattern string) (disk.File, error) {
	return f.create(pattern, func() (disk.File, error) { return disk.OS.CreateTemp(dir, pattern) })
}

func (f *FS) create(name string, open func() (disk.File, error)) (created disk.File, err error) {
	var raw disk.File
	err = f.change("create", name, func() (err error) {
		raw, err = open()
		return err
	}, func() { f.model.create(raw.Name()) })
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.wrap(raw, nil)
}

// Stat implements disk.FS.
func (f *FS) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// Lstat implements disk.FS.
func (f *FS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// Mkdir implements disk.FS.
func (f *FS) Mkdir(name string, perm fs.FileMode) error {
	return f.change("mkdir", name, func() error { return os.Mkdir(name, perm) }, func() { f.model.mkdir(name) })
}

// Rename implements disk.FS.
func (f *FS) Rename(from, to string) error {
	return f.change("rename", to, func() error { return os.Rename(from, to) }, func() { f.model.rename(from, to) })
}

// Link implements disk.FS.
func (f *FS) Link(from, to string) error {
	return f.change("link", to, func() error { return os.Link(from, to) }, func() { f.model.link(from, to) })
}

// Remove implements disk.FS.
func (f *FS) Remove(name string) error {
	return f.change("remove", name, func() error { return os.Remove(name) }, func() { f.model.remove(name) })
}

// Chmod implements disk.FS.
func (f *FS) Chmod(name string, mode fs.FileMode) error {
	return f.change("chmod", name, func() error { return os.Chmod(name, mode) }, func() {})
}

// SyncFolder implements disk.FS.
func (f *FS) SyncFolder(name string) error {
	return f.change("sync-folder", name, func() error { return nil }, func() { f.model.syncFolder(name) })
}

// file is an open file of an FS. What is not here is done with the real one.
type file struct {
	disk.File
	fs   *FS
	node *node
}

func (f *FS) wrap(open disk.File, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return &file{File: open, fs: f, node: f.model.lookup(open.Name())}, nil
}

// Write implements disk.File.
func (f *file) Write(b []byte) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	err := f.fs.step("write", f.Name())
	switch {
	case err != nil && f.fs.frozen:
		return 0, err
	case err != nil:
		b = b[:len(b)/2]
	}
	n, failed := f.File.Write(b)
	f.node.write(b[:n])
	return n, errors.Join(err, failed)
}

// Sync implements disk.File.
func (f *file) Sync() error {
	return f.fs.change("sync", f.Name(), func() error { return nil }, f.node.sync)
}

// SyncData implements disk.File.
func (f *file) SyncData() error {
	return f.fs.change("sync-data", f.Name(), func() error { return nil }, f.node.sync)
}
