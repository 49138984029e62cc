// Package pitest asks the real pi, in tests, what it makes of session files.
package pitest

import (
	"embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

//go:embed *.mjs
var scripts embed.FS

// Command runs one of this folder's scripts with the files on its standard input, a name a line;
// it answers each with one line of JSON. It needs TLOG_PI_DIR, the folder of pi's package
// @earendil-works/pi-coding-agent, and TLOG_NODE, a Node of version 22 or newer. Without them the test is
// skipped, and with TLOG_REQUIRE_CLIENTS it fails.
func Command(t testing.TB, script string, files []string) *exec.Cmd {
	t.Helper()
	dir, node := installed(t)
	source, err := scripts.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), script)
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, file)
	cmd.Env = append(os.Environ(), "PI_DIR="+dir, "TZ=UTC")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	cmd.Stderr = os.Stderr
	return cmd
}

// installed finds pi's package and a Node, or skips the test.
func installed(t testing.TB) (dir, node string) {
	t.Helper()
	dir, node = os.Getenv("TLOG_PI_DIR"), os.Getenv("TLOG_NODE")
	if dir == "" || node == "" {
		if os.Getenv("TLOG_REQUIRE_CLIENTS") != "" {
			t.Fatal("TLOG_REQUIRE_CLIENTS is set, but TLOG_PI_DIR or TLOG_NODE is not")
		}
		t.Skip("pi is not installed: TLOG_PI_DIR and TLOG_NODE are not set (docs/testing.md)")
	}
	return dir, node
}
