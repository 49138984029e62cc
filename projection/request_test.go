package projection

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// contextOf is a context of messages as they stand.
func contextOf(model string, messages ...string) *Context {
	c := &Context{Model: []byte(model)}
	for i, m := range messages {
		c.Messages = append(c.Messages, Message{At: i, Role: text([]byte(m), "role"), JSON: []byte(m)})
	}
	return c
}

func asText(s string) string { return `{"type":"text","text":"` + s + `"}` }

func userSays(s string) string { return `{"role":"user","content":[` + asText(s) + `]}` }

func repairsOf(repairs []Repair) []string {
	var out []string
	for _, r := range repairs {
		out = append(out, fmt.Sprint(r.At, " ", r.Kind, " ", r.CallID))
	}
	return out
}

func TestRequests(t *testing.T) {
	const (
		model    = `{"provider":"p","modelId":"m"}`
		callA    = `{"type":"toolCall","id":"a","name":"read","arguments":{"n":1.0}}`
		callB    = `{"type":"toolCall","id":"b","name":"read","arguments":{}}`
		useA     = `{"type":"tool_use","id":"a","name":"read","input":{"n":1.0}}`
		useB     = `{"type":"tool_use","id":"b","name":"read","input":{}}`
		toolA    = `{"id":"a","type":"function","function":{"name":"read","arguments":"{\"n\":1.0}"}}`
		toolB    = `{"id":"b","type":"function","function":{"name":"read","arguments":"{}"}}`
		standIn  = `The call was interrupted: no result was recorded.`
		imageA   = `{"type":"image","data":"aGVsbG8=","mimeType":"image/png"}`
		imageOut = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGVsbG8="}}`
		imageURL = `{"type":"image_url","image_url":{"url":"data:image/png;base64,aGVsbG8="}}`
	)
	said := func(blocks string) string {
		return `{"role":"assistant","content":[` + blocks + `],"provider":"p","model":"m","api":"anthropic-messages"}`
	}
	result := func(id, s string) string {
		return `{"role":"toolResult","toolCallId":"` + id + `","toolName":"read","content":[` + asText(s) + `],"isError":false}`
	}
	answered := func(id, s string) string {
		return `{"type":"tool_result","tool_use_id":"` + id + `","content":[` + asText(s) + `]}`
	}
	missing := func(id string) string {
		return `{"type":"tool_result","tool_use_id":"` + id + `","content":"` + standIn + `","is_error":true}`
	}
	assistant := func(blocks string) string { return `{"role":"assistant","content":[` + blocks + `]}` }
	users := func(blocks string) string { return `{"role":"user","content":[` + blocks + `]}` }

	inside := func(id, output string) string {
		return `{"type":"tool_result","tool_use_id":"` + id + `","content":"` + output + `"}`
	}
	for _, tt := range []struct {
		name      string
		messages  []string
		anthropic string
		openAI    string
		repairs   []string // of the Anthropic request
	}{
		{"turn", []string{`{"role":"user","content":"q"}`, said(asText("r"))},
			userSays("q") + `,` + assistant(asText("r")),
			`{"role":"user","content":"q"},{"role":"assistant","content":"r"}`, nil},
		{"roles merge", []string{`{"role":"user","content":"a"}`, `{"role":"user","content":"b"}`, said(asText("c")), said(asText("d"))},
			users(asText("a")+`,`+asText("b")) + `,` + assistant(asText("c")+`,`+asText("d")),
			`{"role":"user","content":"a"},{"role":"user","content":"b"},{"role":"assistant","content":"c"},{"role":"assistant","content":"d"}`, nil},
		{"parallel calls, results turned around, a word between",
			[]string{`{"role":"user","content":"q"}`, said(callA + `,` + callB), result("b", "B"), `{"role":"user","content":"w"}`, result("a", "A")},
			userSays("q") + `,` + assistant(useA+`,`+useB) + `,` + users(answered("a", "A")+`,`+answered("b", "B")+`,`+asText("w")),
			`{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[` + toolA + `,` + toolB + `]},{"role":"tool","content":"A","tool_call_id":"a"},` +
				`{"role":"tool","content":"B","tool_call_id":"b"},{"role":"user","content":"w"}`, nil},
		{"missing and orphan", []string{`{"role":"user","content":"q"}`, result("x", "X"), said(callA), said(asText("r"))},
			userSays("q") + `,` + assistant(useA) + `,` + users(missing("a")) + `,` + assistant(asText("r")),
			`{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[` + toolA + `]},{"role":"tool","content":"` + standIn + `","tool_call_id":"a"},{"role":"assistant","content":"r"}`,
			[]string{"1 orphan-result x", "2 missing-result a"}},
		{"an id that comes again", []string{`{"role":"user","content":"q"}`, said(callA), result("a", "1"), said(callA), result("a", "2"), result("a", "3")},
			userSays("q") + `,` + assistant(useA) + `,` + users(answered("a", "1")) + `,` +
				assistant(`{"type":"tool_use","id":"a_2","name":"read","input":{"n":1.0}}`) + `,` + users(answered("a_2", "2")),
			`{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[` + toolA + `]},{"role":"tool","content":"1","tool_call_id":"a"},` +
				`{"role":"assistant","content":null,"tool_calls":[{"id":"a_2","type":"function","function":{"name":"read","arguments":"{\"n\":1.0}"}}]},{"role":"tool","content":"2","tool_call_id":"a_2"}`,
			[]string{"5 orphan-result a"}},
		{"one id twice in a reply", []string{`{"role":"user","content":"q"}`, said(callA + `,` + callA), result("a", "1"), result("a", "2")},
			userSays("q") + `,` + assistant(useA+`,{"type":"tool_use","id":"a_2","name":"read","input":{"n":1.0}}`) + `,` + users(answered("a", "1")+`,`+answered("a_2", "2")),
			`{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[` + toolA + `,{"id":"a_2","type":"function","function":{"name":"read","arguments":"{\"n\":1.0}"}}]},` +
				`{"role":"tool","content":"1","tool_call_id":"a"},{"role":"tool","content":"2","tool_call_id":"a_2"}`, nil},
		{"calls with their results in one message, and what was said behind these",
			[]string{`{"role":"user","content":"q"}`, said(asText("r") + `,` + callA + `,` + inside("a", "A") + `,` + callB + `,` + inside("b", "B") + `,` + asText("s") + `,` + callA + `,` + inside("a", "C")), said(asText("t"))},
			userSays("q") + `,` + assistant(asText("r")+`,`+useA+`,`+useB) + `,` + users(answered("a", "A")+`,`+answered("b", "B")) + `,` +
				assistant(asText("s")+`,{"type":"tool_use","id":"a_2","name":"read","input":{"n":1.0}}`) + `,` + users(answered("a_2", "C")) + `,` + assistant(asText("t")),
			`{"role":"user","content":"q"},{"role":"assistant","content":"r","tool_calls":[` + toolA + `,` + toolB + `]},{"role":"tool","content":"A","tool_call_id":"a"},` +
				`{"role":"tool","content":"B","tool_call_id":"b"},{"role":"assistant","content":"s","tool_calls":[{"id":"a_2","type":"function","function":{"name":"read","arguments":"{\"n\":1.0}"}}]},` +
				`{"role":"tool","content":"C","tool_call_id":"a_2"},{"role":"assistant","content":"t"}`, nil},
		{"an aborted reply goes with its result", []string{`{"role":"user","content":"q"}`,
			`{"role":"assistant","stopReason":"aborted","content":[` + callA + `]}`, result("a", "A"), `{"role":"user","content":"again"}`},
			users(asText("q") + `,` + asText("again")), `{"role":"user","content":"q"},{"role":"user","content":"again"}`,
			[]string{"1 dropped-reply ", "2 orphan-result a"}},
		{"thinking", []string{`{"role":"user","content":"q"}`,
			said(`{"type":"thinking","thinking":"t","thinkingSignature":"s"},{"type":"thinking","thinking":"","thinkingSignature":"z","redacted":true},{"type":"thinking","thinking":"no"},` + asText("r")),
			`{"role":"assistant","provider":"p","model":"other","content":[{"type":"thinking","thinking":"t","thinkingSignature":"s"},` + asText("o") + `]}`,
			`{"role":"assistant","provider":"p","model":"m","api":"openai-responses","content":[{"type":"thinking","thinking":"t","thinkingSignature":"s"},` + asText("p") + `]}`,
			said(`{"type":"thinking","thinking":"at the end","thinkingSignature":"s"}`)},
			userSays("q") + `,` + assistant(`{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"z"},`+asText("r")+`,`+asText("o")+`,`+asText("p")),
			`{"role":"user","content":"q"},{"role":"assistant","content":"r"},{"role":"assistant","content":"o"},{"role":"assistant","content":"p"}`,
			[]string{"1 dropped-thinking ", "2 dropped-thinking ", "3 dropped-thinking ", "4 dropped-thinking "}},
		{"empty texts", []string{`{"role":"user","content":[` + asText("") + `,` + asText("q") + `]}`, `{"role":"user","content":" \n"}`, said(asText(" ")), `{"role":"user","content":[]}`},
			userSays("q"), `{"role":"user","content":"q"}`, []string{"1 empty-message ", "2 empty-message ", "3 empty-message "}},
		{"images", []string{`{"role":"user","content":[` + asText("see") + `,` + imageA + `]}`, said(callA),
			`{"role":"toolResult","toolCallId":"a","content":[` + asText("shot") + `,` + imageA + `]}`},
			users(asText("see")+`,`+imageOut) + `,` + assistant(useA) + `,` + users(`{"type":"tool_result","tool_use_id":"a","content":[`+asText("shot")+`,`+imageOut+`]}`),
			`{"role":"user","content":[` + asText("see") + `,` + imageURL + `]},{"role":"assistant","content":null,"tool_calls":[` + toolA + `]},{"role":"tool","content":"shot","tool_call_id":"a"},` +
				`{"role":"user","content":[` + asText("An image of the result of the call a:") + `,` + imageURL + `]}`, nil},
		{"image of a failure", []string{`{"role":"user","content":"q"}`, said(callA), `{"role":"toolResult","toolCallId":"a","isError":true,"content":[` + imageA + `]}`},
			userSays("q") + `,` + assistant(useA) + `,` + users(`{"type":"tool_result","tool_use_id":"a","content":[`+asText("(no output)")+`],"is_error":true},`+
				asText("An image of the result of the call a:")+`,`+imageOut),
			`{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[` + toolA + `]},{"role":"tool","content":"(no output)","tool_call_id":"a"},` +
				`{"role":"user","content":[` + asText("An image of the result of the call a:") + `,` + imageURL + `]}`, nil},
		{"no form", []string{`{"role":"user","content":[` + asText("q") + `,{"type":"image","data":"aGVsbG8=","mimeType":"image/svg+xml"},{"type":"video"}]}`, `{"role":"oracle","content":"?"}`},
			userSays("q"), `{"role":"user","content":"q"}`, []string{"0 dropped-block ", "0 dropped-block ", "1 unknown-role "}},
		{"a reply first", []string{said(asText("r"))}, userSays(gone) + `,` + assistant(asText("r")), `{"role":"assistant","content":"r"}`, []string{"0 added-prompt "}},
		{"a reply to go on with", []string{`{"role":"user","content":"q"}`, said(asText("r \\n"))},
			userSays("q") + `,` + assistant(asText("r")), `{"role":"user","content":"q"},{"role":"assistant","content":"r \n"}`, nil},
		{"dialects of the APIs", []string{`{"role":"user","content":"q"}`,
			`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{"n":1.0}}]}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"A"},` + asText("w") + `]}`,
			`{"role":"assistant","content":null,"tool_calls":[` + toolB + `]}`, `{"role":"tool","tool_call_id":"b","content":"B"}`},
			userSays("q") + `,` + assistant(useA) + `,` + users(answered("a", "A")+`,`+asText("w")) + `,` + assistant(useB) + `,` + users(answered("b", "B")),
			`{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[` + toolA + `]},{"role":"tool","content":"A","tool_call_id":"a"},{"role":"user","content":"w"},` +
				`{"role":"assistant","content":null,"tool_calls":[` + toolB + `]},{"role":"tool","content":"B","tool_call_id":"b"}`, nil},
		{"ids and arguments that do not fit", []string{`{"role":"user","content":"q"}`,
			said(`{"type":"toolCall","id":"x|y","name":"a b","arguments":[1]},{"type":"toolCall","id":"x_y","name":"","arguments":{"s":"\ud83d \ud83d\ude00"}}`), result("x_y", "2"), result("x|y", "1")},
			userSays("q") + `,` + assistant(`{"type":"tool_use","id":"x_y","name":"a_b","input":{}},{"type":"tool_use","id":"x_y_2","name":"tool","input":{"s":"\ufffd \ud83d\ude00"}}`) + `,` +
				users(answered("x_y", "1")+`,`+answered("x_y_2", "2")),
			`{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"x_y","type":"function","function":{"name":"a_b","arguments":"{}"}},` +
				`{"id":"x_y_2","type":"function","function":{"name":"tool","arguments":"{\"s\":\"\\ufffd \\ud83d\\ude00\"}"}}]},{"role":"tool","content":"1","tool_call_id":"x_y"},{"role":"tool","content":"2","tool_call_id":"x_y_2"}`, nil},
		{"what is no message of the user's", []string{
			`{"role":"compactionSummary","summary":"S"}`, `{"role":"branchSummary","summary":"B"}`, `{"role":"custom","content":"C"}`,
			`{"role":"bashExecution","command":"ls","output":"","exitCode":2}`, `{"role":"bashExecution","command":"secret","excludeFromContext":true}`},
			users(asText(`Earlier messages of this conversation were replaced by a summary.\n\nS`) + `,` +
				asText(`The conversation went on elsewhere for a while and came back to this point. A summary of that part:\n\nB`) + `,` + asText("C") + `,` +
				asText(`The user ran a shell command:\n\nls\n\nIt printed nothing.\n\nExit code: 2`)),
			`{"role":"user","content":"Earlier messages of this conversation were replaced by a summary.\n\nS"},{"role":"user","content":"The conversation went on elsewhere for a while and came back to this point. A summary of that part:\n\nB"},` +
				`{"role":"user","content":"C"},{"role":"user","content":"The user ran a shell command:\n\nls\n\nIt printed nothing.\n\nExit code: 2"}`, nil},
		{"nothing", nil, ``, ``, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := contextOf(model, tt.messages...)
			a, err := c.Anthropic()
			if err != nil {
				t.Fatal(err)
			}
			o, err := c.OpenAI()
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, "anthropic", requestJSON(a), []byte("["+tt.anthropic+"]"))
			sameJSON(t, "openai", requestJSON(o), []byte("["+tt.openAI+"]"))
			if diff := cmp.Diff(tt.repairs, repairsOf(a.Repairs)); diff != "" {
				t.Errorf("repairs (-want +got):\n%s", diff)
			}
			checkRequests(t, c)
		})
	}
}

