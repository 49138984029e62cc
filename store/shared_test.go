package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/log"
)

// TestImportPi imports every pi session there is.
func TestImportPi(t *testing.T) {
	files := slices.Concat(sharedFiles(t, "corpus", "pi"), sharedFiles(t, "samples", "pi"))
	imported := 0
	for _, file := range files {
		if !strings.HasSuffix(file, ".jsonl") {
			continue
		}
		source, err := log.Open(file)
		if err != nil {
			if strings.Contains(file, "corpus") {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		imported++
		t.Run(filepath.Base(file), func(t *testing.T) { checkImport(t, source, file) })
		source.Close()
	}
	if imported < 50 {
		t.Errorf("expected at least 50 sessions, got %d", imported)
	}
}

// checkImport imports a file, and a grown copy of it by steps.
func checkImport(t *testing.T, source *log.Log, file string) {
	s, cwd := newStore(t)
	got := importFile(t, s, file, cwd)
	data := readFile(t, file)
	if !bytes.Equal(original(t, s, got), data) {
		t.Error("the original is not what was imported")
	}
	session := open(t, got.File)
	if want, have := len(ids(source)), len(ids(session.Log)); want != have || got.New != want || got.Entries != want {
		t.Errorf("expected %d entries, got %d (new %d, entries %d)", want, have, got.New, got.Entries)
	}
	at := tips(session)
	if at["main"] != at[got.Tracking] || len(at) > 2 {
		t.Errorf("expected main and %s at one entry, got %v", got.Tracking, at)
	}
	checkDescends(t, session)
	for f := range session.Log.Check() {
		if f.Code == log.ChainBroken {
			t.Errorf("line %d: %s %s", f.Line, f.Code, f.Message)
		}
	}
	before := readFile(t, got.File)
	again := importFile(t, s, file, cwd)
	if again.New != 0 || again.Missing != 0 || again.Created || again.File != got.File || !bytes.Equal(before, readFile(t, got.File)) {
		t.Errorf("importing again: %+v", again)
	}
	checkGrown(t, data)
}

// checkGrown imports growing parts of a file and then all of it.
func checkGrown(t *testing.T, data []byte) {
	s, cwd := newStore(t)
	path := filepath.Join(t.TempDir(), "grown.jsonl")
	seen := 0
	for _, part := range []int{3, 10, 40, 41, 77, 100} {
		for _, cut := range []int{len(data) * part / 100, bytes.LastIndexByte(data[:len(data)*part/100], '\n') + 1} {
			if part == 100 {
				cut = len(data)
			}
			writeFile(t, path, data[:cut])
			got, err := s.Import(t.Context(), path, cwd, options(uint64(cut)))
			if err != nil || got.Session == "" {
				continue // cut before the header was complete
			}
			seen += got.New
			if got.Entries != seen || got.Missing != 0 {
				t.Fatalf("cut at %d: %+v, expected %d entries", cut, got, seen)
			}
			// A file that became shorter is an older copy, which changes nothing.
			if part == 100 && !bytes.Equal(original(t, s, got), data) {
				t.Error("grown: the original is not what was imported")
			}
		}
	}
}

// TestImportOthers imports every file of every agent: a clear error is fine, a panic is not.
func TestImportOthers(t *testing.T) {
	files := slices.Concat(sharedFiles(t, "corpus"), sharedFiles(t, "samples"))
	s, cwd := newStore(t)
	good := 0
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || info.Size() > 4<<20 && testing.Short() {
			continue
		}
		got, err := s.Import(t.Context(), file, cwd, options(3))
		switch {
		case err != nil && err.Error() == "":
			t.Errorf("%s: an error without a text", file)
		case err == nil && got.Session != "":
			good++
			if !bytes.Equal(original(t, s, got), readFile(t, file)) && got.Missing == 0 {
				t.Errorf("%s: the original is not what was imported: %+v", file, got)
			}
		}
	}
	t.Logf("%d of %d files imported", good, len(files))
}
