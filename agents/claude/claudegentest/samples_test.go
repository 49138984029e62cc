package claudegentest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the sessions of testdata/claude")

// TestSamples: the sessions of testdata/claude are those that Samples gives. -update writes them.
func TestSamples(t *testing.T) {
	root := filepath.Join("..", "..", "..", "testdata", "claude")
	for _, s := range Samples() {
		dir := root
		if len(s.Truth.Subagents) > 0 {
			dir = filepath.Join(root, s.Name)
		}
		written := t.TempDir()
		file, err := WriteFolder(written, s.Data, s.Truth)
		if err != nil {
			t.Fatal(err)
		}
		if dir == root {
			renamed := filepath.Join(written, s.Name+".jsonl")
			if err := os.Rename(file, renamed); err != nil {
				t.Fatal(err)
			}
		}
		if *update {
			if err := os.CopyFS(dir, os.DirFS(written)); err != nil {
				t.Error(err)
			}
			continue
		}
		compare(t, written, dir)
	}
}

// compare holds the files below dir to those below want.
func compare(t *testing.T, want, dir string) {
	t.Helper()
	err := filepath.WalkDir(want, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(want, path)
		if err != nil {
			return err
		}
		a, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, rel))
		if err != nil {
			return err
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s is not what the program writes; go test . -run Samples -update writes it", filepath.Join(dir, rel))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
