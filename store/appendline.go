package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// AppendLine adds a line to the end of an agent's own file, which others may add to at the same time, and makes the file (0600) if it is not there. What
// is in it stays as it is; a last line that was not ended is ended first. The error wraps fs.ErrInvalid for what is no file.
func AppendLine(path string, line []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), folderMode); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("append to %s: %w", path, fs.ErrInvalid)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Seek(0, 2)
	if err != nil {
		return err
	}
	var out []byte
	if last := []byte{'\n'}; size > 0 {
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			out = append(out, '\n')
		}
	}
	if _, err := f.Write(append(append(out, line...), '\n')); err != nil { // in one write, so that it stays in one piece
		return err
	}
	return f.Sync()
}
