//go:build unix

// Package clienttest holds what the runners of all real clients share in tests.
package clienttest

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// EndWithChildren makes the command a process group of its own, so that what it started is ended with it.
func EndWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
