package blobs

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestPutGet(t *testing.T) {
	for name, content := range map[string][]byte{
		"empty":    {},
		"one byte": {0},
		"text":     []byte("naïve\r\n"),
		"64 KiB":   random(1, 64<<10),
		"more":     random(2, 64<<10+1),
		"3 MiB":    random(3, 3<<20),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			for range 3 {
				h, err := s.Put(content, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if h != Sum(content) {
					t.Fatalf("got hash %s, expected %s", h, Sum(content))
				}
				checkContent(t, s, h, content)
			}
			checkNoTemps(t, s)
		})
	}
}

func TestModes(t *testing.T) {
	s := newStore(t)
	h := mustPut(t, s, "private")
	if want := filepath.Join(s.Dir(), h.String()[:2], h.String()[2:]); s.Path(h) != want {
		t.Errorf("path is %s, expected %s", s.Path(h), want)
	}
	for path, want := range map[string]fs.FileMode{
		s.Path(h):                             0o600,
		filepath.Dir(s.Path(h)):               fs.ModeDir | 0o700,
		filepath.Dir(filepath.Dir(s.Path(h))): fs.ModeDir | 0o700,
		filepath.Dir(s.Dir()):                 fs.ModeDir | 0o700,
	} {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %s, expected %s", path, info.Mode(), want)
		}
	}
}

// The store against a map, over random content with many repetitions and some damage.
func TestRandomPuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	dir := filepath.Join(t.TempDir(), "blobs")
	stores := []*Store{Open(dir), Open(dir), Open(dir)}
	model := map[Hash][]byte{}
	for range 1000 {
		s := stores[rng.IntN(len(stores))]
		content := random(rng.Uint64N(100), rng.IntN(3)*rng.IntN(5000))
		h, err := s.Put(content, Options{NoSync: rng.IntN(10) > 0})
		if err != nil {
			t.Fatal(err)
		}
		model[h] = content
		checkContent(t, s, h, content)
		if rng.IntN(20) == 0 {
			write(t, s.Path(h), "damage")
			delete(model, h)
		}
	}
	for h, content := range model {
		checkContent(t, stores[0], h, content)
	}
	checkNoTemps(t, stores[0])
}

func TestPutAgainWritesNothingAndTouches(t *testing.T) {
	for _, opt := range []Options{{}, {NoSync: true}} {
		s := newStore(t)
		content := []byte("twice")
		h, err := s.Put(content, opt)
		if err != nil {
			t.Fatal(err)
		}
		first, err := os.Lstat(s.Path(h))
		if err != nil {
			t.Fatal(err)
		}
		for _, again := range []*Store{s, s, Open(s.Dir())} {
			age(t, s.Path(h), longAgo)
			if _, err := again.Put(content, opt); err != nil {
				t.Fatal(err)
			}
			now, err := os.Lstat(s.Path(h))
			if err != nil {
				t.Fatal(err)
			}
			if !os.SameFile(first, now) {
				t.Error("the file was written again")
			}
			if d := time.Since(now.ModTime()); d < -time.Minute || d > time.Minute {
				t.Errorf("the file is %s old after it was put again", d)
			}
		}
	}
}

// What a crash, a bad disk or a user may have left where the blob belongs.
func TestPutOverDamage(t *testing.T) {
	content := "the right content"
	h := Sum([]byte(content))
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	write(t, elsewhere, content)
	for name, prepare := range map[string]func(path string) error{
		"truncated":         func(path string) error { return os.WriteFile(path, []byte(content[:5]), 0o600) },
		"of no bytes":       func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"longer":            func(path string) error { return os.WriteFile(path, []byte(content+"."), 0o600) },
		"of same size":      func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte{0}, len(content)), 0o600) },
		"a link":            func(path string) error { return os.Symlink(elsewhere, path) },
		"a dangling link":   func(path string) error { return os.Symlink("nowhere", path) },
		"its own link":      func(path string) error { return os.Symlink(path, path) },
		"beside a leftover": func(path string) error { return os.WriteFile(path[:len(path)-62]+tempPrefix+"1", nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			if err := os.MkdirAll(filepath.Dir(s.Path(h)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := prepare(s.Path(h)); err != nil {
				t.Fatal(err)
			}
			if content, err := s.Get(h); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrMissing) {
				t.Errorf("got %q, %v before Put", content, err)
			}
			before := len(temps(t, s))
			mustPut(t, s, content)
			checkContent(t, s, h, []byte(content))
			if info, err := os.Lstat(s.Path(h)); err != nil || !info.Mode().IsRegular() {
				t.Errorf("got %v, %v, expected a regular file", info, err)
			}
			if now := len(temps(t, s)); now != before {
				t.Errorf("%d temporary files, %d before", now, before)
			}
		})
	}
	if got, err := os.ReadFile(elsewhere); err != nil || string(got) != content {
		t.Errorf("the file that a link led to has %q, %v", got, err)
	}
}

