package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/transcript"
	"tlog/objects"
	"tlog/store"
)

// TestForeignSideErrors imports a session beside which lies what cannot be taken: all the rest comes in, and what is left out is told.
func TestForeignSideErrors(t *testing.T) {
	f := newForeign(t)
	results := filepath.Join(strings.TrimSuffix(f.path, ".jsonl"), "tool-results")
	for name, text := range map[string]string{"closed": "secret", "good": "much", "huge": "", "\xff\xfe.txt": "never known again"} {
		writeFile(t, filepath.Join(results, name), []byte(text))
	}
	for _, err := range []error{
		os.Symlink("/etc/passwd", filepath.Join(results, "link")), os.Truncate(filepath.Join(results, "huge"), transcript.MaxSideFile+1),
		os.Chmod(filepath.Join(results, "closed"), 0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	closed := 0
	if os.Geteuid() != 0 {
		closed = 1
	}
	data := row("a-1", "", "one") + "\n"
	got := f.put([]byte(data))
	if got.New != 1 || got.SideFiles != 2-closed || len(got.SideErrors) != 3+closed {
		t.Errorf("%+v", got)
	}
	for _, err := range got.SideErrors {
		if !strings.Contains(err.Error(), "tool-results/") {
			t.Error(err)
		}
	}
	got = f.put([]byte(data + row("b-1", "a-1", "two") + "\n"))
	if got.New != 1 || got.SideFiles != 0 || len(got.SideErrors) != 3+closed {
		t.Errorf("again: %+v", got)
	}
}

// TestForeignTooLarge refuses a transcript that cannot be held, before anything of it is read.
func TestForeignTooLarge(t *testing.T) {
	f := newForeign(t)
	writeFile(t, f.path, []byte(row("a-1", "", "one")+"\n"))
	if err := os.Truncate(f.path, 20<<30); err != nil {
		t.Skip(err) // a file system without holes
	}
	_, err := f.s.Import(t.Context(), f.path, f.cwd, options(1))
	if !errors.Is(err, objects.ErrInvalid) || !strings.Contains(err.Error(), "17179869184") {
		t.Error(err)
	}
	more := row("b-1", "a-1", strings.Repeat("long", 100)) + "\n"
	writeFile(t, f.path, []byte(row("a-1", "", "one")+"\n"))
	opt := options(2)
	opt.MaxTranscript = 400
	if _, err := f.s.Import(t.Context(), f.path, f.cwd, opt); err != nil {
		t.Error(err)
	}
	writeFile(t, f.path, []byte(row("a-1", "", "one")+"\n"+more))
	if _, err := f.s.Import(t.Context(), f.path, f.cwd, opt); !errors.Is(err, objects.ErrInvalid) {
		t.Error(err)
	}
	opt.MaxTranscript = int64(len(more)) // the rest was read before
	if got, err := f.s.Import(t.Context(), f.path, f.cwd, opt); err != nil || got.New != 1 {
		t.Error(got, err)
	}
}

// TestForeignImpossibleCwd imports transcripts whose working folder is none that the system can take: the given one stands for it.
func TestForeignImpossibleCwd(t *testing.T) {
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	long := "/" + strings.Repeat("x", 70_000)
	for name, cwd := range map[string]string{"NUL": `/srv/a\u0000b`, "loop": loop, "long name": long, "long path": strings.Repeat("/x", 40_000)} {
		f := newForeign(t)
		line := strings.Replace(row("a-1", "", "one"), `"type":"user"`, `"cwd":"`+cwd+`","type":"user"`, 1)
		got := f.put([]byte(line + "\n"))
		given, _, err := store.Project(f.cwd)
		if folder := filepath.Base(filepath.Dir(got.File)); err != nil || (folder == given) != (name == "NUL" || name == "loop") {
			t.Errorf("%s: in %s, %v", name, folder, err)
		}
		if again := f.put([]byte(line + "\n" + row("b-1", "a-1", "two") + "\n")); again.File != got.File || again.New != 1 {
			t.Errorf("%s: %+v", name, again)
		}
	}
}

// TestForeignTakesTurns imports two files that are one session and differ, again and again: what is kept of them does not grow.
func TestForeignTakesTurns(t *testing.T) {
	f := newForeign(t)
	other := filepath.Join(t.TempDir(), filepath.Base(f.path))
	one, two := row("a-1", "", "one")+"\n", row("a-1", "", "two")+"\n"
	var got store.Imported
	for n := range 5 {
		for _, more := range []string{"", row(fmt.Sprintf("b-%d", n), "a-1", "more") + "\n"} {
			one += more
			got = f.put([]byte(one))
			two += more
			writeFile(t, other, []byte(two))
			importFile(t, f.s, other, f.cwd)
		}
	}
	kept, err := filepath.Glob(filepath.Join(filepath.Dir(got.File), "*.orig*"))
	if err != nil || len(kept) != 3 {
		t.Errorf("%v, %v", kept, err)
	}
	whole := map[string]bool{}
	for _, file := range kept {
		whole[string(readFile(t, file))] = true
	}
	if !whole[one] || !whole[two] {
		t.Error("what the files hold now is not kept")
	}
}
