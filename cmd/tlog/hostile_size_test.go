package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hostileSizes are logs that are large in a way of their own; n says how large, for a million of the smallest things or a gigabyte.
var hostileSizes = map[string]func(w io.Writer, n int){
	"a long line": func(w io.Writer, n int) {
		plainEntry(w, "a", "")
		fmt.Fprint(w, `{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"`)
		for range n {
			fmt.Fprint(w, strings.Repeat("long text ", 100))
		}
		fmt.Fprintln(w, `"}}`)
		plainEntry(w, "c", "b")
	},
	"a long line that is no object": func(w io.Writer, n int) {
		plainEntry(w, "a", "")
		for range n {
			fmt.Fprint(w, strings.Repeat("junk text ", 100))
		}
		fmt.Fprintln(w)
		plainEntry(w, "c", "a")
	},
	"deep": func(w io.Writer, n int) {
		plainEntry(w, "a", "")
		fmt.Fprintf(w, `{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":%s%s}}`+"\n", strings.Repeat("[", n), strings.Repeat("]", n))
		fmt.Fprintf(w, `{"type":"message","id":"d","parentId":"b","message":{"role":"user","content":%s1%s}}`+"\n", strings.Repeat(`{"a":`, n), strings.Repeat("}", n))
		plainEntry(w, "c", "d")
	},
	"many children": func(w io.Writer, n int) {
		plainEntry(w, "a", "")
		for i := range n {
			plainEntry(w, fmt.Sprintf("e%d", i), "a")
		}
	},
	"many branches": func(w io.Writer, n int) {
		plainEntry(w, "a", "")
		for i := range n {
			fmt.Fprintf(w, `{"type":"ref","id":"r%d","parentId":"a","name":"b%d","targetId":"a"}`+"\n", i, i)
		}
	},
	"a cycle": func(w io.Writer, n int) {
		for i := range n {
			plainEntry(w, fmt.Sprintf("e%d", i), fmt.Sprintf("e%d", (i+1)%n))
		}
	},
	"cycles of every length": func(w io.Writer, n int) {
		for length, made := 1, 0; made < n; length++ {
			for i := range length {
				plainEntry(w, fmt.Sprintf("e%d-%d", length, i), fmt.Sprintf("e%d-%d", length, (i+1)%length))
			}
			made += length
		}
	},
	"a chain": func(w io.Writer, n int) {
		plainEntry(w, "e0", "")
		for i := 1; i < n; i++ {
			plainEntry(w, fmt.Sprintf("e%d", i), fmt.Sprintf("e%d", i-1))
		}
	},
	"one id": func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, `{"type":"message","id":"a","parentId":"a","message":{"role":"user","content":"%d"}}`+"\n", i)
		}
	},
}

func plainEntry(w io.Writer, id, parent string) {
	above := "null"
	if parent != "" {
		above = `"` + parent + `"`
	}
	fmt.Fprintf(w, `{"type":"message","id":"%s","parentId":%s,"message":{"role":"user","content":"x"}}`+"\n", id, above)
}

// TestHostileSizes: what is large in any way takes time and memory by its size, not by more. With TLOG_MEASURE a million of each, and a line of a gigabyte.
func TestHostileSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts the command many times")
	}
	n, patience := 10_000, time.Minute
	if os.Getenv("TLOG_MEASURE") != "" {
		n, patience = 1_000_000, 5*time.Minute
	}
	b := build(t)
	for name, write := range hostileSizes {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(b.dir, "s.jsonl")
			f, err := os.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			w := bufio.NewWriter(f)
			fmt.Fprintln(w, `{"type":"session","version":4,"id":"large"}`)
			write(w, n)
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			size, err := f.Seek(0, io.SeekCurrent)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			for _, args := range []string{"log --oneline -n 3", "log --graph --all -n 3", "show", "status", "branch", "fsck", "context", "export -f -o out.jsonl"} {
				begun := time.Now()
				cmd := b.command(t.Context(), "-s s.jsonl "+args)
				cmd.Stdout = io.Discard
				var errs strings.Builder
				cmd.Stderr = &errs
				_ = cmd.Run()
				if code := cmd.ProcessState.ExitCode(); code != exitOK && code != exitNo {
					t.Errorf("%s: exit code %d: %.500s", args, code, errs.String())
				}
				took, peak := time.Since(begun), peakMemory(cmd.ProcessState)
				if took > patience {
					t.Errorf("%s: took %v of a log of %d bytes", args, took, size)
				}
				if most := 8*size + int64(n)*2500 + 128<<20; peak > most {
					t.Errorf("%s: took %d MB of memory for a log of %d MB", args, peak>>20, size>>20)
				}
				t.Logf("%-28s %6.2f s  %5d MB", args, took.Seconds(), peak>>20)
			}
		})
	}
}
