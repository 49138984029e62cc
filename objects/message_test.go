package objects

import (
	"strings"
	"testing"
)

// block is what a test says of a Block.
type block struct {
	kind                  BlockKind
	typ, text, call, name string
	arguments, mime, data string
	isError               bool
	images                int
}

func blocksOf(m Message) []block {
	var out []block
	for _, b := range m.Blocks {
		out = append(out, block{b.Kind, b.Type, b.Text, b.CallID, b.Name, string(b.Arguments), b.MimeType, string(b.Data), b.IsError, b.Images})
	}
	return out
}

func decodeTestMessage(t *testing.T, message string) Message {
	t.Helper()
	e, err := ParseEntry([]byte(`{"type":"message","id":"a","message":` + message + `}`))
	if err != nil {
		t.Fatalf("%s: %v", message, err)
	}
	m, ok := DecodeMessage(e)
	if !ok || string(m.Raw) != message {
		t.Fatalf("%s: decoded %v, raw %q", message, ok, m.Raw)
	}
	return m
}

func TestDecodeMessageBlocks(t *testing.T) {
	text := func(s string) block { return block{kind: BlockText, typ: "text", text: s} }
	for name, tt := range map[string]struct {
		message string
		want    []block
	}{
		"string":         {`{"role":"user","content":"hi\n"}`, []block{text("hi\n")}},
		"no content":     {`{"role":"user"}`, nil},
		"null content":   {`{"role":"user","content":null}`, nil},
		"number content": {`{"role":"user","content":5}`, nil},
		"one block":      {`{"role":"user","content":{"type":"text","text":"a"}}`, []block{text("a")}},
		"strings":        {`{"role":"user","content":["a",{"type":"text","text":"b"}]}`, []block{text("a"), text("b")}},
		"lone surrogate": {`{"role":"user","content":[{"type":"text","text":"\ud83d"}]}`, []block{text("\uFFFD")}},
		"bad UTF-8":      {"{\"role\":\"user\",\"content\":\"a\xff\"}", []block{text("a\uFFFD")}},
		"escaped keys":   {`{"r\u006fle":"user","c\u006fntent":[{"typ\u0065":"text","t\u0065xt":"a"}]}`, []block{text("a")}},
		"last duplicate": {`{"role":"user","content":"a","content":"b"}`, []block{text("b")}},
		"unknown blocks": {`{"role":"user","content":[{"type":"video","x":1},{"text":"x"},7,null,[1],{"type":5}]}`,
			[]block{{typ: "video"}, {}, {}, {}, {}, {}}},
		"wrong kinds": {`{"role":"assistant","content":[{"type":"text","text":1},{"type":"toolCall","id":{},"name":[]},{"type":"image","data":1,"source":2}]}`,
			[]block{text(""), {kind: BlockToolCall, typ: "toolCall"}, {kind: BlockImage, typ: "image"}}},
		"pi": {`{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"},{"type":"toolCall","id":"c","name":"bash","arguments":{"n":1.0}}]}`,
			[]block{{kind: BlockThinking, typ: "thinking", text: "hm"}, text("a"), {kind: BlockToolCall, typ: "toolCall", call: "c", name: "bash", arguments: `{"n":1.0}`}}},
		"pi image": {`{"role":"user","content":[{"type":"image","data":"QUJD","mimeType":"image/png"}]}`,
			[]block{{kind: BlockImage, typ: "image", mime: "image/png", data: "QUJD"}}},
		"pi result": {`{"role":"toolResult","toolCallId":"c","toolName":"read","content":[{"type":"text","text":"a"},{"type":"image","data":"QQ=="},{"type":"text","text":"b"}],"isError":true}`,
			[]block{{kind: BlockToolResult, typ: "toolResult", text: "a\nb", call: "c", name: "read", isError: true, images: 1}}},
		"pi result without content": {`{"role":"toolResult","toolCallId":"c","content":null}`,
			[]block{{kind: BlockToolResult, typ: "toolResult", call: "c"}}},
		"bash":      {`{"role":"bashExecution","command":"ls","output":"a\n","exitCode":0}`, []block{text("ls"), text("a\n")}},
		"summaries": {`{"role":"compactionSummary","summary":"so far"}`, []block{text("so far")}},
		"strings in a result": {`{"role":"toolResult","content":["a",{"type":"text","text":"b"},{"type":"tool_result","content":"no"}]}`,
			[]block{{kind: BlockToolResult, typ: "toolResult", text: "a\nb"}}},
		"odd data URLs": {`{"role":"user","content":[{"type":"image_url","image_url":"data:image/png,x"},{"type":"image_url","image_url":"data:"},{"type":"image_url","image_url":"data:image/jpeg;q=1;base64,QQ"},{"type":"image_url","image_url":7}]}`,
			[]block{{kind: BlockImage, typ: "image_url"}, {kind: BlockImage, typ: "image_url"}, {kind: BlockImage, typ: "image_url", mime: "image/jpeg", data: "QQ"}, {kind: BlockImage, typ: "image_url"}}},
		"nested sources": {`{"role":"user","content":[{"type":"image","source":{"source":{"data":"no"},"data":"yes"}}]}`,
			[]block{{kind: BlockImage, typ: "image", data: "yes"}}},
		"Anthropic": {`{"role":"assistant","content":[{"type":"redacted_thinking","data":"x"},{"type":"tool_use","id":"t","name":"Bash","input":{"a":[]}}]}`,
			[]block{{kind: BlockThinking, typ: "redacted_thinking"}, {kind: BlockToolCall, typ: "tool_use", call: "t", name: "Bash", arguments: `{"a":[]}`}}},
		"Anthropic results": {`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"out","is_error":true},` +
			`{"type":"tool_result","tool_use_id":"u","content":[{"type":"text","text":"x"},{"type":"image","source":{}}]},{"type":"tool_result","tool_use_id":"v"}]}`,
			[]block{{kind: BlockToolResult, typ: "tool_result", text: "out", call: "t", isError: true},
				{kind: BlockToolResult, typ: "tool_result", text: "x", call: "u", images: 1}, {kind: BlockToolResult, typ: "tool_result", call: "v"}}},
		"Anthropic image": {`{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"a\/b"}}]}`,
			[]block{{kind: BlockImage, typ: "image", mime: "image/gif", data: "a/b"}}},
		"OpenAI calls": {`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": 1.0}"}},` +
			`{"id":"d","type":"function","function":{"name":"g","arguments":"{broken"}},{"id":"e","type":"custom","custom":{"name":"h","input":"free text"}},9]}`,
			[]block{{kind: BlockToolCall, typ: "function", call: "c", name: "f", arguments: `{"a": 1.0}`},
				{kind: BlockToolCall, typ: "function", call: "d", name: "g", arguments: `"{broken"`},
				{kind: BlockToolCall, typ: "custom", call: "e", name: "h", arguments: `"free text"`}, {kind: BlockToolCall}}},
		"OpenAI result": {`{"role":"tool","tool_call_id":"c","content":"42"}`, []block{{kind: BlockToolResult, typ: "tool", text: "42", call: "c"}}},
		"OpenAI image": {`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}},{"type":"image_url","image_url":{"url":"https://x/y.png"}}]}`,
			[]block{{kind: BlockImage, typ: "image_url", mime: "image/png", data: "QUJD"}, {kind: BlockImage, typ: "image_url"}}},
		"odd calls": {`{"role":"assistant","content":[{"type":"toolCall","id":"a","input":{"x":1}},{"type":"toolCall","id":"b","arguments":null,"input":[2]},{"type":"tool_use","id":"c","input":" {} "}]}`,
			[]block{{kind: BlockToolCall, typ: "toolCall", call: "a", arguments: `{"x":1}`}, {kind: BlockToolCall, typ: "toolCall", call: "b", arguments: `[2]`},
				{kind: BlockToolCall, typ: "tool_use", call: "c", arguments: `{}`}}},
	} {
		got := blocksOf(decodeTestMessage(t, tt.message))
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, tt.want)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%s: block %d is\n%+v, want\n%+v", name, i, got[i], tt.want[i])
			}
		}
	}
}

