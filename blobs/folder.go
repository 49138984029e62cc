package blobs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"tlog/blobs/disk"
)

// folder is an open blobs/ab: what holds its lock and is synced.
type folder struct {
	fs   disk.FS
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
	f, err := s.openFolderAt(path)
	var made []string
	if errors.Is(err, fs.ErrNotExist) {
		if made, err = disk.MakeFolders(s.fs, path, true); err != nil {
			return nil, err
		}
		f, err = s.openFolderAt(path)
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
	f, err := s.openFolderAt(filepath.Dir(s.Path(h)))
	if err != nil {
		return nil, readError(h, err)
	}
	return f, nil
}

func (s *Store) openFolderAt(path string) (*folder, error) {
	info, err := s.fs.Lstat(path)
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
	return &folder{fs: s.fs, path: path, file: file}, nil
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
func (s *Store) isRegular(path string) bool {
	info, err := s.fs.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

func (f *folder) sync() error { return f.fs.SyncFolder(f.path) }

// syncFolders brings the entries of a blob's folder, of the store's folder and of the folders that were made above them
// to disk. The first two are synced even if they were there: another process may have made them a moment
// ago. It is done once for each Store.
func (s *Store) syncFolders(f *folder, made []string) error {
	entries := []string{f.path, filepath.Clean(s.dir)}
	if len(made) > len(entries) {
		entries = append(entries, made[len(entries):]...)
	}
	for _, path := range entries {
		info, err := s.fs.Stat(path)
		if err != nil {
			return err
		}
		// A folder that was deleted and made again may have the number of the old one.
		if s.isSynced(path, info) && !slices.Contains(made, path) {
			continue
		}
		if err := s.fs.SyncFolder(filepath.Dir(path)); err != nil {
			return err
		}
		s.setSynced(path, info)
	}
	return nil
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
