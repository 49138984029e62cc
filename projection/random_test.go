package projection

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// session makes random session files: odd, but such that a program could have written them.
type session struct {
	*rand.Rand
	ids     []string
	own     bool // a log of tlog's own: with undo, refs, queue and journal lines
	journal bool // journal lines, which pi takes for entries of an unknown type
	v       int
}

func (s *session) pick(choices ...string) string { return choices[s.IntN(len(choices))] }

// id is the id of an entry, most likely of one that is there.
func (s *session) id() string {
	if len(s.ids) == 0 || s.IntN(12) == 0 {
		return s.pick(`"ghost"`, `null`, `""`, `"n3"`)
	}
	// Mostly a new one.
	back := min(s.IntN(6), s.IntN(1+len(s.ids)))
	if s.IntN(5) == 0 {
		back = s.IntN(len(s.ids))
	}
	return `"` + s.ids[max(0, len(s.ids)-1-back)] + `"`
}

// maybe is the member or, at times, nothing.
func (s *session) maybe(member string) string {
	if s.IntN(8) == 0 {
		return ""
	}
	return "," + member
}

func (s *session) text() string {
	return s.pick(`"hello"`, `"two\nlines"`, `""`, `" \n "`, `"\ud83d alone"`, `"\ud83d\ude00 / \/ \\ud83d"`, `"trailing  "`, `"日本"`)
}

func (s *session) scalar() string {
	return s.pick(`null`, `5`, `0`, `-0`, `1.0`, `1e400`, `1e-400`, `true`, `false`, `{"a":1}`, `[]`, `[1]`, `""`, `"x"`)
}

func (s *session) callID() string {
	return s.pick(`"c1"`, `"c2"`, `"c3"`, `"toolu_abc|fc_1"`, `"toolu_abc_fc_1"`, `""`, `"`+strings.Repeat("long", 20)+`"`, `"`+strings.Repeat("long", 20)+`2"`)
}

func (s *session) arguments() string {
	return s.pick(`{}`, `{"path":"x","n":1.0}`, `{"s":"\ud83d"}`, `null`, `"text"`, `[1]`, `"{\"path\":1}"`)
}

func (s *session) image() string {
	return s.pick(`{"type":"image","data":"aGVsbG8=","mimeType":"image/png"}`, `{"type":"image","data":"","mimeType":"image/png"}`,
		`{"type":"image","data":"aGVsbG8=","mimeType":"image/svg+xml"}`, `{"type":"image","data":"a b","mimeType":"image/png"}`,
		`{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"aGVsbG8="}}`,
		`{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}`,
		`{"type":"image_url","image_url":{"url":"data:image/gif;base64,aGVsbG8="}}`)
}

func (s *session) result() string {
	return `{"type":"tool_result","tool_use_id":` + s.callID() + s.maybe(`"content":`+s.content(false)) + `,"is_error":` + s.pick("true", "false") + `}`
}

func (s *session) block(reply bool) string {
	switch n := s.IntN(12); {
	case n < 3:
		return `{"type":"text","text":` + s.text() + `}`
	case n < 5 && reply:
		return s.pick(`{"type":"thinking","thinking":"hm","thinkingSignature":"sig"}`, `{"type":"thinking","thinking":"hm"}`,
			`{"type":"thinking","thinking":"","thinkingSignature":"sig","redacted":true}`, `{"type":"redacted_thinking","data":"abc"}`,
			`{"type":"thinking","thinking":"hm","signature":"sig"}`)
	case n < 9 && reply:
		if s.IntN(4) == 0 {
			return `{"type":"tool_use","id":` + s.callID() + `,"name":"read","input":` + s.arguments() + `}`
		}
		return `{"type":"toolCall","id":` + s.callID() + `,"name":` + s.pick(`"bash"`, `"a b"`, `""`) + `,"arguments":` + s.arguments() + `}`
	case n < 7 && !reply:
		return s.image()
	case n < 9:
		return s.result()
	case n == 9:
		return s.pick(`"plain"`, `5`, `{"type":"mystery"}`, `{}`, `null`)
	}
	return `{"type":"text","text":"t"}`
}

func (s *session) content(reply bool) string {
	switch n := s.IntN(10); {
	case n == 0:
		return s.scalar()
	case n < 4:
		return s.text()
	case n == 4:
		return "[]"
	}
	var blocks []string
	for range 1 + s.IntN(4) {
		blocks = append(blocks, s.block(reply))
	}
	return "[" + strings.Join(blocks, ",") + "]"
}

func (s *session) message() string {
	time := s.maybe(`"timestamp":1740819601000`)
	switch s.IntN(14) {
	case 0, 1, 2:
		return `{"role":"user"` + s.maybe(`"content":`+s.content(false)) + time + `}`
	case 3, 4, 5, 6:
		return `{"role":"assistant"` + s.maybe(`"content":`+s.content(true)) + s.maybe(`"api":`+s.pick(`"anthropic-messages"`, `"openai-completions"`)) +
			s.maybe(`"provider":`+s.pick(`"acme"`, `"acme"`, `"other"`, `null`)) + s.maybe(`"model":"m"`) +
			s.maybe(`"stopReason":`+s.pick(`"stop"`, `"stop"`, `"toolUse"`, `"aborted"`, `"error"`)) + `}`
	case 7, 8, 9:
		return `{"role":"toolResult","toolCallId":` + s.callID() + `,"toolName":"bash"` + s.maybe(`"content":`+s.content(false)) + `,"isError":` + s.pick("true", "false") + time + `}`
	case 10:
		return `{"role":"system"` + s.maybe(`"content":`+s.content(false)) + s.maybe(`"sections":`+s.pick(`{"a":"x","b":"y"}`, `{"a":null}`, `{"b":""}`, `5`)) + time + `}`
	case 11:
		return s.pick(`{"role":"bashExecution","command":"ls","output":"a\n","exitCode":1}`, `{"role":"bashExecution","command":"ls","excludeFromContext":true}`,
			`{"role":"custom","customType":"x","content":null}`, `{"role":"hookMessage","content":"h"}`, `{"role":"oracle","content":"?"}`,
			`{"role":"custom","content":"own"}`, `{"content":"no role"}`, `{"role":"compactionSummary","summary":"s"}`, `{"role":5}`)
	case 12:
		return s.pick(`{"role":"tool","tool_call_id":`+s.callID()+`,"content":"out"}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":`+s.callID()+`,"type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}`,
			`{"role":"developer","content":"d"}`)
	}
	return s.pick(`{"role":"user","content":"a","content":"b"}`, `{"role":"user","rol\u0065":"assistant","content":null}`, `{"role":"user","content":null,"x":1}`, `"text"`, `5`, `[]`, `{}`)
}

