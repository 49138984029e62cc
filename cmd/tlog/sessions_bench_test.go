package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkSessionsAll runs the built command, start-up included, in turn with a bare walk that opens each of the
// same 10,000 files and reads 4 KiB of it. It reports the medians, and that of the ratios pair by pair:
//
//	go test ./cmd/tlog -run XXX -bench SessionsAll -benchtime 1x
func BenchmarkSessionsAll(b *testing.B) {
	const pairs = 21
	dir := b.TempDir()
	tlog, root := filepath.Join(dir, "tlog"), filepath.Join(dir, "store")
	mustRun(b, "go", "build", "-o", tlog, ".")
	mustRun(b, "go", "run", "../../store/storegen", "-sessions", "10000", "-projects", "200", root)
	mustRun(b, tlog, "--store", root, "sessions", "--all") // the files are in the cache from here on
	for b.Loop() {
		var lists, walks, ratios []float64
		for range pairs {
			start := time.Now()
			mustRun(b, tlog, "--store", root, "sessions", "--all")
			list := time.Since(start)
			start = time.Now()
			if n := bareWalk(b, root); n != 10_000 {
				b.Fatalf("the walk found %d files", n)
			}
			walk := time.Since(start)
			lists, walks = append(lists, list.Seconds()*1000), append(walks, walk.Seconds()*1000)
			ratios = append(ratios, list.Seconds()/walk.Seconds())
		}
		b.ReportMetric(median(lists), "list-ms")
		b.ReportMetric(median(walks), "walk-ms")
		b.ReportMetric(median(ratios), "list/walk")
	}
}

func mustRun(b *testing.B, name string, args ...string) {
	b.Helper()
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s %v: %v: %s", name, args, err, stderr.Bytes())
	}
}

// bareWalk opens each log below root, reads 4 KiB of it, and counts them.
func bareWalk(b *testing.B, root string) (files int) {
	b.Helper()
	buf := make([]byte, 4096)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		files++
		_, err = f.Read(buf)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
