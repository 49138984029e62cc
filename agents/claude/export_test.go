package claude

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tlog/agents/claude/claudegentest"
	"tlog/objects/sharedtest"
)

// TestExportGenerated: the export of what an undamaged client leaves behind changes nothing but the session's id. Exported again, it
// changes nothing but that either.
func TestExportGenerated(t *testing.T) {
	for seed := range uint64(300) {
		data, truth := claudegentest.Bytes(rand.New(rand.NewPCG(seed, 9)), claudegentest.Options{Old: seed%3 == 0})
		if truth.Leaf == nil {
			continue
		}
		out, report := exportLive(t, data)
		if len(report.Repairs) > 0 {
			t.Fatalf("seed %d: repairs %v", seed, report.Repairs)
		}
		lines := map[string]bool{}
		for line := range strings.Lines(string(data)) {
			lines[line] = true
		}
		for line := range strings.Lines(out) {
			if !lines[strings.ReplaceAll(line, string(labSession), truth.Session)] {
				t.Fatalf("seed %d: a line that was not there: %s", seed, line)
			}
		}
		again, report := exportLive(t, []byte(out))
		if len(report.Repairs) > 0 || again != out {
			t.Fatalf("seed %d: the second export is not the first one: %v", seed, report.Repairs)
		}
	}
}

// TestExportShared: exports of what others wrote hold what must hold, and are not repaired again.
func TestExportShared(t *testing.T) {
	files := slices.Concat(sharedtest.Glob(t, "*.jsonl", "corpus", "claude"), sharedtest.Glob(t, "*/projects/*/*.jsonl", "samples", "claude"),
		sharedtest.Glob(t, "*/in.jsonl", "cases", "bugs"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		entries, leaf := readLab(t, data)
		if leaf == "" {
			continue
		}
		out, first := exportLab(t, pathLab(t, entries, leaf))
		again, second := exportLive(t, []byte(out))
		if len(second.Repairs) > 0 {
			t.Errorf("%s: repairs %.300v of its export, after %.300v", file, second.Repairs, first.Repairs)
		}
		if again != out {
			t.Errorf("%s: the second export is not the first one", file)
		}
		if t.Failed() {
			t.Fatal(file)
		}
	}
}
