package codex

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

const (
	sourceThread = "0190a1b2-0000-7000-8000-00000000000a"
	header       = `{"timestamp":"2026-04-01T10:00:00.000Z","ordinal":0,"type":"session_meta","payload":{"id":"` + sourceThread + `","timestamp":"2026-04-01T10:00:00.000Z",` +
		`"cwd":"/srv/demo","originator":"o","cli_version":"1","source":"exec","model_provider":"p","history_mode":"paginated","forked_from_id":"x","history_base":{"thread_id":"x"},"git":{"branch":"b"}}}`
	call   = `{"timestamp":"2026-04-01T10:00:01.000Z","type":"response_item","payload":{"type":"function_call","name":"f","arguments":"{}","call_id":"c1"}}`
	output = `{"timestamp":"2026-04-01T10:00:02.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"out"}}`
	turn   = `{"timestamp":"2026-04-01T10:00:00.000Z","type":"turn_context","payload":{"model":"m"}}`
)

// exportLines exports the live path of a rollout: all its nodes on it, and the lines beside them.
func exportLines(t *testing.T, data string, more ...transcript.Entry) (lines []string, report transcript.Report, err error) {
	t.Helper()
	r := NewReader(sourceThread)
	var entries []transcript.Entry
	parents := map[objects.ID]objects.ID{}
	for _, v := range r.Read([]byte(data)) {
		e, err := objects.ParseEntry(v.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, transcript.Entry{Entry: e, EffectiveID: e.ID})
		parents[e.ID] = e.ParentID
	}
	path := map[objects.ID]bool{}
	for id := r.Leaf(); id != ""; id = parents[id] {
		path[id] = true
	}
	entries = slices.DeleteFunc(entries, func(e transcript.Entry) bool { return !path[e.ID] && e.Type != objects.TypeMeta })
	for i := range entries {
		entries[i].OnPath = path[entries[i].ID]
	}
	entries = append(entries, more...)
	var out bytes.Buffer
	report, err = Agent{}.Export(&out, transcript.Export{
		Session: writtenID, From: sourceThread, Now: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Cwd: "/srv/new", OldCwd: "/srv/demo", Entries: sequenceOf(entries),
	})
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), report, err
}

