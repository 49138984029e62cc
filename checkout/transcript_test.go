package checkout_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tlog/agents/claude/claudegentest"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// claudeRow is a row of a transcript; what is "assistant:m1" has the reply's id m1.
func claudeRow(kind, id, parent, content string) string {
	kind, reply, _ := strings.Cut(kind, ":")
	up := "null"
	if parent != "" {
		up = fmt.Sprintf("%q", parent)
	}
	return fmt.Sprintf(`{"parentUuid":%s,"type":%q,"uuid":%q,"sessionId":"s","message":{"id":%q,"role":%q,"content":%s}}`+"\n", up, kind, id, reply, kind, content)
}

func claudeCalls(ids ...string) string {
	var calls []string
	for _, id := range ids {
		calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":{}}`, id))
	}
	return "[" + strings.Join(calls, ",") + "]"
}

func claudeResult(id string) string {
	return fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":"found"}]`, id)
}

// told opens the session of a transcript and gives what an export at the entry holds: the ids of the path, and those of other lines in brackets.
func told(t *testing.T, data string, id objects.ID, change ...func(*checkout.Session)) (string, checkout.Transcript) {
	t.Helper()
	lab := newForeignLab(t, 1)
	lab.create([]byte(data))
	s, err := checkout.Open(lab.path, lab.opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for _, c := range change {
		c(s)
	}
	at := s.Refs.Head().At
	if id != "" {
		var found bool
		if at, found = s.Log.Find(id); !found {
			t.Fatalf("no entry '%s'", id)
		}
	}
	transcript, err := s.Transcript(at, checkout.TranscriptOptions{Agent: "claude"})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for e, err := range transcript.Entries {
		switch {
		case err != nil:
			t.Fatal(err)
		case !e.OnPath:
			line, _ := e.SourceLine()
			kind, _ := objects.Entry{Raw: line}.Text("type")
			words = append(words, "["+kind+"]")
		case e.Foreign():
			words = append(words, string(e.EffectiveID))
		}
	}
	return strings.Join(words, " "), transcript
}

// TestTranscript: what is told of a path, and where it ends.
func TestTranscript(t *testing.T) {
	talk := `{"type":"mode"}` + "\n" + claudeRow("user", "u1", "", `"look"`) + claudeRow("assistant:m1", "a1", "u1", claudeCalls("c1")) +
		`{"type":"between"}` + "\n" + claudeRow("assistant:m1", "a2", "a1", claudeCalls("c2")) + claudeRow("user", "u2", "a1", claudeResult("c1")) +
		claudeRow("user", "u3", "a2", claudeResult("c2")) + claudeRow("assistant:m2", "a3", "u3", `"done"`) + claudeRow("user", "u4", "a3", `"next"`) +
		`{"type":"behind"}` + "\n"
	late := claudeRow("user", "u1", "", `"look"`) + claudeRow("assistant:m1", "a1", "u1", claudeCalls("c1")) + claudeRow("user", "u2", "a1", `"and?"`) +
		claudeRow("user", "u3", "a1", claudeResult("c1")) + claudeRow("assistant:m2", "a2", "u2", `"done"`)
	open := claudeRow("user", "u1", "", `"look"`) + claudeRow("assistant:m1", "a1", "u1", claudeCalls("c1", "c2")) + claudeRow("user", "u2", "a1", claudeResult("c1")) +
		claudeRow("user", "u3", "u2", `"next"`) + claudeRow("user", "u4", "u3", claudeResult("c2"))
	for _, tt := range []struct {
		name, data string
		at         objects.ID
		want       string
	}{
		{"the whole", talk, "", "[mode] u1 a1 [between] a2 u2 u3 a3 u4 [behind]"},
		{"an earlier entry", talk, "a3", "[mode] u1 a1 [between] a2 u2 u3 a3"},
		{"at a call: on to the results of the reply", talk, "a1", "[mode] u1 a1 [between] a2 u2 u3"},
		{"at the first result", talk, "u2", "[mode] u1 a1 [between] a2 u2 u3"},
		{"at the last result", talk, "u3", "[mode] u1 a1 [between] a2 u2 u3"},
		{"a result that came late hangs beside the path", late, "a2", "u1 a1 u3 u2 a2"},
		{"not past a prompt", open, "a1", "u1 a1 u2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, transcript := told(t, tt.data, tt.at)
			if got != tt.want {
				t.Errorf("got %s, expected %s (%+v)", got, tt.want, transcript)
			}
		})
	}
}

// TestTranscriptUndone: what is undone is not told, and with a compaction its summary is.
func TestTranscriptUndone(t *testing.T) {
	data := claudeRow("user", "u1", "", `"one"`) + claudeRow("assistant:m1", "a1", "u1", `"two"`) +
		`{"parentUuid":null,"logicalParentUuid":"a1","type":"system","subtype":"compact_boundary","uuid":"b1"}` + "\n" +
		strings.Replace(claudeRow("user", "s1", "b1", `"summary"`), `"type"`, `"isCompactSummary":true,"type"`, 1) + claudeRow("user", "u2", "s1", `"three"`)
	undo := func(ids ...objects.ID) func(*checkout.Session) {
		return func(s *checkout.Session) {
			var targets []int
			for _, id := range ids {
				i, ok := s.Log.Find(id)
				if !ok {
					t.Fatal("no entry ", id)
				}
				targets = append(targets, i)
			}
			if _, err := s.UndoEntries(t.Context(), targets, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		ids    []objects.ID
		want   string
		undone int
	}{
		{[]objects.ID{"a1"}, "u1 b1 s1 u2", 1},
		{[]objects.ID{"b1"}, "u1 a1 u2", 2},
	} {
		got, transcript := told(t, data, "", undo(tt.ids...))
		if got != tt.want || transcript.Undone != tt.undone {
			t.Errorf("undone %v: got %s (%d undone), expected %s", tt.ids, got, transcript.Undone, tt.want)
		}
	}
}

// TestTranscriptRefused: nothing to tell, and lines of another agent.
func TestTranscriptRefused(t *testing.T) {
	lab := newForeignLab(t, 2)
	lab.create([]byte(claudeRow("user", "u1", "", `"one"`)))
	s, err := checkout.Open(lab.path, lab.opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Transcript(log.None, checkout.TranscriptOptions{Agent: "claude"}); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Transcript(s.Refs.Head().At, checkout.TranscriptOptions{Agent: "codex"}); !errors.Is(err, objects.ErrRefused) {
		t.Errorf("got %v", err)
	}
}

// TestTranscriptGenerated: the path to any entry of a session is told in its order, from its root on, and is whole again where
// it is asked for again.
func TestTranscriptGenerated(t *testing.T) {
	for seed := range uint64(20) {
		data, truth := claudegentest.Bytes(rand.New(rand.NewPCG(seed, 5)), claudegentest.Options{})
		for _, row := range truth.Tips() {
			got, transcript := told(t, string(data), objects.ID(row.UUID))
			var want []string
			for _, r := range claudegentest.Path(row) {
				want = append(want, r.UUID)
			}
			var path []string
			for word := range strings.FieldsSeq(got) {
				if word[0] != '[' {
					path = append(path, word)
				}
			}
			if len(path) < len(want) || strings.Join(path[:len(want)], " ") != strings.Join(want, " ") || len(path) > len(want) && transcript.At == transcript.Asked {
				t.Fatalf("seed %d: the path to %s is\n%v, expected\n%v", seed, row.UUID, path, want)
			}
		}
	}
}
