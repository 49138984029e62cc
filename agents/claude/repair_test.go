package claude

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"tlog/agents/transcript"
)

// say is a row: kind and message.id in one word ("assistant:m1"), uuid, parent and content, a JSON value.
func say(kind, uuid, parent, content string) string {
	kind, reply, _ := strings.Cut(kind, ":")
	if parent != "null" {
		parent = `"` + parent + `"`
	}
	id := ""
	if kind == "assistant" {
		id = fmt.Sprintf(`"id":%q,`, reply)
	}
	return fmt.Sprintf(`{"parentUuid":%s,"type":%q,"uuid":%q,"sessionId":"old","cwd":"/proj/garden","message":{%s"role":%q,"content":%s},"timestamp":"2026-01-01T00:00:00.000Z"}`,
		parent, kind, uuid, id, kind, content) + "\n"
}

func words(text string) string { return fmt.Sprintf(`[{"type":"text","text":%q}]`, text) }
func calls(ids ...string) string {
	var list []string
	for _, id := range ids {
		list = append(list, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"ls"}}`, id))
	}
	return "[" + strings.Join(list, ",") + "]"
}
func result(id, text string) string {
	return fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%q}]`, id, text)
}

// picture is a PNG of that size in pixels, as base64.
func picture(t testing.TB, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func imageOf(data string) string {
	return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}`
}

// TestRepairs: each damage, what it is called, and what stands in the export.
func TestRepairs(t *testing.T) {
	ask := say("user", "u1", "null", `"one"`)
	huge := picture(t, 8001, 1)
	small := picture(t, 2, 2)
	for _, tt := range []struct {
		name    string
		source  string
		kinds   string
		has     []string
		lacks   []string
		change  func(*transcript.Export)
		exactly string // the whole export, if not empty
	}{
		{
			name: "a session that needs nothing", source: ask + say("assistant:m", "a1", "u1", words("two")),
			exactly: strings.ReplaceAll(ask+say("assistant:m", "a1", "u1", words("two")), `"old"`, `"`+string(labSession)+`"`),
		},
		{
			name: "a call without a result at the end", source: ask + say("assistant:m", "a1", "u1", calls("c1")),
			kinds: "added-result", has: []string{`"tool_use_id":"c1","is_error":true,"content":"[Tool call interrupted`},
		},
		{
			name:   "a call without a result in the middle: what follows hangs at the stand-in",
			source: ask + say("assistant:m", "a1", "u1", calls("c1")) + say("user", "u2", "a1", `"two"`), kinds: "added-result",
			lacks: []string{`"parentUuid":"a1","type":"user","uuid":"u2"`},
		},
		{
			name: "the stand-in stands behind the other results of the reply",
			source: ask + say("assistant:m", "a1", "u1", calls("c1", "c2", "c3")) + say("user", "u2", "a1", result("c1", "x")) +
				say("user", "u3", "a1", result("c3", "x")) + say("assistant:n", "a2", "u3", words("two")),
			kinds: "added-result", has: []string{`"parentUuid":"u3","isSidechain"`},
		},
		{
			name: "a result without a call", source: ask + say("user", "u2", "u1", result("gone", "x")) + say("assistant:m", "a1", "u2", words("two")),
			kinds: "dropped-result", lacks: []string{"gone"}, has: []string{`"parentUuid":"u1","type":"assistant"`},
		},
		{
			name:   "a result before its call",
			source: ask + say("user", "u2", "u1", result("c1", "x")) + say("assistant:m", "a1", "u2", calls("c1")),
			kinds:  "dropped-result added-result",
		},
		{
			name: "a second result of a call",
			source: ask + say("assistant:m", "a1", "u1", calls("c1")) + say("user", "u2", "a1", result("c1", "first")) +
				say("user", "u3", "u2", result("c1", "second")) + say("assistant:n", "a2", "u3", words("two")),
			kinds: "dropped-result", has: []string{"first"}, lacks: []string{"second"},
		},
		{
			name: "a result behind another reply",
			source: ask + say("assistant:m", "a1", "u1", calls("c1")) + say("assistant:n", "a2", "a1", words("two")) +
				say("user", "u2", "a2", result("c1", "late")) + say("assistant:o", "a3", "u2", words("three")),
			kinds: "added-result dropped-result", lacks: []string{"late"},
		},
		{
			name: "an id that comes twice",
			source: ask + say("assistant:m", "a1", "u1", calls("c1")) + say("user", "u2", "a1", result("c1", "x")) +
				say("assistant:n", "a2", "u2", calls("c1")) + say("user", "u3", "a2", result("c1", "y")),
			kinds: "renamed-call renamed-call", has: []string{`"id":"c1-2"`, `"tool_use_id":"c1-2","content":"y"`, `"tool_use_id":"c1","content":"x"`},
		},
		{
			name: "names that the API does not take",
			source: ask + say("assistant:m", "a1", "u1", `[{"type":"tool_use","id":"c:1","name":"mcp.x y","input":"{\"a\":1}"},{"type":"tool_use","id":"c2","name":"B","input":[1]},{"type":"tool_use","id":"c3","name":"B"}]`) +
				say("user", "u2", "a1", result("c:1", "x")) + say("user", "u3", "a1", result("c2", "x")) + say("user", "u4", "a1", result("c3", "x")),
			kinds: "renamed-call renamed-call repaired-input repaired-input repaired-input renamed-call",
			has:   []string{`"id":"c-1","name":"mcp-x-y","input":{"a":1}`, `"input":{"input":[1]}`, `"input":{}`, `"tool_use_id":"c-1"`},
		},
		{
			name: "thinking",
			source: ask + say("assistant:m", "a1", "u1", `[{"type":"thinking","thinking":"kept","signature":"s"},{"type":"redacted_thinking","data":"kept too"},{"type":"text","text":"two"}]`) +
				say("assistant:n", "a2", "a1", `[{"type":"thinking","thinking":"","signature":"s"}]`) +
				say("assistant:n", "a3", "a2", `[{"type":"thinking","thinking":"unsigned"},{"type":"text","text":"three"}]`) +
				say("assistant:o", "a4", "a3", `[{"type":"thinking","thinking":"empty sign","signature":""},{"type":"redacted_thinking","data":""},{"type":"text","text":"four"}]`),
			kinds: strings.TrimSpace(strings.Repeat("dropped-thinking ", 4)),
			has:   []string{`{"type":"thinking","thinking":"kept","signature":"s"},{"type":"redacted_thinking","data":"kept too"}`, `"parentUuid":"a1","type":"assistant","uuid":"a3"`},
			lacks: []string{"unsigned", "empty sign", `"uuid":"a2"`},
		},
		{
			name:   "lone surrogates",
			source: ask + say("assistant:m", "a1", "u1", `[{"type":"text","text":"a\ud83dz \udc00 \ud83d\ude00 \\ud83d \uD800\uD800"}]`),
			kinds:  "replaced-surrogate", has: []string{`a\ufffdz \ufffd \ud83d\ude00 \\ud83d \ufffd\ufffd`},
		},
		{
			name:   "what stands around a record",
			source: "\xef\xbb\xbf" + ask + "\x00\x00" + strings.TrimSuffix(say("assistant:m", "a1", "u1", words("two")), "\n") + "\r\n{\"torn\":\n\n",
			kinds:  "cleaned-line cleaned-line dropped-line", lacks: []string{"\r", "\x00", "\xef", "torn"},
		},
		{
			name: "a missing parent", source: ask + say("assistant:m", "a1", "nowhere", words("two")), kinds: "bridged-parent",
			has: []string{`"parentUuid":"u1","type":"assistant"`},
		},
		{
			name: "a missing parent of the first row", source: say("user", "u1", "nowhere", `"one"`), kinds: "bridged-parent",
			has: []string{`"parentUuid":null`},
		},
		{
			name: "no parents at all", kinds: "bridged-parent bridged-parent",
			source: ask + say("assistant:m", "a1", "null", words("two")) + say("user", "u2", "null", `"three"`),
			has:    []string{`"parentUuid":"u1","type":"assistant"`, `"parentUuid":"a1","type":"user"`},
		},
		{
			name: "empty texts and messages", kinds: "dropped-block dropped-block dropped-block",
			source: ask + say("user", "u2", "u1", `""`) + say("user", "u3", "u2", `[]`) + say("assistant:m", "a1", "u3", `[{"type":"text","text":""},{"type":"text","text":"two"}]`),
			has:    []string{`"parentUuid":"u1","type":"assistant"`, `"content":[{"type":"text","text":"two"}]`},
		},
		{
			name: "pictures that are too large", kinds: "dropped-image dropped-image",
			source: say("user", "u1", "null", "["+imageOf(huge)+","+imageOf(small)+"]") + say("assistant:m", "a1", "u1", calls("c1")) +
				say("user", "u2", "a1", `[{"type":"tool_result","tool_use_id":"c1","content":[`+imageOf(huge)+`]}]`),
			has: []string{small, " left out]\"}"}, lacks: []string{huge},
		},
		{
			name: "no pictures", kinds: "dropped-image",
			source: strings.Replace(say("user", "u1", "null", "["+imageOf(small)+"]"), `"type":"user"`,
				`"type":"user","toolUseResult":{"file":{"base64":"`+small+`","type":"image/png"}}`, 1) + say("assistant:m", "a1", "u1", words("two")),
			change: func(x *transcript.Export) { x.NoImages = true },
			has:    []string{`{"type":"text","text":"[image/png `, `"base64":"[image/png `}, lacks: []string{small},
		},
		{
			name: "no pictures, each once in a row", kinds: "dropped-image dropped-image dropped-image",
			source: say("user", "u1", "null", "["+imageOf(small)+","+imageOf(small)+","+imageOf(picture(t, 3, 3))+"]") + say("assistant:m", "a1", "u1", words("two")) +
				say("user", "u2", "a1", "["+imageOf(small)+"]"),
			change: func(x *transcript.Export) { x.NoImages = true }, lacks: []string{small},
		},
		{
			name: "no pictures, copies of what was sent", kinds: "dropped-image dropped-image",
			source: `{"type":"api-request-blob","sessionId":"old","blob":` + imageOf(small) + "}\n" + say("user", "u1", "null", "["+imageOf(small)+"]") +
				`{"type":"api-request-blob","sessionId":"old","blob":[` + imageOf(small) + "," + imageOf(picture(t, 3, 3)) + "]}\n",
			change: func(x *transcript.Export) { x.NoImages = true }, lacks: []string{small},
		},
		{
			name: "a smaller limit", kinds: "dropped-image", source: say("user", "u1", "null", "["+imageOf(small)+"]"),
			change: func(x *transcript.Export) { x.MaxImage = 10 }, lacks: []string{small},
		},
		{
			name:   "another folder",
			source: ask + strings.Replace(say("user", "u2", "u1", `"in /proj/garden"`), `/proj/garden"`, `/proj/garden/src"`, 1) + strings.Replace(say("user", "u3", "u2", `"x"`), "/proj/garden", "/proj/garden-docker", 1),
			change: func(x *transcript.Export) { x.Cwd = "/home/ada/new" },
			has:    []string{`"cwd":"/home/ada/new"`, `"cwd":"/home/ada/new/src"`, `"in /proj/garden"`, `"cwd":"/proj/garden-docker"`},
		},
		{
			name: "a name, and lines that bind to the old session",
			source: `{"type":"mode","sessionId":"old"}` + "\n" + `{"type":"last-prompt","leafUuid":"u1","sessionId":"old"}` + "\n" + ask +
				`{"type":"ended-by-model","sessionId":"old"}` + "\n" + `{"no_type":true, "n" : 1.0}` + "\n",
			change: func(x *transcript.Export) { x.Name = `a "name"` },
			has: []string{`{"type":"mode","sessionId":"` + string(labSession) + `"}` + "\n{\"parent", `{"no_type":true, "n" : 1.0}` + "\n",
				`{"type":"custom-title","customTitle":"a \"name\"","sessionId":"` + string(labSession) + `"}`},
			lacks: []string{"last-prompt", "ended-by-model"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			change := func(x *transcript.Export) {}
			if tt.change != nil {
				change = tt.change
			}
			out, report := exportLive(t, []byte(tt.source), change)
			if got := kinds(report); got != tt.kinds {
				t.Errorf("repairs %q, expected %q: %v", got, tt.kinds, report.Repairs)
			}
			for _, text := range tt.has {
				if !strings.Contains(out, text) {
					t.Errorf("%s is not in\n%s", text, out)
				}
			}
			for _, text := range tt.lacks {
				if strings.Contains(out, text) {
					t.Errorf("%s is in\n%s", text, out)
				}
			}
			if tt.exactly != "" && out != tt.exactly {
				t.Errorf("got\n%s", out)
			}
			if again, report := exportLive(t, []byte(out)); tt.change == nil && (len(report.Repairs) > 0 || again != out) {
				t.Errorf("repaired again: %v", report.Repairs)
			}
		})
	}
}
