//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk

import (
	"golang.org/x/sys/unix"
)

// Map shows the first size bytes of a file as memory, to be read and not to be kept: it is good until unmap is called. Where that cannot
// be done the error wraps errors.ErrUnsupported, or is the system's. Bytes that are cut off the file meanwhile are a fault of the
// memory, which Guard turns into an error.
func Map(f File, size int64) (data []byte, unmap func() error, err error) {
	real, ok := f.(osFile)
	if !ok || size <= 0 || size != int64(int(size)) {
		return nil, nil, errNoMap
	}
	conn, err := real.SyscallConn()
	if err != nil {
		return nil, nil, err
	}
	controlled := conn.Control(func(fd uintptr) {
		data, err = unix.Mmap(int(fd), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	})
	if controlled != nil {
		return nil, nil, controlled
	}
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
