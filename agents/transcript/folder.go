package transcript

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// IsFile reports whether the entry of a folder at path is a regular file, or a link to one.
func IsFile(path string, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// NotThere reports whether err says that nothing is at a path.
func NotThere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