func TestSystem(t *testing.T) {
	c := contextOf(`null`,
		`{"role":"system","content":"base","sections":{"a":"A","b":"B","c":""}}`,
		`{"role":"user","content":"q"}`,
		`{"role":"system","content":[{"type":"text","text":"more"}],"sections":{"a":null,"b":"B2","d":"D","e":5}}`,
		`{"role":"system","sections":{"a":"A2"}}`,
	)
	const want = `"base\n\nmore\n\nB2\n\nD\n\nA2"`
	a, _ := c.Anthropic()
	if string(a.System) != want {
		t.Errorf("got %s, want %s", a.System, want)
	}
	o, _ := c.OpenAI()
	sameJSON(t, "openai", requestJSON(o), []byte(`[{"role":"system","content":`+want+`},{"role":"user","content":"q"}]`))
	checkRequests(t, c)
	if a, _ := contextOf(`null`, `{"role":"user","content":"q"}`).Anthropic(); a.System != nil {
		t.Errorf("got a system prompt: %s", a.System)
	}
}

// TestRepairsOfBuild holds that only what lacks its other half is reported
// where messages are not changed.
func TestRepairsOfBuild(t *testing.T) {
	reply := func(stop, id string) string {
		return `{"type":"message","message":{"role":"assistant","stopReason":"` + stop + `","content":[{"type":"toolCall","id":"` + id + `","name":"read","arguments":{}}]}}`
	}
	result := func(id string) string {
		return `{"type":"message","message":{"role":"toolResult","toolCallId":"` + id + `","content":"x"}}`
	}
	c := buildLines(t, chain(user("a"), reply("toolUse", "a"), result("a"), reply("aborted", "b"), result("b"), result("c"), reply("toolUse", "d"), user(" "),
		`{"type":"skip","targetIds":["entryac"]}`)...)
	if diff := cmp.Diff([]string{"1 missing-result a", "5 orphan-result c", "6 missing-result d"}, repairsOf(c.Repairs)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(c.Messages) != 7 {
		t.Errorf("messages were changed: %s", said(c))
	}
}

func TestMendSurrogates(t *testing.T) {
	for in, want := range map[string]string{
		`"\ud83d"`: `"\ufffd"`, `"\uDE00x"`: `"\ufffdx"`, `"\ud83d\ude00"`: `"\ud83d\ude00"`, `"\ud83d\ud83d\ude00"`: `"\ufffd\ud83d\ude00"`,
		`"\\ud83d"`: `"\\ud83d"`, `"\\\ud83d"`: `"\\\ufffd"`, `"\u0041\n\ud83d"`: `"\u0041\n\ufffd"`, `"plain"`: `"plain"`, `"\uD83D\uDE00"`: `"\uD83D\uDE00"`,
	} {
		if got := string(mendSurrogates([]byte(in))); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestText(t *testing.T) {
	c := contextOf(`null`,
		`{"role":"system","content":"base","sections":{"a":"A"}}`,
		`{"role":"user","content":"q"}`,
		`{"role":"assistant","model":"m","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"r\n"},{"type":"toolCall","id":"a","name":"read","arguments":{"p":"x\ny"}}]}`,
		`{"role":"toolResult","toolCallId":"a","toolName":"read","isError":true,"content":[{"type":"text","text":"gone"},{"type":"image","data":"aGVsbG8=","mimeType":"image/png"}]}`,
		`{"role":"assistant","stopReason":"error","errorMessage":"overloaded","content":[]}`,
		`{"role":"compactionSummary","summary":"S"}`,
		`5`,
	)
	const want = `## system

base
A

## user

q

## assistant m

r
-> read {"p":"x\ny"}

## toolResult

<- read error
gone
[1 images]

## assistant (error)

[failed: overloaded]

## compactionSummary

Earlier messages of this conversation were replaced by a summary.

S

## (no role)

`
	if diff := cmp.Diff(want, c.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
