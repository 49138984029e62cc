package claude

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

const (
	labSession objects.ID = "0e000000-0000-4000-8000-000000000001"
	labOther   objects.ID = "0e000000-0000-4000-8000-000000000002"
)

// readLab reads a transcript as a log would hold it: the last line of an id counts, repeats are no entries.
func readLab(t testing.TB, data []byte) (entries []transcript.Entry, leaf objects.ID) {
	t.Helper()
	r := NewReader("lab")
	at := map[objects.ID]int{}
	for _, v := range r.Read(bytes.Clone(data)) {
		e, err := objects.ParseEntry(v.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if i, again := at[e.ID]; again {
			entries[i] = transcript.Entry{Entry: e, EffectiveID: e.ID}
			continue
		}
		at[e.ID] = len(entries)
		entries = append(entries, transcript.Entry{Entry: e, EffectiveID: e.ID})
	}
	return entries, r.Leaf()
}

// pathLab marks the path to an entry, and gives all that an export of it holds.
func pathLab(t testing.TB, entries []transcript.Entry, leaf objects.ID) []transcript.Entry {
	t.Helper()
	at := map[objects.ID]int{}
	for i, e := range entries {
		at[e.EffectiveID] = i
	}
	var path []int
	for id := leaf; id != ""; {
		i, ok := at[id]
		if !ok || len(path) > len(entries) {
			t.Fatalf("the path breaks at '%s'", id)
		}
		path = append(path, i)
		id = entries[i].ParentID
	}
	slices.Reverse(path)
	var out []transcript.Entry
	next := 0
	for _, i := range path {
		for ; next < i; next++ {
			if entries[next].Type == objects.TypeMeta {
				out = append(out, entries[next])
			}
		}
		e := entries[i]
		e.OnPath = true
		out = append(out, e)
	}
	for ; next < len(entries); next++ {
		if entries[next].Type == objects.TypeMeta {
			out = append(out, entries[next])
		}
	}
	return out
}

func sequence(entries []transcript.Entry) iter.Seq2[transcript.Entry, error] {
	return func(yield func(transcript.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// exportLab exports entries and checks what must hold of any export.
func exportLab(t testing.TB, entries []transcript.Entry, change ...func(*transcript.Export)) (string, transcript.Report) {
	t.Helper()
	x := transcript.Export{Session: labSession, From: "lab", Now: time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC), OldCwd: "/proj/garden", Entries: sequence(entries)}
	for _, c := range change {
		c(&x)
	}
	var b bytes.Buffer
	report, err := Agent{}.Export(&b, x)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != report.Lines {
		t.Errorf("%d lines, the report says %d", n, report.Lines)
	}
	checkExport(t, b.String())
	return b.String(), report
}

// exportLive exports the live path of a transcript.
func exportLive(t testing.TB, data []byte, change ...func(*transcript.Export)) (string, transcript.Report) {
	t.Helper()
	entries, leaf := readLab(t, data)
	return exportLab(t, pathLab(t, entries, leaf), change...)
}

// checkExport checks what must hold of any export: JSON lines, parents that stand above, calls and results in pairs, no thinking
// that the API refuses.
func checkExport(t testing.TB, data string) {
	t.Helper()
	ids := map[string]bool{}
	open, called := map[string]int{}, map[string]bool{}
	for line := range strings.Lines(data) {
		text, ended := strings.CutSuffix(line, "\n")
		if !ended || objects.Scan([]byte(text), nil) != nil {
			t.Fatalf("no line of JSON: %.300q", line)
		}
		r := readRowObject([]byte(text))
		if r.kind == "" {
			continue // no row
		}
		if r.parent != "" && r.uuid != "" && !ids[r.parent] {
			t.Errorf("the parent %s of %s is no earlier line", r.parent, r.uuid)
		}
		if r.uuid != "" {
			if ids[r.uuid] {
				t.Errorf("two rows with the id %s", r.uuid)
			}
			ids[r.uuid] = true
		}
		if r.sidechain || !r.spoken() {
			continue
		}
		eachBlock(r, func(b block) {
			switch b.kind {
			case "tool_use":
				id := objects.StringOf(objects.MemberOf(b.raw, "id"))
				if called[id] {
					t.Errorf("the call %q comes twice", id)
				}
				if fitName(id, "") != id || objects.MemberOf(b.raw, "input")[0] != '{' {
					t.Errorf("a call that the API refuses: %s", b.raw)
				}
				called[id] = true
				open[id]++
			case "tool_result":
				id := objects.StringOf(objects.MemberOf(b.raw, "tool_use_id"))
				if open[id]--; open[id] != 0 {
					t.Errorf("a result of %q without its call", id)
				}
			case "thinking":
				if objects.StringOf(objects.MemberOf(b.raw, "thinking")) == "" || objects.StringOf(objects.MemberOf(b.raw, "signature")) == "" {
					t.Errorf("thinking that the API refuses: %s", b.raw)
				}
			}
		})
	}
	for id, n := range open {
		if n != 0 {
			t.Errorf("the call %q has no result", id)
		}
	}
}

// kinds are the kinds of repairs of a report, in order.
func kinds(report transcript.Report) string {
	var words []string
	for _, r := range report.Repairs {
		words = append(words, string(r.Kind))
	}
	return strings.Join(words, " ")
}
