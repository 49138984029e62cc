package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/claude/claudegentest"
)

// TestImportClaudeGrown: of a session of 4 MB that was imported, three more lines are three more entries, and the log grows by no more.
func TestImportClaudeGrown(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "session.jsonl")
	data, truth := claudegentest.Bytes(rand.New(rand.NewPCG(4, 4)), claudegentest.Options{Size: 4 << 20, Linear: true})
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	importFile := func() (done struct {
		File    string
		New     int
		Repeats int
		Created bool
	}) {
		t.Helper()
		code, out, errs := runApp(t, dir, "import", "--json", file)
		if code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		if err := json.Unmarshal([]byte(out), &done); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return done
	}
	first := importFile()
	before := sizeOf(t, first.File)
	if !first.Created || first.New+first.Repeats != bytes.Count(data, []byte("\n")) {
		t.Errorf("%d entries and %d repeats, expected one a line: %d", first.New, first.Repeats, bytes.Count(data, []byte("\n")))
	}
	var lines strings.Builder
	parent := truth.Leaf.UUID
	for i := range 3 {
		fmt.Fprintf(&lines, `{"parentUuid":%q,"type":"user","uuid":"more%d","message":{"role":"user","content":"more"},"sessionId":%q}`+"\n", parent, i, truth.Session)
		parent = fmt.Sprint("more", i)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(lines.String()); err != nil {
		t.Fatal(err)
	}
	if done := importFile(); done.New != 3 || done.File != first.File {
		t.Errorf("%d entries are new, expected 3", done.New)
	}
	if grown := sizeOf(t, first.File) - before; grown > 4096 {
		t.Errorf("the log has grown by %d bytes", grown)
	}
	if done := importFile(); done.New != 0 {
		t.Errorf("%d entries are new, expected none", done.New)
	}
}

func sizeOf(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
