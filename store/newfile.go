package store

import (
	"io"

	"tlog/blobs/disk"
)

// WriteNew writes a file (0600) outside of the store that no reader sees before it is whole and on disk. The error is fs.ErrExist if path is there, unless it
// is to be replaced, that of write, or of the file system; nothing is at path then that was not there before.
func WriteNew(path string, replace bool, write func(io.Writer) error) error {
	return disk.WriteFile(disk.OS, path, disk.WriteOptions{Replace: replace}, write)
}
