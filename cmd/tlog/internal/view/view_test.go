package view

import (
	"strings"
	"testing"

	"tlog/objects"
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

func TestToolWords(t *testing.T) {
	for block, want := range map[string]string{
		`{"type":"tool_use","name":"Bash","input":{"command":"ls\nx"}}`:                                                                        "[Bash] ls (+1 line)",
		`{"type":"tool_result","content":[{"type":"image","source":{"media_type":"image/png","data":"QUJDRA=="}}]}`:                            "-> ok [image/png 6 B]",
		`{"type":"tool_result","is_error":true,"content":[{"type":"text","text":"no"},{"type":"image","source":{"data":"[image/png 6 kB]"}}]}`: "-> failed: no [image/png 6 kB]",
		`{"type":"image","source":{"type":"url","url":"https://x"}}`:                                                                           "[image]",
		`{"type":"document","source":{"data":"QUJD"}}`:                                                                                         "[document]",
		`{"type":"hologram"}`: "[hologram]",
		`{}`:                  "[unknown block]",
	} {
		e := objects.Entry{Type: objects.TypeMessage, Raw: []byte(`{"message":{"role":"user","content":[` + block + `]}}`)}
		m, _ := objects.DecodeMessage(e)
		if got := toolWords(m.Blocks[0]); got != want {
			t.Errorf("%s: got %q, want %q", block, got, want)
		}
	}
}
