package log

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/objects"
)

// FuzzOpen reads any bytes as a log, checks what must hold of each log, and
// brings it to version 4 and appends to it.
func FuzzOpen(f *testing.F) {
	for _, content := range olderFiles() {
		f.Add([]byte(content))
	}
	f.Add([]byte(lines(sessionLine, entryLine("a", "b"), entryLine("b", "a"), variant(1, ""), entryLine("b", "a"), "{}{}", "\x00")))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "log.jsonl")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path)
		if errors.Is(err, objects.ErrCorrupt) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		checkInvariants(t, l)
		if l.Version() > objects.Version {
			return
		}
		before := openLog(t, path)
		if _, err := l.Rewrite(context.Background(), WriteOptions{Durability: DurabilityOS}); err != nil {
			t.Fatal(err)
		}
		if before.Version() > 0 { // the header that a version 0 file gets moves its lines, by which aliases are named
			sameLogs(t, before, l)
		}
		appendLines(t, l, entryLine("fuzz-new-1", ""), entryLine("fuzz-new-2", "fuzz-new-1"))
		checkInvariants(t, l)
	})
}

func checkInvariants(t *testing.T, l *Log) {
	t.Helper()
	for i := range l.Len() {
		r := l.Record(i)
		if !r.ID.Valid() {
			t.Errorf("record %d has the id %q", i, r.ID)
		}
		if at, ok := l.Find(r.ID); !ok || at != i && r.RepeatOf != at {
			t.Errorf("find %s: got %d, %v, want %d", r.ID, at, ok, i)
		}
		if r.Parent != None && !l.Record(r.Parent).Tree() {
			t.Errorf("the parent of %d is no tree entry", i)
		}
		if path := l.Ancestry(i); r.Tree() && path[len(path)-1] != i {
			t.Errorf("the path to %d ends at %d", i, path[len(path)-1])
		}
		if _, err := l.Entry(i); err != nil {
			t.Errorf("entry %d: %v", i, err)
		}
		if found := l.FindPrefix(l.Short(i), 0); r.RepeatOf == None && len(found) != 1 && l.Short(i) != string(r.ID) {
			t.Errorf("short form %s of %d stands for %v", l.Short(i), i, found)
		}
	}
	damaged := 0
	for f := range l.Check() {
		switch f.Code {
		case BadLine, TornTail, GluedLines:
			damaged++
		}
		if f.Offset < 0 || f.Offset > l.Size() || f.Line < 1 || f.Message == "" {
			t.Errorf("finding %+v", f)
		}
	}
	for _, d := range l.Damaged() {
		if d.Code != NULBytes {
			damaged--
		}
	}
	if damaged != 0 {
		t.Errorf("Check and Damaged disagree by %d lines", damaged)
	}
}

// FuzzParseLine checks that what stands around an object is never taken for a part of it.
func FuzzParseLine(f *testing.F) {
	for _, line := range []string{entryLine("a", ""), "\uFEFF{}", "\x00 {} \x00\r", `{"type":"a"{"type":"b","parentId":null}`, "{}{", "null"} {
		f.Add([]byte(line), true)
	}
	f.Fuzz(func(t *testing.T, line []byte, ended bool) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return // no reader gives such a line
		}
		p := parseLine(line, ended)
		if p.kind != lineObject {
			if p.kind == lineDamaged && (p.fault < 0 || p.fault > len(line) || p.reason == "" || p.code == "") {
				t.Errorf("%+v", p)
			}
			return
		}
		if around := string(line[:p.start]) + string(line[p.end:]); strings.Trim(around, " \t\r\x00\uFEFF") != "" {
			t.Errorf("around the object: %q", around)
		}
		sealed := newChainer("x").appendLine(nil, line, p)
		sealed = sealed[:len(sealed)-1]
		again := parseLine(sealed, true)
		if again.kind != lineObject || again.entry.Chain == "" || string(again.entry.Unchained()) != string(line[p.start:p.end]) {
			t.Errorf("sealed %q: got %+v", sealed, again)
		}
		if expected := newChainer("x").verify(sealed, again); expected != again.entry.Chain {
			t.Errorf("chain: expected %s, got %s", expected, again.entry.Chain)
		}
	})
}
