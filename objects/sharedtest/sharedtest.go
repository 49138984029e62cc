// Package sharedtest finds, for tests, the material that is not part of the project: real transcripts, and
// cases with the answers of other programs (docs/testing.md).
package sharedtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir is a folder or file of the shared material: below $TLOG_SHARED, else below shared beside the
// project's root. Without the material the test is skipped. With it, a part that is not there fails the test, so
// that a check that finds nothing to do is never taken for one that was done.
func Dir(t testing.TB, parts ...string) string {
	t.Helper()
	root := os.Getenv("TLOG_SHARED")
	if root == "" {
		root = filepath.Join(projectRoot(t), "..", "shared")
	}
	root, err := filepath.EvalSymlinks(root) // walking does not follow a link
	if err != nil {
		t.Skip("shared/ is missing: ", err)
	}
	dir := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(dir); err != nil {
		t.Fatal("a part of shared/ is missing: ", err)
	}
	return dir
}

// projectRoot is the folder of go.mod, above that of the package under test.
func projectRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			err = os.ErrNotExist
		}
		dir = above
	}
	t.Fatal("no go.mod above the working folder: ", err)
	return ""
}

// Glob are the files of the shared material that match a pattern below the folder of parts; at least one.
func Glob(t testing.TB, pattern string, parts ...string) []string {
	t.Helper()
	dir := Dir(t, parts...)
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s in %s: %v", pattern, dir, err)
	}
	return files
}
