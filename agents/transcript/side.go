package transcript

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"tlog/objects"
)

// MaxSideFile is the most that a side file may hold to be taken, in bytes.
const MaxSideFile = 512 << 20

// ReadSide reads the file of a side file. It follows no link there and waits for nothing: what lies beside a transcript may have been put there by
// anybody, and nothing but what is a file of its own belongs to the session. The error wraps objects.ErrInvalid for what is no regular file or holds
// more than MaxSideFile, and is otherwise that of the file system.
func ReadSide(path string) (data []byte, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%w: expected a regular file, got a link", objects.ErrInvalid)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: expected a regular file, got %s", objects.ErrInvalid, info.Mode().Type())
	case info.Size() > MaxSideFile:
		return nil, fmt.Errorf("%w: expected at most %d bytes, got %d", objects.ErrInvalid, MaxSideFile, info.Size())
	}
	data = make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // it was cut since its size was asked for
	}
	return data[:n], err
}
