package log

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/objects"
)

// generate writes a log of about the given size with entries of a kilobyte and gives its path.
func generate(b *testing.B, size int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "log.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	text := strings.Repeat(`some text with \"escapes\" and\nmore `, 22)
	id := func(i int) string {
		return fmt.Sprintf("0193a000-0000-7000-8000-%012x", uint64(i)*0x9E3779B97F4A7C15>>16)
	}
	written, _ := fmt.Fprintln(w, `{"type":"session","version":3,"id":"s1","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}`)
	for i := 1; written < size; i++ {
		n, _ := fmt.Fprintf(w, `{"type":"message","id":"%s","parentId":"%s","timestamp":"2026-11-30T10:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"%s"}]}}`+"\n",
			id(i), strings.Repeat(id(i-1), min(1, i-1)), text)
		written += n
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkOpen(b *testing.B) {
	const size = 100 << 20
	path := generate(b, size)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		l, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(l.Len()), "entries")
		_ = l.Close()
	}
}

func BenchmarkShortOfAll(b *testing.B) {
	l := openLog(b, generate(b, 100<<20))
	for b.Loop() {
		l.prefixes = prefixIndex{}
		for i := range l.Len() {
			l.Short(i)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	const size = 20 << 20
	l := openLog(b, generate(b, size))
	if _, err := l.Rewrite(context.Background(), WriteOptions{}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	for b.Loop() {
		for f := range l.Check() {
			b.Fatal(f)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	for name, durability := range map[string]Durability{"disk": DurabilityDisk, "os": DurabilityOS} {
		b.Run(name, func(b *testing.B) {
			l, err := Create(filepath.Join(b.TempDir(), "log.jsonl"), objects.Header{ID: "s1"}, WriteOptions{})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			n := 0
			for b.Loop() {
				n++
				err := l.Update(context.Background(), WriteOptions{Durability: durability}, func() ([]Line, error) {
					return []Line{{Bytes: []byte(entryLine(fmt.Sprintf("e%d", n), ""))}}, nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
