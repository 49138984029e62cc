package gemini

import (
	"bytes"
	"strconv"
	"strings"

	"tlog/objects"
)

// result is what a tool gave back.
type result struct {
	id, name []byte // JSON strings
	parts    []part // texts and images
	failed   bool
	state    string // how it ended, in a word or two
}

// stateFailed stands in an envelope for a call that failed without saying how.
const stateFailed = "failed"

// shell is the tool that runs commands.
const shell = "run_shell_command"

// resultOfCall is the result in an element of toolCalls; ok is false as long as there is none. A call that was cancelled, or failed before it
// ran, has one that is empty.
func resultOfCall(call []byte) (r result, ok bool) {
	var given []byte
	var status string
	_ = objects.Scan(call, func(m objects.Member) {
		switch {
		case m.Is("id"):
			r.id = m.Value
		case m.Is("name"):
			r.name = m.Value
		case m.Is("status"):
			status = objects.StringOf(m.Value)
		case m.Is("result"):
			given = m.Value
		}
	})
	eachPart(given, func(p part) {
		ok = true
		if p.response == nil {
			r.parts = append(r.parts, p)
			return
		}
		r.takeResponse(objects.MemberOf(p.response, "response"))
		r.takeParts(objects.MemberOf(p.response, "parts"))
	})
	switch status {
	case "error":
		r.failed = true
	case "cancelled":
		r.failed, r.state = true, "cancelled"
	}
	r.end()
	return r, ok || r.failed
}

// resultOfResponse is the result in a functionResponse.
func resultOfResponse(response []byte) (r result) {
	_ = objects.Scan(response, func(m objects.Member) {
		switch {
		case m.Is("id"):
			r.id = m.Value
		case m.Is("name"):
			r.name = m.Value
		case m.Is("response"):
			r.takeResponse(m.Value)
		case m.Is("parts"):
			r.takeParts(m.Value)
		}
	})
	r.end()
	return r
}

// takeResponse takes over what a response says: its output or error, or all of it where it has neither.
func (r *result) takeResponse(response []byte) {
	output, failure := objects.MemberOf(response, "output"), objects.MemberOf(response, "error")
	switch {
	case isString(output):
		r.parts = append(r.parts, part{text: output})
	case isText(failure):
		r.failed = true
		r.parts = append(r.parts, part{text: failure})
	case isString(response):
		r.parts = append(r.parts, part{text: response})
	case len(response) > 0 && string(response) != "null" && string(response) != "{}":
		r.parts = append(r.parts, part{text: objects.AppendQuote(nil, string(response))})
	}
}

func (r *result) takeParts(parts []byte) {
	eachPart(parts, func(p part) { r.parts = append(r.parts, p) })
}

// end reads how a command ended: the client says so behind what it printed.
func (r *result) end() {
	if r.state != "" || objects.StringOf(r.name) != shell {
		return
	}
	for _, p := range r.parts {
		const words = "Exit Code: "
		at := bytes.LastIndex(p.text, []byte(words))
		if at < 0 || at > 0 && p.text[at-1] != 'n' && p.text[at-1] != '"' { // behind an escaped line feed
			continue
		}
		digits, _, _ := bytes.Cut(p.text[at+len(words):], []byte(`\`))
		digits = bytes.TrimRight(digits, `"`)
		if n, err := strconv.Atoi(string(digits)); err == nil && n != 0 {
			r.failed, r.state = true, "exit "+strconv.Itoa(n)
		}
	}
}

// ending is how the call ended, for its envelope: its text may come to lie in a blob.
func (r result) ending() string {
	if r.state == "" && r.failed {
		return stateFailed
	}
	return r.state
}

// block is the result as a block that objects.DecodeMessage reads.
func (r result) block() []byte {
	content := []byte(`""`)
	switch {
	case len(r.parts) == 1 && r.parts[0].text != nil:
		content = r.parts[0].text
	case len(r.parts) > 0:
		var blocks [][]byte
		for _, p := range r.parts {
			if b := p.block(); b != nil {
				blocks = append(blocks, b)
			}
		}
		content = list(blocks)
	}
	fields := []objects.Field{
		{Key: "tool_use_id", Value: orEmpty(r.id)}, {Key: "name", Value: orEmpty(r.name)}, {Key: "content", Value: content},
	}
	if r.failed {
		fields = append(fields, objects.Field{Key: "is_error", Value: []byte("true")})
	}
	return block("tool_result", fields...)
}

// unsaid says what a text is that stands in the user's name and nobody said, or that no model is told; empty for what the user said
// (formats/others.md "Messages").
func unsaid(text string) string {
	text = strings.TrimSpace(text)
	for _, tag := range []string{"<session_context>", "<hook_context>"} {
		if strings.HasPrefix(text, tag) {
			return noteReminder
		}
	}
	switch {
	case text == "", text == "System: Please continue.":
		return noteReminder
	case text[0] == '/', text[0] == '?':
		return noteCommand
	}
	return ""
}
