package log

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/objects"
)

func rewrite(t testing.TB, l *Log) string {
	t.Helper()
	kept, err := l.Rewrite(context.Background(), WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// olderFiles are files of older versions, damage included.
func olderFiles() map[string]string {
	const v3 = `{"type":"session","version":3,"id":"s1","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w","parentSession":"/p/x.jsonl","odd":[1.0]}`
	noID := `{"type":"message","timestamp":"t","message":{"role":"user","content":"x"}}`
	return map[string]string{
		"v0":               lines(`{"role":"user","content":"x"}`, "junk", `{"role":"assistant","content":[]}`, `{"role":"user","content":"x"}`),
		"v0 damaged first": lines("junk", "", `{"role":"user","content":"x"}`, `{"role":"user","content":"y"}`+"\r"),
		"v0 odd": lines(`{"role":"user","content":"x"}`, "{}", `{"type":"custom","id":"a b"}`, `{"role":"user","content":1}`, `{"role":7}`,
			`{"type":"session","id":"s9"}`, `{"type":"custom","id":"c","parentId":null}`),
		"v1": lines(`{"type":"session","id":"s1"}`, noID, noID, "{torn", noID, `{"type":"compaction","firstKeptEntryIndex":2,"summary":"s"}`),
		"v2": lines(`{"type":"session","version":2,"id":"s1"}`, entryLine("a", "s1"), strings.Replace(entryLine("b", "a"), "user", "hookMessage", 1),
			`{"type":"model_change","id":"c","parentId":"b","provider":"p","model":"m"}`),
		"v3": lines(v3, entryLine("a", ""), entryLine("b", "a"), entryLine("c", "a")),
		"v3 damaged": "junk\n\uFEFF" + lines(v3, entryLine("a", "")+"\r", "", variant(2, "x"), "\x00"+entryLine("b", "a"), entryLine("b", "a"), v3,
			`{"type":"custom","id":"a b","parentId":"b"}`, `{"type":"custom"}`, entryLine("c", "a.3")) + entryLine("d", "c")[:40],
		"v3 bad session id": lines(`{"type":"session","version":3,"id":"s 1"}`, `{"type":"custom"}`),
		"v3 no end":         v3 + "\n" + entryLine("a", ""),
		"v3 only header":    v3,
		"empty":             "",
	}
}

func TestRewriteKeepsMeaning(t *testing.T) {
	for name, content := range olderFiles() {
		t.Run(name, func(t *testing.T) {
			path := writeLog(t, content)
			before, l := openLog(t, path), openLog(t, path)
			kept := rewrite(t, l)
			if got := readFile(t, kept); got != content {
				t.Errorf("kept: got %q, want %q", got, content)
			}
			if l.Version() != objects.Version || l.Header().ID != before.Header().ID || l.Header().ParentSession != "" {
				t.Errorf("header: got %+v", l.Header())
			}
			sameLogs(t, before, l)
			sameLogs(t, before, openLog(t, path))
			for f := range l.Check() {
				if f.Code == ChainBroken || f.Code == Unchained || f.Code == TornTail {
					t.Errorf("finding %+v", f)
				}
			}
			appendLines(t, l, entryLine("new", ""))

			again := writeLog(t, content)
			rewrite(t, openLog(t, again))
			if got, want := readFile(t, again), readFile(t, path); !strings.HasPrefix(want, got) {
				t.Errorf("a second migration gave other bytes: %q and %q", got, want)
			}
		})
	}
}

// sameLogs compares what two logs mean.
func sameLogs(t *testing.T, a, b *Log) {
	t.Helper()
	equal(t, "ids", recordIDs(b), recordIDs(a))
	if t.Failed() {
		return
	}
	for i := range a.Len() {
		x, y := a.Record(i), b.Record(i)
		if x.Parent != y.Parent || x.ParentID != y.ParentID || x.Type != y.Type || x.Ref != y.Ref || x.RepeatOf != y.RepeatOf || x.Gap != y.Gap {
			t.Errorf("record %d: got %+v, want %+v", i, y, x)
		}
		if !slices.Equal(a.Ancestry(i), b.Ancestry(i)) {
			t.Errorf("path to %d: got %v, want %v", i, b.Ancestry(i), a.Ancestry(i))
		}
		was, err := a.Entry(i)
		now, err2 := b.Whole(i)
		if err != nil || err2 != nil || string(was.Body()) != string(now.Raw) {
			t.Errorf("entry %d: got %.300s, %v, want %.300s, %v", i, now.Raw, err2, was.Body(), err)
		}
	}
}

func TestRewriteHeader(t *testing.T) {
	path := writeLog(t, olderFiles()["v3"])
	old := openLog(t, path)
	l := openLog(t, path)
	rewrite(t, l)
	want := `{"type":"session","version":4,"id":"s1","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w","source":{"version":3,"header":` +
		string(old.Header().Raw) + `,"original":"log.v3.orig"}}`
	e, err := objects.ParseEntry(l.Header().Raw)
	if err != nil || string(e.Unchained()) != want {
		t.Errorf("got %s, %v, want %s", e.Unchained(), err, want)
	}
}

func TestRewriteTwiceAndBeside(t *testing.T) {
	content := olderFiles()["v3"]
	path := writeLog(t, content)
	taken := strings.TrimSuffix(path, ".jsonl") + ".v3.orig"
	if err := os.WriteFile(taken, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, other := openLog(t, path), openLog(t, path)
	if kept := rewrite(t, l); filepath.Base(kept) != "log.v3.1.orig" || readFile(t, kept) != content {
		t.Errorf("kept: got %s", kept)
	}
	if readFile(t, taken) != "something else" {
		t.Error("a file of the name was overwritten")
	}
	after := readFile(t, path)
	if kept := rewrite(t, l); kept != "" || readFile(t, path) != after {
		t.Errorf("second migration: kept %q", kept)
	}
	// One that was opened before another process migrated the file goes on with the new one.
	if kept := rewrite(t, other); kept != "" || other.Version() != objects.Version {
		t.Errorf("other: kept %q, version %d", kept, other.Version())
	}
	appendLines(t, other, entryLine("d", "c"))
	if _, err := l.Refresh(); err != nil || l.Len() != 4 {
		t.Errorf("refresh: got %d records, %v", l.Len(), err)
	}
	newer := openLog(t, writeLog(t, `{"type":"session","version":5,"id":"s1"}`+"\n"))
	if _, err := newer.Rewrite(context.Background(), WriteOptions{}); !errors.Is(err, objects.ErrVersion) {
		t.Errorf("newer: got %v, want ErrVersion", err)
	}
}
