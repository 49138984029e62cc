package codex

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/objects"
)

var testdata = filepath.Join("..", "..", "testdata", "codex")

func readFile(t testing.TB, parts ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{testdata}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// item is a line with a message.
func item(role, text string) string {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return fmt.Sprintf(`{"timestamp":"2026-04-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}}`, role, kind, text)
}

func rollback(turns string) string {
	return `{"timestamp":"2026-04-01T10:00:00.000Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":` + turns + `}}`
}

const (
	started    = `{"timestamp":"2026-04-01T10:00:00.000Z","type":"event_msg","payload":{"type":"task_started"}}`
	compaction = `{"timestamp":"2026-04-01T10:00:00.000Z","type":"compacted","payload":{"message":"S","replacement_history":[]}}`
)

// pathOf are the texts of the messages up to an entry.
func pathOf(t testing.TB, envelopes []objects.Envelope, leaf objects.ID) string {
	t.Helper()
	entries := map[objects.ID]objects.Entry{}
	for _, v := range envelopes {
		e, err := objects.ParseEntry(v.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		entries[v.ID] = e
	}
	var texts []string
	for id := leaf; id != ""; id = entries[id].ParentID {
		e, ok := entries[id]
		if !ok {
			t.Fatalf("%s is nowhere", id)
		}
		if m, ok := (Agent{}).Message(e); ok && m.Text() != "" && len(m.Results()) == 0 {
			texts = append(texts, m.Text())
		}
	}
	slices.Reverse(texts)
	return strings.Join(texts, " ")
}

func TestRollback(t *testing.T) {
	env := item("user", "<environment_context></environment_context>")
	for _, test := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"none", []string{item("user", "a"), item("assistant", "b")}, "a b"},
		{"one turn", []string{item("user", "a"), item("assistant", "b"), item("user", "c"), item("assistant", "d"), rollback("1"), item("user", "e")}, "a b e"},
		{"nothing behind it", []string{item("user", "a"), item("assistant", "b"), item("user", "c"), rollback("1")}, "a b"},
		{"two at once", []string{item("user", "a"), item("user", "b"), item("user", "c"), rollback("2"), item("user", "d")}, "a d"},
		{"two behind each other", []string{item("user", "a"), item("user", "b"), item("user", "c"), rollback("1"), rollback("1"), item("user", "d")}, "a d"},
		{"more than there are", []string{item("user", "a"), rollback("7"), item("user", "d")}, "d"},
		{"all", []string{env, item("user", "a"), rollback("7")}, ""},
		{"what stands before the prompt stays", []string{item("assistant", "w"), env, item("user", "a"), rollback("1"), item("user", "b")}, "w <environment_context></environment_context> b"},
		{"no turns", []string{item("user", "a"), rollback("0"), rollback("-1"), rollback(`"x"`), rollback("null"), item("user", "b")}, "a b"},
		{"a compaction at the beginning of a turn goes with it", []string{item("user", "a"), item("assistant", "b"), started, compaction, item("user", "c"), rollback("1"), item("user", "d")}, "a b d"},
		{"a turn that only compacts stays", []string{item("user", "a"), started, compaction, started, item("user", "c"), rollback("1"), item("user", "d")}, "a d"},
		{"notes are no turns", []string{item("user", "a"), item("user", "<turn_aborted>x"), rollback("1"), item("user", "b")}, "b"},
		{"rolled back turns do not count", []string{item("user", "a"), item("user", "b"), rollback("1"), item("user", "c"), rollback("1"), item("user", "d")}, "a d"},
	} {
		r := NewReader("s")
		envelopes := r.Read([]byte(strings.Join(test.lines, "\n") + "\n"))
		if got := pathOf(t, envelopes, r.Leaf()); got != test.want {
			t.Errorf("%s: the path says %q, expected %q", test.name, got, test.want)
		}
	}
}

// TestForkCopies: the lines that a fork copies have the ids that they have in its source, the others have not.
func TestForkCopies(t *testing.T) {
	ids := map[string]objects.ID{}
	source := NewReader("019d4000-0000-7000-8000-000000000005").Read(readFile(t, "source.jsonl"))
	for _, v := range source {
		ids[string(v.ID)] = v.ID
	}
	fork := NewReader("019d4000-0000-7000-8000-000000000006").Read(readFile(t, "forked.jsonl"))
	var shared, own []string
	for _, v := range fork {
		if v.Type.Journal() {
			continue
		}
		e, _ := objects.ParseEntry(v.Bytes())
		m, _ := (Agent{}).Message(e)
		words := string(v.Type) + " " + m.Text()
		if _, ok := ids[string(v.ID)]; ok {
			shared = append(shared, words)
		} else {
			own = append(own, words)
		}
	}
	if got := strings.Join(shared, ", "); got != "message base one, message base two, usage " {
		t.Errorf("shared are %q", got)
	}
	if got := strings.Join(own, ", "); got != "message in the fork, message fork answer, usage " {
		t.Errorf("of its own are %q", got)
	}
	if a, b := nodeParents(source), nodeParents(fork); a[2] != b[2] {
		t.Errorf("the copies hang together in another way: %v, %v", a, b)
	}
}

