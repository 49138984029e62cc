//go:build unix

package log

import (
	"path/filepath"
	"syscall"
	"testing"
)

// endlessFiles makes files that one can read for ever, or wait for.
func endlessFiles(t *testing.T, dir string) []string {
	t.Helper()
	pipe := filepath.Join(dir, "pipe.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes: ", err)
	}
	return []string{pipe}
}
