package pi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/agents/pi"
	"tlog/agents/transcript"
	"tlog/objects"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// lines are those of a session file, decoded.
func lines(t *testing.T, data []byte) (all []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(data) {
		var object map[string]any
		if err := json.Unmarshal(line, &object); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, object)
	}
	return all
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestWriteConversation(t *testing.T) {
	text := transcript.Part{Kind: objects.BlockText, Text: "one"}
	image := transcript.Part{Kind: objects.BlockImage, MimeType: "image/png", Data: "aGFsbG8="}
	call := transcript.Part{Kind: objects.BlockToolCall, CallID: "c", Name: "Bash", Arguments: []byte(`{"a":1}`)}
	var out bytes.Buffer
	report, err := pi.Agent{}.WriteConversation(&out, transcript.Conversation{
		Session: "s-1", Now: noon, Cwd: "/srv/demo", Name: "a name",
		Messages: []transcript.Message{
			{ID: "a", Time: noon.Add(-time.Hour), Role: objects.RoleUser, Parts: []transcript.Part{text, image}},
			{ID: "b", Role: objects.RoleAssistant, Provider: "anthropic", Model: "claude-x", Parts: []transcript.Part{text, call}},
			{ID: "c", Role: objects.RoleToolResult, CallID: "c", Tool: "Bash", Failed: true, Parts: []transcript.Part{text}},
			{ID: "d", Role: objects.RoleAssistant, Parts: []transcript.Part{text}},
		},
	})
	if err != nil || report.Messages != 4 || report.Lines != 6 {
		t.Fatalf("%+v, %v", report, err)
	}
	all := lines(t, out.Bytes())
	if got, want := asJSON(t, all[0]), `{"cwd":"/srv/demo","id":"s-1","timestamp":"2026-12-01T12:00:00.000Z","type":"session","version":3}`; got != want {
		t.Errorf("header %s", got)
	}
	var parents, roles []string
	for _, line := range all[1:] {
		parents = append(parents, fmt.Sprint(line["parentId"]))
		if m, ok := line["message"].(map[string]any); ok {
			roles = append(roles, fmt.Sprint(m["role"], m["provider"], m["model"], m["api"], m["stopReason"], m["usage"] != nil, m["isError"], m["timestamp"] != nil))
		}
	}
	if !slices.Equal(parents, []string{"<nil>", "a", "b", "c", "d"}) {
		t.Errorf("parents %q", parents)
	}
	want := []string{
		"user<nil> <nil> <nil> <nil> false <nil> true", "assistantanthropicclaude-xanthropic-messagestoolUse true <nil> true",
		"toolResult<nil> <nil> <nil> <nil> false true true", "assistantunknownunknownunknownstop true <nil> true",
	}
	for i, role := range roles {
		if strings.ReplaceAll(role, " ", "") != strings.ReplaceAll(want[i], " ", "") {
			t.Errorf("message %d: %s, want %s", i, role, want[i])
		}
	}
	if all[5]["name"] != "a name" {
		t.Errorf("name %v", all[5])
	}
}

