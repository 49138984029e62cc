package opencode

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
	"tlog/objects/sharedtest"
)

// inShort tells of a message in a line.
func inShort(m objects.Message) string {
	words := []string{m.Role}
	if m.Note != "" {
		words = append(words, "("+m.Note+")")
	}
	for _, b := range m.Blocks {
		switch b.Kind {
		case objects.BlockText:
			words = append(words, fmt.Sprintf("%q", b.Text))
		case objects.BlockThinking:
			words = append(words, fmt.Sprintf("<%s>", b.Text))
		case objects.BlockImage:
			words = append(words, fmt.Sprintf("image(%s %s)", b.MimeType, b.Data))
		case objects.BlockToolCall:
			words = append(words, fmt.Sprintf("%s(%s) %s", b.Name, b.CallID, b.Arguments))
		case objects.BlockToolResult:
			words = append(words, strings.TrimSpace(fmt.Sprintf("-> %s %q %d %v %s", b.CallID, b.Text, b.Images, b.IsError, b.State)))
		default:
			words = append(words, "["+b.Type+"]")
		}
	}
	if m.StopReason != "" {
		words = append(words, "stop="+m.StopReason)
	}
	if m.Error != "" {
		words = append(words, "error="+m.Error)
	}
	return strings.Join(words, " ")
}

func TestMessage(t *testing.T) {
	tool := func(state string) string {
		return `{"type":"tool","tool":"bash","callID":"c","state":{"input":{"command":"x"},` + state + `}}`
	}
	const image = `{"type":"file","mime":"image/png","url":"data:image/png;base64,AA==","filename":"a.png"}`
	const plain = `{"type":"file","mime":"text/plain","url":"file:///a.txt","filename":"a.txt"}`
	const aborted = `,"error":{"name":"MessageAbortedError","data":{"message":"broken off"}}`
	for name, test := range map[string]struct{ message, want string }{
		"text":            {message("a", "user", "", text("x"), text("")), `user "x"`},
		"added behind":    {message("a", "user", "", `{"type":"text","text":"s","synthetic":true}`, text("x")), `user "x" "s"`},
		"added alone":     {message("a", "user", "", `{"type":"text","text":"s","synthetic":true}`), `user (reminder) "s"`},
		"ignored":         {message("a", "user", "", `{"type":"text","text":"s","ignored":true}`, text("x")), `user "x"`},
		"image":           {message("a", "user", "", image, text("x")), `user "x" image(image/png AA==)`},
		"image elsewhere": {message("a", "user", "", `{"type":"file","mime":"image/png","url":"file:///a.png"}`), `user "[file file:///a.png]"`},
		"image in a blob": {message("a", "user", "", `{"type":"file","mime":"image/png","url":"[pasted text #1, 18 kB]"}`), `user image(image/png )`},
		"file, told":      {message("a", "user", "", text("x"), plain, `{"type":"text","text":"s","synthetic":true}`), `user "x" "s"`},
		"file, not told":  {message("a", "user", "", text("x"), plain), `user "x" "[file a.txt]"`},
		"pdf":             {message("a", "user", "", `{"type":"file","mime":"application/pdf","url":"data:application/pdf;base64,AA=="}`), `user "[file]"`},
		"subtask, agent":  {message("a", "user", "", `{"type":"subtask","prompt":"p"}`, `{"type":"agent","name":"n"}`), `user "p"`},
		"unknown part":    {message("a", "user", "", `{"type":"text "}`, `{"type":"toolCall","id":"x"}`, `{}`, `7`), `user [part text ] [part toolCall] [part]`},
		"reply":           {message("a", "assistant", "", `{"type":"step-start"}`, `{"type":"reasoning","text":"t"}`, `{"type":"reasoning","text":""}`, text("x"), `{"type":"patch"}`), `assistant <t> "x"`},
		"completed":       {message("a", "assistant", "", tool(`"status":"completed","output":"o","metadata":{"exit":0}`)), `assistant bash(c) {"command":"x"} -> c "o" 0 false`},
		"exit code":       {message("a", "assistant", "", tool(`"status":"completed","output":"o","metadata":{"exit":137}`)), `assistant bash(c) {"command":"x"} -> c "o" 0 true exit 137`},
		"no exit code":    {message("a", "assistant", "", tool(`"status":"completed","output":"o","metadata":{"exit":null}`)), `assistant bash(c) {"command":"x"} -> c "o" 0 false`},
		"attachment":      {message("a", "assistant", "", tool(`"status":"completed","output":"o","attachments":[`+image+`]`)), `assistant bash(c) {"command":"x"} -> c "o" 1 false`},
		"cleared":         {message("a", "assistant", "", tool(`"status":"completed","output":"o","time":{"compacted":5},"attachments":[`+image+`]`)), `assistant bash(c) {"command":"x"} -> c "o" 0 false`},
		"failed":          {message("a", "assistant", "", tool(`"status":"error","error":"e"`)), `assistant bash(c) {"command":"x"} -> c "e" 0 true`},
		"interrupted":     {message("a", "assistant", "", tool(`"status":"error","error":"Tool execution aborted","metadata":{"output":"o"}`)), `assistant bash(c) {"command":"x"} -> c "Tool execution aborted" 0 true interrupted`},
		"interrupted, told": {message("a", "assistant", "", tool(`"status":"error","error":"e","metadata":{"interrupted":true,"output":"o"}`)),
			`assistant bash(c) {"command":"x"} -> c "o" 0 true interrupted`},
		"running":        {message("a", "assistant", "", tool(`"status":"running"`)), `assistant bash(c) {"command":"x"}`},
		"pending":        {message("a", "assistant", "", tool(`"status":"pending"`)), `assistant bash(c) {"command":"x"}`},
		"no state":       {message("a", "assistant", "", `{"type":"tool"}`), `assistant () {}`},
		"aborted":        {message("a", "assistant", aborted, `{"type":"step-start"}`, `{"type":"reasoning","text":"t"}`), `assistant <t> stop=aborted error=broken off`},
		"aborted, sent":  {message("a", "assistant", aborted, text("x")), `assistant "x" error=broken off`},
		"error":          {message("a", "assistant", `,"error":{"name":"APIError","data":{}}`, text("x")), `assistant "x" stop=error error=APIError`},
		"error, no name": {message("a", "assistant", `,"error":{}`), `assistant stop=error error=the reply failed`},
	} {
		e := parse(t, objects.Envelope{Type: objects.TypeMessage, ID: "a", Agent: Name, Line: []byte(test.message)})
		m, ok := Agent{}.Message(e)
		if got := inShort(m); !ok || got != test.want {
			t.Errorf("%s: got\n%s, expected\n%s", name, got, test.want)
		}
	}
}