func TestPutFails(t *testing.T) {
	content := "content"
	h := Sum([]byte(content))
	for name, prepare := range map[string]func(s *Store) error{
		"a folder instead of the file": func(s *Store) error { return os.MkdirAll(filepath.Join(s.Path(h), "full"), 0o700) },
		"an empty folder":              func(s *Store) error { return os.MkdirAll(s.Path(h), 0o700) },
		"a file instead of the folder": func(s *Store) error {
			write(t, filepath.Dir(s.Path(h)), "")
			return nil
		},
		"a link instead of the folder": func(s *Store) error {
			if err := os.MkdirAll(s.Dir(), 0o700); err != nil {
				return err
			}
			return os.Symlink(t.TempDir(), filepath.Dir(s.Path(h)))
		},
		"a file instead of the store": func(s *Store) error {
			write(t, s.Dir(), "")
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			if err := prepare(s); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Put([]byte(content), Options{}); err == nil || got != (Hash{}) {
				t.Errorf("got %s, %v, expected an error", got, err)
			}
			if got, err := s.Get(h); !errors.Is(err, ErrMissing) && !errors.Is(err, ErrCorrupt) {
				t.Errorf("got %q, %v", got, err)
			}
			if err := s.Touch(h); err == nil {
				t.Error("touched what is no blob")
			}
			for _, err := range s.All() {
				if err != nil && name != "a file instead of the store" {
					t.Error(err)
				}
			}
			checkNoTemps(t, s)
		})
	}
}

func TestSixteenGoroutines(t *testing.T) {
	content := random(4, 1<<20)
	for name, open := range map[string]func(dir string) func(string) *Store{
		"one store":   func(dir string) func(string) *Store { s := Open(dir); return func(string) *Store { return s } },
		"store each":  func(string) func(string) *Store { return Open },
		"over damage": func(dir string) func(string) *Store { write(t, Open(dir).Path(Sum(content)), "bad"); return Open },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "blobs")
			opened := open(dir)
			start := make(chan struct{})
			var wg sync.WaitGroup
			for i := range 16 {
				wg.Go(func() {
					s := opened(dir)
					<-start
					h, err := s.Put(content, Options{NoSync: i%2 == 0})
					if err != nil {
						t.Error(err)
						return
					}
					if got, err := s.Get(h); err != nil || !bytes.Equal(got, content) {
						t.Errorf("got %d bytes, %v after Put", len(got), err)
					}
				})
			}
			close(start)
			wg.Wait()
			checkOneBlob(t, Open(dir), content)
		})
	}
}

func checkOneBlob(t *testing.T, s *Store, content []byte) {
	t.Helper()
	checkNoTemps(t, s)
	count := 0
	for info, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		if info.Hash != Sum(content) || info.Size != int64(len(content)) {
			t.Errorf("got %+v", info)
		}
		count++
	}
	if count != 1 {
		t.Errorf("got %d blobs, expected 1", count)
	}
	checkContent(t, s, Sum(content), content)
}

// A file that is right is never replaced: its writer may have brought it to disk, and the one that would take its place
// may not be there yet.
func TestPlaceKeepsTheFirst(t *testing.T) {
	s := newStore(t)
	h := mustPut(t, s, "content")
	first, err := os.Lstat(s.Path(h))
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.makeFolder(h, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer at.close()
	age(t, s.Path(h), longAgo)
	got, err := s.write(at, h, []byte("content"), Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if !got.ModTime().After(limit) {
		t.Error("the first file was not made young")
	}
	if now, err := os.Lstat(s.Path(h)); err != nil || !os.SameFile(first, now) || !os.SameFile(first, got) {
		t.Errorf("the first file was replaced: %v", err)
	}
	checkNoTemps(t, s)
}

func TestDurableIsOfOneFile(t *testing.T) {
	s := newStore(t)
	content := []byte("content")
	h, err := s.Put(content, Options{})
	if err != nil {
		t.Fatal(err)
	}
	known := func() bool {
		info, err := os.Lstat(s.Path(h))
		if err != nil {
			t.Fatal(err)
		}
		return s.isDurable(h, info)
	}
	if !known() {
		t.Error("not known to be durable after Put")
	}
	if _, err := s.Put(content, Options{NoSync: true}); err != nil || !known() {
		t.Errorf("forgotten after a second Put: %v", err)
	}
	if err := os.Remove(s.Path(h)); err != nil {
		t.Fatal(err)
	}
	other := Open(s.Dir())
	if _, err := other.Put(content, Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	age(t, s.Path(h), longAgo)
	if known() {
		t.Error("another file is taken for the durable one")
	}
}

// The file that was compared and synced, and no other, is the one that Put may rely on.
func TestTouchIfSame(t *testing.T) {
	s := newStore(t)
	h := mustPut(t, s, "content")
	path := s.Path(h)
	at, err := s.openFolderAt(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer at.close()
	seen, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if touched, err := s.touchIfSame(at, path, seen); err != nil || !touched {
		t.Errorf("the same file: %t, %v", touched, err)
	}
	other := path + ".other"
	write(t, other, "content")
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if touched, err := s.touchIfSame(at, path, seen); err != nil || touched {
		t.Errorf("replaced: %t, %v", touched, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if touched, err := s.touchIfSame(at, path, seen); err != nil || touched {
		t.Errorf("removed: %t, %v", touched, err)
	}
}
