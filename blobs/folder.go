package blobs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// folder is an open blobs/ab: what holds its lock and is synced.
type folder struct {
	path string
	file *os.File
}

// lockKind is how a folder is locked.
type lockKind uint8

const (
	shared    lockKind = iota // many touch
	exclusive                 // one places or deletes
)

// makeFolder opens the folder of a blob, and makes it first if need be. Unless opt says otherwise, its own entry is on
// disk afterwards, and that of the store's folder.
func (s *Store) makeFolder(h Hash, opt Options) (*folder, error) {
	path := filepath.Dir(s.Path(h))
	f, err := openFolder(path)
	var made []string
	if errors.Is(err, fs.ErrNotExist) {
		if made, err = makeFolders(path); err != nil {
			return nil, err
		}
		f, err = openFolder(path)
	}
	if err != nil {
		return nil, err
	}
	if !opt.NoSync {
		err = s.syncFolders(f, made)
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// openFolder opens the folder of a blob that is said to be there. The error wraps ErrMissing.
func (s *Store) openFolder(h Hash) (*folder, error) {
	f, err := openFolder(filepath.Dir(s.Path(h)))
	if err != nil {
		return nil, readError(h, err)
	}
	return f, nil
}

func openFolder(path string) (*folder, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("open %s: %w: expected a folder, got %s", path, syscall.ENOTDIR, kind(info))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &folder{path: path, file: file}, nil
}

func (f *folder) close() error { return f.file.Close() }

// lock waits for the folder's lock. It excludes processes and goroutines alike, as each has opened the folder itself.
func (f *folder) lock(how lockKind) (unlock func(), err error) {
	if err := flock(f.file, how); err != nil {
		return nil, fmt.Errorf("lock %s: %w", f.path, err)
	}
	return func() { funlock(f.file) }, nil
}

// isRegular reports whether path is a regular file: links and devices are no blobs and are not even opened.
func isRegular(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

func (f *folder) sync() error { return syncOpenFolder(f.file) }

// makeFolders makes a folder and those above it, 0700, and tells which were missing, the lowest first.
func makeFolders(path string) (made []string, err error) {
	for at := path; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	return made, os.MkdirAll(path, 0o700)
}

// syncFolders brings the entries of a blob's folder, of the store's folder and of the folders that were made above them
// to disk. The first two are synced even if they were there: another process may have made them a moment
// ago. It is done once for each Store.
func (s *Store) syncFolders(f *folder, made []string) error {
	entries := []string{f.path, filepath.Clean(s.dir)}
	if len(made) > len(entries) {
		entries = append(entries, made[len(entries):]...)
	}
	for _, path := range entries {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		// A folder that was deleted and made again may have the number of the old one.
		if s.isSynced(path, info) && !slices.Contains(made, path) {
			continue
		}
		if err := syncFolder(filepath.Dir(path)); err != nil {
			return err
		}
		s.setSynced(path, info)
	}
	return nil
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(syncOpenFolder(f), f.Close())
}

// syncOpenFolder brings the entries of a folder to disk. Some file systems cannot be asked to.
func syncOpenFolder(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// kind names what stands where something else was expected.
func kind(info os.FileInfo) string {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	}
	return "a special file"
}
