package projection

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"tlog/agents/transcript"
	"tlog/log"
	"tlog/objects"
)

// handedOver is a conversation in short, a message a line, and the kinds of what did not come along.
func handedOver(t *testing.T, l *log.Log, opt HandoffOptions) (string, string) {
	t.Helper()
	messages, lost, err := buildAt(t, l, l.Last()).Handoff(l, opt)
	if err != nil {
		t.Fatal(err)
	}
	checkHandoff(t, messages, opt)
	var said, kinds []string
	for _, m := range messages {
		said = append(said, inShort(m))
	}
	for _, r := range lost {
		kinds = append(kinds, fmt.Sprint(r.Kind, " ", r.ID))
	}
	return strings.Join(said, "\n"), strings.Join(kinds, "\n")
}

func inShort(m transcript.Message) string {
	out := m.Role
	if m.Role == objects.RoleToolResult {
		out += " " + m.CallID + " of " + m.Tool
		if m.Failed {
			out += " failed"
		}
	}
	for _, p := range m.Parts {
		switch p.Kind {
		case objects.BlockText:
			out += fmt.Sprintf(" %q", p.Text)
		case objects.BlockImage:
			out += " <" + p.MimeType + ">"
		default:
			out += fmt.Sprintf(" %s(%s) %s", p.Name, p.CallID, p.Arguments)
		}
	}
	return out
}

var fitting = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// checkHandoff holds what transcript.Conversation promises.
func checkHandoff(t *testing.T, messages []transcript.Message, opt HandoffOptions) {
	t.Helper()
	ids, calls := map[objects.ID]bool{}, map[string]bool{}
	var waiting []string
	for i, m := range messages {
		if ids[m.ID] || m.ID == "" {
			t.Errorf("message %d has the id %q", i, m.ID)
		}
		ids[m.ID] = true
		if i == 0 && m.Role != objects.RoleUser {
			t.Errorf("the first is of %s", m.Role)
		}
		if m.Role == objects.RoleToolResult {
			if len(waiting) == 0 || waiting[0] != m.CallID || opt.AsText {
				t.Fatalf("message %d is the result of %q, of %q", i, m.CallID, waiting)
			}
			waiting = waiting[1:]
		} else if len(waiting) > 0 || len(m.Parts) == 0 {
			t.Fatalf("before message %d %q wait for results; it has %d parts", i, waiting, len(m.Parts))
		}
		for _, p := range m.Parts {
			switch p.Kind {
			case objects.BlockText:
				if strings.TrimSpace(p.Text) == "" || !utf8.ValidString(p.Text) {
					t.Errorf("message %d has the text %q", i, p.Text)
				}
			case objects.BlockImage:
				if m.Role == objects.RoleAssistant || p.Data == "" || p.MimeType == "" || opt.NoImages {
					t.Errorf("message %d of %s has an image", i, m.Role)
				}
			case objects.BlockToolCall:
				var object map[string]any
				err := json.Unmarshal(p.Arguments, &object)
				if m.Role != objects.RoleAssistant || opt.AsText || err != nil || !fitting.MatchString(p.Name) || !fitting.MatchString(p.CallID) || calls[p.CallID] {
					t.Errorf("message %d of %s has the call %q of %q: %s", i, m.Role, p.CallID, p.Name, p.Arguments)
				}
				calls[p.CallID] = true
				waiting = append(waiting, p.CallID)
			default:
				t.Errorf("message %d has a part of kind %d", i, p.Kind)
			}
		}
	}
	if len(waiting) > 0 {
		t.Errorf("at the end %q wait", waiting)
	}
}

const onePicture = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGFsbG8="}}`

