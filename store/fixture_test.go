package store_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/objects/sharedtest"
	"tlog/store"
)

// clock is a clock that moves by a millisecond each time it is read.
func clock() func() time.Time {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Millisecond)
		return now
	}
}

// options are those of a session whose ids are the same at each run of a test.
func options(seed uint64) checkout.Options {
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	return checkout.Options{
		Now: clock(), Random: rand.NewChaCha8(key),
		Write: log.WriteOptions{Durability: log.DurabilityOS},
	}
}

// newStore is a store in a folder of its own, and a working folder.
func newStore(tb testing.TB) (s *store.Store, cwd string) {
	tb.Helper()
	dir := tb.TempDir()
	cwd = filepath.Join(dir, "work")
	if err := os.Mkdir(cwd, 0o700); err != nil {
		tb.Fatal(err)
	}
	return store.Open(filepath.Join(dir, "store")), cwd
}

// writeFile writes a file and returns its path.
func writeFile(tb testing.TB, path string, data []byte) string {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func readFile(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// open opens a session; the test closes it.
func open(tb testing.TB, file string) *checkout.Session {
	tb.Helper()
	seeds++
	s, err := checkout.Open(file, options(seeds))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// seeds makes the ids of each session and import its own.
var seeds uint64

// importFile imports a file that has to import.
func importFile(tb testing.TB, s *store.Store, path, cwd string) store.Imported {
	tb.Helper()
	seeds++
	got, err := s.Import(tb.Context(), path, cwd, options(seeds))
	if err != nil {
		tb.Fatalf("import %s: %v", path, err)
	}
	return got
}

// original is what export --original gives for a session.
func original(tb testing.TB, s *store.Store, got store.Imported) []byte {
	tb.Helper()
	session := open(tb, got.File)
	r, err := s.Original(store.Info{ID: got.Session, File: got.File}, session)
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	if err := r.Close(); err != nil {
		tb.Fatal(err)
	}
	return data
}

// sharedFiles are all files below a folder of shared.
func sharedFiles(tb testing.TB, parts ...string) []string {
	tb.Helper()
	var files []string
	err := filepath.WalkDir(sharedtest.Dir(tb, parts...), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// tips are the ids that branches stand at.
func tips(s *checkout.Session) map[string]objects.ID {
	at := map[string]objects.ID{}
	for _, b := range s.Refs.Branches() {
		at[b.Name] = s.Log.Record(b.At).ID
	}
	return at
}

// ids are the ids of a log's entries, in file order.
func ids(l *log.Log) []objects.ID {
	var out []objects.ID
	for i := range l.Len() {
		if r := l.Record(i); r.Tree() {
			out = append(out, r.ID)
		}
	}
	return out
}

// checkDescends fails if the last line does not descend from the tip of HEAD by the
// rule that other programs know: follow parentId from the last line.
func checkDescends(tb testing.TB, s *checkout.Session) {
	tb.Helper()
	last := s.Log.Last()
	if last == log.None {
		return
	}
	r := s.Log.Record(last)
	at := last
	if r.RepeatOf != log.None {
		at = r.RepeatOf
	}
	if !s.Log.Record(at).Tree() {
		at = s.Log.Record(at).Parent
	}
	if head := s.Refs.Head().At; at != head {
		tb.Errorf("the last line stands at %d, HEAD at %d", at, head)
	}
}

func lines(texts ...string) []byte {
	var b bytes.Buffer
	for _, t := range texts {
		b.WriteString(t)
		b.WriteByte('\n')
	}
	return b.Bytes()
}
