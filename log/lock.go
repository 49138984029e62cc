package log

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"tlog/objects"
)

// retryDelay is how long a writer that found the lock taken waits before it tries again.
const retryDelay = 3 * time.Millisecond

// lock takes the lock of the log file at path, which is a file beside it that is
// never deleted: two writers could hold locks on two files of one name otherwise.
// The lock ends with the process that holds it, so none is ever stale. The error wraps objects.ErrRefused if
// what stands there is no regular file.
func lock(ctx context.Context, path string, timeout time.Duration) (unlock func() error, err error) {
	name := path + ".lock"
	if timeout == 0 {
		timeout = DefaultLockTimeout
	}
	if err := checkLockFile(name); err != nil {
		return nil, err
	}
	f := flock.New(name, flock.SetPermissions(0o600))
	var locked bool
	if timeout < 0 {
		locked, err = f.TryLock()
	} else {
		limited, cancel := context.WithTimeout(ctx, timeout)
		locked, err = f.TryLockContext(limited, retryDelay)
		cancel()
	}
	switch {
	case locked:
		if isAt(f, name) {
			noteHolder(name)
		}
		return f.Unlock, nil
	case ctx.Err() != nil:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", name, ctx.Err()), f.Close())
	case err == nil, errors.Is(err, context.DeadlineExceeded):
		return nil, errors.Join(fmt.Errorf("%s is %w by %s; waited %s", path, objects.ErrLocked, holder(name), max(timeout, 0)), f.Close())
	}
	return nil, errors.Join(fmt.Errorf("lock %s: %w", name, err), f.Close())
}

// checkLockFile refuses what is no lock file of tlog's: through a symlink another file would be locked and
// overwritten, and to open a named pipe is to wait for its writer.
func checkLockFile(name string) error {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("lock %s: %w: expected a regular file, got %s", name, objects.ErrRefused, info.Mode().Type())
	}
	return nil // if it is not there it is made
}

// isAt reports whether f holds the regular file of that name.
func isAt(f *flock.Flock, name string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(name)
	return err == nil && there.Mode().IsRegular() && os.SameFile(mine, there)
}

// noteHolder writes into the lock file who holds it. It is only for the error
// that another one gets, so it does not matter if it fails.
func noteHolder(name string) {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	me := fmt.Sprintf("pid %d on %s\n", os.Getpid(), host)
	if firstBytes(name, len(me)+1) == me {
		return // who appends again and again need not change a second file each time
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return
	}
	_, _ = f.WriteString(me)
	_ = f.Close()
}

// firstBytes are the first n bytes of a file, or what there is of them.
func firstBytes(name string, n int) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	b := make([]byte, n)
	n, _ = f.Read(b)
	return string(b[:n])
}

// holder is who wrote into the lock file last.
func holder(name string) string {
	first, _, _ := strings.Cut(firstBytes(name, 256), "\n")
	if !strings.HasPrefix(first, "pid ") {
		return "another process"
	}
	return first
}
