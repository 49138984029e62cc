package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"tlog/objects"
)

// PackedSuffix is what the names of transcripts end with that an agent has packed (zstd).
const PackedSuffix = ".zst"

// maxUnpacked is the most that a packed transcript may unpack to, in bytes.
const maxUnpacked = 4 << 30

// File is an open transcript. What is read is what it says: of a packed one the unpacked bytes.
type File interface {
	io.ReaderAt
	io.Closer
}

// Open opens a regular file, and unpacks it if it is packed: then the size in info is that of what was unpacked. It does not wait for the other
// end of a pipe. The error wraps objects.ErrInvalid for what is no regular file, objects.ErrCorrupt for what cannot be unpacked.
func Open(path string) (file File, info fs.FileInfo, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w: expected a regular file, got %s", path, objects.ErrInvalid, info.Mode().Type())
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	if packed, err := isPacked(f); !packed {
		if err != nil {
			return nil, nil, errors.Join(err, f.Close())
		}
		return f, info, nil
	}
	data, err := unpack(io.NewSectionReader(f, 0, info.Size()))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, nil, fmt.Errorf("unpack %s: %w", path, err)
	}
	return unpacked{bytes.NewReader(data)}, unpackedInfo{info, int64(len(data))}, nil
}

// Packed reports whether the file at path is packed.
func Packed(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false, err
	}
	packed, err := isPacked(f)
	return packed, errors.Join(err, f.Close())
}

// isPacked reports whether a file begins as a zstd frame does. What it is called does not count.
func isPacked(f io.ReaderAt) (bool, error) {
	var magic [4]byte
	n, err := f.ReadAt(magic[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return n == len(magic) && magic == [4]byte{0x28, 0xB5, 0x2F, 0xFD}, nil
}

// unpack reads all of a zstd stream. Of one that breaks off what could be read is not worth having without a word.
func unpack(r io.Reader) ([]byte, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	data, err := io.ReadAll(io.LimitReader(d, maxUnpacked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", objects.ErrCorrupt, err)
	case len(data) > maxUnpacked:
		return nil, fmt.Errorf("%w: expected at most %d bytes", objects.ErrInvalid, int64(maxUnpacked))
	}
	return data, nil
}

// unpacked is what stood in a packed file.
type unpacked struct{ *bytes.Reader }

// Close implements File.
func (unpacked) Close() error { return nil }

// unpackedInfo is that of a packed file, with the size of what stood in it.
type unpackedInfo struct {
	fs.FileInfo
	size int64
}

// Size is that of what was unpacked, in bytes.
func (i unpackedInfo) Size() int64 { return i.size }
