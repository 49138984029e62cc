package blobs

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// childVariable makes the test binary do a part of a test in a process of its own.
const childVariable = "TLOG_BLOBS_TEST_CHILD"

// children are what such a process can do, in the folder that it is given.
var children = map[string]func(dir string) error{
	"put":     childPut,
	"forever": childForever,
}

func TestMain(m *testing.M) {
	run, ok := children[os.Getenv(childVariable)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child prepares a process that works in dir.
func child(t *testing.T, what, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, dir)
	cmd.Env = append(os.Environ(), childVariable+"="+what)
	return cmd
}

// childPut puts one big content as soon as its input ends.
func childPut(dir string) error {
	content := random(7, 3<<20)
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	_, err := Open(dir).Put(content, Options{})
	return err
}

// childForever puts until it is killed, and names each blob when it is there.
func childForever(dir string) error {
	s := Open(dir)
	for seed := uint64(0); ; seed++ {
		h, err := s.Put(random(seed, 100_000), Options{NoSync: seed%2 == 0})
		if err != nil {
			return err
		}
		fmt.Println(h)
	}
}

func random(seed uint64, size int) []byte {
	content := make([]byte, size)
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	_, _ = rand.NewChaCha8(key).Read(content)
	return content
}

func newStore(t testing.TB) *Store {
	t.Helper()
	return Open(filepath.Join(t.TempDir(), "project", "blobs"))
}

func mustPut(t testing.TB, s *Store, content string) Hash {
	t.Helper()
	h, err := s.Put([]byte(content), Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func checkContent(t testing.TB, s *Store, h Hash, want []byte) {
	t.Helper()
	got, err := s.Get(h)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("blob %s: got %d bytes, expected %d others", h, len(got), len(want))
	}
}

// temps are the temporary files in a store.
func temps(t testing.TB, s *Store) (found []string) {
	t.Helper()
	err := filepath.WalkDir(s.Dir(), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), tempPrefix) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func checkNoTemps(t testing.TB, s *Store) {
	t.Helper()
	if found := temps(t, s); len(found) > 0 {
		t.Fatalf("temporary files are left: %q", found)
	}
}

// write makes a file and the folders above it.
func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func age(t testing.TB, path string, to time.Time) {
	t.Helper()
	if err := os.Chtimes(path, time.Time{}, to); err != nil {
		t.Fatal(err)
	}
}

// The times of the tests about age: what is old, the limit, and nothing is as young as what is made now.
var (
	longAgo = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	limit   = time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
)
