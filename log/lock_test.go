package log

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tlog/objects"
)

// TestLockRefusesWhatIsNoLockFile: whoever can put a link beside a log must not be able to
// choose a file that the next writer empties.
func TestLockRefusesWhatIsNoLockFile(t *testing.T) {
	dir := t.TempDir()
	other, missing := filepath.Join(dir, "other"), filepath.Join(dir, "missing")
	if err := os.WriteFile(other, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(target string) func(name string) error {
		return func(name string) error { return os.Symlink(target, name) }
	}
	cases := map[string]func(name string) error{
		"a link to a file": link(other), "a link to nothing": link(missing),
		"a folder": func(name string) error { return os.Mkdir(name, 0o700) },
	}
	if pipes := endlessFiles(t, dir); len(pipes) > 0 {
		cases["a pipe"] = func(name string) error { return os.Rename(pipes[0], name) }
	}
	for what, put := range cases {
		path := writeLog(t, sessionLine+"\n")
		if err := put(path + ".lock"); err != nil {
			t.Skip(what, ": ", err)
		}
		l := openLog(t, path)
		done := make(chan error, 1)
		go func() {
			done <- l.Update(t.Context(), WriteOptions{LockTimeout: time.Second}, func() ([]Line, error) {
				return []Line{{Bytes: []byte(entryLine("a", ""))}}, nil
			})
		}()
		select {
		case err := <-done:
			if !errors.Is(err, objects.ErrRefused) {
				t.Errorf("%s: got %v, want ErrRefused", what, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: Update hangs", what)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != sessionLine+"\n" {
			t.Errorf("%s: the log is %q, %v", what, got, err)
		}
	}
	if got, err := os.ReadFile(other); err != nil || string(got) != "precious" {
		t.Errorf("the linked file is %q, %v", got, err)
	}
	if _, err := os.Lstat(missing); err == nil {
		t.Error("a file was made through a link")
	}
}
