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
	seeds := uint64(300)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
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
	if testing.Short() {
		t.Skip("it exports every real transcript twice")
	}
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
		// Rows of types that the client does not know hang beside the history of an export, so a second one has none.
		if dropUnknownRows(again) != dropUnknownRows(out) {
			t.Errorf("%s: the second export is not the first one", file)
		}
		if t.Failed() {
			t.Fatal(file)
		}
	}
}

func dropUnknownRows(transcript string) string {
	var kept strings.Builder
	for line := range strings.Lines(transcript) {
		r := readRowObject([]byte(strings.TrimSuffix(line, "\n")))
		if r.uuid == "" || r.spoken() || r.kind == "attachment" || r.kind == "system" || r.kind == "progress" {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// TestExportParents: nothing hangs at a row that the client does not go on from, though it names it.
func TestExportParents(t *testing.T) {
	for name, test := range map[string]struct {
		rows, row, parent string
		repaired          bool
	}{
		"a type of others": {`
			u1<-- user
			t1<-u1 tool
			a1<-t1 assistant re=m1`, "a1", "u1", true},
		"a sidechain": {`
			u1<-- user
			a1<-u1 assistant re=m1
			s1<-- user side
			u2<-s1 user`, "u2", "a1", false},
		"a system row": {`
			u1<-- user
			n1<-u1 system:turn_duration
			a1<-n1 assistant re=m1`, "a1", "n1", false},
	} {
		entries, leaf := readLab(t, rows(test.rows))
		out, report := exportLab(t, pathLab(t, entries, leaf))
		parent := ""
		for line := range strings.Lines(out) {
			if r := readRowObject([]byte(strings.TrimSuffix(line, "\n"))); r.uuid == test.row {
				parent = r.parent
			}
		}
		if parent != test.parent || (len(report.Repairs) > 0) != test.repaired {
			t.Errorf("%s: hangs at %q, repairs %v\n%s", name, parent, report.Repairs, out)
		}
	}
}
