package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWriteNew: a file is there whole or not at all, and none that is there is touched unless it is to be replaced.
func TestWriteNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	broken := errors.New("broken")
	half := func(w io.Writer) error { return errors.Join(text("half")(w), broken) }
	steps := []struct {
		replace bool
		write   func(io.Writer) error
		err     error
		want    []string // the names in the folder, and the file's content
	}{
		{false, half, broken, nil},
		{false, text("one"), nil, []string{"a.jsonl", "one"}},
		{false, text("two"), fs.ErrExist, []string{"a.jsonl", "one"}},
		{true, half, broken, []string{"a.jsonl", "one"}},
		{true, text("three"), nil, []string{"a.jsonl", "three"}},
	}
	for i, step := range steps {
		if err := WriteNew(path, step.replace, step.write); !errors.Is(err, step.err) {
			t.Errorf("step %d: got %v, expected %v", i, err, step.err)
		}
		var got []string
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if data, err := os.ReadFile(path); err == nil {
			got = append(got, string(data))
		}
		if d := cmp.Diff(step.want, got); d != "" {
			t.Errorf("step %d: %s", i, d)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	if err := WriteNew(filepath.Join(dir, "nowhere", "x"), false, text("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
