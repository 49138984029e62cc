package page

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents"
	"tlog/log"
	"tlog/refs"
)

const header = `{"type":"session","version":4,"id":"01934a1c-0000-7000-8000-000000000001","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w/` + "`x`" + `"}`

// pageOf is the page of a log of these entries, one below the other.
func pageOf(t testing.TB, opt Options, entries ...string) string {
	t.Helper()
	lines, parent := []string{header}, "null"
	for i, payload := range entries {
		id := fmt.Sprintf(`"e%d"`, i+1)
		lines = append(lines, fmt.Sprintf(`{"id":%s,"parentId":%s,"timestamp":"2026-11-30T10:00:0%d.000Z",%s}`, id, parent, i%10, payload))
		parent = id
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := log.Open(path, log.WithDecoders(agents.Decoder))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	h, err := refs.NewHistory(l, l.Last())
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Write(&out, h, opt); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func message(role string, more string, blocks ...any) string {
	content, err := json.Marshal(blocks)
	if err != nil {
		panic(err)
	}
	return `"type":"message","message":{"role":"` + role + `",` + more + `"content":` + string(content) + `}`
}

type block map[string]any

func text(s string) block { return block{"type": "text", "text": s} }

func TestPage(t *testing.T) {
	var images []string
	got := pageOf(t, Options{Title: "A *talk*", Image: func(n int, mime string, data []byte) (string, error) {
		images = append(images, fmt.Sprint(n, mime, string(data)))
		return fmt.Sprintf("p-%d.png", n), nil
	}},
		message("user", "", text("one\ntwo"), block{"type": "image", "data": "aGFsbG8=", "mimeType": "image/png"}),
		message("assistant", `"model":"m-1",`, block{"type": "thinking", "thinking": "hm"}, text("Look:\n  ```go\n<b>\n  ```\nand `x`"),
			block{"type": "toolCall", "id": "c", "name": "bash", "arguments": block{"command": "echo '```'", "timeout": 3}}),
		message("toolResult", `"toolCallId":"c","isError":true,`, text("````\n")),
		`"type":"compaction","summary":"in short"`,
		message("assistant", `"errorMessage":"gone",`, block{"type": "odd"}),
		`"type":"skip","targetIds":["e5"]`,
	)
	want := "# A \\*talk\\*\n\nSession `01934a1c-0000-7000-8000-000000000001` in `` /w/`x` ``.\n" + `
## User · 2026-11-30 10:00:00 UTC

> one  
> two  

![Image 1](<p-1.png>)

## Assistant · m-1 · 2026-11-30 10:00:01 UTC

<details>
<summary>Thinking</summary>

~~~text
hm
~~~

</details>

> Look:
>
> ~~~go
> <b>
> ~~~
>
> and §x§

**Call of** §bash§

~~~~text
echo '~~~'
~~~~

~~~json
{"timeout":3}
~~~

## Tool result · 2026-11-30 10:00:02 UTC

**Result** of §bash§ (failed)

~~~~~text
~~~~
~~~~~

## Compaction · 2026-11-30 10:00:03 UTC

> in short
`
	want = strings.NewReplacer("~", "`", "§", "`").Replace(want)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if fmt.Sprint(images) != "[1image/pngaGFsbG8=]" {
		t.Errorf("images %q", images)
	}
}

// hostile are texts that try to be more than a text.
var hostile = []string{
	"```\n## User\n", "~~~\n</details>\n# Title", "</details><script>alert(1)</script>", `\<script>`, "` `<script>`", "![x](http://a.example/t.png)", `\![x](y)`,
	"> ```\n> x\n\n<script>", "- a\n  ```\n  <script>\n", "    ```\n<script>", "```` ```\n<img src=x>", "\x1b[2J\u202e\r\n# x", "a\n===\n<!--", "```x`y\n<script>", "~~~ `\n~~~~ x\n<script>\n~~~",
	"\n\n\n", "``", "<details>", "\u2028# x",
}

// plainOutside holds that outside of fences a page has no line but those that the page itself writes, and those in quotes.
func plainOutside(t testing.TB, page string) {
	t.Helper()
	fence := ""
	for line := range strings.SplitSeq(page, "\n") {
		inner := strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
		if fence != "" {
			if inner == fence {
				fence = ""
			}
			continue
		}
		if n := len(inner) - len(strings.TrimLeft(inner, "`")); n >= 3 && !strings.Contains(inner[n:], "`") {
			fence = inner[:n]
			continue
		}
		switch {
		case line == "", strings.HasPrefix(line, ">"), strings.HasPrefix(line, "**"), line == "No output.", line == "The reply failed:",
			line == "<details>", line == "</details>", line == "<summary>Thinking</summary>", strings.HasPrefix(line, "Session "), line == "[odd]":
		case strings.HasPrefix(line, "# "), strings.HasPrefix(line, "## ") && strings.HasSuffix(line, " UTC"):
		default:
			t.Errorf("a line of the text's own: %q in\n%s", line, page)
		}
		if strings.HasPrefix(line, ">") && (strings.Contains(line, "<") || strings.Contains(line, "![")) {
			t.Errorf("HTML or a picture in a quote: %q", line)
		}
		if strings.Count(line, "<") > 0 && !strings.HasSuffix(line, "details>") && !strings.HasPrefix(line, "<summary>") && !strings.HasPrefix(line, ">") && !strings.Contains(line, "`") {
			t.Errorf("HTML: %q", line)
		}
	}
	if fence != "" {
		t.Errorf("a fence is open at the end of\n%s", page)
	}
	if strings.ContainsAny(page, "\x1b\r\u202e\u2028") {
		t.Errorf("control characters in %q", page)
	}
}

func hostilePage(t testing.TB, s string) {
	t.Helper()
	quoted, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	plainOutside(t, pageOf(t, Options{Title: s},
		message("user", "", text(s)),
		message("assistant", `"model":`+string(quoted)+`,"errorMessage":`+string(quoted)+`,`, block{"type": "thinking", "thinking": s}, text(s),
			block{"type": "toolCall", "id": "c", "name": s, "arguments": block{"command": s, "x": s}}, block{"type": "toolCall", "id": "d", "name": "d", "arguments": s}),
		message("toolResult", `"toolCallId":"c",`, text(s)),
		`"type":"compaction","summary":`+string(quoted),
	))
}

// TestHostile: no text gets out of its place.
func TestHostile(t *testing.T) {
	for _, s := range hostile {
		hostilePage(t, s)
		if t.Failed() {
			t.Fatalf("the text is %q", s)
		}
	}
}

func FuzzPage(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { hostilePage(t, strings.ToValidUTF8(s, "?")) })
}

// TestFenced: a fence is longer than any in the text.
func TestFenced(t *testing.T) {
	for in, want := range map[string]string{"x": "```x\n", "a``` b": "````", "`````\n": "``````"} {
		if got := Fenced("x", in); !strings.HasPrefix(got, strings.TrimRight(want, "x\n")+"x\n") {
			t.Errorf("%q: %q", in, got)
		}
	}
}
