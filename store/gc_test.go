package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/blobs"
	"tlog/objects"
)

// TestEachName compares the search with a look at every place.
func TestEachName(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	alphabet := "0123456789abcdefABCDEF"
	for range 3000 {
		block := make([]byte, rng.IntN(400))
		for i := range block {
			block[i] = alphabet[rng.IntN(len(alphabet))]
		}
		for range rng.IntN(8) {
			if len(block) > 0 {
				block[rng.IntN(len(block))] = "gG/\"\n\x00"[rng.IntN(6)]
			}
		}
		var got, want []string
		eachName(block, func(name []byte) { got = append(got, string(name)) })
		for i := 0; i+nameLen <= len(block); i++ {
			if !slices.ContainsFunc(block[i:i+nameLen], func(c byte) bool { return !isHexDigit(c) }) {
				want = append(want, string(block[i:i+nameLen]))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %d names, expected %d", block, len(got), len(want))
		}
	}
}

// TestGarbage names blobs in all kinds of files and lines: each of them is kept, and of the others only the old ones go.
func TestGarbage(t *testing.T) {
	s := Open(t.TempDir())
	const project = "p-000000000000"
	folder := filepath.Join(s.root, projectsFolder, project)
	store := blobs.Open(filepath.Join(folder, blobsFolder))
	old := time.Now().Add(-30 * 24 * time.Hour)
	put := func(text string) blobs.Hash {
		h, err := store.Put([]byte(text), blobs.Options{NoSync: true})
		if err == nil {
			err = os.Chtimes(store.Path(h), old, old)
		}
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	kept := map[string]blobs.Hash{}
	name := func(how string) string {
		kept[how] = put(how)
		return kept[how].String()
	}
	pad := strings.Repeat("x", scanSize-len(`{"hash":"`)-7)
	files := map[string]string{
		"a.jsonl":         `{"blobs":[{"hash":"` + name("in a table") + `"}]}` + "\n",
		"torn.jsonl":      `{"blobs":[{"hash":"` + name("in a torn line"),
		"damaged.jsonl":   "\x00\xff}{ " + name("among garbage") + "\x00",
		"glued.jsonl":     "abc" + name("with digits before") + name("with digits behind") + "abc\n",
		"upper.jsonl":     strings.ToUpper(name("in upper case")),
		"a.jsonl.v2.orig": name("in a backup"),
		"b.orig":          name("in an original"),
		"odd name":        name("in a file of any name"),
		"long.jsonl":      pad + `{"hash":"` + name("over the edge of a block") + `"}`,
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), fileMode); err != nil {
			t.Fatal(err)
		}
	}
	garbage := []blobs.Hash{put("nobody names it"), put("nor this one")}
	young, err := store.Put([]byte("not named yet"), blobs.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Garbage(t.Context(), project, time.Now().Add(-time.Hour), time.Now().Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Blobs) != len(garbage) || g.Kept != len(kept) || g.Young != 1 {
		t.Errorf("%d to go, %d kept, %d young", len(g.Blobs), g.Kept, g.Young)
	}
	// One that is put again in this moment stays.
	if _, err := store.Put([]byte("nor this one"), blobs.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	freed, err := g.Remove(t.Context())
	if err != nil || freed != int64(len("nobody names it")) {
		t.Errorf("%d bytes freed, %v", freed, err)
	}
	for how, h := range kept {
		if _, err := store.Get(h); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
	if _, err := store.Get(garbage[0]); !errors.Is(err, blobs.ErrMissing) {
		t.Errorf("garbage is still there: %v", err)
	}
	for _, h := range []blobs.Hash{garbage[1], young} {
		if _, err := store.Get(h); err != nil {
			t.Error(err)
		}
	}
	if g, err := s.Garbage(t.Context(), "no-such-project", time.Now(), time.Now()); err != nil || len(g.Blobs) != 0 {
		t.Errorf("no project: %+v, %v", g, err)
	}
}

// TestGarbageTemporary removes what died writers left beside the logs, if it is old, and nothing of a similar name.
func TestGarbageTemporary(t *testing.T) {
	s := Open(t.TempDir())
	const project = "p-000000000000"
	folder := filepath.Join(s.root, projectsFolder, project)
	if err := os.MkdirAll(folder, folderMode); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-30 * 24 * time.Hour)
	write := func(name string, modified time.Time) string {
		path := filepath.Join(folder, name)
		err := os.WriteFile(path, []byte("12345"), fileMode)
		if err == nil {
			err = os.Chtimes(path, modified, modified)
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	left := []string{write(".a.jsonl.123.tmp", old), write(".a.orig.9.tmp", old), write(".touched.jsonl.9.tmp", old)}
	kept := []string{
		write(".b.jsonl.123.tmp", time.Now()), write("a.jsonl.123.tmp", old), write(".a.jsonl.tmp", old), write("a.jsonl", old),
		write("a.orig", old), write(".tmp", old),
	}
	g, err := s.Garbage(t.Context(), project, time.Now().Add(-365*24*time.Hour), time.Now().Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Temporary, left) || g.Size() != 15 {
		t.Errorf("found %v of %d bytes", g.Temporary, g.Size())
	}
	kept = append(kept, write(".touched.jsonl.9.tmp", time.Now()))
	if freed, err := g.Remove(t.Context()); err != nil || freed != 10 {
		t.Errorf("%d bytes freed, %v", freed, err)
	}
	for _, path := range left[:2] {
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
	for _, path := range kept {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}

// BenchmarkMarkNamedDigits searches a file that is nothing but hex digits, each of which may begin a name.
func BenchmarkMarkNamedDigits(b *testing.B) {
	path := filepath.Join(b.TempDir(), "digits")
	content := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	if err := os.WriteFile(path, content, fileMode); err != nil {
		b.Fatal(err)
	}
	there := map[blobs.Hash]bool{blobs.Sum(nil): false, blobs.Sum(content): false}
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if err := markNamedIn(path, there); err != nil {
			b.Fatal(err)
		}
	}
}

// TestGarbageUnreadable finds no garbage where a file cannot be read: it may name everything.
func TestGarbageUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	s := Open(t.TempDir())
	folder := filepath.Join(s.root, projectsFolder, "p")
	if _, err := blobs.Open(filepath.Join(folder, blobsFolder)).Put([]byte("x"), blobs.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.jsonl"), nil, 0); err != nil {
		t.Fatal(err)
	}
	if g, err := s.Garbage(t.Context(), "p", time.Now().Add(time.Hour), time.Now()); err == nil || len(g.Blobs) > 0 {
		t.Errorf("%+v, %v", g, err)
	}
}

func TestConfig(t *testing.T) {
	s := Open(t.TempDir())
	if c, err := s.Config(); err != nil || c != (Config{}) {
		t.Errorf("no file: %+v, %v", c, err)
	}
	for text, want := range map[string]int{
		"":                                0,
		"# words\n\n":                     0,
		"blobs.threshold = 1000\n":        1000,
		"  blobs.threshold=1  # no":       -2,
		"blobs.threshold=1":               1,
		"blobs.threshold = off\r\n":       -1,
		"blobs.threshold = 0":             -2,
		"blobs.threshold = -1":            -2,
		"blobs.threshold":                 -2,
		"blobs.treshold = 1":              -2,
		"blobs.threshold = 1e3":           -2,
		"blobs.threshold = 1\nnonsense\n": -2,
	} {
		if err := os.WriteFile(filepath.Join(s.root, configName), []byte(text), fileMode); err != nil {
			t.Fatal(err)
		}
		c, err := s.Config()
		if want == -2 {
			if !errors.Is(err, objects.ErrInvalid) {
				t.Errorf("%q: %+v, %v", text, c, err)
			}
		} else if err != nil || c.Blobs.Threshold != want {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	}
}

func BenchmarkEachName(b *testing.B) {
	line := fmt.Sprintf(`{"type":"message","message":{"content":"%s"},"chain":"%064x"}`+"\n", strings.Repeat("some text ", 80), 1)
	block := bytes.Repeat([]byte(line), 300)
	b.SetBytes(int64(len(block)))
	for b.Loop() {
		n := 0
		eachName(block, func([]byte) { n++ })
		if n != 300 {
			b.Fatal(n)
		}
	}
}