func (s *session) replacement() string {
	switch s.IntN(6) {
	case 0, 1:
		return "null"
	case 2:
		return `{"content":` + s.content(true) + `}`
	case 3:
		return s.pick(`{}`, `{"content":null}`, `"x"`, `5`, `false`, `[]`)
	}
	return `{"content":` + s.text() + `}`
}

func (s *session) timestamp() string {
	return s.pick(`"2026-11-30T10:00:00.000Z"`, `"2026-11-30T10:00:00.000Z"`, `"2026-11-30"`, `"2026-11-30T10:00:00.1234+01:00"`, `"yesterday"`, `5`, `5.7`, `-5.7`, `null`,
		`true`, `1e20`, `{}`, `"2026-02-30T00:00:00Z"`, `"2026-13-01"`, `"2026-11-30T24:00:00Z"`, `"2026-11-30T25:00:00Z"`, `"Mon, 30 Nov 2026 10:00:00 GMT"`, `""`, `"-000001-01-01T00:00:00Z"`,
		`"2026-11-30 10:00:00"`, `"2026"`, `"2026-11"`, `"+012026-11-30T10:00:00Z"`, `"2026-11-30T10:00Z"`, `"2026-11-30T10:00:00Z "`, `"2026-11-30t10:00:00z"`)
}

// payload is the members of an entry of a random type, "type" first.
func (s *session) payload() string {
	switch s.IntN(16) {
	case 0, 1, 2, 3, 4, 5:
		return `"type":"message","message":` + s.message()
	case 6:
		return `"type":"model_change"` + s.maybe(`"provider":`+s.pick(`"acme"`, `"other"`, `7`)) + s.maybe(`"modelId":"m"`)
	case 7:
		return `"type":"thinking_level_change","thinkingLevel":` + s.pick(`"high"`, `"off"`, `"max"`)
	case 8:
		return `"type":"compaction"` + s.maybe(`"summary":`+s.pick(`"sum"`, `""`, `5`, `null`)) + s.maybe(`"firstKeptEntryId":`+s.id()) +
			s.maybe(`"tokensBefore":`+s.scalar()) + s.maybe(`"systemMessage":`+s.pick(`{"role":"system","content":"checkpoint"}`, `null`, `{"role":"user","content":"odd"}`, `""`, `5`))
	case 9:
		return `"type":"branch_summary"` + s.maybe(`"fromId":`+s.id()) + s.maybe(`"summary":`+s.pick(`"left"`, s.scalar()))
	case 10:
		return `"type":"custom_message"` + s.maybe(`"customType":"probe"`) + s.maybe(`"content":`+s.content(false)) + s.maybe(`"display":true`) + s.maybe(`"details":`+s.scalar())
	case 11, 12:
		return `"type":"context_edit","targetId":` + s.id() + `,"replacement":` + s.replacement()
	case 13:
		return s.pick(`"type":"label","targetId":"n1","label":"l"`, `"type":"session_info","name":"n"`, `"type":"usage","kind":"k"`, `"type":"custom","customType":"c","data":{}`, `"type":"mystery"`)
	}
	if s.journal && s.IntN(2) == 0 {
		return s.pick(`"type":"head","name":"main"`, `"type":"meta"`, `"type":"ref","name":"b","targetId":`+s.id())
	}
	if !s.own {
		return `"type":"message","message":` + s.message()
	}
	return s.pick(`"type":"skip","targetIds":[`+s.id()+`,`+s.id()+`]`, `"type":"unskip","targetIds":[`+s.id()+`,`+s.id()+`]`,
		`"type":"queue","operation":`+s.pick(`"enqueue"`, `"dequeue"`, `"remove"`, `"clear"`)+s.maybe(`"content":`+s.content(false)),
		`"type":"head","name":"main"`, `"type":"ref","name":"b","targetId":`+s.id())
}

// lines is a whole file with n entries.
func (s *session) lines(n int) []string {
	version := fmt.Sprint(s.v)
	out := []string{`{"type":"session","version":` + version + `,"id":"s","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}`}
	last := "null"
	for i := range n {
		parent, id := last, fmt.Sprint("n", i)
		if s.IntN(10) == 0 {
			parent = s.id()
		}
		if s.IntN(40) == 0 && len(s.ids) > 0 {
			id = s.ids[s.IntN(len(s.ids))]
		}
		line := `{` + s.payload() + `,"id":"` + id + `","parentId":` + parent + s.maybe(`"timestamp":`+s.timestamp()) + `}`
		s.ids = append(s.ids, id)
		last = `"` + id + `"`
		out = append(out, line)
	}
	return out
}
