package log

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tlog/blobs/disk"
)

// unmapped is the real file system, whose files cannot be shown as memory.
type unmapped struct{ disk.FS }

func (u unmapped) Open(name string) (disk.File, error) {
	f, err := u.FS.Open(name)
	return plainFile{f}, err
}

type plainFile struct{ disk.File }

// randomLog is lines of every kind and length, size bytes and more of them.
func randomLog(rng *rand.Rand, size int) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, `{"type":"session","version":4,"id":"s1"}`)
	for i := 0; b.Len() < size; i++ {
		text := bytes.Repeat([]byte(`x\n`), rng.IntN(600))
		switch rng.IntN(40) {
		case 0:
			text = bytes.Repeat([]byte{'y'}, 3<<20) // longer than a chunk
		case 1:
			b.WriteString("junk, no object\n")
		case 2:
			b.WriteString("\n \n\x00\x00\n")
		case 3:
			fmt.Fprintf(&b, `{"type":"message","id":"e%d","parentId":"nowhere","message":{}}`+"\n", rng.IntN(i+1)) // an id twice
		}
		fmt.Fprintf(&b, `{"type":"message","id":"e%d","parentId":"e%d","message":{"role":"user","content":"%s"}}`+"\n", i, rng.IntN(i+1), text)
	}
	return b.Bytes()
}

// TestChunks: a file reads the same parsed by several goroutines, with long lines as memory, and line by line; with every kind of end.
func TestChunks(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	whole := randomLog(rng, 12<<20)
	for _, end := range []int{len(whole), len(whole) - 1, len(whole) - 30, 5<<20 + 77, minChunked, minChunked + 1} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, whole[:end], 0o600); err != nil {
			t.Fatal(err)
		}
		mapped, plain := openLog(t, path), openPlain(t, path)
		if diff := cmp.Diff(plain.records, mapped.records, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%d bytes: records differ (-plain +mapped):\n%.2000s", end, diff)
		}
		if diff := cmp.Diff(plain.damage, mapped.damage); diff != "" {
			t.Fatalf("%d bytes: damage differs (-plain +mapped):\n%.2000s", end, diff)
		}
		if plain.size != mapped.size || plain.end != mapped.end || plain.lines != mapped.lines || plain.tail != mapped.tail || plain.chain != mapped.chain {
			t.Fatalf("%d bytes: ends differ", end)
		}
		if diff := cmp.Diff(findings(plain), findings(mapped)); diff != "" {
			t.Fatalf("%d bytes: findings differ (-plain +mapped):\n%.2000s", end, diff)
		}
	}
}

func openPlain(t *testing.T, path string) *Log {
	t.Helper()
	l, err := Open(path, WithFS(unmapped{disk.OS}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// TestChunksBehindTheEnd: what a file lost between the look at its size and the reading is no crash, and all the rest is read.
func TestChunksBehindTheEnd(t *testing.T) {
	content := randomLog(rand.New(rand.NewPCG(8, 8)), 4<<20)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	want := openLog(t, path)
	for _, beyond := range []int64{1, 4096, 64 << 20} {
		l := want.fresh(want.file)
		if err := l.scanChunks(int64(len(content)) + beyond); err != nil {
			t.Fatal(err)
		}
		if err := l.scan(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(recordIDs(want), recordIDs(l)); diff != "" {
			t.Errorf("%d bytes beyond (-want +got):\n%.2000s", beyond, diff)
		}
	}
}