// export exports entries given as lines, and gives the messages that come of them.
func export(t *testing.T, entries ...string) (messages []string, out string) {
	t.Helper()
	var buffer bytes.Buffer
	_, err := pi.Agent{}.Export(&buffer, transcript.Export{
		Session: "s-1", Now: noon, OldCwd: "/srv/demo", Parent: "/sessions/old.jsonl",
		Entries: func(yield func(transcript.Entry, error) bool) {
			for _, line := range entries {
				e, err := objects.ParseEntry([]byte(line))
				if !yield(transcript.Entry{Entry: e, EffectiveID: e.ID, OnPath: true}, err) {
					return
				}
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	previous := any(nil)
	for i, line := range lines(t, buffer.Bytes()) {
		if i == 0 {
			if line["parentSession"] != "/sessions/old.jsonl" || line["cwd"] != "/srv/demo" {
				t.Errorf("header %v", line)
			}
			continue
		}
		if line["parentId"] != previous {
			t.Errorf("line %d hangs at %v, want %v", i, line["parentId"], previous)
		}
		previous = line["id"]
		if m, ok := line["message"].(map[string]any); ok {
			delete(m, "timestamp")
			delete(m, "usage")
			messages = append(messages, asJSON(t, m))
		}
	}
	return messages, buffer.String()
}

// TestExportVerbatim: what pi would write itself stays as it is.
func TestExportVerbatim(t *testing.T) {
	own := []string{
		`{"type":"message","id":"a","parentId":null,"timestamp":"2026-11-30T10:00:00.000Z","message":{"role":"user","content":"\u006fne","timestamp":1.0}}`,
		`{"type":"message","id":"b","parentId":"a","timestamp":"x","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{"a":1.50}}],"api":"a","provider":"p","model":"m","usage":{},"stopReason":"toolUse","timestamp":1}}`,
		`{"type":"message","id":"c","parentId":"b","timestamp":"x","message":{"role":"toolResult","toolCallId":"c","toolName":"n","content":[{"type":"image","data":"","mimeType":"image/png"}],"isError":false,"timestamp":1}}`,
		`{"type":"context_edit","id":"d","parentId":"c","timestamp":"x","targetId":"a","replacement":null}`,
		`{"type":"odd","id":"e","parentId":"d","timestamp":"x","x":[1, 2]}`,
		`{"type":"message","id":"f","parentId":"e","timestamp":"x","message":{"role":"bashExecution","command":"ls"}}`,
	}
	_, out := export(t, own...)
	_, rest, _ := strings.Cut(out, "\n")
	if rest != strings.Join(own, "\n")+"\n" {
		t.Errorf("got\n%s", rest)
	}
}

// TestExportTranslates: messages in the words of APIs, and such that lack what pi needs.
func TestExportTranslates(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{`{"role":"user","content":null}`, []string{`{"content":[],"role":"user"}`}},
		{`{"role":"assistant","content":[{"type":"text","text":"x"}],"model":"m"}`,
			[]string{`{"api":"unknown","content":[{"text":"x","type":"text"}],"model":"m","provider":"unknown","role":"assistant","stopReason":"stop"}`}},
		{`{"role":"assistant","content":"x"}`,
			[]string{`{"api":"unknown","content":[{"text":"x","type":"text"}],"model":"unknown","provider":"unknown","role":"assistant","stopReason":"stop"}`}},
		{`{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"tool_use","id":"c","name":"n","input":{}}],"provider":"anthropic"}`,
			[]string{`{"api":"anthropic-messages","content":[{"thinking":"t","thinkingSignature":"s","type":"thinking"},{"arguments":{},"id":"c","name":"n","type":"toolCall"}],"model":"unknown","provider":"anthropic","role":"assistant","stopReason":"toolUse"}`}},
		{`{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"n","arguments":"{\"a\":1}"}}]}`,
			[]string{`{"api":"unknown","content":[{"arguments":{"a":1},"id":"c","name":"n","type":"toolCall"}],"model":"unknown","provider":"unknown","role":"assistant","stopReason":"toolUse"}`}},
		{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"},{"type":"tool_result","tool_use_id":"d","content":[{"type":"text","text":"s"}],"is_error":true},{"type":"text","text":"x"}]}`,
			[]string{
				`{"content":[{"text":"r","type":"text"}],"isError":false,"role":"toolResult","toolCallId":"c","toolName":"unknown"}`,
				`{"content":[{"text":"s","type":"text"}],"isError":true,"role":"toolResult","toolCallId":"d","toolName":"unknown"}`,
				`{"content":[{"text":"x","type":"text"}],"role":"user"}`,
			}},
		{`{"role":"tool","tool_call_id":"c","content":"r"}`, []string{`{"content":[{"text":"r","type":"text"}],"isError":false,"role":"toolResult","toolCallId":"c","toolName":"unknown"}`}},
		{`{"role":"toolResult","toolCallId":"c","content":"r"}`, []string{`{"content":[{"text":"r","type":"text"}],"isError":false,"role":"toolResult","toolCallId":"c","toolName":"unknown"}`}},
		{`{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGFsbG8="}}]}`,
			[]string{`{"content":[{"data":"aGFsbG8=","mimeType":"image/png","type":"image"}],"role":"user"}`}},
		{`{"role":"developer","content":"be kind"}`, []string{`{"content":"be kind","role":"system"}`}},
	} {
		got, _ := export(t, `{"type":"message","id":"a","parentId":"gone","timestamp":"2026-11-30T10:00:00.000Z","message":`+tt.in+`}`,
			`{"type":"custom","id":"z","parentId":"a"}`)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.in, strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
		}
	}
}

func TestInstallPath(t *testing.T) {
	const id objects.ID = "01934a1c-0000-7000-8000-000000000001"
	for name, tt := range map[string]struct {
		env  map[string]string
		cwd  string
		id   objects.ID
		want string
	}{
		"default":        {map[string]string{"HOME": "/home/ada"}, "/srv/my proj-v1.2:ü", id, "/home/ada/.pi/agent/sessions/--srv-my proj-v1.2-ü--/2024-11-20T15-06-09-280Z_" + string(id) + ".jsonl"},
		"agent folder":   {map[string]string{"HOME": "/home/ada", "PI_CODING_AGENT_DIR": "~/pi"}, "/", "s-1", "/home/ada/pi/sessions/----/1970-01-01T00-00-00-000Z_s-1.jsonl"},
		"session folder": {map[string]string{"HOME": "/home/ada", "PI_CODING_AGENT_SESSION_DIR": "/all"}, "/x", "s-1", "/all/1970-01-01T00-00-00-000Z_s-1.jsonl"},
	} {
		if got := (pi.Agent{}).InstallPath(func(name string) string { return tt.env[name] }, tt.cwd, tt.id); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if c := (pi.Agent{}).ResumeFile("/x", "/all/s.jsonl"); c.Dir != "/x" || !slices.Equal(c.Args, []string{"pi", "--session", "/all/s.jsonl"}) {
		t.Errorf("command %+v", c)
	}
}
