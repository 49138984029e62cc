package projection

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects/sharedtest"
)

// TestSharedSessions makes requests at every leaf of every real session, and
// of every case, and holds them against the rules of the APIs.
func TestSharedSessions(t *testing.T) {
	opened := 0
	check := func(t *testing.T, path string) {
		l, err := log.Open(path)
		if err != nil {
			t.Logf("no session: %v", err)
			return
		}
		defer l.Close()
		opened++
		for _, leaf := range l.Leaves() {
			checkAt(t, l, leaf)
		}
	}
	for _, dir := range []string{"samples", "corpus"} {
		root := filepath.Join(sharedtest.Dir(t, dir), "pi")
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".jsonl") {
				t.Run(filepath.Base(path), func(t *testing.T) { check(t, path) })
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range readCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "case.jsonl")
			if err := os.WriteFile(path, []byte(joined(c.Input)), 0o600); err != nil {
				t.Fatal(err)
			}
			check(t, path)
		})
	}
	if opened < 100 {
		t.Errorf("only %d sessions were opened", opened)
	}
}
