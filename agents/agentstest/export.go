package agentstest

import (
	"bytes"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/objects"
)

// What exports are made with.
const (
	firstExport  objects.ID = "0e000000-0000-4000-8000-000000000001"
	secondExport objects.ID = "0e000000-0000-4000-8000-000000000002"
	exportCwd               = "/home/ada/exported"
)

// export writes the live path, reads it back, and writes it again.
func (s Suite) export(t *testing.T, sample Sample, r reading) {
	t.Helper()
	first, report := s.write(t, r, sample.orSession(), firstExport, sample.Cwd, exportCwd)
	if sample.Session != "" && !sample.Damaged && mentions(r, sample.Session) == 0 && bytes.Contains(first, []byte(sample.Session)) {
		t.Errorf("the export still names the session that it is made of")
	}
	again := s.readBack(t, first, firstExport)
	if t.Failed() {
		return
	}
	if repaired := sample.Damaged || sample.Repaired; repaired != (len(report.Repairs) > 0) {
		t.Errorf("the export has the repairs %v, expected: %v", report.Repairs, repaired)
	}
	sameMessages(t, r.said(t), again.said(t), sample.Damaged)
	second, report := s.write(t, again, firstExport, secondExport, exportCwd, exportCwd)
	if len(report.Repairs) > 0 {
		t.Errorf("what was exported is repaired again: %v", report.Repairs)
	}
	if a, b := again.withoutIDs(first), s.readBack(t, second, secondExport).withoutIDs(second); a != b {
		t.Errorf("the second export changes more than ids: %s", difference(a, b))
	}
}

// Exported is the path to an entry of a transcript, written as a new session of the folder cwd.
func Exported(t testing.TB, agent agents.Foreign, sample Sample, tip, session objects.ID, cwd string) []byte {
	t.Helper()
	r := read(t, agent, sample.orSession(), sample.Data)
	r.leaf = tip
	data, _ := Suite{Agent: agent}.write(t, r, sample.orSession(), session, sample.Cwd, cwd)
	return data
}

// mentions counts the texts that name the session themselves.
func mentions(r reading, session objects.ID) (n int) {
	for _, e := range r.path(r.leaf) {
		if m, ok := r.agent.Message(e); ok && strings.Contains(m.Text(), string(session)) {
			n++
		}
	}
	return n
}

// write exports the live path of what was read.
func (s Suite) write(t testing.TB, r reading, from, session objects.ID, oldCwd, cwd string) ([]byte, transcript.Report) {
	t.Helper()
	var b bytes.Buffer
	report, err := s.target(t).Export(&b, transcript.Export{
		Session: session, From: from, Now: time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC), Cwd: cwd, OldCwd: oldCwd,
		Entries: r.exported(),
	})
	if err != nil {
		t.Fatal("export: ", err)
	}
	for i, line := range strings.SplitAfter(b.String(), "\n") {
		text, whole := strings.CutSuffix(line, "\n")
		if !whole && line != "" || whole && !objects.Valid([]byte(text)) {
			t.Fatalf("line %d of the export is no JSON: %.300q", i+1, line)
		}
	}
	if lines := bytes.Count(b.Bytes(), []byte{'\n'}); lines != report.Lines {
		t.Errorf("the export has %d lines, its report says %d", lines, report.Lines)
	}
	return b.Bytes(), report
}

// exported are the entries of the path to the leaf, with the lines that are no nodes, as a log gives them: parents first. They can be
// gone over more than once.
func (r reading) exported() iter.Seq2[transcript.Entry, error] {
	var entries []transcript.Entry
	path := r.path(r.leaf)
	place := map[objects.ID]int{}
	for n, e := range path {
		place[e.ID] = n
	}
	next := 0 // of the path
	for i, e := range r.entries {
		n, onPath := place[e.ID]
		switch {
		case r.last[e.ID] != i:
		case e.Type.Journal():
			entries = append(entries, transcript.Entry{Entry: e, EffectiveID: e.ID})
		case onPath:
			for ; next <= n; next++ {
				entries = append(entries, transcript.Entry{Entry: path[next], EffectiveID: path[next].ID, OnPath: true})
			}
		}
	}
	return func(yield func(transcript.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// readBack reads an export where the agent would look for it.
func (s Suite) readBack(t *testing.T, data []byte, session objects.ID) reading {
	t.Helper()
	env := s.Env(t.TempDir())
	file := s.target(t).InstallPath(env, exportCwd, session)
	install(t, file, data)
	if !s.Agent.Detect(head(data)) {
		t.Errorf("the export is not known as one of %s: %.300s", s.Agent.Name(), data)
	}
	id, err := s.Agent.Identify(file, head(data))
	if err != nil || id.ID != session || id.Cwd != exportCwd {
		t.Errorf("the export is session '%s' of '%s' (%v), expected '%s' of '%s'", id.ID, id.Cwd, err, session, exportCwd)
	}
	r := read(t, s.Agent, session, data)
	r.checkGraph(t)
	if r.damaged > 0 {
		t.Errorf("the export has %d damaged lines", r.damaged)
	}
	checkPairs(t, r.nodes(r.path(r.leaf)))
	return r
}

func install(t testing.TB, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// said are the messages and compactions on the live path.
func (r reading) said(t testing.TB) (nodes []Node) {
	t.Helper()
	for _, n := range r.nodes(r.path(r.leaf)) {
		if n.Visible {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// sameMessages: what was written says what was read. From a damaged session messages may be left out, or results added.
func sameMessages(t testing.TB, want, got []Node, damaged bool) {
	t.Helper()
	if damaged {
		return
	}
	if len(got) != len(want) {
		t.Errorf("the export has %d messages, expected %d", len(got), len(want))
		return
	}
	for i := range got {
		if !got[i].same(want[i]) {
			t.Errorf("message %d of the export is\n%.600v, expected\n%.600v", i, got[i], want[i])
			return
		}
	}
}

// withoutIDs is an export with the ids of its rows and of the session replaced by their order.
func (r reading) withoutIDs(data []byte) string {
	var pairs []string
	names := map[string]bool{}
	add := func(id, name string) {
		if !names[id] {
			names[id] = true
			pairs = append(pairs, id, name)
		}
	}
	add(string(firstExport), "<session>")
	add(string(secondExport), "<session>")
	order := slices.Sorted(maps.Values(r.last))
	for n, i := range order {
		if e := r.entries[i]; !e.Type.Journal() {
			add(string(e.ID), "<id "+string(rune('0'+n%10))+">")
		}
	}
	return strings.NewReplacer(pairs...).Replace(string(data))
}

// difference shows where two texts part.
func difference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-200)
	return "\n" + a[from:min(len(a), i+200)] + "\nand\n" + b[from:min(len(b), i+200)]
}
