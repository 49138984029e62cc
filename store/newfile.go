package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteNew writes a file (0600) that no reader sees before it is whole and on disk. The error is fs.ErrExist if path is there, unless it
// is to be replaced, that of write, or of the file system; nothing is at path then that was not there before.
func WriteNew(path string, replace bool, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp") // 0600
	if err != nil {
		return err
	}
	temp := f.Name()
	w := bufio.NewWriterSize(f, 1<<16)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil && replace {
		err = os.Rename(temp, path)
	} else if err == nil {
		err = placeNew(temp, path)
	}
	if err != nil {
		return errors.Join(err, removeTemp(temp))
	}
	return syncFolder(filepath.Dir(path))
}

// placeNew gives a file its name unless there is one of that name.
func placeNew(temp, path string) error {
	err := os.Link(temp, path)
	if err == nil {
		return os.Remove(temp)
	}
	if _, there := os.Lstat(path); there == nil || errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write %s: %w", path, fs.ErrExist)
	}
	return os.Rename(temp, path) // a file system without hard links
}

// removeTemp removes a temporary file that may have got its name already.
func removeTemp(temp string) error {
	if err := os.Remove(temp); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
