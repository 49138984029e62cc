package log

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/objects"
)

const sessionLine = `{"type":"session","version":4,"id":"s1","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}`

// entryLine is a message entry; an empty parent is null.
func entryLine(id, parent string) string {
	return string(objects.Build(objects.TypeMessage, objects.ID(id), objects.ID(parent), "2026-11-30T10:00:01.000Z",
		objects.Field{Key: "message", Value: []byte(`{"role":"user","content":"` + id + `"}`)}))
}

// writeLog writes a file of the given content and gives its path.
func writeLog(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func openLog(t testing.TB, path string) *Log {
	t.Helper()
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// lines joins lines, each with a "\n".
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func createLog(t testing.TB) *Log {
	t.Helper()
	l, err := Create(filepath.Join(t.TempDir(), "new", "log.jsonl"), objects.Header{ID: "s1", Cwd: "/w"}, WriteOptions{Durability: DurabilityOS})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func appendLines(t testing.TB, l *Log, entries ...string) {
	t.Helper()
	if err := tryAppend(l, entries...); err != nil {
		t.Fatal(err)
	}
}

func tryAppend(l *Log, entries ...string) error {
	return l.Update(context.Background(), WriteOptions{Durability: DurabilityOS}, func() ([]Line, error) {
		var out []Line
		for _, e := range entries {
			out = append(out, Line{Bytes: []byte(e)})
		}
		return out, nil
	})
}

func recordIDs(l *Log) []string {
	ids := []string{}
	for i := range l.Len() {
		ids = append(ids, string(l.Record(i).ID))
	}
	return ids
}

// findings are what Check yields, by line.
func findings(l *Log) []string {
	found := slices.SortedStableFunc(l.Check(), func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	out := []string{}
	for _, f := range found {
		out = append(out, fmt.Sprintf("%s:%d", f.Code, f.Line))
	}
	return out
}

func equal(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func TestAppendAndReopen(t *testing.T) {
	l := createLog(t)
	appendLines(t, l, entryLine("a", ""), entryLine("b", "a"))
	appendLines(t, l, entryLine("c", "a"))
	for _, l := range []*Log{l, openLog(t, l.Path())} {
		equal(t, "ids", recordIDs(l), []string{"a", "b", "c"})
		equal(t, "findings", findings(l), []string{})
		if got := l.Ancestry(2); !slices.Equal(got, []int{0, 2}) {
			t.Errorf("path to c: got %v", got)
		}
		if got := l.Leaves(); !slices.Equal(got, []int{1, 2}) {
			t.Errorf("leaves: got %v", got)
		}
		for i, want := range []string{entryLine("a", ""), entryLine("b", "a"), entryLine("c", "a")} {
			e, err := l.Entry(i)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(e.Body()); got != want {
				t.Errorf("body of entry %d: got %s, want %s", i, got, want)
			}
		}
		if l.Version() != objects.Version || l.Header().ID != "s1" || l.Header().Chain == "" {
			t.Errorf("header: got %+v", l.Header())
		}
	}
}

// TestOpenRefusesWhatIsNoRegularFile: a pipe has no end, or none before another program wants it.
func TestOpenRefusesWhatIsNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link.jsonl")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Skip("no symlinks: ", err)
	}
	for _, path := range append(endlessFiles(t, dir), dir, os.DevNull, link) {
		done := make(chan error, 1)
		go func() {
			l, err := Open(path)
			if err == nil {
				err = l.Close()
			}
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, objects.ErrInvalid) {
				t.Errorf("%s: got %v, want ErrInvalid", path, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: Open hangs", path)
		}
	}
}
