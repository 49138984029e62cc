package log

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tlog/objects"
)

// appendRaw appends bytes as a program does that knows of no lock.
func appendRaw(t testing.TB, path, content string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(content); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestConcurrentUpdates(t *testing.T) {
	const writers, updates = 8, 50
	path := createLog(t).Path()
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			l, err := Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = l.Close() }()
			for u := range updates {
				err := l.Update(context.Background(), WriteOptions{Durability: DurabilityOS, LockTimeout: time.Minute}, func() ([]Line, error) {
					parent := ""
					if last := l.Last(); last != None {
						parent = string(l.Record(last).ID)
					}
					return []Line{{Bytes: []byte(entryLine(fmt.Sprintf("w%d-%d", w, u), parent))}}, nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	l := openLog(t, path)
	if l.Len() != writers*updates {
		t.Errorf("records: got %d, want %d", l.Len(), writers*updates)
	}
	if n := len(l.Ancestry(l.Last())); n != writers*updates {
		t.Errorf("path: got %d entries, want %d: an update did not see the one before", n, writers*updates)
	}
	equal(t, "findings", findings(l), []string{})
}

func TestLockTimeout(t *testing.T) {
	l := createLog(t)
	unlock, err := lock(context.Background(), l.Path(), -1)
	if err != nil {
		t.Fatal(err)
	}
	other := openLog(t, l.Path())
	for _, timeout := range []time.Duration{-1, 20 * time.Millisecond} {
		err := other.Update(context.Background(), WriteOptions{LockTimeout: timeout}, func() ([]Line, error) {
			t.Error("build was called without the lock")
			return nil, nil
		})
		if !errors.Is(err, objects.ErrLocked) || !strings.Contains(fmt.Sprint(err), fmt.Sprintf("pid %d on ", os.Getpid())) {
			t.Errorf("timeout %s: got %v, want ErrLocked that names the holder", timeout, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := other.Update(ctx, WriteOptions{}, nil); !errors.Is(err, context.Canceled) || errors.Is(err, objects.ErrLocked) {
		t.Errorf("cancelled: got %v", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	appendLines(t, other, entryLine("a", ""))
	if info, err := os.Stat(l.Path() + ".lock"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("lock file: got %v, %v", info, err)
	}
}

func TestRefusedLines(t *testing.T) {
	l := createLog(t)
	appendLines(t, l, entryLine("a", ""))
	before := readFile(t, l.Path())
	for name, entries := range map[string][]string{
		"line feed":      {strings.Replace(entryLine("b", ""), ",", ",\n", 1)},
		"no object":      {"42"},
		"torn":           {entryLine("b", "")[:20]},
		"empty":          {""},
		"two objects":    {entryLine("b", "") + entryLine("c", "")},
		"BOM":            {"\uFEFF" + entryLine("b", "")},
		"no type":        {`{"id":"b","parentId":null}`},
		"header":         {sessionLine},
		"no id":          {`{"type":"custom","parentId":null}`},
		"bad id":         {entryLine("b c", "")},
		"known id":       {entryLine("a", "")},
		"id twice":       {entryLine("b", ""), entryLine("b", "a")},
		"missing parent": {entryLine("b", "x")},
		"parent below":   {entryLine("b", "c"), entryLine("c", "")},
		"with chain":     {strings.TrimSuffix(entryLine("b", ""), "}") + `,"chain":"` + strings.Repeat("0", 64) + `"}`},
		"second is bad":  {entryLine("b", ""), "x"},
	} {
		if err := tryAppend(l, entries...); !errors.Is(err, objects.ErrInvalid) {
			t.Errorf("%s: got %v, want ErrInvalid", name, err)
		}
	}
	stop := errors.New("stop")
	if err := l.Update(context.Background(), WriteOptions{}, func() ([]Line, error) { return nil, stop }); !errors.Is(err, stop) {
		t.Errorf("error of build: got %v", err)
	}
	if err := tryAppend(l); err != nil {
		t.Errorf("no lines: got %v", err)
	}
	if after := readFile(t, l.Path()); after != before {
		t.Errorf("something was written: %q", after[len(before):])
	}
}

func TestOtherVersionsAreNotWritten(t *testing.T) {
	for version, want := range map[int]error{3: objects.ErrRefused, 5: objects.ErrVersion} {
		l := openLog(t, writeLog(t, lines(fmt.Sprintf(`{"type":"session","version":%d,"id":"s1"}`, version))))
		if err := tryAppend(l, entryLine("a", "")); !errors.Is(err, want) {
			t.Errorf("version %d: got %v, want %v", version, err, want)
		}
		if _, err := os.Stat(l.Path() + ".lock"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("version %d: a lock file was made", version)
		}
	}
}

func TestVerbatimLines(t *testing.T) {
	verbatim := []string{
		entryLine("a", "nowhere") + "\r", "", "torn {", " \t", "\x00\x00" + entryLine("b", "a") + "\x00",
		`{"id":"a b", "z":1.0e400 ,"type":"custom" }`, "{}", "42", "\uFEFF" + entryLine("c", "b"),
		strings.TrimSuffix(entryLine("d", "c"), "}") + `,"chain":"` + strings.Repeat("0", 64) + `"}`,
		"\xff\xfe", entryLine("a", "nowhere"),
	}
	l := createLog(t)
	path := filepath.Join(t.TempDir(), "other.jsonl")
	var all []Line
	for _, v := range verbatim {
		all = append(all, Line{Bytes: []byte(v), Verbatim: true})
	}
	if err := l.Update(context.Background(), WriteOptions{}, func() ([]Line, error) { return all, nil }); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, l.Header(), all, WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if readFile(t, path) != readFile(t, l.Path()) {
		t.Error("WriteFile and Update write different bytes")
	}
	for f := range l.Check() {
		if f.Code == ChainBroken || f.Code == Unchained {
			t.Errorf("finding %+v", f)
		}
	}
	for raw, err := range l.Lines(0) {
		if err != nil {
			t.Fatal(err)
		}
		if raw.Header {
			continue
		}
		got := string(raw.Bytes)
		if p := parseLine(raw.Bytes, true); p.kind == lineObject {
			got = got[:p.start] + string(p.entry.Body()) + got[p.end:]
		}
		if want := verbatim[raw.Line-2]; got != want {
			t.Errorf("line %d: got %q, want %q", raw.Line, got, want)
		}
	}
}

// TestCutAnywhere cuts a log where a crash may have cut it.
func TestCutAnywhere(t *testing.T) {
	l := createLog(t)
	appendLines(t, l, entryLine("a", ""), entryLine("b", "a"))
	appendLines(t, l, entryLine("c", "b"))
	content := readFile(t, l.Path())
	header := strings.IndexByte(content, '\n')
	dir := t.TempDir()
	for n := header; n <= len(content); n++ {
		path := filepath.Join(dir, fmt.Sprintf("cut%d.jsonl", n))
		if err := os.WriteFile(path, []byte(content[:n]), 0o600); err != nil {
			t.Fatal(err)
		}
		cut := openLog(t, path)
		whole := max(0, strings.Count(content[:n], "\n")-1)
		if n < len(content) && content[n] == '\n' && n > header {
			whole++ // only the "\n" is lost
		}
		if cut.Len() != whole {
			t.Fatalf("cut at %d: got %d records, want %d", n, cut.Len(), whole)
		}
		parent := ""
		if whole > 0 {
			parent = string(cut.Record(whole - 1).ID)
		}
		appendLines(t, cut, entryLine("new", parent))
		if cut.Len() != whole+1 || len(cut.Ancestry(whole)) != whole+1 {
			t.Fatalf("cut at %d: got %d records, path of %d", n, cut.Len(), len(cut.Ancestry(whole)))
		}
		if !strings.HasPrefix(readFile(t, path), content[:n]) {
			t.Fatalf("cut at %d: bytes of the file changed", n)
		}
		found := findings(cut)
		if len(found) > 1 || len(found) == 1 && !strings.HasPrefix(found[0], "bad-line:") {
			t.Fatalf("cut at %d: findings %v", n, found)
		}
		_ = cut.Close()
	}
}

func TestCreate(t *testing.T) {
	l := createLog(t)
	if _, err := Create(l.Path(), objects.Header{ID: "s2"}, WriteOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create again: got %v, want ErrExist", err)
	}
	entries, err := os.ReadDir(filepath.Dir(l.Path()))
	if err != nil || len(entries) != 1 {
		t.Errorf("files beside the log: %v, %v", entries, err)
	}
	for path, want := range map[string]fs.FileMode{l.Path(): 0o600, filepath.Dir(l.Path()): 0o700 | fs.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("mode of %s: got %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	dir := t.TempDir()
	if err := WriteFile(filepath.Join(dir, "a.jsonl"), objects.Header{ID: "a b"}, nil, WriteOptions{}); !errors.Is(err, objects.ErrInvalid) {
		t.Errorf("bad id: got %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "a.jsonl"), objects.Header{ID: "a", Version: 5}, nil, WriteOptions{}); !errors.Is(err, objects.ErrVersion) {
		t.Errorf("version 5: got %v", err)
	}
}

func TestUpdateThroughSymlinkTakesTheSameLock(t *testing.T) {
	l := createLog(t)
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(l.Path(), link); err != nil {
		t.Skip(err)
	}
	linked := openLog(t, link)
	unlock, err := lock(context.Background(), l.Path(), -1)
	if err != nil {
		t.Fatal(err)
	}
	err = linked.Update(context.Background(), WriteOptions{LockTimeout: -1}, nil)
	if !errors.Is(err, objects.ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
}
