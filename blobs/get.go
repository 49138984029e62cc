package blobs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"github.com/zeebo/blake3"

	"tlog/blobs/disk"
)

// Get reads a blob and checks its hash. The error wraps ErrMissing or ErrCorrupt.
func (s *Store) Get(h Hash) ([]byte, error) {
	f, size, err := s.open(h)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// One read more sees the end, so the buffer of a blob that is not being written never grows.
	buf := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	if _, err := buf.ReadFrom(f); err != nil {
		return nil, fmt.Errorf("read blob %s: %w", h, err)
	}
	content := buf.Bytes()
	if got := Sum(content); got != h {
		return nil, damaged(h, got, int64(len(content)))
	}
	return content, nil
}

// Reader reads a blob as a stream. The hash is checked at the end: the last Read gives ErrCorrupt instead of io.EOF.
// The error wraps ErrMissing, or ErrCorrupt if there is something that is no file.
func (s *Store) Reader(h Hash) (io.ReadCloser, error) {
	f, _, err := s.open(h)
	if err != nil {
		return nil, err
	}
	return &reader{file: f, want: h, sum: blake3.New()}, nil
}

type reader struct {
	file disk.File
	want Hash
	sum  *blake3.Hasher
	size int64
	err  error // the outcome, once there is one
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.file.Read(p)
	_, _ = r.sum.Write(p[:n]) // it never fails
	r.size += int64(n)
	switch {
	case errors.Is(err, io.EOF):
		var got Hash
		r.sum.Sum(got[:0])
		if err = io.EOF; got != r.want {
			err = damaged(r.want, got, r.size)
		}
	case err != nil:
		err = fmt.Errorf("read blob %s: %w", r.want, err)
	}
	r.err = err
	return n, err
}

// Close frees the file.
func (r *reader) Close() error { return r.file.Close() }

// Stat tells of one blob. The error wraps ErrMissing, or ErrCorrupt if there is something that is no file. The content is
// not checked.
func (s *Store) Stat(h Hash) (Info, error) {
	info, err := s.fs.Lstat(s.Path(h))
	if err != nil {
		return Info{}, readError(h, err)
	}
	if !info.Mode().IsRegular() {
		return Info{}, fmt.Errorf("%w: %s: expected a file at %s, got %s", ErrCorrupt, h, s.Path(h), kind(info))
	}
	return Info{Hash: h, Size: info.Size(), Modified: info.ModTime()}, nil
}

// open opens a blob's file if it is a regular one: a pipe of that name would never end.
func (s *Store) open(h Hash) (disk.File, int64, error) {
	info, err := s.Stat(h)
	if err != nil {
		return nil, 0, err
	}
	f, err := s.fs.Open(s.Path(h))
	if err != nil {
		return nil, 0, readError(h, err)
	}
	return f, info.Size, nil
}

// readError gives an error of the file system its class. A file where the folder should be means as well that the blob
// is not there.
func readError(h Hash, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%w: %s: %w", ErrMissing, h, err)
	}
	return fmt.Errorf("read blob %s: %w", h, err)
}

func damaged(want, got Hash, size int64) error {
	return fmt.Errorf("%w: expected hash %s, got %s of %d bytes", ErrCorrupt, want, got, size)
}
