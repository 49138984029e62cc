package blobs

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// All yields every blob, by hash. Files that are no blobs are passed over. An error tells of one folder or file that could
// not be read; the rest follows it.
func (s *Store) All() iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		for file, err := range s.files() {
			if err == nil && file.temp {
				continue
			}
			if !yield(file.Info, err) {
				return
			}
		}
	}
}

// foundFile is a regular file of the store: a blob, or what a writer left.
type foundFile struct {
	Info        // without a hash if it is temporary
	path string // below dir
	temp bool
}

// files yields the store's files, a folder at a time. Only regular files in real folders are seen: what a link
// leads to is not the store's to list or to delete.
func (s *Store) files() iter.Seq2[foundFile, error] {
	return func(yield func(foundFile, error) bool) {
		folders, err := os.ReadDir(s.dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			if !yield(foundFile{}, fmt.Errorf("list blobs: %w", err)) {
				return
			}
		}
		for _, entry := range folders { // sorted by name, which is by hash
			if !entry.IsDir() || !isFolderName(entry.Name()) {
				continue
			}
			if !s.filesIn(entry.Name(), yield) {
				return
			}
		}
	}
}

// filesIn yields the files of one folder. It is false if no more are wanted.
func (s *Store) filesIn(folder string, yield func(foundFile, error) bool) bool {
	entries, err := os.ReadDir(filepath.Join(s.dir, folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		if !yield(foundFile{}, fmt.Errorf("list blobs: %w", err)) {
			return false
		}
	}
	for _, entry := range entries {
		file := foundFile{path: filepath.Join(s.dir, folder, entry.Name())}
		if file.temp = strings.HasPrefix(entry.Name(), tempPrefix); !file.temp {
			if file.Hash, err = ParseHash(folder + entry.Name()); err != nil {
				continue
			}
		}
		info, err := entry.Info() // of the link, not of where it leads
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			err = fmt.Errorf("list blobs: %w", err)
		case !info.Mode().IsRegular():
			continue
		default:
			file.Size, file.Modified = info.Size(), info.ModTime()
		}
		if !yield(file, err) {
			return false
		}
	}
	return true
}

func isFolderName(name string) bool {
	return len(name) == 2 && hexDigit(name[0]) >= 0 && hexDigit(name[1]) >= 0
}
