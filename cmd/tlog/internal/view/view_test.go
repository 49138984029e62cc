package view

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1.0k", 12345: "12.3k", 99949: "99.9k", 99950: "100k", 149000: "149k", 999499: "999k",
		999500: "1.0M", 1234567: "1.2M", 2_000_000_000: "2.0G"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	digits := strings.Repeat("QUJD", 100)
	for text, want := range map[string]string{
		"":                              "",
		"plain words":                   "plain words",
		`{"data":"` + digits + `"} end`: `{"data":"[base64, 400 B]"} end`,
		digits[:299] + " " + "aa":       digits[:299] + " aa",
		"a" + strings.Repeat("\x00", 9): "a[9 NULs]",
		"\x00\x00{}":                    "\x00\x00{}",
		"\xff\x00" + digits + "\n\x00é": "\xff\x00[base64, 400 B]\n\x00é",
	} {
		if got := fold([]byte(text)); got != want {
			t.Errorf("fold(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMainArgument(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"command":"ls","description":"List"}`:        "ls",
		`{"pattern":"func","path":"/src"}`:             "func",
		`{"file_path":"/a.txt","old_string":"x"}`:      "/a.txt",
		`{"description":"look","prompt":"Look at it"}`: "look",
		`{"url":"https://x","prompt":"p"}`:             "https://x",
		`{"todos":[{"a":1},{"b":2}]}`:                  "2 todos",
		`{"skill":"review","x":[1]}`:                   "review",
		`{"n":1}`:                                      "",
		`"text"`:                                       "",
	} {
		if got := mainArgument([]byte(arguments)); got != want {
			t.Errorf("%s: got %q, want %q", arguments, got, want)
		}
	}
}

func TestFirstWords(t *testing.T) {
	for block, want := range map[string]string{
		`{"type":"tool_use","name":"Bash","input":{"command":"ls\nx"}}`:                                                                        "[Bash] ls (+1 line)",
		`{"type":"tool_result","content":[{"type":"image","source":{"media_type":"image/png","data":"QUJDRA=="}}]}`:                            "-> ok [image/png 4 B]",
		`{"type":"tool_result","is_error":true,"content":[{"type":"text","text":"no"},{"type":"image","source":{"data":"[image/png 6 kB]"}}]}`: "-> failed: no [image/png 6 kB]",
		`{"type":"image","source":{"type":"url","url":"https://x"}}`:                                                                           "[image]",
		`{"type":"document","source":{"data":"QUJD"}}`:                                                                                         "[document]",
		`{"type":"hologram"}`: "[hologram]",
		`{}`:                  "[unknown block]",
	} {
		e := objects.Entry{Type: objects.TypeMessage, Raw: []byte(`{"message":{"role":"user","content":[` + block + `]}}`)}
		m, _ := objects.DecodeMessage(e)
		if got := (Entry{Message: m}).firstWords(80); got != want {
			t.Errorf("%s: got %q, want %q", block, got, want)
		}
	}
}

// TestFindCalls: results have the names of their tools and their arguments from the calls above them, the nearest of an id, as far as a lookup goes.
func TestFindCalls(t *testing.T) {
	var lines []string
	parent := ""
	add := func(id, message string) {
		lines = append(lines, string(objects.Build(objects.TypeMessage, objects.ID(id), objects.ID(parent), "2026-11-30T10:00:00.000Z",
			objects.Field{Key: "message", Value: []byte(message)})))
		parent = id
	}
	ask := func(id, call, command string) {
		add(id, `{"role":"assistant","content":[{"type":"tool_use","id":"`+call+`","name":"Bash","input":{"command":"`+command+`"}}]}`)
	}
	answer := func(id string, calls ...string) {
		var blocks []string
		for _, call := range calls {
			blocks = append(blocks, `{"type":"tool_result","tool_use_id":"`+call+`","content":"done"}`)
		}
		add(id, `{"role":"user","content":[`+strings.Join(blocks, ",")+`]}`)
	}
	ask("a1", "c1", "first")
	ask("a2", "c1", "again")
	ask("a3", "c2", "other")
	answer("r1", "c2", "c1", "c3")
	for i := range maxCallSteps {
		add(fmt.Sprint("f", i), `{"role":"user","content":"more"}`)
	}
	answer("r2", "c2")
	path := filepath.Join(t.TempDir(), "s.jsonl")
	header := `{"type":"session","version":4,"id":"s1","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}` + "\n"
	if err := os.WriteFile(path, []byte(header+strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := log.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	state, err := refs.Fold(l)
	if err != nil {
		t.Fatal(err)
	}
	reader := NewReader(state)
	for id, want := range map[objects.ID]string{
		"r1": "Bash other -> ok: done  Bash again -> ok: done  -> ok: done",
		"r2": "-> ok: done", // too far away
	} {
		at, _ := l.Find(id)
		v, err := reader.Read(at, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.firstWords(200); got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
		if got := v.firstWords(20); strings.Contains(got, "other") {
			t.Errorf("%s in little room: got %q", id, got)
		}
	}
	if len(reader.looked) > maxLooked {
		t.Errorf("%d entries are remembered", len(reader.looked))
	}
}

func TestWithoutPasteTags(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a < b": "a < b",
		"a <pasted_content id=\"1\">b</pasted_content id=\"1\"> c":       "a b c",
		"<pasted_content id=\"1\">\nb\n</pasted_content id=\"1\">\n\n c": "b\n\n c",
		"<pasted_content id=\"1":                                   "<pasted_content id=\"1",
		"<pasted_content id=\"1\">x</pasted_content>":              "x</pasted_content>",
		"<pasted_content id=\"" + strings.Repeat("x", 100) + "\">": "<pasted_content id=\"" + strings.Repeat("x", 100) + "\">",
	} {
		if got := WithoutPasteTags(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
