package log

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/objects"
)

// smallLog is a log of 20 entries with a fork in it, as tlog writes one.
func smallLog(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var entries []Line
	parent := ""
	for i := range 20 {
		id := fmt.Sprintf("entry-%02d", i)
		line := objects.Build(objects.TypeMessage, objects.ID(id), objects.ID(parent), "2026-11-30T10:00:00.000Z",
			objects.Field{Key: "message", Value: []byte(fmt.Sprintf(`{"role":"user","content":"müde %d \ud83d\ude00"}`, i))})
		entries = append(entries, Line{Bytes: line})
		if parent = id; i == 9 {
			parent = "entry-04"
		}
	}
	if err := WriteFile(path, objects.Header{ID: "s1", Cwd: "/w"}, entries, WriteOptions{Durability: DurabilityOS}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// damagedLog opens bytes as a log, and gives what Check finds and the lines of the entries that read. ok is false if the file is refused as none.
func damagedLog(t *testing.T, path string, data []byte) (found []Finding, entries map[string]bool, ok bool) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(path)
	if errors.Is(err, objects.ErrCorrupt) {
		return nil, nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for f := range l.Check() {
		found = append(found, f)
	}
	entries = map[string]bool{}
	for i := range l.Len() {
		line, err := l.Line(i)
		if err != nil {
			t.Fatal(err)
		}
		entries[string(line)] = l.Record(i).Tree()
	}
	return found, entries, true
}

// Every flip of a single bit is reported with the line that it is in, and every other line still reads (docs/reliability.md "Damage").
func TestEveryBitFlip(t *testing.T) {
	data := smallLog(t)
	if found, _, ok := damagedLog(t, filepath.Join(t.TempDir(), "whole.jsonl"), data); !ok || len(found) > 0 {
		t.Fatalf("the whole log has findings: %v", found)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	lines := bytes.SplitAfter(bytes.TrimSuffix(data, []byte{'\n'}), []byte{'\n'})
	stride := 1
	if testing.Short() {
		stride = 7
	}
	for bit := 0; bit < 8*len(data); bit += stride {
		at := bit / 8
		flipped := bytes.Clone(data)
		flipped[at] ^= 1 << (bit % 8)
		number := 1 + bytes.Count(data[:at], []byte{'\n'})
		last := number // a line whose end is gone is one with the next
		if data[at] == '\n' {
			last++
		}
		found, got, ok := damagedLog(t, path, flipped)
		if !ok {
			t.Fatalf("bit %d: the file is refused", bit)
		}
		reported := false
		for _, f := range found {
			reported = reported || f.Code.Severity() != Info && number <= f.Line && f.Line <= last
		}
		if !reported {
			t.Fatalf("bit %d of byte %d, line %d: %q becomes %q and is not reported: %v", bit%8, at, number, data[at], flipped[at], found)
		}
		for i, line := range lines[1:] {
			if n := i + 2; (n < number || n > last) && !got[strings.TrimSuffix(string(line), "\n")] {
				t.Fatalf("bit %d of byte %d, line %d: line %d does not read: %s", bit%8, at, number, n, line)
			}
		}
	}
}

// Every truncation within a line is reported with that line. One between two lines leaves a log that is whole: only who has
// written down its last chain can tell (docs/reliability.md "What cannot be seen").
func TestEveryTruncation(t *testing.T) {
	data := smallLog(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for size := range len(data) {
		kept := data[:size]
		number := 1 + bytes.Count(kept, []byte{'\n'})
		found, got, ok := damagedLog(t, path, kept)
		switch {
		case size == 0: // an empty file is a log without messages
		case number == 1 && data[size] != '\n':
			if ok {
				t.Fatalf("%d bytes: a torn header is taken", size)
			}
			continue
		case !ok:
			t.Fatalf("%d bytes: the file is refused", size)
		}
		torn := kept[bytes.LastIndexByte(kept, '\n')+1:]
		whole := len(torn) == 0 || data[size] == '\n'
		reported := false
		for _, f := range found {
			if f.Line != number {
				t.Errorf("%d bytes: line %d: %s", size, f.Line, f.Message)
			}
			reported = reported || f.Code == TornTail
		}
		if reported == whole {
			t.Fatalf("%d bytes, ending in %.60q: torn %v, findings %v", size, torn, !whole, found)
		}
		for n := 2; n < number; n++ {
			if line := bytes.SplitAfter(data, []byte{'\n'})[n-1]; !got[strings.TrimSuffix(string(line), "\n")] {
				t.Fatalf("%d bytes: line %d is gone", size, n)
			}
		}
	}
}
