package projection

import (
	"math/rand/v2"
	"testing"

	"tlog/log"
)

// checkAt builds the context at an entry and holds every request that is made
// of it against the rules of the APIs.
func checkAt(t testing.TB, l *log.Log, at int) {
	t.Helper()
	c := buildAt(t, l, at)
	checkDecisions(t, c, l.Ancestry(at))
	checkRequests(t, c)
	_ = c.Text()
}

func checkRequests(t testing.TB, c *Context) {
	t.Helper()
	a, err := c.Anthropic()
	if err != nil {
		t.Error(err)
	}
	if err := acceptAnthropic(a); err != nil {
		t.Errorf("anthropic: %v", err)
	}
	o, err := c.OpenAI()
	if err != nil {
		t.Error(err)
	}
	if err := acceptOpenAI(o); err != nil {
		t.Errorf("openai: %v", err)
	}
}

func TestRandomSessions(t *testing.T) {
	for i := range 250 {
		r := rand.New(rand.NewPCG(2, uint64(i)))
		s := &session{Rand: r, own: true, v: 4}
		lines := s.lines(1 + r.IntN(40))
		l := openLines(t, lines...)
		for at := range l.Len() {
			if l.Record(at).Tree() && (at == l.Len()-1 || r.IntN(8) == 0) {
				checkAt(t, l, at)
			}
		}
		l.Close()
		if t.Failed() {
			for _, line := range lines {
				t.Log(line)
			}
			t.FailNow()
		}
	}
}

// FuzzBuild projects whatever the fuzzer writes as a log.
func FuzzBuild(f *testing.F) {
	for i := range 40 {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		s := &session{Rand: r, own: true, v: 4}
		f.Add([]byte(joined(s.lines(1 + r.IntN(12)))))
	}
	f.Add([]byte(header + `
{"type":"message","id":"a","parentId":null,"agent":"claude","raw":{"type":"assistant","message":{"id":"m","model":"x","content":[{"type":"tool_use","id":"c","name":"n","input":{}}]}}}
{"type":"message","id":"b","parentId":"a","agent":"claude","raw":{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"document","source":{"type":"text","data":"d"}},{"type":"document"}],"is_error":true}]}}}
{"type":"message","id":"c","parentId":"b","agent":"claude","raw":{"type":"assistant","message":{"id":"m","model":"x","content":[{"type":"server_tool_use","id":"s","name":"n","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]},{"type":"server_tool_use","id":"t","name":"n","input":{}}]}}}
{"type":"compaction","id":"d","parentId":"c","agent":"claude","raw":{"type":"system","compactMetadata":{"preservedMessages":{"anchorUuid":"e","uuids":["c","a"]}}}}
{"type":"message","id":"e","parentId":"d","agent":"claude","raw":{"type":"user","message":{"content":"s"}}}
`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := fuzzLog(t, data)
		if l == nil {
			return
		}
		defer l.Close()
		if at := l.Last(); at != log.None && l.Record(at).Tree() {
			checkAt(t, l, at)
		}
	})
}

// FuzzRequests makes requests of one message of any content.
func FuzzRequests(f *testing.F) {
	for _, s := range []string{
		`{"role":"user","content":"x"}`, `{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"b","arguments":{"s":"\ud83d"}}]}`,
		`{"role":"toolResult","toolCallId":"a","content":[{"type":"image","data":"aGVsbG8=","mimeType":"image/png"}],"isError":true}`,
		`{"role":"system","content":"x","sections":{"a":"b","a":null}}`, `{"role":"bashExecution","command":"x","exitCode":1e9}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"x","thinkingSignature":"s"},{"type":"text","text":" "}]}`,
	} {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, message []byte, call bool) {
		if !validMessage(message) {
			return
		}
		c := &Context{Model: []byte("{}")}
		if call {
			c.Messages = append(c.Messages, Message{Role: "assistant", JSON: []byte(`{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"b"}]}`)})
		}
		for range 2 {
			c.Messages = append(c.Messages, Message{Role: text(message, "role"), JSON: message})
		}
		checkRequests(t, c)
		_ = c.Text()
	})
}
