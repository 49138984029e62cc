package objects

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/objects/sharedtest"
)

// eachSharedLine calls line for every line of every session file of
// the shared material.
func eachSharedLine(t *testing.T, line func(file string, b []byte)) {
	t.Helper()
	for _, dir := range []string{"corpus", "samples"} {
		err := filepath.WalkDir(sharedtest.Dir(t, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for b := range bytes.SplitSeq(data, []byte("\n")) {
				line(path, b)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestSharedLines holds the scanner against encoding/json on real sessions of
// all agents, and cuts off again what it adds.
func TestSharedLines(t *testing.T) {
	lines, messages := 0, 0
	eachSharedLine(t, func(file string, b []byte) {
		lines++
		e, err := ParseEntry(b)
		object := bytes.HasPrefix(bytes.TrimLeft(b, " \t\r"), []byte("{"))
		if want := object && json.Valid(b); (err == nil) != want {
			t.Errorf("%s: %.80q: error %v, valid is %v", file, b, err, want)
		}
		if err != nil {
			return
		}
		added, err := ParseEntry(AppendMembers(b, []byte(`"ref":"pi"`), []byte(testChain)))
		if err != nil || !bytes.Equal(added.Body(), e.Raw) || added.ID != e.ID || added.ParentID != e.ParentID {
			t.Errorf("%s: %.80q comes back as %.80q, %v", file, b, added.Body(), err)
		}
		if m, ok := DecodeMessage(e); ok {
			messages++
			checkMessage(t, m)
		}
	})
	t.Logf("%d lines, %d messages", lines, messages)
}