func TestDecodeMessageFields(t *testing.T) {
	m := decodeTestMessage(t, `{"role":"assistant","content":[],"provider":"p","model":"m","usage":{"input":1.0},"stopReason":"error","errorMessage":"boom"}`)
	if m.Role != RoleAssistant || m.Provider != "p" || m.Model != "m" || string(m.Usage) != `{"input":1.0}` || m.StopReason != "error" || m.Error != "boom" {
		t.Errorf("got %+v", m)
	}
	m = decodeTestMessage(t, `{"role":7,"usage":null,"stop_reason":"end_turn"}`)
	if m.Role != "" || m.Usage != nil || m.StopReason != "end_turn" {
		t.Errorf("got %+v", m)
	}
}

func TestDecodeMessageOfOtherEntries(t *testing.T) {
	custom := `{"type":"custom_message","id":"a","customType":"x","content":[{"type":"text","text":"hi"}],"display":true}`
	e, _ := ParseEntry([]byte(custom))
	m, ok := DecodeMessage(e)
	if !ok || m.Role != RoleCustom || m.Text() != "hi" || string(m.Raw) != custom || m.Prompt() {
		t.Errorf("custom_message: got %+v, %v", m, ok)
	}
	for _, raw := range []string{`{"type":"message"}`, `{"type":"message","message":null}`, `{"type":"message","message":"x"}`, `{"type":"label","message":{}}`, `{}`} {
		e, _ := ParseEntry([]byte(raw))
		if m, ok := DecodeMessage(e); ok {
			t.Errorf("%s holds the message %+v", raw, m)
		}
	}
}