func nodeParents(envelopes []objects.Envelope) (parents []objects.ID) {
	for _, v := range envelopes {
		if !v.Type.Journal() {
			parents = append(parents, v.ParentID)
		}
	}
	return parents
}

// TestEssence: what the client changes when it writes a line anew changes no id, and all else does.
func TestEssence(t *testing.T) {
	base := `{"type":"message","role":"user","content":[{"type":"input_text","text":"ä\n"}]}`
	same := []string{
		`{"content":[{"text":"\u00e4\n","type":"input_text"}],"role":"user","type":"message"}`,
		`{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"ä\n","annotations":[],"x":null}],"phase":null}`,
		`{ "type" : "message", "role":"user" ,"content":[ {"type":"input_text","text":"ä\u000a"} ] }`,
	}
	other := []string{
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"ä"}]}`,
		`{"type":"message","role":"assistant","content":[{"type":"input_text","text":"ä\n"}]}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"ä\n"},{"type":"input_text","text":"x"}]}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"ä\n","id":"x"}]}`,
		`{"type":"message","role":"user","content":"ä\n"}`,
	}
	for _, s := range same {
		if essence([]byte(s)) != essence([]byte(base)) {
			t.Errorf("%s is taken for another", s)
		}
	}
	for _, s := range other {
		if essence([]byte(s)) == essence([]byte(base)) {
			t.Errorf("%s is taken for the same", s)
		}
	}
}

// TestIDs: no two lines of a file have one id, however often they say the same.
func TestIDs(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var data bytes.Buffer
		for range 60 {
			lines := []string{
				item("user", "go on"), item("assistant", "ok"), rollback("1"), "", "no json", item("user", "go on") + item("user", "go on"),
				`{"timestamp":"t","type":"session_meta","payload":{"id":"a"}}`, `{"timestamp":"t","type":"session_meta","payload":{"id":"b"}}`,
				`{"timestamp":"t","type":"event_msg","payload":{"type":"x","thread_id":"a"}}`, `{"timestamp":"t","type":"event_msg","payload":{"type":"x","thread_id":"b"}}`,
				`{}`, `{"payload":null,"timestamp":"t"}`,
			}
			data.WriteString(lines[rng.IntN(len(lines))] + "\n")
		}
		seen := map[objects.ID]bool{}
		for _, v := range NewReader("a").Read(data.Bytes()) {
			if seen[v.ID] {
				t.Fatalf("seed %d: two lines have the id %s: %s", seed, v.ID, v.Line)
			}
			seen[v.ID] = true
		}
	}
}

func TestUsageOnce(t *testing.T) {
	count := func(last, total string) string {
		return `{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":` + total + `,"last_token_usage":` + last + `}}}`
	}
	one, none := `{"input_tokens":10,"output_tokens":1}`, `{"input_tokens":0,"output_tokens":0,"total_tokens":9}`
	record := `{"timestamp":"t","type":"token_usage_record","payload":{"usage":` + one + `}}`
	for _, test := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"each", []string{count(one, `{"t":1}`), count(one, `{"t":2}`)}, 2},
		{"told again", []string{count(one, `{"t":1}`), count(one, `{"t":1}`)}, 1},
		{"no totals", []string{count(one, `null`), count(one, `null`)}, 2},
		{"an estimate", []string{count(none, `{"t":1}`)}, 0},
		{"no object", []string{count(`"odd"`, `{"t":1}`), `{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":"odd"}}`, `{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":null}}`}, 0},
		{"records", []string{record, count(one, `{"t":1}`), record, count(one, `{"t":2}`)}, 2},
		{"a newer client goes on", []string{count(one, `{"t":1}`), count(one, `{"t":1}`), record, count(one, `{"t":2}`)}, 2},
		{"only what the last one took", []string{`{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":` + one + `}}}`}, 0},
	} {
		got := 0
		for _, v := range NewReader("s").Read([]byte(strings.Join(test.lines, "\n"))) {
			e, _ := objects.ParseEntry(v.Bytes())
			if v.Type == objects.TypeUsage {
				got++
				if usage := (Agent{}).Usage(e); string(usage) != one {
					t.Errorf("%s: usage %s", test.name, usage)
				}
			}
		}
		if got != test.want {
			t.Errorf("%s: %d usages, expected %d", test.name, got, test.want)
		}
	}
}

