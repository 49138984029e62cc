package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() {
	testPrograms["hold-lock"] = holdLock
	testPrograms["tlog-without-locks"] = withoutLocks
}

// TestDeadLockHolder: a lock that a process holds which hangs is waited for as long as was said, and one of a process that died is none.
func TestDeadLockHolder(t *testing.T) {
	skipShort(t)
	b := build(t)
	b.run("new", "")
	b.run("append", message("one"))
	file := b.onlyLog()
	holder := b.command(t.Context(), "")
	holder.Args[0], holder.Path = "hold-lock", filepath.Join(filepath.Dir(b.bin), "hold-lock")
	if err := os.Symlink(mustExecutable(t), holder.Path); err != nil {
		t.Fatal(err)
	}
	holder.Args = []string{"hold-lock", file + ".lock"}
	said, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(said).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("the holder says %q, %v", line, err)
	}
	for _, state := range []string{"runs", "hangs"} {
		if state == "hangs" {
			if err := holder.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		}
		begun := time.Now()
		code, out, errs := b.ends("append --lock-timeout 200ms", message("two"))
		if code != exitLocked || out != "" || !strings.Contains(errs, "waited 200ms") || !strings.Contains(errs, fmt.Sprintf("pid %d", holder.Process.Pid)) {
			t.Errorf("holder %s: exit code %d, output %q, said %q", state, code, out, errs)
		}
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("holder %s: it took %v", state, took)
		}
		b.run("log", "")
	}
	if err := holder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = holder.Wait()
	b.run("append --lock-timeout 200ms", message("two"))
}

func mustExecutable(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// holdLock is a process that takes the lock file named by its argument, writes who it is as tlog does, and keeps it.
func holdLock() {
	f, err := os.OpenFile(os.Args[1], os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX)
	}
	if err == nil {
		_, err = fmt.Fprintf(f, "pid %d on here\n", os.Getpid())
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	time.Sleep(time.Minute)
}

// withoutLocks is the command on a system where nothing can be locked, as on some network file systems: a filter answers flock with ENOLCK.
func withoutLocks() {
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K
	)
	filter := []unix.SockFilter{
		{Code: load, K: 0}, // the number of the call
		{Code: equal, K: unix.SYS_FLOCK, Jf: 1},
		{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOLCK)},
		{Code: ret, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	if err == nil {
		if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program))); errno != 0 {
			err = errno
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "no filter:", err)
		os.Exit(99)
	}
	main()
}

// TestWithoutLocks: where there are no locks nothing is written, and all is read.
func TestWithoutLocks(t *testing.T) {
	skipShort(t)
	b := build(t)
	b.run("new", "")
	b.run("append", message("one"))
	b.bin = filepath.Join(filepath.Dir(b.bin), "tlog-without-locks")
	if err := os.Symlink(mustExecutable(t), b.bin); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := b.ends("log", ""); code == 99 {
		t.Skip(errs)
	}
	for _, args := range []string{"log", "show", "status", "sessions", "context", "fsck", "verify", "export"} {
		if code, _, errs := b.ends(args, ""); code != exitOK {
			t.Errorf("%s: exit code %d, said %q", args, code, errs)
		}
	}
	for _, args := range []string{"append", "append --stream", "undo", "checkout -b x", "branch y", "label z"} {
		b.mustFailIO(args, message("two"), "no locks available")
	}
}