// TestCleared: the context has of an output that the client has cleared what the client sends, and log what it was.
func TestCleared(t *testing.T) {
	line := message("a", "assistant", "", `{"type":"tool","tool":"t","callID":"c","state":{"status":"completed","output":"long","time":{"compacted":5}}}`)
	m, _ := Agent{}.Message(parse(t, objects.Envelope{Type: objects.TypeMessage, ID: "a", Agent: Name, Line: []byte(line)}))
	if raw := string(m.Raw); !strings.Contains(raw, cleared) || strings.Contains(raw, "long") || m.Blocks[1].Text != "long" {
		t.Errorf("%s, shown %q", raw, m.Blocks[1].Text)
	}
}

func TestReply(t *testing.T) {
	for tokens, want := range map[string]string{
		``:                                   ``,
		`,"tokens":7`:                        ``,
		`,"tokens":{"input":0,"output":0}`:   ``,
		`,"tokens":{"input":1,"output":"x"}`: `{"input":1,"output":0,"reasoning":0,"cacheRead":0,"cacheWrite":0}`,
		`,"cost":0,"tokens":{"total":33,"input":1,"output":2,"reasoning":1,"cache":{"read":10,"write":20}}`:      `{"input":1,"output":2,"reasoning":1,"cacheRead":10,"cacheWrite":20}`,
		`,"cost":0.0250,"tokens":{"total":34,"input":1,"output":2,"reasoning":1,"cache":{"read":10,"write":20}}`: `{"input":1,"output":3,"reasoning":1,"cacheRead":10,"cacheWrite":20,"cost":{"total":0.0250}}`,
	} {
		line := message("a", "assistant", `,"providerID":"p","modelID":"m"`+tokens, text("x"))
		m, ok := Agent{}.Message(parse(t, objects.Envelope{Type: objects.TypeMessage, ID: "a", Agent: Name, Line: []byte(line)}))
		if !ok || m.Provider != "p" || m.Model != "m" || m.ReplyID != "a" {
			t.Fatalf("%s: %+v", line, m)
		}
		if string(m.Usage) != want {
			t.Errorf("%s: %s, expected %s", tokens, m.Usage, want)
		}
	}
}

func TestCompaction(t *testing.T) {
	line := message("a", "assistant", `,"summary":true,"finish":"stop"`, `{"type":"reasoning","text":"t"}`, text("S"))
	e := parse(t, objects.Envelope{Type: objects.TypeCompaction, ID: "a", Agent: Name, FirstKept: "k", Line: []byte(line)})
	c, ok := Agent{}.Compaction(e)
	if !ok || c.Summary != "S" || c.FirstKept != "k" || !c.Replaces {
		t.Fatalf("%+v", c)
	}
	var got []string
	for _, m := range c.Replacement {
		got = append(got, inShort(m))
	}
	if diff := cmp.Diff([]string{`user "What did we do so far?"`, `assistant <t> "S"`}, got); diff != "" {
		t.Error(diff)
	}
	e.Type = objects.TypeMessage
	if _, ok := (Agent{}).Compaction(e); ok {
		t.Error("a message is a compaction")
	}
}

// TestShared: in real exports each call that ended has one result, and nothing is shown by its type alone.
func TestShared(t *testing.T) {
	calls, results := 0, 0
	for _, file := range sharedtest.Glob(t, "*.json", "corpus", "opencode") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range NewReader("s").Read(data) {
			m, ok := Agent{}.Message(parse(t, v))
			if !ok {
				continue
			}
			calls, results = calls+len(m.Calls()), results+len(m.Results())
			for _, b := range m.Blocks {
				if b.Kind == objects.BlockOther {
					t.Errorf("%s: '%s' has a block of type %q", file, v.ID, b.Type)
				}
			}
		}
	}
	if calls == 0 || calls != results {
		t.Errorf("%d calls, %d results", calls, results)
	}
}
