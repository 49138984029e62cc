// Package disk is how logs, blobs and what lies beside them come to disk: the few operations on files that everything goes through which writes,
// and the order in which they are done. docs/reliability.md says what is assumed of each. Package disktest has file systems that fail and that crash.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// FS are the operations on files that change something, and those that have to see the same files. OS is the real one.
type FS interface {
	Open(name string) (File, error)
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	// CreateTemp makes a new file (0600) whose name is pattern with something in the place of its last "*".
	CreateTemp(dir, pattern string) (File, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Mkdir(name string, perm fs.FileMode) error
	Rename(from, to string) error
	Link(from, to string) error
	Remove(name string) error
	Chmod(name string, mode fs.FileMode) error
	// SyncFolder brings the names in a folder to disk. Where the file system cannot be asked to, it does nothing.
	SyncFolder(name string) error
}

// File is an open file.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	// Sync brings the file's bytes and what is known of it to disk, SyncData only what is needed to read the bytes again.
	Sync() error
	SyncData() error
}

// OS is the file system of the operating system.
var OS FS = osFS{}

// Or is fsys, or OS where it is nil.
func Or(fsys FS) FS {
	if fsys == nil {
		return OS
	}
	return fsys
}

type osFS struct{}

func (osFS) Open(name string) (File, error) { return file(os.Open(name)) }
func (osFS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	return file(os.OpenFile(name, flag, perm))
}
func (osFS) CreateTemp(dir, pattern string) (File, error) { return file(os.CreateTemp(dir, pattern)) }
func (osFS) Stat(name string) (fs.FileInfo, error)        { return os.Stat(name) }
func (osFS) Lstat(name string) (fs.FileInfo, error)       { return os.Lstat(name) }
func (osFS) Mkdir(name string, perm fs.FileMode) error    { return os.Mkdir(name, perm) }
func (osFS) Rename(from, to string) error                 { return os.Rename(from, to) }
func (osFS) Link(from, to string) error                   { return os.Link(from, to) }
func (osFS) Remove(name string) error                     { return os.Remove(name) }
func (osFS) Chmod(name string, mode fs.FileMode) error    { return os.Chmod(name, mode) }

func (osFS) SyncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

type osFile struct{ *os.File }

func (f osFile) SyncData() error { return syncData(f.File) }

func file(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}
