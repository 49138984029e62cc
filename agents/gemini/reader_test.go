package gemini

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/objects"
)

var testdata = filepath.Join("..", "..", "testdata", "gemini")

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t testing.TB, v objects.Envelope) objects.Entry {
	t.Helper()
	e, err := objects.ParseEntry(v.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const head = `{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00Z"}`

func user(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"type":"user","content":%q,"timestamp":"t"}`, id, text)
}

func reply(id, text, calls string) string {
	return fmt.Sprintf(`{"id":%q,"type":"gemini","content":%q,"timestamp":"t","toolCalls":[%s]}`, id, text, calls)
}

func called(id, output string) string {
	return fmt.Sprintf(`{"id":%q,"name":"tool","args":{},"status":"success","result":[%s]}`, id, answered(id, output))
}

func answered(id, output string) string {
	return fmt.Sprintf(`{"functionResponse":{"id":%q,"name":"tool","response":{"output":%q}}}`, id, output)
}

func results(id string, parts ...string) string {
	return fmt.Sprintf(`{"id":%q,"type":"user","content":[%s],"timestamp":"t"}`, id, strings.Join(parts, ","))
}

func listed(messages ...string) string {
	return `{"$set":{"messages":[` + strings.Join(messages, ",") + `]}}`
}
func back(id string) string { return fmt.Sprintf(`{"$rewindTo":%q}`, id) }

// blocksOf are the blocks of messages: texts as they are, calls as "call:", results as "result:".
func blocksOf(messages ...objects.Message) (words []string) {
	for _, m := range messages {
		for _, b := range m.Blocks {
			switch b.Kind {
			case objects.BlockToolCall:
				words = append(words, "call:"+b.CallID)
			case objects.BlockToolResult:
				words = append(words, "result:"+b.CallID+":"+b.Text)
			default:
				words = append(words, b.Text)
			}
		}
	}
	return words
}

// TestPath: what stands on the live path, and what of it the model is sent.
func TestPath(t *testing.T) {
	a, b, c := user("a", "A"), reply("b", "B", ""), user("c", "C")
	for _, test := range []struct {
		name       string
		lines      []string
		path, sent string
	}{
		{"plain", []string{head, a, b, c}, "A B C", ""},
		{"again", []string{head, a, a, b, b}, "A B", ""},
		{"in place", []string{head, a, b, c, user("a", "A2")}, "A2 B C", ""},
		{"calls behind it", []string{head, a, b, reply("b", "B", called("x", "1")), reply("b", "B", called("x", "1")+","+called("y", "2"))},
			"A B call:x result:x:1 call:y result:y:2", ""},
		{"calls told twice", []string{head, b, reply("b", "B", called("x", "1")), results("r", answered("x", "1")), c}, "B call:x result:x:1 C", ""},
		{"and words", []string{head, reply("b", "B", called("x", "1")), results("r", answered("x", "1"), `{"text":"W"}`)}, "B call:x result:x:1 W", ""},
		{"once behind it", []string{head, reply("b", "B", `{"id":"x","name":"tool","status":"executing"}`), results("r", answered("x", "1")), results("r", answered("x", "1"))},
			"B call:x result:x:1", ""},
		{"a call id twice", []string{head, reply("b", "B", called("x", "1")), results("r", answered("x", "1")), reply("d", "D", `{"id":"x","name":"tool"}`), results("s", answered("x", "2"))},
			"B call:x result:x:1 D call:x result:x:2", ""},
		{"another text with calls", []string{head, b, reply("b", "", called("x", "1"))}, "call:x result:x:1", ""},
		{"calls of a message that others follow", []string{head, b, c, reply("b", "B2", called("x", "1"))}, "B2 call:x result:x:1 C", ""},
		{"changed calls", []string{head, b, reply("b", "B", called("x", "1")), reply("b", "B", called("y", "2"))}, "B call:y result:y:2", ""},
		{"cancelled", []string{head, reply("b", "B", `{"id":"x","name":"tool","status":"cancelled"}`)}, "B call:x result:x:", ""},
		{"taken back", []string{head, a, b, c, back("b"), user("d", "D")}, "A D", ""},
		{"taken back and said again", []string{head, a, b, c, back("b"), user("b", "D"), user("b", "E")}, "A E", ""},
		{"all taken back", []string{head, a, b, back("x"), c}, "C", ""},
		{"results taken back", []string{head, b, reply("b", "B", called("x", "1")), back("b"), reply("d", "D", `{"id":"x","name":"tool"}`), results("r", answered("x", "2"))},
			"D call:x result:x:2", ""},
		{"a list", []string{head, a, b, listed(user("a", "A"), user("n", "N")), c}, "A B C", "A N C"},
		{"a list with calls", []string{head, a, listed(a, `{"id":"b","type":"gemini","content":[{"text":"B"},{"functionCall":{"id":"x","name":"tool","args":{}}}],"toolCalls":[`+called("x", "1")+`]}`,
			results("b_response", answered("x", "1")), results("r", answered("x", "1")), user("e", "/quit"))}, "A", "A B call:x result:x:1 /quit"},
		{"told in the list", []string{head, listed(reply("b", "B", called("x", "1"))), results("r", answered("x", "1"))}, "", "B call:x result:x:1"},
		{"back behind a list", []string{head, a, b, c, listed(a, b, c), user("d", "D"), back("d"), user("e", "E")}, "A B C E", "A B C E"},
		{"back into a list", []string{head, a, b, c, listed(a, b, c), user("d", "D"), back("c"), user("e", "E")}, "A B E", ""},
		{"back to what stands in a list alone", []string{head, a, listed(a, user("n", "N"), user("o", "O")), back("o"), user("e", "E")}, "A E", ""},
		{"back to the first of a list", []string{head, a, listed(user("n", "N"), a), back("n"), user("e", "E")}, "E", ""},
		{"of a list, then said", []string{head, a, listed(user("n", "N")), user("n", "N2")}, "A N2", "N N2"},
		{"dropped by a list, then said", []string{head, a, b, listed(b), user("a", "A2")}, "A B A2", "B A2"},
		{"notes", []string{head, a, `{"id":"i","type":"info","content":"I"}`, `{"id":"e","type":"error","content":"E"}`, `{"id":"u","content":"U"}`, b}, "A B", ""},
		{"an id that is none", []string{head, user("a b/c", "A"), user("a b/c", "A2"), b}, "A2 B", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := NewReader("s")
			envelopes := r.Read([]byte(strings.Join(test.lines, "\n") + "\n"))
			entries := map[objects.ID]objects.Entry{}
			for _, v := range envelopes {
				entries[v.ID] = parse(t, v)
			}
			var path, sent []string
			var stands objects.ID
			for id := r.Leaf(); id != ""; id = entries[id].ParentID {
				e, ok := entries[id]
				if !ok {
					t.Fatalf("%s is nowhere", id)
				}
				m, _ := Agent{}.Message(e)
				path = slices.Concat(blocksOf(m), path)
				if stands == "" {
					sent = slices.Concat(blocksOf(m), sent)
				}
				if c, ok := (Agent{}).Compaction(e); ok && stands == "" {
					stands = id
					sent = slices.Concat(blocksOf(c.Replacement...), sent)
				}
			}
			want := test.sent
			if want == "" && test.path != "" {
				want = test.path
			}
			if got := strings.Join(path, " "); got != test.path {
				t.Errorf("the path says %q, expected %q", got, test.path)
			}
			if got := strings.Join(sent, " "); got != want {
				t.Errorf("the model is sent %q, expected %q", got, want)
			}
		})
	}
}

// TestHidden: what log does not show, and what begins no turn.
func TestHidden(t *testing.T) {
	for line, want := range map[string]string{
		user("a", "hello"):                    "message",
		user("a", "/help"):                    "message hidden command",
		user("a", " ?"):                       "message hidden command",
		user("a", ""):                         "message hidden reminder",
		user("a", "\n<session_context>x"):     "message hidden reminder",
		user("a", "<hook_context>x"):          "message hidden reminder",
		user("a", "System: Please continue."): "message hidden reminder",
		results("a", answered("x", "1")):      "message",
		`{"id":"a","type":"user"}`:            "message hidden reminder",
		`{"id":"a","type":"user","content":{"inlineData":{"mimeType":"image/png","data":"QQ=="}}}`: "message",
		reply("a", "", ""):                           "message hidden",
		reply("a", "", called("x", "1")):             "message",
		reply("a", "b", ""):                          "message",
		`{"id":"a","type":"gemini","thoughts":[{}]}`: "message",
		`{"id":"a","type":"info","content":"x"}`:     "custom",
		`{"id":"a"}`:                                 "custom",
		head:                                         "meta",
		`{"$set":{"summary":"x"}}`:                   "meta",
		`{"$set":{"messages":7}}`:                    "meta",
		back("a"):                                    "meta",
		`{"$rewindTo":7}`:                            "meta",
		`{}`:                                         "meta",
		`[]`:                                         "meta",
		listed():                                     "compaction hidden",
		listed(user("a", "<session_context>x")):      "compaction hidden",
		listed(user("a", "new")):                     "compaction",
		listed(reply("a", "new", "")):                "compaction",
		listed(`{"id":"a","type":"info"}`, "7", "{}"): "compaction hidden",
	} {
		v := NewReader("s").Read([]byte(line + "\n"))[0]
		got := string(v.Type)
		if v.Hidden {
			got += " hidden"
		}
		if m, _ := (Agent{}).Message(parse(t, v)); m.Note != "" {
			got += " " + m.Note
		}
		if got != want {
			t.Errorf("%s is %q, expected %q", line, got, want)
		}
	}
	known := NewReader("s").Read([]byte(user("a", "x") + "\n" + listed(user("a", "y"), results("a_response", answered("x", "1")))))
	if !known[1].Hidden {
		t.Error("a list of what was there is shown")
	}
}

// TestTitle: the last word on what a session is called.
func TestTitle(t *testing.T) {
	lines := strings.Replace(head, "{", `{"summary":"one",`, 1) + "\n" + `{"$set":{"summary":"two"}}` + "\n" + `{"id":"a","type":"user","content":"x","summary":"no"}` + "\n"
	var names []string
	for _, v := range NewReader("s").Read([]byte(lines)) {
		if v.Title != nil {
			names = append(names, *v.Title)
		}
	}
	for _, v := range NewReader("s").Read(readFile(t, "legacy.json")) {
		if v.Title != nil {
			names = append(names, *v.Title)
		}
	}
	if got := strings.Join(names, ", "); got != "one, two, Where the leek goes" {
		t.Errorf("the names are %q", got)
	}
}

// TestGrownDocument: what is in a document keeps its id when more comes behind it.
func TestGrownDocument(t *testing.T) {
	ids := map[objects.ID][]byte{}
	for _, v := range NewReader("s").Read(readFile(t, "legacy.json")) {
		ids[v.ID] = v.Line
	}
	var fresh []string
	for _, v := range NewReader("s").Read(readFile(t, "legacy-grown.json")) {
		if line, ok := ids[v.ID]; !ok || !bytes.Equal(line, v.Line) {
			fresh = append(fresh, string(v.Type))
		}
	}
	if got := strings.Join(fresh, " "); got != "meta message" {
		t.Errorf("new are %q", got)
	}
}

// FuzzReader: no bytes are lost, parents are there, no entry is its own ancestor, and all is the same when the file is read in two parts.
func FuzzReader(f *testing.F) {
	for _, name := range []string{"simple.jsonl", "tools.jsonl", "rewound.jsonl", "resumed.jsonl", "compressed.jsonl", "damaged.jsonl", "legacy.json"} {
		f.Add(readFile(f, name), uint8(7))
	}
	f.Add([]byte(strings.Join([]string{head, user("a", "A"), user("b", "B"), listed(user("b", "B")), user("a", "A"), back("b"), user("b", "x"), back("a")}, "\n")), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, at uint8) {
		whole := NewReader("s")
		envelopes := whole.Read(data)
		checkEnvelopes(t, envelopes, whole.Leaf(), data)
		if isDocument(data) {
			return
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		cut := min(int(at), len(lines))
		first := bytes.Join(lines[:cut], nil)
		if isDocument(first) {
			return
		}
		parts := NewReader("s").Read(first)
		second := NewReader("s")
		for _, v := range parts {
			second.Known(parse(t, v))
		}
		rest := bytes.Join(lines[cut:], nil)
		if len(parts) == 0 && isDocument(rest) {
			return
		}
		parts = append(parts, second.Read(rest)...)
		for i, v := range parts {
			if i >= len(envelopes) || !bytes.Equal(v.Bytes(), envelopes[i].Bytes()) {
				t.Fatalf("line %d in two parts: %s", i, v.Bytes())
			}
		}
		if second.Leaf() != whole.Leaf() {
			t.Fatalf("leaf %s, expected %s", second.Leaf(), whole.Leaf())
		}
	})
}

func checkEnvelopes(t *testing.T, envelopes []objects.Envelope, leaf objects.ID, data []byte) {
	t.Helper()
	var out bytes.Buffer
	last := map[objects.ID]objects.Envelope{}
	for _, v := range envelopes {
		out.Write(v.Line)
		if !v.Joined {
			out.WriteByte('\n')
		}
		e := parse(t, v)
		if line, ok := e.SourceLine(); !ok || !bytes.Equal(line, v.Line) {
			t.Fatalf("it holds %q, expected %q", line, v.Line)
		}
		m, ok := Agent{}.Message(e)
		if ok != (v.Type == objects.TypeMessage) || ok && !objects.Valid(m.Raw) {
			t.Fatalf("%v, %s: %s", ok, m.Raw, v.Bytes())
		}
		c, ok := Agent{}.Compaction(e)
		if ok != (v.Type == objects.TypeCompaction) {
			t.Fatalf("%v: %s", ok, v.Bytes())
		}
		for _, m := range c.Replacement {
			if !objects.Valid(m.Raw) {
				t.Fatalf("%s: %s", m.Raw, v.Bytes())
			}
		}
		if _, ok := last[v.ParentID]; v.ParentID != "" && !ok {
			t.Fatalf("its parent is nowhere above it: %s", v.Bytes())
		}
		if !v.ID.Valid() {
			t.Fatalf("its id: %s", v.Bytes())
		}
		last[v.ID] = v
	}
	if got := out.Bytes(); !bytes.Equal(bytes.TrimSuffix(got, []byte("\n")), bytes.TrimSuffix(data, []byte("\n"))) {
		t.Fatalf("%q, expected %q", got, data)
	}
	for id := range last {
		steps := 0
		for at := id; at != ""; at = last[at].ParentID {
			if steps++; steps > len(envelopes) || last[at].Type.Journal() && at != id {
				t.Fatalf("the path to %s goes round, or over what is no node", id)
			}
		}
	}
	if v, ok := last[leaf]; leaf != "" && (!ok || v.Type.Journal()) {
		t.Fatalf("the leaf %s is no node", leaf)
	}
}
