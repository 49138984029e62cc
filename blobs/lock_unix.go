//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package blobs

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// flock locks an open folder. File systems that cannot do it (some network ones) are used without.
func flock(f *os.File, how lockKind) error {
	operation := unix.LOCK_SH
	if how == exclusive {
		operation = unix.LOCK_EX
	}
	err := flockOpen(f, operation)
	for _, unable := range []error{unix.ENOTSUP, unix.EOPNOTSUPP, unix.ENOSYS, unix.ENOLCK, unix.EBADF, unix.EINVAL} {
		if errors.Is(err, unable) {
			return nil
		}
	}
	return os.NewSyscallError("flock", err)
}

// funlock gives a lock back. It cannot fail in a way that closing the folder would not mend.
func funlock(f *os.File) { _ = flockOpen(f, unix.LOCK_UN) }

func flockOpen(f *os.File, operation int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var lockErr error
	err = conn.Control(func(fd uintptr) {
		for {
			if lockErr = unix.Flock(int(fd), operation); !errors.Is(lockErr, unix.EINTR) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	return lockErr
}
