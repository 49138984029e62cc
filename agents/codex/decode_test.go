package codex

import (
	"fmt"
	"strings"
	"testing"

	"tlog/objects"
)

// looked is a message for a comparison: its role and note, and each block.
func looked(m objects.Message) string {
	parts := []string{m.Role}
	if m.Note != "" {
		parts = append(parts, "("+m.Note+")")
	}
	for _, b := range m.Blocks {
		switch b.Kind {
		case objects.BlockText:
			parts = append(parts, b.Text)
		case objects.BlockThinking:
			parts = append(parts, strings.TrimSpace(b.Type+" "+b.Text))
		case objects.BlockImage:
			parts = append(parts, b.MimeType+" "+string(b.Data))
		case objects.BlockToolCall:
			parts = append(parts, fmt.Sprintf("call %s %s %s", b.CallID, b.Name, b.Arguments))
		case objects.BlockToolResult:
			parts = append(parts, fmt.Sprintf("result %s %v %q %q", b.CallID, b.IsError, b.State, b.Text))
		default:
			parts = append(parts, "other "+b.Type+" "+string(b.Arguments))
		}
	}
	return strings.Join(parts, "|")
}

func TestMessages(t *testing.T) {
	for _, test := range []struct{ name, payload, want string }{
		{"a prompt", `{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}`, "user|hi"},
		{"a reply", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ho"}],"phase":"final_answer"}`, "assistant|ho"},
		{"a plain text", `{"type":"message","role":"assistant","content":"ho"}`, "assistant|ho"},
		{"no type", `{"role":"assistant","content":[{"type":"input_text","text":"ho"}]}`, "assistant|ho"},
		{"nothing", `{"type":"message","role":"user"}`, "user"},
		{"a refusal", `{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"no"}]}`, "assistant|no"},
		{"a developer", `{"type":"message","role":"developer","content":[{"type":"input_text","text":"do"}]}`, "system|(reminder)|do"},
		{"the surroundings", `{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n"}]}`, "user|(reminder)|<environment_context>\n"},
		{"the surroundings, escaped", `{"type":"message","role":"user","content":[{"type":"input_text","text":"\u003Cenvironment_context>\n"}]}`, "user|(reminder)|<environment_context>\n"},
		{"AGENTS.md", `{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /x"}]}`, "user|(reminder)|# AGENTS.md instructions for /x"},
		{"a heading", `{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md is wrong"}]}`, "user|# AGENTS.md is wrong"},
		{"a tag of the user's", `{"type":"message","role":"user","content":[{"type":"input_text","text":"<b>x</b>"}]}`, "user|<b>x</b>"},
		{"aborted", `{"type":"message","role":"user","content":[{"type":"input_text","text":"<turn_aborted>x"}]}`, "user|(interrupted)|<turn_aborted>x"},
		{"an image", `{"type":"message","role":"user","content":[{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:image/png;base64,QUJD"},{"type":"input_text","text":"</image>"},{"type":"input_text","text":"see"}]}`,
			"user|image/png QUJD|see"},
		{"a part that is not known", `{"type":"message","role":"user","content":[{"type":"hologram","x":1}]}`, "user|other hologram "},
		{"a thought", `{"type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"encrypted_content":"E"}`, "assistant|thinking a\n\nb"},
		{"one that was not summed up", `{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"c"}]}`, "assistant|thinking c"},
		{"an encrypted one", `{"type":"reasoning","summary":[],"encrypted_content":"E"}`, "assistant|redacted_thinking"},
		{"an empty one", `{"type":"reasoning","summary":[],"encrypted_content":null}`, "assistant|thinking"},
		{"a call", `{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c"}`, `assistant|call c shell {"command":["ls"]}`},
		{"arguments that are none", `{"type":"function_call","name":"shell","arguments":"{no","call_id":"c"}`, `assistant|call c shell "{no"`},
		{"no arguments", `{"type":"function_call","name":"shell","call_id":"c"}`, `assistant|call c shell {}`},
		{"a custom call", `{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin","call_id":"c"}`, `assistant|call c apply_patch {"input":"*** Begin"}`},
		{"a local shell", `{"type":"local_shell_call","call_id":"c","action":{"type":"exec","command":["ls"]}}`, `assistant|call c local_shell {"type":"exec","command":["ls"]}`},
		{"a search of tools", `{"type":"tool_search_call","call_id":"c","arguments":{"query":"x"}}`, `assistant|call c tool_search {"query":"x"}`},
		{"tools found", `{"type":"tool_search_output","call_id":"c","tools":[{"name":"a"},{"name":"b"}]}`, `toolResult|result c false "" "a\nb\n"`},
		{"a search of the server's", `{"type":"web_search_call","action":{"type":"search","query":"x"}}`, `assistant|other web_search {"type":"search","query":"x"}`},
		{"what only the server reads", `{"type":"compaction","encrypted_content":"E"}`, `assistant|other compaction `},
		{"an output", `{"type":"function_call_output","call_id":"c","output":"x"}`, `toolResult|result c false "" "x"`},
		{"of a command", `{"type":"function_call_output","call_id":"c","output":"Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 0\nOutput:\nx\n"}`, `toolResult|result c false "" "x\n"`},
		{"of one that failed", `{"type":"function_call_output","call_id":"c","output":"Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 3\nOutput:\n"}`, `toolResult|result c true "exit 3" ""`},
		{"of an older client", `{"type":"function_call_output","call_id":"c","output":"{\"output\":\"x\",\"metadata\":{\"exit_code\":2}}"}`, `toolResult|result c true "exit 2" "x"`},
		{"a text that looks like it", `{"type":"function_call_output","call_id":"c","output":"{\"output\":7}"}`, `toolResult|result c false "" "{\"output\":7}"`},
		{"what a program printed", `{"type":"function_call_output","call_id":"c","output":"x\nProcess exited with code 3"}`, `toolResult|result c false "" "x\nProcess exited with code 3"`},
		{"of a patch", `{"type":"custom_tool_call_output","call_id":"c","output":"Exit code: 1\nWall time: 0 seconds\nOutput:\nno"}`, `toolResult|result c true "exit 1" "no"`},
		{"aborted by the user", `{"type":"function_call_output","call_id":"c","output":"Wall time: 3.7 seconds\naborted by user"}`, `toolResult|result c true "interrupted" "Wall time: 3.7 seconds\naborted by user"`},
		{"a tool that is not there", `{"type":"function_call_output","call_id":"c","output":"unsupported call: x"}`, `toolResult|result c true "" "unsupported call: x"`},
		{"parts", `{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"Script completed\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"x"}]}`, `toolResult|result c false "" "x"`},
		{"a script that failed", `{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"Script failed\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"x"}]}`, `toolResult|result c true "" "x"`},
		{"an object", `{"type":"function_call_output","call_id":"c","output":{"content":"x","success":false}}`, `toolResult|result c true "" "x"`},
		{"nothing at all", `{"type":"function_call_output"}`, `toolResult|result  false "" ""`},
	} {
		v := NewReader("s").Read([]byte(`{"timestamp":"t","type":"response_item","payload":` + test.payload + `}`))[0]
		e, err := objects.ParseEntry(v.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		m, ok := (Agent{}).Message(e)
		if got := looked(m); !ok || got != test.want {
			t.Errorf("%s: %v\n %s\nexpected\n %s", test.name, ok, got, test.want)
		}
		if notHidden := m.Note == "" && test.name != "an empty one" && test.name != "what only the server reads"; v.Hidden == notHidden {
			t.Errorf("%s: hidden %v, note %q", test.name, v.Hidden, m.Note)
		}
	}
}

// TestTypes: what becomes of lines that are no messages.
func TestTypes(t *testing.T) {
	for line, want := range map[string]objects.Type{
		`{"timestamp":"t","type":"session_meta","payload":{"id":"a"}}`:                               objects.TypeMeta,
		`{"timestamp":"t","type":"turn_context","payload":{"model":"m"}}`:                            objects.TypeMeta,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"user_message","message":"x"}}`:       objects.TypeMeta,
		`{"timestamp":"t","type":"brand_new","payload":{"x":1}}`:                                     objects.TypeMeta,
		`{"timestamp":"t","type":"response_item","payload":{"type":"brand_new"}}`:                    objects.TypeCustom,
		`{"timestamp":"t","type":"response_item","payload":null}`:                                    objects.TypeCustom,
		`{"timestamp":"t","type":"response_item"}`:                                                   objects.TypeCustom,
		`{"timestamp":"t","type":"compacted","payload":{"message":""}}`:                              objects.TypeCompaction,
		`{"timestamp":"t","type":"compacted","payload":7}`:                                           objects.TypeMeta,
		`{"timestamp":"t","type":"token_usage_record","payload":{"usage":{"input_tokens":1}}}`:       objects.TypeUsage,
		`{"timestamp":"t","type":"token_usage_record","payload":{"usage":{"input_tokens":0}}}`:       objects.TypeMeta,
		`{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":null}}`:          objects.TypeMeta,
		`{"record_type":"event","stream":{"kind":"session","id":"x"},"payload":{"kind":"metadata"}}`: objects.TypeMeta,
		`7`: objects.TypeMeta, ``: objects.TypeMeta, `{}`: objects.TypeMeta,
	} {
		if got := NewReader("s").Read([]byte(line + "\n"))[0]; got.Type != want {
			t.Errorf("%s is a %s, expected %s", line, got.Type, want)
		}
	}
}

// TestTimes: a timestamp is taken as it stands; seconds since 1970 become one, and a line without one takes that above it.
func TestTimes(t *testing.T) {
	lines := `{"timestamp":"yesterday","type":"x","payload":{}}
{"type":"x","payload":{}}
no json
{"timestamp":1737400001.5,"type":"x","payload":{}}
{"timestamp":{},"type":"x","payload":{}}
{"timestamp":-1,"type":"x","payload":{}}
`
	var got []string
	for _, v := range NewReader("s").Read([]byte(lines)) {
		got = append(got, v.Timestamp)
	}
	if text := strings.Join(got, " "); text != "yesterday yesterday yesterday 2025-01-20T19:06:41.500Z 2025-01-20T19:06:41.500Z 2025-01-20T19:06:41.500Z" {
		t.Error(text)
	}
}

// TestModels: what a model said has the model of its turn; what a user said has none.
func TestModels(t *testing.T) {
	turn := func(model string) string {
		return `{"timestamp":"t","type":"turn_context","payload":{"model":` + model + `}}`
	}
	var got []string
	for _, v := range NewReader("s").Read([]byte(strings.Join([]string{
		item("assistant", "a"), turn(`"one"`), item("user", "b"), item("assistant", "c"), turn(`7`), item("assistant", "d"), turn(`"two"`), item("assistant", "e"),
	}, "\n"))) {
		if v.Type == objects.TypeMessage {
			got = append(got, v.Model)
		}
	}
	if text := strings.Join(got, ","); text != ",,one,one,two" {
		t.Error(text)
	}
}

func TestCompaction(t *testing.T) {
	decode := func(payload string) objects.Compaction {
		v := NewReader("s").Read([]byte(`{"timestamp":"t","type":"compacted","payload":` + payload + `}`))[0]
		e, _ := objects.ParseEntry(v.Bytes())
		c, ok := (Agent{}).Compaction(e)
		if !ok {
			t.Fatalf("%s is none", payload)
		}
		return c
	}
	c := decode(`{"message":"Another language model started to solve this problem. The summary:\nS","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]},7,{"type":"ghost"}]}`)
	if c.Summary != "S" || !c.Replaces || c.KeepsPrompts || len(c.Replacement) != 1 || !c.Replacement[0].Prompt() {
		t.Errorf("%+v", c)
	}
	if c = decode(`{"message":"S"}`); c.Summary != "S" || !c.Replaces || !c.KeepsPrompts || len(c.Replacement) != 1 || c.Replacement[0].Text() != "S" {
		t.Errorf("%+v", c)
	}
	if c = decode(`{"replacement_history":[]}`); !c.Replaces || c.KeepsPrompts || len(c.Replacement) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestDetect(t *testing.T) {
	meta := metaLine(`"id":"a","base_instructions":{"text":"` + strings.Repeat("x", 70_000) + `"}`)
	for head, want := range map[string]bool{
		"": false, "\n": false, "x\n": false, "{}\n": false,
		meta: true, meta[:64<<10]: true, "\xef\xbb\xbf" + meta: true, "\x00\x00\n" + meta: true, "no json\n\r\n" + meta: true, meta[:50] + meta: true,
		item("user", "x") + "\n":                            true,
		`{"type":"event_msg","timestamp":1.0,"payload":{}}`: true,
		`{"schema_version":1,"stream":{"kind":"session"},"record_type":"event","payload":{}}` + "\n":    true,
		`{"type":"session","version":3,"id":"x"}` + "\n" + meta:                                         false,
		`{"type":"message","id":"x","parentId":null,"agent":"codex","raw":` + item("user", "x") + "}\n": false,
		`{"role":"user","content":"x"}` + "\n":                                                          false,
		`{"type":"user","sessionId":"x","timestamp":"t","payload":1}` + "\n":                            false,
	} {
		if got := (Agent{}).Detect([]byte(head)); got != want {
			t.Errorf("%.100q: %v", head, got)
		}
	}
}
