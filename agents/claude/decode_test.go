package claude

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
)

// rowEntry is the entry of a type that holds a row.
func rowEntry(t testing.TB, entryType objects.Type, row string) objects.Entry {
	t.Helper()
	v := objects.Envelope{Type: entryType, ID: "e1", Timestamp: "2026-11-30T10:00:00.000Z", Agent: Name, Line: []byte(row)}
	e, err := objects.ParseEntry(v.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestMessageOfReply(t *testing.T) {
	for name, tt := range map[string]struct {
		row  string
		want objects.Message
	}{
		"of a model": {
			`{"type":"assistant","uuid":"e1","requestId":"r","message":{"id":"m","role":"assistant","model":"big-model","stop_reason":"end_turn","usage":{"output_tokens":1.0}}}`,
			objects.Message{Provider: "anthropic", Model: "big-model", ReplyID: "m", StopReason: "end_turn", Usage: []byte(`{"output_tokens":1.0}`)}},
		"without an id":       {`{"type":"assistant","requestId":"r","message":{"role":"assistant"}}`, objects.Message{ReplyID: "r"}},
		"made by the client":  {`{"type":"assistant","message":{"id":"s","model":"<synthetic>"}}`, objects.Message{ReplyID: "s"}},
		"aborted":             {`{"type":"assistant","isAbortedMidStream":true,"message":{"id":"m","model":"x","stop_reason":null}}`, objects.Message{Provider: "anthropic", Model: "x", ReplyID: "m"}},
		"failed, with a kind": {`{"type":"assistant","isApiErrorMessage":true,"error":"rate_limit","message":{"id":"m","model":"<synthetic>"}}`, objects.Message{ReplyID: "m", Error: "rate_limit"}},
		"failed, no kind":     {`{"type":"assistant","isApiErrorMessage":true,"message":{"id":"m"}}`, objects.Message{ReplyID: "m", Error: "API error"}},
		"role of another":     {`{"type":"assistant","message":{"id":"m","role":"user","provider":"p"}}`, objects.Message{ReplyID: "m"}},
	} {
		m, ok := Agent{}.Message(rowEntry(t, objects.TypeMessage, tt.row))
		if !ok || m.Role != objects.RoleAssistant || !strings.Contains(tt.row, `"message":`+string(m.Raw)) {
			t.Errorf("%s: got %+v, %v", name, m, ok)
		}
		m.Raw, m.Role = nil, ""
		if diff := cmp.Diff(tt.want, m); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNotes(t *testing.T) {
	for content, want := range map[string][2]string{
		`"hello"`: {"", "hello"},
		`"<command-name>/model</command-name>\n  <command-message>model</command-message>\n  <command-args>opus</command-args>"`: {"command", "/model opus"},
		`"<command-message>review</command-message>\n<command-name>/review</command-name>"`:                                      {"command", "/review"},
		`"<command-message>review</command-message>"`:                                                                            {"command", "/review"},
		`[{"type":"text","text":"<command-message>x</command-message>"}]`:                                                        {"command", "/x"},
		`"<bash-input> git pull </bash-input>"`:                                                                                  {"command", "! git pull"},
		`"<bash-stdout>a\nb</bash-stdout><bash-stderr>c</bash-stderr>"`:                                                          {"output", "a\nb\nc"},
		`"<bash-stdout></bash-stdout><bash-stderr></bash-stderr>"`:                                                               {"output", "(no output)"},
		`"<local-command-stdout>\u001b[2mdim\u001b[22m \u001b[1;31mred\u001b[m \u001b[2J\u001b["`:                                {"output", "dim red \x1b[2J\x1b["},
		`"<local-command-stdout>cut off"`:                                                                                        {"output", "cut off"},
		`"<local-command-stderr>no</local-command-stderr>"`:                                                                      {"output", "no"},
		`"<local-command-caveat>Do not</local-command-caveat>"`:                                                                  {"caveat", "<local-command-caveat>Do not</local-command-caveat>"},
		`"Caveat: The messages below were"`:                                                                                      {"caveat", "Caveat: The messages below were"},
		`"[Request interrupted by user]"`:                                                                                        {"interrupted", "[Request interrupted by user]"},
		`[{"type":"text","text":"[Request interrupted by user for tool use]"}]`:                                                  {"interrupted", "[Request interrupted by user for tool use]"},
		`"[Request interrupted by user], why?"`:                                                                                  {"", "[Request interrupted by user], why?"},
		`"<system-reminder>x</system-reminder>"`:                                                                                 {"reminder", "<system-reminder>x</system-reminder>"},
		`"<task-notification>x"`:                                                                                                 {"reminder", "<task-notification>x"},
		`[{"type":"text","text":"<system-reminder>x"},{"type":"text","text":"do it"}]`:                                           {"", "do it"},
		`"<system-reminder>x</system-reminder>\n\ndo <system-reminder>it"`:                                                       {"", "do <system-reminder>it"},
		`[{"type":"tool_result","tool_use_id":"c","content":"<bash-stdout>x"}]`:                                                  {"", "<bash-stdout>x"},
	} {
		row := `{"type":"user","message":{"role":"user","content":` + content + `}}`
		m, ok := Agent{}.Message(rowEntry(t, objects.TypeMessage, row))
		if got := [2]string{m.Note, m.Text()}; !ok || got != want {
			t.Errorf("%s: got %q, want %q", content, got, want)
		}
		meta := strings.Replace(row, `"user",`, `"user","isMeta":true,`, 1)
		m, _ = Agent{}.Message(rowEntry(t, objects.TypeMessage, meta))
		if want[0] == "" {
			want[0] = "reminder"
		}
		if m.Note != want[0] || m.Prompt() {
			t.Errorf("%s, made by the client: note %q, want %q; prompt %v", content, m.Note, want[0], m.Prompt())
		}
	}
}

func TestMessageOfOtherRows(t *testing.T) {
	for name, tt := range map[string]struct {
		row, raw, note, text string
		ok                   bool
	}{
		"summary":               {`{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"so far"}}`, `{"role":"user","content":"so far"}`, "summary", "so far", true},
		"queued":                {`{"type":"attachment","attachment":{"type":"queued_command","prompt":"a\u0062","commandMode":"prompt"}}`, `{"role":"user","content":"a\u0062"}`, "", "ab", true},
		"queued blocks":         {`{"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"a"}]}}`, `{"role":"user","content":[{"type":"text","text":"a"}]}`, "", "a", true},
		"queued nothing":        {`{"type":"attachment","attachment":{"type":"queued_command"}}`, "", "", "", false},
		"another attachment":    {`{"type":"attachment","attachment":{"type":"date","prompt":"a"}}`, "", "", "", false},
		"local command":         {`{"type":"system","subtype":"local_command","content":"<command-name>/cost</command-name>"}`, `{"role":"user","content":"<command-name>/cost</command-name>"}`, "command", "/cost", true},
		"boundary":              {`{"type":"system","subtype":"compact_boundary","content":"Conversation compacted"}`, "", "", "", false},
		"no message":            {`{"type":"user"}`, "", "", "", false},
		"a message that is one": {`{"type":"user","message":"hi"}`, "", "", "", false},
		"unknown row":           {`{"type":"hologram","message":{"role":"user","content":"x"}}`, "", "", "", false},
	} {
		m, ok := Agent{}.Message(rowEntry(t, objects.TypeMessage, tt.row))
		if ok != tt.ok || string(m.Raw) != tt.raw || m.Note != tt.note || m.Text() != tt.text {
			t.Errorf("%s: got %+v, %v", name, m, ok)
		}
		if _, ok := (Agent{}).Message(rowEntry(t, objects.TypeCustom, tt.row)); ok {
			t.Errorf("%s: a custom entry holds a message", name)
		}
	}
}

func TestMessageOfDamagedLine(t *testing.T) {
	m, ok := Agent{}.Message(rowEntry(t, objects.TypeMessage, "\x00\x00"+`{"type":"user","message":{"role":"user","content":"still here"}}`+"\r"))
	if !ok || m.Text() != "still here" {
		t.Errorf("got %+v, %v", m, ok)
	}
	if _, ok := (Agent{}).Message(rowEntry(t, objects.TypeMessage, `{"type":"user","mess`)); ok {
		t.Error("a torn line holds a message")
	}
}

func TestResultStates(t *testing.T) {
	for result, want := range map[string]struct {
		state string
		isErr bool
	}{
		`"content":"x"}]},"toolUseResult":{"interrupted":false`:                                                  {"", false},
		`"content":"half"}]},"toolUseResult":{"interrupted":true`:                                                {"interrupted", true},
		`"content":"[Request interrupted by user for tool use]"}]},"x":{`:                                        {"interrupted", true},
		`"is_error":true,"content":"Exit code 127\nnot found"}]},"x":{`:                                          {"exit 127", true},
		`"is_error":true,"content":"Exit code one"}]},"x":{`:                                                     {"", true},
		`"content":"Exit code 1"}]},"x":{`:                                                                       {"", false},
		`"is_error":true,"content":"The user doesn't want to proceed with this tool use. The tool use"}]},"x":{`: {"refused", true},
	} {
		row := `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c",` + result + `}}`
		m, _ := Agent{}.Message(rowEntry(t, objects.TypeMessage, row))
		if results := m.Results(); len(results) != 1 || results[0].IsError != want.isErr || results[0].State != want.state {
			t.Errorf("%s: got %+v", result, m.Blocks)
		}
	}
}

func TestCompaction(t *testing.T) {
	for name, tt := range map[string]struct {
		row  string
		want objects.Compaction
	}{
		"bare": {`{"type":"system","subtype":"compact_boundary"}`, objects.Compaction{}},
		"list": {`{"type":"system","compactMetadata":{"trigger":"manual","preTokens":12,"preservedSegment":{"headUuid":"x","anchorUuid":"y"},"preservedMessages":{"anchorUuid":"s","uuids":["a",7,"b"]}}}`,
			objects.Compaction{TokensBefore: []byte("12"), Trigger: "manual", Kept: []objects.ID{"a", "b"}, KeptAfter: "s"}},
		"segment":            {`{"type":"system","compactMetadata":{"preservedSegment":{"headUuid":"h","anchorUuid":"s","tailUuid":"t"}}}`, objects.Compaction{FirstKept: "h", KeptAfter: "s"}},
		"before the summary": {`{"type":"system","compactMetadata":{"preservedMessages":{"anchorUuid":"e1","uuids":["a"]}}}`, objects.Compaction{Kept: []objects.ID{"a"}}},
		"wrong kinds":        {`{"type":"system","compactMetadata":{"preTokens":"many","preservedMessages":["a"],"preservedSegment":5}}`, objects.Compaction{}},
		"summary alone":      {`{"type":"user","isCompactSummary":true,"message":{"content":[{"type":"text","text":"so far"}]}}`, objects.Compaction{Summary: "so far"}},
	} {
		c, ok := Agent{}.Compaction(rowEntry(t, objects.TypeCompaction, tt.row))
		if diff := cmp.Diff(tt.want, c); !ok || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, ok, diff)
		}
	}
	for _, row := range []string{`{"type":"user","message":{"content":"x"}}`, `{"type":"sys`} {
		if c, ok := (Agent{}).Compaction(rowEntry(t, objects.TypeCompaction, row)); ok {
			t.Errorf("%s is a compaction: %+v", row, c)
		}
	}
	if _, ok := (Agent{}).Compaction(rowEntry(t, objects.TypeMessage, `{"type":"system"}`)); ok {
		t.Error("a message is a compaction")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"type":"message","agent":"claude","raw":{"type":"user","message":{"role":"user","content":[{"type":"text","text":"<command-name>"}]},"toolUseResult":{"interrupted":true}}}`))
	f.Add([]byte(`{"type":"compaction","agent":"claude","raw":{"type":"system","compactMetadata":{"preTokens":-1,"preservedMessages":{"uuids":["a",null]}}}}`))
	f.Add([]byte(`{"type":"message","agent":"claude","raw":{"type":"attachment","attachment":{"type":"queued_command","prompt":"x"}}}`))
	f.Add([]byte(`{"type":"message","agent":"claude","rawBase64":"eyJ0eXBlIjoidXNlciJ9DQ=="}`))
	f.Add([]byte(`{"type":"message","agent":"claude","rawBase64":"[pasted text #1, 18 kB]"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := objects.ParseEntry(data)
		if err != nil {
			return
		}
		for _, entryType := range []objects.Type{e.Type, objects.TypeMessage, objects.TypeCompaction} {
			e.Type = entryType
			if m, ok := (Agent{}).Message(e); ok && (len(m.Raw) == 0 || m.Role != objects.RoleUser && m.Role != objects.RoleAssistant) {
				t.Errorf("a message without an object or a role: %+v", m)
			}
			if c, ok := (Agent{}).Compaction(e); ok && len(c.Kept) > 0 && c.FirstKept != "" {
				t.Errorf("a list and a range: %+v", c)
			}
		}
	})
}