// TestHandoffOfRows: what of Claude Code's rows goes to another agent, and how.
func TestHandoffOfRows(t *testing.T) {
	thinking := `{"type":"thinking","thinking":"hm\n\nso","signature":"s"}`
	rows := []row{
		{objects.TypeMessage, `{"type":"user","isMeta":true,"message":{"role":"user","content":"Caveat: The messages below"}}`},
		userRow(`"<command-name>/model</command-name><command-args>opus</command-args>"`),
		userRow(`"<local-command-stdout>Set.</local-command-stdout>"`),
		userRow(`[` + textOf("<system-reminder>x</system-reminder>") + `,` + textOf("one") + `,` + onePicture + `]`),
		replyRow("m1", thinking),
		replyRow("m1", `{"type":"tool_use","id":"c.1","name":"mcp x","input":{"a":"\ud800"}}`),
		replyRow("m1", `{"type":"tool_use","id":"c2","name":"Bash","input":"ls"}`),
		userRow(`[{"type":"tool_result","tool_use_id":"c2","content":"` + "```" + `","is_error":true}]`),
		userRow(`[{"type":"tool_result","tool_use_id":"c.1","content":[` + textOf("found") + `,` + onePicture + `]}]`),
		replyRow("m2", callOf("c3")),
		userRow(`"[Request interrupted by user]"`),
	}
	l := openRows(t, rows...)
	said, lost := handedOver(t, l, HandoffOptions{})
	want := `user "The user gave the program a command:\n\n/model opus"
user "It printed:\n\nSet."
user "one" <image/png>
assistant mcp_x(c_1) {"a":"\ufffd"} Bash(c2) {"input":"ls"}
toolResult c_1 of mcp_x "found" <image/png>
toolResult c2 of Bash failed "` + "```" + `"
assistant Bash(c3) {"command":"ls"}
toolResult c3 of Bash failed "The call was interrupted: no result was recorded."
user "The user interrupted the reply."`
	if said != want {
		t.Errorf("got\n%s\nwant\n%s", said, want)
	}
	if want := "dropped-note r1\nadded-result r10\ndropped-thinking r5\nrenamed-call r5\nrepaired-input r5"; lost != want {
		t.Errorf("lost\n%s\nwant\n%s", lost, want)
	}
	said, lost = handedOver(t, l, HandoffOptions{Thinking: true, AsText: true, NoImages: true})
	for _, part := range []string{
		`"> hm\n> \n> so"`, "I called the tool `mcp_x`:\\n\\n```json\\n", "The tool `Bash` failed:\\n\\n````\\n```\\n````", `"[image/png 5 B left out]"`,
	} {
		if !strings.Contains(said, part) {
			t.Errorf("%s is not in\n%s", part, said)
		}
	}
	if n := strings.Count(lost, "dropped-image"); n != 2 {
		t.Errorf("lost %s", lost)
	}
	said, _ = handedOver(t, l, HandoffOptions{MaxImage: 4})
	if strings.Contains(said, "<image") {
		t.Errorf("got %s", said)
	}
}

// TestHandoffOfEntries: what of tlog's own entries goes along.
func TestHandoffOfEntries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	lines := []string{
		header,
		message("a", "", `{"role":"system","content":"be kind"}`),
		message("b", "a", `{"role":"assistant","content":[`+textOf("first")+`]}`),
		message("c", "b", `{"role":"assistant","content":[`+textOf("no")+`],"stopReason":"aborted"}`),
		message("d", "c", `{"role":"bashExecution","command":"ls","output":"x","exitCode":0}`),
		message("e", "d", `{"role":"user","content":[{"type":"image","data":"?","mimeType":"image/png"},{"type":"image_url","image_url":{"url":"https://a.example/p.png"}},{"type":"odd"}]}`),
		`{"type":"queue","id":"f","parentId":"e","operation":"enqueue","content":"later"}`,
	}
	if err := os.WriteFile(path, []byte(joined(lines)), 0o600); err != nil {
		t.Fatal(err)
	}
	said, lost := handedOver(t, openForeign(t, path), HandoffOptions{})
	want := `user "(What was said before is not part of this conversation any more.)"
assistant "first"
user "The user ran a shell command:\n\nls\n\nIts output:\n\nx"
user "[image left out]" "[image at https://a.example/p.png]"`
	if said != want {
		t.Errorf("got\n%s\nwant\n%s", said, want)
	}
	if want := "dropped-system a\ndropped-reply c\ndropped-image e\ndropped-image e\ndropped-block e\ndropped-queue \nadded-prompt b"; lost != want {
		t.Errorf("lost\n%s\nwant\n%s", lost, want)
	}
}

