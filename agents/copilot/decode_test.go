package copilot_test

import (
	"testing"

	"tlog/agents/copilot"
	"tlog/objects"
)

// entryOf is the entry of a single event.
func entryOf(t *testing.T, line string) objects.Entry {
	t.Helper()
	envelopes := copilot.NewReader("s").Read([]byte(line))
	if len(envelopes) != 1 {
		t.Fatalf("%d entries", len(envelopes))
	}
	e, err := objects.ParseEntry(envelopes[0].Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestMessages(t *testing.T) {
	for name, test := range map[string]struct {
		typ, data    string
		role, text   string
		note, state  string
		hidden, fail bool
	}{
		"a prompt":                    {"user.message", `{"content":"do","transformedContent":"<x>do"}`, "user", "do", "", "", false, false},
		"the client's own":            {"user.message", `{"content":"","transformedContent":"go on","attachments":[]}`, "user", "go on", "reminder", "", true, false},
		"only an attachment":          {"user.message", `{"content":"","attachments":[{"type":"file"}]}`, "user", "", "", "", false, false},
		"of a skill":                  {"user.message", `{"content":"x","source":"skill-a"}`, "user", "x", "reminder", "", true, false},
		"a system prompt":             {"system.message", `{"content":"be kind"}`, "system", "be kind", "reminder", "", true, false},
		"a reply":                     {"assistant.message", `{"content":"yes","reasoningOpaque":"xx"}`, "assistant", "yes", "", "", false, false},
		"a result":                    {"tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"fine"}}`, "toolResult", "fine", "", "", false, false},
		"a failure":                   {"tool.execution_complete", `{"toolCallId":"c","success":false,"error":{"message":"no"}}`, "toolResult", "no", "", "", false, true},
		"an exit status":              {"tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"x\n<exited with exit code 7>"}}`, "toolResult", "x\n<exited with exit code 7>", "", "exit 7", false, true},
		"an exit status of 0":         {"tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"<exited with exit code 0>"}}`, "toolResult", "<exited with exit code 0>", "", "", false, false},
		"a result that tells nothing": {"tool.execution_complete", `{"success":true}`, "toolResult", "", "", "", false, false},
	} {
		e := entryOf(t, `{"type":"`+test.typ+`","data":`+test.data+`,"id":"a","timestamp":"2026-05-02T10:00:00.000Z","parentId":null}`)
		m, ok := copilot.Agent{}.Message(e)
		if !ok || m.Role != test.role || m.Text() != test.text || m.Note != test.note || e.Hidden != test.hidden {
			t.Errorf("%s: got %v, role %q, text %q, note %q, hidden %v", name, ok, m.Role, m.Text(), m.Note, e.Hidden)
		}
		if results := m.Results(); len(results) == 1 && (results[0].State != test.state || results[0].IsError != test.fail) {
			t.Errorf("%s: state %q, failed %v", name, results[0].State, results[0].IsError)
		} else if test.role == "toolResult" && len(results) != 1 {
			t.Errorf("%s: %d results", name, len(results))
		}
	}
	for name, line := range map[string]string{
		"of a subagent":    `{"type":"assistant.message","data":{"content":"x","parentToolCallId":"c"},"id":"a"}`,
		"a hook":           `{"type":"hook.start","data":{},"id":"a"}`,
		"a compaction off": `{"type":"session.compaction_complete","data":{"success":false,"summaryContent":"x"},"id":"a"}`,
	} {
		if e := entryOf(t, line); e.Type != objects.TypeCustom {
			t.Errorf("%s: an entry of type %s", name, e.Type)
		}
	}
}
