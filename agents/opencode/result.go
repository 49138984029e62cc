package opencode

import (
	"strconv"

	"tlog/objects"
)

// cleared stands for the output of a call that the client does not send any more (docs/opencode.md "Messages").
const cleared = "[Old tool result content cleared]"

// aborted is what the client notes of a call that the user broke off (formats/others.md "Parts seen").
const aborted = "Tool execution aborted"

// result is what a tool gave back.
type result struct {
	content []byte // a string, or a list of blocks
	failed  bool
	state   string // how it ended, in a word or two
	shown   []byte // what is shown in the place of the content, a string; nil for the content
}

// callBlock is the block of a call.
func (p part) callBlock() []byte {
	input := objects.MemberOf(p.state, "input")
	if len(input) == 0 || string(input) == "null" {
		input = []byte("{}")
	}
	return block("toolCall", objects.Field{Key: "id", Value: orEmpty(p.call)}, objects.Field{Key: "name", Value: orEmpty(p.tool)},
		objects.Field{Key: "arguments", Value: input})
}

// result is that of a call, which stands in the same part; ok is false as long as there is none: the state is pending or running.
func (p part) result() (r result, ok bool) {
	var status string
	var output, fault, metadata, attachments, time []byte
	_ = objects.Scan(p.state, func(m objects.Member) {
		switch {
		case m.Is("status"):
			status = objects.StringOf(m.Value)
		case m.Is("output"):
			output = m.Value
		case m.Is("error"):
			fault = m.Value
		case m.Is("metadata"):
			metadata = m.Value
		case m.Is("attachments"):
			attachments = m.Value
		case m.Is("time"):
			time = m.Value
		}
	})
	switch status {
	case "completed":
		r.content = orEmpty(output)
		if n, ok := numberOf(objects.MemberOf(metadata, "exit")); ok && n != 0 {
			r.failed, r.state = true, "exit "+strconv.FormatFloat(n, 'f', -1, 64)
		}
		if n, ok := numberOf(objects.MemberOf(time, "compacted")); ok && n != 0 {
			r.shown, r.content, attachments = r.content, objects.AppendQuote(nil, cleared), nil
		}
	case "error":
		r.failed, r.content = true, orEmpty(fault)
		broken := string(objects.MemberOf(metadata, "interrupted")) == "true"
		if told := objects.MemberOf(metadata, "output"); broken && isString(told) {
			r.content = told
		}
		if broken || objects.StringOf(fault) == aborted {
			r.state = "interrupted"
		}
	default:
		return r, false
	}
	r.attach(attachments)
	return r, true
}

// attach adds the images that a tool gave back besides its text.
func (r *result) attach(attachments []byte) {
	blocks := [][]byte{block("text", objects.Field{Key: "text", Value: r.content})}
	objects.Elements(attachments, func(raw []byte) {
		if !isObject(raw) {
			return
		}
		file, _ := readPart(raw).file()
		blocks = append(blocks, file)
	})
	if len(blocks) > 1 {
		r.content = list(blocks)
	}
}

// block is the result as a block that objects.DecodeMessage reads.
func (r result) block(p part) []byte {
	fields := []objects.Field{
		{Key: "tool_use_id", Value: orEmpty(p.call)}, {Key: "name", Value: orEmpty(p.tool)}, {Key: "content", Value: r.content},
	}
	if r.failed {
		fields = append(fields, objects.Field{Key: "is_error", Value: []byte("true")})
	}
	return block("tool_result", fields...)
}

func orEmpty(value []byte) []byte {
	if !isString(value) {
		return []byte(`""`)
	}
	return value
}
