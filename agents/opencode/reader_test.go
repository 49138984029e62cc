package opencode

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/objects"
)

var testdata = filepath.Join("..", "..", "testdata", "opencode")

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// export is an export of the messages.
func export(messages ...string) []byte {
	return []byte(`{"info":{"id":"ses_a","title":"A title","version":"1"},"messages":[` + strings.Join(messages, ",") + `]}`)
}

func message(id, role, more string, parts ...string) string {
	return `{"info":{"id":"` + id + `","role":"` + role + `"` + more + `},"parts":[` + strings.Join(parts, ",") + `]}`
}

func text(s string) string { return `{"type":"text","text":"` + s + `"}` }

func parse(t testing.TB, v objects.Envelope) objects.Entry {
	t.Helper()
	e, err := objects.ParseEntry(v.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestGraph: what becomes of each element, and where it hangs.
func TestGraph(t *testing.T) {
	const summary = `,"summary":true,"finish":"stop"`
	for _, test := range []struct {
		name     string
		messages []string
		want     []string // type, id, parent; "-" for hidden
		leaf     objects.ID
	}{
		{"none", nil, nil, ""},
		{"two", []string{message("a", "user", "", text("x")), message("b", "assistant", `,"parentID":"nowhere"`, text("y"))}, []string{"message a ", "message b a"}, "b"},
		{"synthetic alone", []string{message("a", "user", "", `{"type":"text","text":"x","synthetic":true}`)}, []string{"message a -"}, "a"},
		{"synthetic beside", []string{message("a", "user", "", text("x"), `{"type":"text","text":"x","synthetic":true}`)}, []string{"message a "}, "a"},
		{"ignored alone", []string{message("a", "user", "", `{"type":"text","text":"x","ignored":true}`)}, []string{"custom a "}, "a"},
		{"nothing in them", []string{message("a", "user", ""), message("b", "assistant", "", `{"type":"step-start"}`)}, []string{"custom a ", "message b a-"}, "b"},
		{"an error", []string{message("b", "assistant", `,"error":{"name":"X"}`)}, []string{"message b "}, "b"},
		{"another role", []string{message("a", "system", "", text("x"))}, []string{"custom a "}, "a"},
		{"a compaction", []string{
			message("a", "user", "", text("x")), message("q", "user", "", `{"type":"compaction","tail_start_id":"a"}`), message("s", "assistant", `,"parentID":"q"`+summary, text("S")),
		}, []string{"message a ", "custom q a", "compaction s q keeps a"}, "s"},
		{"a compaction that keeps what is not there", []string{
			message("q", "user", "", `{"type":"compaction","tail_start_id":"z"}`), message("s", "assistant", `,"parentID":"q"`+summary, text("S")),
		}, []string{"custom q ", "compaction s q"}, "s"},
		{"a summary that nobody asked for", []string{message("a", "user", "", text("x")), message("s", "assistant", `,"parentID":"a"`+summary, text("S"))}, []string{"message a ", "message s a"}, "s"},
		{"a summary that failed", []string{
			message("q", "user", "", `{"type":"compaction"}`), message("s", "assistant", `,"parentID":"q","error":{}`+summary, text("S")),
		}, []string{"custom q ", "message s q"}, "s"},
		{"a summary that is not finished", []string{
			message("q", "user", "", `{"type":"compaction"}`), message("s", "assistant", `,"parentID":"q","summary":true`, text("S")),
		}, []string{"custom q ", "message s q"}, "s"},
		{"no message", []string{`{"a":1}`, `7`, `[{}]`, message("a", "user", "", text("x"))}, []string{"meta", "meta", "meta", "message a "}, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := export(test.messages...)
			r := NewReader("s")
			envelopes := r.Read(data)
			checkEnvelopes(t, envelopes, r.Leaf(), data)
			if len(envelopes) != len(test.messages)+2 || r.Damaged() != 0 {
				t.Fatalf("%d envelopes, %d damaged", len(envelopes), r.Damaged())
			}
			var got []string
			for i, v := range envelopes[1 : len(envelopes)-1] {
				words := string(v.Type)
				if want := test.want[i]; want != "meta" {
					words += " " + string(v.ID) + " " + string(v.ParentID)
				}
				if v.Hidden {
					words += "-"
				}
				if v.FirstKept != "" {
					words += " keeps " + string(v.FirstKept)
				}
				got = append(got, words)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, expected %q", got, test.want)
			}
			if r.Leaf() != test.leaf {
				t.Errorf("the leaf is '%s', expected '%s'", r.Leaf(), test.leaf)
			}
			if v := envelopes[0]; v.Title == nil || *v.Title != "A title" {
				t.Errorf("the first piece names the session %v", v.Title)
			}
		})
	}
}

// TestIDs: no two entries have one id, whatever the elements have, and they hang below each other.
func TestIDs(t *testing.T) {
	read := func() []objects.Envelope {
		r := NewReader("s")
		data := export(message("a", "user", "", text("x")), message("a", "user", "", text("y")), message("b b", "user", "", text("z")), message("", "user", "", text("z")))
		envelopes := r.Read(data)
		checkEnvelopes(t, envelopes, r.Leaf(), data)
		return envelopes
	}
	first, again := read(), read()
	for i := 1; i < 5; i++ {
		if first[i].ID != again[i].ID {
			t.Errorf("entry %d has the ids '%s' and '%s'", i, first[i].ID, again[i].ID)
		}
		if i > 1 && first[i].ParentID != first[i-1].ID {
			t.Errorf("entry %d hangs at '%s'", i, first[i].ParentID)
		}
	}
	if first[1].ID != "a" {
		t.Errorf("the first has the id '%s'", first[1].ID)
	}
}

// TestLeaf: what the user has taken back is no part of the live path.
func TestLeaf(t *testing.T) {
	for revert, want := range map[string]objects.ID{
		``: "c", `,"revert":null`: "c", `,"revert":{"messageID":"c"}`: "b", `,"revert":{"messageID":"b","partID":"p"}`: "b", `,"revert":{"messageID":"a"}`: "", `,"revert":{"messageID":"z"}`: "c",
	} {
		list := `"messages":[` + strings.Join([]string{message("a", "user", "", text("x")), message("b", "assistant", "", text("y")), message("c", "user", "", text("z"))}, ",") + `]`
		info := `"info":{"id":"ses_a","slug":"s"` + revert + `}`
		for _, data := range []string{"{" + info + "," + list + "}", "{" + list + "," + info + "}"} {
			r := NewReader("s")
			r.Read([]byte(data))
			if r.Leaf() != want {
				t.Errorf("%s: the leaf is '%s', expected '%s'", data, r.Leaf(), want)
			}
		}
	}
}

// TestGrown: the elements of an export are the same in a later one, but for those that changed; these keep id and parent.
func TestGrown(t *testing.T) {
	before := NewReader("s").Read(readFile(t, "running.json"))
	after := NewReader("s").Read(readFile(t, "grown.json"))
	if !bytes.Equal(before[1].Bytes(), after[1].Bytes()) {
		t.Errorf("the first message is\n%s, was\n%s", after[1].Bytes(), before[1].Bytes())
	}
	if before[2].ID != after[2].ID || before[2].ParentID != after[2].ParentID || bytes.Equal(before[2].Line, after[2].Line) {
		t.Errorf("the reply that was finished is\n%s, was\n%s", after[2].Bytes(), before[2].Bytes())
	}
	if last := before[len(before)-1]; !bytes.Equal(last.Line, after[len(after)-1].Line) || last.ID != after[len(after)-1].ID {
		t.Error("the end changed")
	}
	if *after[0].Title != "Forty pots" || after[0].ID == before[0].ID {
		t.Errorf("the session is called %q", *after[0].Title)
	}
	for i, v := range after {
		if v.Timestamp == "" || v.Timestamp < after[max(0, i-1)].Timestamp {
			t.Errorf("entry %d is of %q", i, v.Timestamp)
		}
	}
}

// TestBehind: what stands behind an export that was read before is damage, and its leaf stays.
func TestBehind(t *testing.T) {
	data := readFile(t, "reverted.json")
	first := NewReader("s")
	envelopes := first.Read(data)
	second := NewReader("s")
	for _, v := range envelopes {
		second.Known(parse(t, v))
	}
	more := second.Read(data)
	if len(more) != 1 || more[0].Type != objects.TypeMeta || second.Damaged() != 1 || second.Leaf() != first.Leaf() {
		t.Errorf("%d envelopes, %d damaged, leaf '%s', expected '%s'", len(more), second.Damaged(), second.Leaf(), first.Leaf())
	}
}

// FuzzReader: no bytes are lost, parents are there, no entry is its own ancestor, and each is decoded.
func FuzzReader(f *testing.F) {
	for _, name := range []string{"simple.json", "tools.json", "compacted.json", "reverted.json", "running.json", "subagent.json", "damaged.json"} {
		f.Add(readFile(f, name))
	}
	f.Add(export(message("a", "user", "", text("x")), message("a", "user", "", text("y")), `{}`, `7`, message("q", "user", "", `{"type":"compaction"}`),
		message("s", "assistant", `,"parentID":"q","summary":true,"finish":"stop"`, text("S"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader("s")
		checkEnvelopes(t, r.Read(data), r.Leaf(), data)
	})
}

// checkEnvelopes holds that envelopes are data again and hang together.
func checkEnvelopes(t testing.TB, envelopes []objects.Envelope, leaf objects.ID, data []byte) {
	t.Helper()
	var b bytes.Buffer
	above := map[objects.ID]bool{"": true}
	ids := map[objects.ID]bool{}
	for i, v := range envelopes {
		b.Write(v.Line)
		e := parse(t, v)
		if line, ok := e.SourceLine(); !ok || !bytes.Equal(line, v.Line) {
			t.Fatalf("entry %d holds %q, expected %q", i, line, v.Line)
		}
		if !v.Joined || !v.ID.Valid() || ids[v.ID] {
			t.Fatalf("entry %d has the id %q, joined %v", i, v.ID, v.Joined)
		}
		ids[v.ID] = true
		if !above[v.ParentID] {
			t.Fatalf("entry %d hangs at '%s', which is not above it", i, v.ParentID)
		}
		above[v.ID] = !v.Type.Journal()
		m, ok := Agent{}.Message(e)
		if ok != v.Type.Visible() || ok && m.Role == "" {
			t.Fatalf("entry %d is of type '%s'; it is %v that it holds a message", i, v.Type, ok)
		}
		if _, ok := (Agent{}).Compaction(e); ok != (v.Type == objects.TypeCompaction) {
			t.Fatalf("entry %d is of type '%s'; it is %v that it is a compaction", i, v.Type, ok)
		}
	}
	if !bytes.Equal(b.Bytes(), data) {
		t.Fatalf("%d bytes come out, expected %d", b.Len(), len(data))
	}
	if !above[leaf] {
		t.Fatalf("the leaf '%s' is no node", leaf)
	}
}