func TestMessageSelections(t *testing.T) {
	m := decodeTestMessage(t, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"out"},{"type":"thinking","thinking":"no"},`+
		`{"type":"text","text":""},{"type":"text","text":"a"},{"type":"tool_use","id":"u"},{"type":"image","data":""}]}`)
	if got := m.Text(); got != "out\na" {
		t.Errorf("Text = %q", got)
	}
	if c := m.Calls(); len(c) != 1 || c[0].CallID != "u" {
		t.Errorf("Calls = %+v", c)
	}
	if r := m.Results(); len(r) != 1 || r[0].CallID != "t" {
		t.Errorf("Results = %+v", r)
	}
}

func TestPrompt(t *testing.T) {
	for message, want := range map[string]bool{
		`{"role":"user","content":"a"}`:                                                                  true,
		`{"role":"user","content":[{"type":"image","data":""}]}`:                                         true,
		`{"role":"user","content":[{"type":"tool_result","content":""}]}`:                                false,
		`{"role":"user","content":[{"type":"tool_result","content":""},{"type":"text","text":"go on"}]}`: true,
		`{"role":"user","content":[]}`:                                                                   false,
		`{"role":"assistant","content":"a"}`:                                                             false,
		`{"role":"toolResult","content":"a"}`:                                                            false,
	} {
		if got := decodeTestMessage(t, message).Prompt(); got != want {
			t.Errorf("%s is a prompt: %v", message, got)
		}
	}
}

func TestDeepMessage(t *testing.T) {
	const depth = 300_000
	for _, open := range []string{`{"type":"tool_result","content":[`, `{"type":"image","source":`, `[`} {
		shut := strings.Map(func(r rune) rune {
			switch r {
			case '{':
				return '}'
			case '[':
				return ']'
			}
			return -1
		}, open)
		if len(shut) == 2 {
			shut = "]}"
		}
		inner := ""
		if open[len(open)-1] == ':' {
			inner = "{}"
		}
		m := decodeTestMessage(t, `{"role":"user","content":[`+strings.Repeat(open, depth)+inner+strings.Repeat(shut, depth)+`]}`)
		if len(m.Blocks) != 1 {
			t.Errorf("%d blocks, want 1", len(m.Blocks))
		}
	}
}

// messageSeeds are messages of all shapes, for fuzzing.
func messageSeeds() []string {
	return []string{
		`{"role":"user","content":"a"}`,
		`{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":"{\"a\":1}"}],"usage":{}}`,
		`{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"x"}]}`,
		`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,QQ=="}},{"type":"image","source":{"data":"\/"}}]}`,
		`{"role":"assistant","tool_calls":[{"function":{"arguments":"1"}}]}`,
		`{"role":"bashExecution","command":"ls","output":null}`,
	}
}