// TestHandoffOfPieces: of what an agent records item by item one reply is made, up to the first result.
func TestHandoffOfPieces(t *testing.T) {
	item := func(payload string) row {
		return row{objects.TypeMessage, `{"timestamp":"2026-11-30T10:00:00.000Z","type":"response_item","payload":` + payload + `}`}
	}
	call := func(id string) row {
		return item(`{"type":"function_call","name":"x","arguments":"{}","call_id":"` + id + `"}`)
	}
	output := func(id string) row {
		return item(`{"type":"function_call_output","call_id":"` + id + `","output":"of ` + id + `"}`)
	}
	say := func(role, kind, text string) row {
		return item(`{"type":"message","role":"` + role + `","content":[{"type":"` + kind + `","text":"` + text + `"}]}`)
	}
	l := openRowsOf(t, "codex", say("user", "input_text", "one"), say("assistant", "output_text", "two"), call("a"), call("b"), output("b"), output("a"),
		call("c"), output("c"), say("assistant", "output_text", "three"))
	said, lost := handedOver(t, l, HandoffOptions{})
	want := `user "one"
assistant "two" x(a) {} x(b) {}
toolResult a of x "of a"
toolResult b of x "of b"
assistant x(c) {}
toolResult c of x "of c"
assistant "three"`
	if said != want || lost != "" {
		t.Errorf("got\n%s\n%s\nwant\n%s", said, lost, want)
	}
}

// TestHandoffOfSteps: of a message that holds calls with their results and what was said behind them several are made.
func TestHandoffOfSteps(t *testing.T) {
	tool := func(id string) string {
		return `{"type":"tool","tool":"x","callID":"` + id + `","state":{"status":"completed","input":{},"output":"of ` + id + `"}}`
	}
	open := `{"type":"tool","tool":"x","callID":"d","state":{"status":"running","input":{}}}`
	row := func(id, role string, parts ...string) row {
		return row{objects.TypeMessage, `{"info":{"id":"` + id + `","role":"` + role + `"},"parts":[` + strings.Join(parts, ",") + `]}`}
	}
	l := openRowsOf(t, "opencode", row("m1", "user", `{"type":"text","text":"one"}`),
		row("m2", "assistant", `{"type":"text","text":"two"}`, tool("a"), tool("b"), `{"type":"text","text":"three"}`, tool("c")),
		row("m3", "assistant", `{"type":"text","text":"four"}`, open))
	said, lost := handedOver(t, l, HandoffOptions{})
	want := `user "one"
assistant "two" x(a) {} x(b) {}
toolResult a of x "of a"
toolResult b of x "of b"
assistant "three" x(c) {}
toolResult c of x "of c"
assistant "four" x(d) {}
toolResult d of x failed "The call was interrupted: no result was recorded."`
	if said != want || !strings.HasPrefix(lost, "added-result r3") {
		t.Errorf("got\n%s\n%s\nwant\n%s", said, lost, want)
	}
}

// openRowsOf is openRows for the lines of any agent.
func openRowsOf(t *testing.T, agent string, rows ...row) *log.Log {
	t.Helper()
	lines := []string{header}
	parent := objects.ID("")
	for i, r := range rows {
		v := objects.Envelope{Type: r.entry, ID: objects.ID(fmt.Sprintf("r%d", i+1)), ParentID: parent, Agent: agent, Line: []byte(r.line)}
		lines = append(lines, string(v.Bytes()))
		parent = v.ID
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(joined(lines)), 0o600); err != nil {
		t.Fatal(err)
	}
	return openForeign(t, path)
}

// message is a line of tlog's own with a message.
func message(id, parent, message string) string {
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	return `{"type":"message","id":"` + id + `","parentId":` + up + `,"timestamp":"2026-11-30T10:00:00.000Z","message":` + message + `}`
}

// TestHandoffRandom: whatever a session holds, what is handed over is what other agents take.
func TestHandoffRandom(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 11))
		s := &session{Rand: r, v: 3, journal: seed%2 == 0}
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, []byte(joined(s.lines(1+r.IntN(40)))), 0o600); err != nil {
			t.Fatal(err)
		}
		l := openForeign(t, path)
		opt := HandoffOptions{Thinking: seed%3 == 0, AsText: seed%5 == 0, NoImages: seed%7 == 0}
		for at := range l.Len() {
			if !l.Record(at).Tree() {
				continue
			}
			messages, _, err := buildAt(t, l, at).Handoff(l, opt)
			if err != nil {
				t.Fatal(err)
			}
			if checkHandoff(t, messages, opt); t.Failed() {
				t.Fatalf("seed %d, entry %d", seed, at)
			}
		}
	}
}
