package log

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/objects"
	"tlog/objects/sharedtest"
)

// TestRealLinesThroughBlobs writes every line of every real transcript, of all agents, into a log and reads it back.
func TestRealLinesThroughBlobs(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes every real line through three thresholds")
	}
	root := sharedtest.Dir(t)
	for _, threshold := range []int{1, 4096, 1_000_000} {
		dir := t.TempDir()
		opt := WriteOptions{Durability: DurabilityOS, Blobs: BlobOptions{Threshold: threshold}}
		lines, tables := 0, 0
		for _, part := range []string{"corpus", "samples"} {
			err := filepath.WalkDir(filepath.Join(root, part), func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
					return err
				}
				if info, err := d.Info(); err != nil || threshold == 1 && info.Size() > 300_000 {
					return err // every string in a file of its own takes long
				}
				content, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				var all []Line
				for b := range bytes.SplitSeq(bytes.TrimSuffix(content, []byte("\n")), []byte("\n")) {
					all = append(all, Line{Bytes: b, Verbatim: true})
				}
				log := filepath.Join(dir, "log.jsonl")
				if err := WriteFile(log, objects.Header{ID: "s1"}, all, opt); err != nil {
					return err
				}
				n, withTable := wantLines(t, log, all)
				lines, tables = lines+n, tables+withTable
				return os.Remove(log)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("threshold %d: %d lines, %d with a table", threshold, lines, tables)
	}
}

// wantLines compares the log's lines, less what was added to them, with what was written.
func wantLines(t *testing.T, path string, want []Line) (lines, tables int) {
	t.Helper()
	l := openLog(t, path)
	defer func() { _ = l.Close() }()
	for raw, err := range l.Lines(0) {
		if err != nil {
			t.Fatal(err)
		}
		if raw.Header {
			continue
		}
		got := bytes.Clone(raw.Bytes)
		if p := parseLine(raw.Bytes, true); p.kind == lineObject {
			whole, err := l.Fill(p.entry, raw.Line)
			if err != nil {
				t.Errorf("line %d: %v", raw.Line, err)
			}
			got = bytes.Join([][]byte{raw.Bytes[:p.start], whole.Raw, raw.Bytes[p.end:]}, nil)
			if p.entry.Blobs != nil {
				tables++
			}
		}
		if !bytes.Equal(got, want[lines].Bytes) {
			t.Errorf("line %d: got %.200q, want %.200q", raw.Line, got, want[lines].Bytes)
		}
		lines++
	}
	return lines, tables
}
