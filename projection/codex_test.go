package projection

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/codex"
	"tlog/log"
	"tlog/objects"
)

// openRollout opens a log of a rollout's lines, and gives its leaf.
func openRollout(t testing.TB, rows ...string) (l *log.Log, leaf int) {
	t.Helper()
	reader := codex.NewReader("s")
	lines := []string{header}
	for _, v := range reader.Read([]byte(joined(rows))) {
		lines = append(lines, string(v.Bytes()))
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(joined(lines)), 0o600); err != nil {
		t.Fatal(err)
	}
	l = openForeign(t, path)
	leaf, ok := l.Find(reader.Leaf())
	if !ok {
		t.Fatal("no leaf")
	}
	return l, leaf
}

func codexItem(role, text string) string {
	return fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":"input_text","text":%q}]}`, role, text)
}

func codexLine(kind, payload string) string {
	return `{"timestamp":"2026-04-01T10:00:00.000Z","type":"` + kind + `","payload":` + payload + `}`
}

func spoken(role, text string) string { return codexLine("response_item", codexItem(role, text)) }

// compacted is a compaction with the items in place of all before it; without any if there are none.
func compacted(message string, items ...string) string {
	return codexLine("compacted", fmt.Sprintf(`{"message":%q,"replacement_history":[%s]}`, message, strings.Join(items, ",")))
}

func compactedAlone(message string) string {
	return codexLine("compacted", fmt.Sprintf(`{"message":%q}`, message))
}

// TestCodexCompactions: what the client sends behind compactions (formats/codex.md section 8).
func TestCodexCompactions(t *testing.T) {
	rolledBack := codexLine("event_msg", `{"type":"thread_rolled_back","num_turns":1}`)
	env := "<environment_context>x"
	for _, test := range []struct {
		name string
		rows []string
		want string
	}{
		{"replaced", []string{spoken("user", "a"), spoken("assistant", "b"), compacted("S", codexItem("user", "a"), codexItem("user", "S")), spoken("user", "c")},
			"user a|user S|user c"},
		{"replaced by nothing", []string{spoken("user", "a"), compacted("S"), spoken("user", "c")}, "user c"},
		{"with instructions", []string{spoken("user", "a"), compacted("S", codexItem("developer", "d"), codexItem("user", env), codexItem("user", "S"))}, "system d|user " + env + "|user S"},
		{"the last counts", []string{spoken("user", "a"), compacted("S", codexItem("user", "S")), spoken("user", "b"), compacted("T", codexItem("user", "T")), spoken("user", "c")}, "user T|user c"},
		{"without a history", []string{spoken("user", env), spoken("user", "a"), spoken("assistant", "b"), compactedAlone("S"), spoken("user", "c")}, "user a|user S|user c"},
		{"without one, behind one with", []string{spoken("user", "a"), compacted("S", codexItem("user", env), codexItem("user", "a"), codexItem("assistant", "x"), codexItem("user", "S")),
			spoken("user", "b"), spoken("assistant", "c"), compactedAlone("T"), spoken("user", "d")}, "user a|user S|user b|user T|user d"},
		{"without one, twice", []string{spoken("user", "a"), compactedAlone("S"), spoken("assistant", "b"), spoken("user", "c"), compactedAlone("T"), spoken("user", "d")}, "user a|user S|user c|user T|user d"},
		{"rolled back to before it", []string{spoken("user", "a"), spoken("assistant", "b"), spoken("user", "c"), compacted("S", codexItem("user", "S")), rolledBack, spoken("user", "d")}, "user a|assistant b|user d"},
		{"what only the server reads", []string{spoken("user", "a"), compacted("", codexItem("user", "a"), `{"type":"compaction","encrypted_content":"E"}`), spoken("user", "b")}, "user a|assistant |user b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, leaf := openRollout(t, test.rows...)
			c := buildAt(t, l, leaf)
			var got []string
			for _, m := range c.Messages {
				got = append(got, m.Role+" "+decode(m.JSON).Text())
			}
			if text := strings.Join(got, "|"); text != test.want {
				t.Errorf("the context is %q, expected %q", text, test.want)
			}
		})
	}
}

// TestCodexUsage: what was cached is part of what went in.
func TestCodexUsage(t *testing.T) {
	got := ParseUsage([]byte(`{"input_tokens":100,"cached_input_tokens":60,"cache_write_input_tokens":10,"output_tokens":7,"reasoning_output_tokens":3,"total_tokens":107}`))
	if want := (Usage{Input: 30, CacheRead: 60, CacheWrite: 10, Output: 7, Reasoning: 3, Recorded: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	record := codexLine("token_usage_record", `{"usage":{"input_tokens":5,"output_tokens":2}}`)
	l, _ := openRollout(t, spoken("user", "a"), record, record)
	var entries []int
	for i := range l.Len() {
		entries = append(entries, i)
	}
	sum, err := CountUsage(l, entries)
	if err != nil || sum.Input != 10 || sum.Output != 4 || sum.Replies != 2 {
		t.Errorf("%+v, %v", sum, err)
	}
	if _, ok := objects.Decoder(codex.Agent{}).(objects.UsageDecoder); !ok {
		t.Error("no decoder of usage")
	}
}