func sequenceOf(entries []transcript.Entry) iter.Seq2[transcript.Entry, error] {
	return func(yield func(transcript.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// TestExport: what is behind the header of the export of a few lines, and what is told of it.
func TestExport(t *testing.T) {
	event := func(kind, text string) string {
		return `{"timestamp":"2026-04-01T10:00:00.000Z","type":"event_msg","payload":{"type":"` + kind + `","message":"` + text + `"}}`
	}
	one, two := item("user", "one"), item("assistant", "two")
	heard, said := event("user_message", "one"), event("agent_message", "two")
	numbered := func(line string) string { return strings.Replace(line, `"type"`, `"ordinal":7,"type"`, 1) }
	usage := `{"timestamp":"2026-04-01T10:00:00.000Z","type":"token_usage_record","payload":{"thread_id":"` + sourceThread + `","usage":{"input_tokens":3,"output_tokens":4}}}`
	for _, test := range []struct {
		name    string
		in, out []string
		repairs string
	}{
		{"items and their events", []string{one, two}, []string{one, heard, two, said}, ""},
		{"calls have no events", []string{one, call, output}, []string{one, heard, call, output}, ""},
		{"a call without output stays", []string{one, call}, []string{one, heard, call}, ""},
		{"ordinals", []string{numbered(one), numbered(two)}, []string{one, heard, two, said}, ""},
		{"events of the file", []string{started, turn, one, event("user_message", "else"), two}, []string{turn, one, heard, two, said}, ""},
		{"a copy's header", []string{one, strings.ReplaceAll(header, "a\",", "b\","), two}, []string{one, heard, two, said}, ""},
		{"what was rolled back", []string{one, two, item("user", "three"), item("assistant", "four"), rollback("1")}, []string{one, heard, two, said}, ""},
		{"a compaction", []string{one, compaction, two}, []string{one, heard, compaction, two, said}, ""},
		{"what the client wrote", []string{item("user", "<environment_context>x"), one}, []string{item("user", "<environment_context>x"), one, heard}, ""},
		{"tokens", []string{one, usage}, []string{one, heard, strings.ReplaceAll(usage, sourceThread, writtenID)}, ""},
		{"a lone surrogate", []string{one, strings.ReplaceAll(two, "two", `\ud83d two`)}, []string{one, heard, strings.ReplaceAll(two, "two", `\ufffd two`), strings.ReplaceAll(said, "two", "\uFFFD two")}, "replaced-surrogate"},
		{"no UTF-8", []string{one, strings.ReplaceAll(two, "two", "\xff two")}, []string{one, heard, strings.ReplaceAll(two, "two", "\uFFFD two"), strings.ReplaceAll(said, "two", "\uFFFD two")}, "replaced-surrogate"},
		{"no time", []string{one, strings.Replace(two, `"timestamp":"2026-04-01T10:00:00.000Z",`, "", 1)}, []string{one, heard, strings.TrimSuffix(strings.Replace(two, `"timestamp":"2026-04-01T10:00:00.000Z",`, "", 1), "}") + `,"timestamp":"2026-04-01T10:00:00.000Z"}`, said}, "cleaned-line"},
		{"a time in seconds", []string{one, strings.Replace(two, `"2026-04-01T10:00:00.000Z"`, "1775037600", 1)}, []string{one, heard, two, said}, "cleaned-line"},
		{"NULs", []string{one, "\x00\x00" + two}, []string{one, heard, two, said}, "cleaned-line"},
		{"no record", []string{one, "{not json", "", two}, []string{one, heard, two, said}, "dropped-line"},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines, report, err := exportLines(t, header+"\n"+strings.Join(test.in, "\n")+"\n")
			if err != nil {
				t.Fatal(err)
			}
			if got, want := strings.Join(lines[1:], "\n"), strings.Join(test.out, "\n"); got != want {
				t.Errorf("got\n%s\nexpected\n%s", got, want)
			}
			var kinds []string
			for _, r := range report.Repairs {
				kinds = append(kinds, string(r.Kind))
			}
			if got := strings.Join(kinds, " "); got != test.repairs {
				t.Errorf("repairs %q, expected %q", got, test.repairs)
			}
			if report.Lines != len(lines) {
				t.Errorf("%d lines are reported of %d", report.Lines, len(lines))
			}
		})
	}
}

// TestExportHeader: the first line is the session's own, without what binds it to its old file.
func TestExportHeader(t *testing.T) {
	const want = `{"timestamp":"2026-05-01T00:00:00.000Z","type":"session_meta","payload":{"id":"` + writtenID + `","timestamp":"2026-05-01T00:00:00.000Z","cwd":"/srv/new",` +
		`"originator":"o","cli_version":"1","git":{"branch":"b"},"source":"cli"}}`
	lines, _, err := exportLines(t, header+"\n"+item("user", "one")+"\n")
	if err != nil || lines[0] != want {
		t.Errorf("got %s, %v, expected\n%s", lines[0], err, want)
	}
	lines, _, err = exportLines(t, item("user", "one")+"\n")
	if err != nil || !strings.Contains(lines[0], `"type":"session_meta"`) || !strings.Contains(lines[0], `"originator":`) || !strings.Contains(lines[0], `"cli_version":`) {
		t.Errorf("without one: %s, %v", lines[0], err)
	}
}

// TestExportRefused: what only a conversation can carry is refused before anything is written.
func TestExportRefused(t *testing.T) {
	own, err := objects.ParseEntry([]byte(`{"type":"compaction","id":"0190a1b2-0000-7000-8000-000000000001","parentId":null,"timestamp":"2026-04-01T10:00:00.000Z","summary":"s","firstKeptEntryId":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	lines, _, err := exportLines(t, header+"\n"+item("user", "one")+"\n", transcript.Entry{Entry: own, EffectiveID: own.ID, OnPath: true})
	if !errors.Is(err, objects.ErrRefused) || len(lines) != 1 || lines[0] != "" {
		t.Errorf("%v, and %q is written", err, lines)
	}
}
