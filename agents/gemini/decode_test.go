package gemini

import (
	"testing"

	"tlog/objects"
)

// TestResults: how a call ended, and what it gave.
func TestResults(t *testing.T) {
	const shellCall = `{"id":"x","name":"run_shell_command","args":{"command":"false"},"status":"success","result":[{"functionResponse":{"id":"x","name":"run_shell_command","response":{"output":`
	for _, test := range []struct {
		name, call string
		none       bool
		text       string
		failed     bool
		state      string
		images     int
	}{
		{"output", called("x", "a\nb"), false, "a\nb", false, "", 0},
		{"failed", `{"id":"x","name":"t","status":"error","result":[{"functionResponse":{"id":"x","response":{"error":"no"}}}]}`, false, "no", true, "", 0},
		{"an error alone", `{"id":"x","result":{"functionResponse":{"response":{"error":"no"}}}}`, false, "no", true, "", 0},
		{"cancelled", `{"id":"x","status":"cancelled"}`, false, "", true, "cancelled", 0},
		{"not yet", `{"id":"x","status":"executing"}`, true, "", false, "", 0},
		{"nothing given", `{"id":"x","status":"success","result":[]}`, true, "", false, "", 0},
		{"a string", `{"id":"x","status":"success","result":"plain"}`, false, "plain", false, "", 0},
		{"another object", `{"id":"x","result":[{"functionResponse":{"response":{"rows":[1]}}}]}`, false, `{"rows":[1]}`, false, "", 0},
		{"with an image", `{"id":"x","result":[{"functionResponse":{"response":{"output":"seen"}}},{"inlineData":{"mimeType":"image/png","data":"QQ=="}}]}`, false, "seen", false, "", 1},
		{"an image within", `{"id":"x","result":[{"functionResponse":{"response":{},"parts":[{"inlineData":{"mimeType":"image/png","data":"QQ=="}}]}}]}`, false, "", false, "", 1},
		{"exit", shellCall + `"Output: x\nExit Code: 3\nSignal: 0"}}}]}`, false, "Output: x\nExit Code: 3\nSignal: 0", true, "exit 3", 0},
		{"exit at the end", shellCall + `"Exit Code: 3"}}}]}`, false, "Exit Code: 3", true, "exit 3", 0},
		{"exit 0", shellCall + `"Output: Exit Code: 3\nExit Code: 0"}}}]}`, false, "Output: Exit Code: 3\nExit Code: 0", false, "", 0},
		{"no exit", shellCall + `"Exit Code: (none)\nx"}}}]}`, false, "Exit Code: (none)\nx", false, "", 0},
		{"words alike", shellCall + `"the Exit Code: 3"}}}]}`, false, "the Exit Code: 3", false, "", 0},
	} {
		v := NewReader("s").Read([]byte(reply("b", "B", test.call)))[0]
		m, ok := Agent{}.Message(parse(t, v))
		if !ok || len(m.Calls()) != 1 {
			t.Fatalf("%s: %v, %d calls", test.name, ok, len(m.Calls()))
		}
		if test.none {
			if len(m.Results()) != 0 {
				t.Errorf("%s: it has a result", test.name)
			}
			continue
		}
		if len(m.Results()) != 1 {
			t.Fatalf("%s: %d results", test.name, len(m.Results()))
		}
		r := m.Results()[0]
		if r.CallID != "x" && test.name != "an error alone" || r.Text != test.text || r.IsError != test.failed || r.State != test.state || r.Images != test.images {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
}

// TestStateInEnvelope: how a command ended is known where its output lies in a blob.
func TestStateInEnvelope(t *testing.T) {
	call := `{"id":"x","name":"run_shell_command","args":{},"status":"success","result":[{"functionResponse":{"id":"x","response":{"output":"Output: much\nExit Code: 3"}}}]}`
	v := NewReader("s").Read([]byte(reply("b", "", call)))[0]
	if v.State != "exit 3" {
		t.Fatalf("the state is %q", v.State)
	}
	e := parse(t, v)
	e.Raw = objects.ReplaceValue(e.Raw, "raw", []byte(reply("b", "", called("x", "[pasted text #1, 18 kB]"))))
	m, _ := Agent{}.Message(e)
	if r := m.Results(); len(r) != 1 || !r[0].IsError || r[0].State != "exit 3" {
		t.Errorf("%+v", r)
	}
}

// TestReply: what is known of a reply besides what is said.
func TestReply(t *testing.T) {
	line := `{"id":"b","type":"gemini","content":[{"text":"hm","thought":true},{"text":"B"},{"text":""},{"executableCode":{"code":"1"}},{"odd":1}],` +
		`"thoughts":[{"subject":"S","description":"D"},{"subject":""}],"tokens":{"input":5,"output":1},"model":"gemini-x"}`
	e := parse(t, NewReader("s").Read([]byte(line))[0])
	m, ok := Agent{}.Message(e)
	if !ok || m.Role != objects.RoleAssistant || m.Provider != provider || m.Model != "gemini-x" || m.ReplyID != "b" || string(m.Usage) != `{"input":5,"output":1}` {
		t.Errorf("%+v", m)
	}
	var kinds []objects.BlockKind
	for _, b := range m.Blocks {
		kinds = append(kinds, b.Kind)
	}
	if len(kinds) != 5 || kinds[0] != objects.BlockThinking || kinds[1] != objects.BlockThinking || kinds[2] != objects.BlockText || kinds[3] != objects.BlockOther ||
		m.Blocks[0].Text != "S\nD" || m.Blocks[3].Type != "executableCode" {
		t.Errorf("%+v", m.Blocks)
	}
	e = parse(t, NewReader("s").Read([]byte(`{"id":"b","type":"gemini","content":"","tokens":{"input":0,"output":0},"toolCalls":[` + called("x", "1") + `]}`))[0])
	if m, _ := (Agent{}).Message(e); m.Usage != nil {
		t.Error("a usage of nothing counts")
	}
}

// TestSummary: what a compaction is called by.
func TestSummary(t *testing.T) {
	for _, v := range NewReader("s").Read(readFile(t, "compressed.jsonl")) {
		if c, ok := (Agent{}).Compaction(parse(t, v)); ok && (v.Hidden || c.Summary != "<state_snapshot>\nForty pots.\n</state_snapshot>" || len(c.Replacement) != 4) {
			t.Errorf("%+v", c)
		}
	}
}
