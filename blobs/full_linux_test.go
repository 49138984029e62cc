package blobs

import (
	"errors"
	"fmt"
	"os/signal"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func init() { children["full"] = childFull }

// childFull puts more than it may write.
func childFull(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 10_000, Max: 10_000}); err != nil {
		return err
	}
	s := Open(dir)
	if h, err := s.Put(random(1, 20_000), Options{}); !errors.Is(err, unix.EFBIG) {
		return fmt.Errorf("got %s, %w, expected that the file is too large", h, err)
	}
	_, err := s.Put(random(1, 9_000), Options{})
	return err
}

func TestDiskFull(t *testing.T) {
	s := newStore(t)
	if out, err := child(t, "full", s.Dir()).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	checkOneBlob(t, s, random(1, 9_000))
}
