package claude

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

// sharedTranscripts are all transcripts of the shared material.
func sharedTranscripts(t testing.TB) []string {
	t.Helper()
	files := sharedtest.Glob(t, "*.jsonl", "corpus", "claude")
	files = append(files, sharedtest.Glob(t, "B*/in.jsonl", "cases", "bugs")...)
	return append(files, sampleTranscripts(t)...)
}

func sampleTranscripts(t testing.TB) (files []string) {
	t.Helper()
	err := filepath.WalkDir(sharedtest.Dir(t, "samples", "claude"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".jsonl") && strings.Contains(path, "/projects/") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	return files
}

// branches is the number of branches that people made in those transcripts that have not one.
var branches = map[string]int{
	"33333333-3333-4333-8333-333333333301.jsonl":                            2, // a rewind
	"33333333-3333-4333-8333-333333333302.jsonl":                            2, // a prompt taken back
	"jazzyalex__agent-sessions__019f0000-0000-7000-8000-000000000004.jsonl": 2, // a rewind, of another program
	"specstoryai__getspecstory__session-system-only.jsonl":                  0, // nothing that is shown
	"B008": 3, // three conversations
	// Transcripts of other agents:
	"B020": 0, "B021": 0, "B085": 0, "B134": 0, "B140": 0, "B156": 0,
}

// TestShared reads all real transcripts: no byte is lost, each parent is there, and no branch is made where the user made none.
func TestShared(t *testing.T) {
	for _, file := range sharedTranscripts(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		short := filepath.Base(file)
		if short == "in.jsonl" {
			short = filepath.Base(filepath.Dir(file))
		}
		r := NewReader("s")
		envelopes := r.Read(data)
		if got := bytesOf(envelopes, data); !bytes.Equal(got, data) {
			t.Errorf("%s: the bytes do not come back", short)
		}
		if lines := len(bytes.SplitAfter(data, []byte("\n"))) - 1; len(envelopes) < lines {
			t.Errorf("%s: %d envelopes of %d lines", short, len(envelopes), lines)
		}
		checkGraph(t, short, envelopes)
		roots, gaps, leaves := shapeOf(envelopes)
		want, known := branches[short]
		if !known {
			want = 1
		}
		if leaves != want {
			t.Errorf("%s: %d branches, expected %d", short, leaves, want)
		}
		t.Logf("%-70s entries %5d roots %d gaps %d leaves %d damaged %d leaf %s", short, len(envelopes), roots, gaps, leaves, r.Damaged(), r.Leaf())
	}
}

// bytesOf puts the lines together again.
func bytesOf(envelopes []objects.Envelope, data []byte) []byte {
	var out []byte
	for _, v := range envelopes {
		out = append(out, v.Line...)
		if !v.Joined {
			out = append(out, '\n')
		}
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	return out
}

// checkGraph checks that each parent is there, and that nothing is above itself.
func checkGraph(t testing.TB, name string, envelopes []objects.Envelope) {
	t.Helper()
	parents := parentsOf(envelopes)
	state := map[objects.ID]int{}
	for id := range parents {
		n := len(state) + 1
		for at := id; at != ""; at = parents[at] {
			if state[at] == n {
				t.Errorf("%s: %s is above itself", name, at)
				return
			}
			if state[at] != 0 {
				break
			}
			if _, ok := parents[at]; !ok {
				t.Errorf("%s: %s is no entry, but a parent", name, at)
			}
			state[at] = n
		}
	}
}

// parentsOf are the parents of the tree entries, as the log will know them: the last of one id counts.
func parentsOf(envelopes []objects.Envelope) map[objects.ID]objects.ID {
	parents := map[objects.ID]objects.ID{}
	for _, v := range envelopes {
		if !v.Type.Journal() {
			parents[v.ID] = v.ParentID
		}
	}
	return parents
}

// shapeOf counts the roots, the gaps, and the ends of branches that show something that no other one does.
func shapeOf(envelopes []objects.Envelope) (roots, gaps, leaves int) {
	parents := parentsOf(envelopes)
	shown := map[objects.ID]bool{} // entries with something visible at or below them that counts for a branch already
	for i := len(envelopes) - 1; i >= 0; i-- {
		v := envelopes[i]
		if v.Gap != "" {
			gaps++
		}
		if v.Type.Journal() {
			continue
		}
		if v.ParentID == "" {
			roots++
		}
		if v.Hidden || !v.Type.Visible() || shown[v.ID] {
			continue
		}
		leaves++
		for at := v.ID; at != "" && !shown[at]; at = parents[at] {
			shown[at] = true
		}
	}
	return roots, gaps, leaves
}

// corpusBytes are all real transcripts behind each other.
func corpusBytes(t testing.TB) (all []byte) {
	for _, file := range sharedtest.Glob(t, "*.jsonl", "corpus", "claude") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, data...), '\n')
	}
	return all
}