// FuzzReader: no bytes are lost, no id stands twice, and each parent is above its child, also when the file is read in two parts.
func FuzzReader(f *testing.F) {
	for _, name := range []string{"simple.jsonl", "tools.jsonl", "rolledback.jsonl", "compacted.jsonl", "forked.jsonl", "damaged.jsonl"} {
		f.Add(readFile(f, name), uint8(7))
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint8) {
		r := NewReader("s")
		envelopes := r.Read(data)
		var back bytes.Buffer
		seen := map[objects.ID]bool{"": true}
		for _, v := range envelopes {
			back.Write(v.Line)
			if !v.Joined {
				back.WriteByte('\n')
			}
			e, err := objects.ParseEntry(v.Bytes())
			if err != nil || seen[v.ID] || !seen[v.ParentID] {
				t.Fatalf("%v: %s", err, v.Bytes())
			}
			seen[v.ID] = true
			m, ok := (Agent{}).Message(e)
			if ok != (v.Type == objects.TypeMessage) || ok && !objects.Valid(m.Raw) {
				t.Fatalf("%v, %s: %s", ok, m.Raw, v.Bytes())
			}
			if c, ok := (Agent{}).Compaction(e); ok {
				for _, m := range c.Replacement {
					if !objects.Valid(m.Raw) {
						t.Fatalf("%s: %s", m.Raw, v.Bytes())
					}
				}
			}
			(Agent{}).Usage(e)
		}
		if got := back.Bytes(); !bytes.Equal(bytes.TrimSuffix(got, []byte("\n")), bytes.TrimSuffix(data, []byte("\n"))) {
			t.Fatalf("%q, expected %q", got, data)
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		cut := min(int(at), len(lines))
		first := NewReader("s")
		parts := first.Read(bytes.Join(lines[:cut], nil))
		second := NewReader("s")
		for _, v := range parts {
			e, _ := objects.ParseEntry(v.Bytes())
			second.Known(e)
		}
		parts = append(parts, second.Read(bytes.Join(lines[cut:], nil))...)
		for i, v := range parts {
			if i >= len(envelopes) || !bytes.Equal(v.Bytes(), envelopes[i].Bytes()) {
				t.Fatalf("line %d in two parts: %s", i, v.Bytes())
			}
		}
		if second.Leaf() != r.Leaf() {
			t.Fatalf("leaf %s, expected %s", second.Leaf(), r.Leaf())
		}
	})
}

// FuzzDetect: no head makes it panic, and a file of this agent's stays one.
func FuzzDetect(f *testing.F) {
	f.Add(readFile(f, "simple.jsonl"))
	f.Add([]byte("\x00\n{\"payload\":{}"))
	f.Fuzz(func(t *testing.T, head []byte) {
		(Agent{}).Detect(head)
		if _, err := (Agent{}).Identify("/nowhere/x.jsonl", head); err != nil {
			t.Fatal(err)
		}
	})
}

// TestRollbackCompaction: whether a compaction is on the live path when the turn behind it was taken back.
func TestRollbackCompaction(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []string
		want  bool
	}{
		{"of the turn that was taken back", []string{item("user", "a"), started, compaction, item("user", "b"), rollback("1"), item("user", "c")}, false},
		{"of no turn that is told", []string{item("user", "a"), compaction, item("user", "b"), rollback("1"), item("user", "c")}, false},
		{"of a turn of its own", []string{item("user", "a"), started, compaction, started, item("user", "b"), rollback("1"), item("user", "c")}, true},
		{"behind the prompt", []string{item("user", "a"), started, item("user", "b"), compaction, item("user", "steer"), rollback("2"), item("user", "c")}, false},
		{"of an earlier prompt", []string{item("user", "a"), compaction, item("user", "b"), item("user", "c"), rollback("1"), item("user", "d")}, true},
	} {
		r := NewReader("s")
		envelopes := r.Read([]byte(strings.Join(test.lines, "\n")))
		byID := map[objects.ID]objects.Envelope{}
		for _, v := range envelopes {
			byID[v.ID] = v
		}
		got := false
		for id := r.Leaf(); id != ""; id = byID[id].ParentID {
			got = got || byID[id].Type == objects.TypeCompaction
		}
		if got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
