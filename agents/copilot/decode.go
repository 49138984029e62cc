package copilot

import (
	"strings"

	"tlog/objects"
)

// noteReminder is what the client's program tells the model by itself.
const noteReminder = "reminder"

// Message implements objects.Decoder (docs/copilot.md "Messages").
func (Agent) Message(e objects.Entry) (objects.Message, bool) {
	if e.Type != objects.TypeMessage {
		return objects.Message{}, false
	}
	object := e.SourceObject()
	if object == nil {
		return objects.Message{}, false
	}
	ev := readEvent(object)
	built := messageOf(ev)
	if built == nil {
		return objects.Message{}, false
	}
	m, ok := objects.DecodeMessage(objects.Entry{
		Type: objects.TypeMessage, Raw: objects.Object(objects.Field{Key: "message", Value: built}),
	})
	if !ok {
		return m, false
	}
	if e.Hidden {
		m.Note = noteReminder
	}
	switch ev.typ {
	case assistantReply:
		if m.Model = ev.text("model"); m.Model == "" {
			m.Model, _ = e.Text("model")
		}
		if id := ev.text("messageId"); id != "" {
			m.ReplyID = Name + ":" + id
		}
	case toolComplete:
		if state, _ := e.Text("state"); state != "" && len(m.Blocks) > 0 {
			m.Blocks[0].IsError = true
			if state != stateFailed {
				m.Blocks[0].State = state
			}
		}
	}
	return m, true
}

// Compaction implements objects.Decoder: the summary stands for all that was said before.
func (Agent) Compaction(e objects.Entry) (objects.Compaction, bool) {
	object := e.SourceObject()
	if e.Type != objects.TypeCompaction || object == nil {
		return objects.Compaction{}, false
	}
	ev := readEvent(object)
	c := objects.Compaction{Summary: ev.text("summaryContent"), Replaces: true}
	if tokens := ev.member("preCompactionTokens"); len(tokens) > 0 && '0' <= tokens[0] && tokens[0] <= '9' {
		c.TokensBefore = tokens
	}
	m, ok := objects.DecodeMessage(objects.Entry{Type: objects.TypeMessage, Raw: objects.Object(objects.Field{
		Key: "message", Value: message(objects.RoleUser, block("text", "text", ev.member("summaryContent"))),
	})})
	if ok {
		c.Replacement = append(c.Replacement, m)
	}
	return c, true
}

// messageOf is an event as a message that objects.DecodeMessage reads; nil for an event that is none. Its strings are those of the event, byte for byte.
func messageOf(e event) []byte {
	switch e.typ {
	case userMessage:
		if e.saysNothing() {
			return message(objects.RoleUser, textBlock(e.member("transformedContent")))
		}
		return message(objects.RoleUser, textBlock(e.member("content")))
	case systemMessage:
		return message(objects.RoleSystem, textBlock(e.member("content")))
	case assistantReply:
		return replyOf(e)
	case toolComplete:
		return resultOf(e)
	}
	return nil
}

func message(role string, blocks ...[]byte) []byte {
	return objects.Object(objects.StringField("role", role), objects.Field{Key: "content", Value: list(blocks)})
}

// list is an array of the values that are there.
func list(values [][]byte) []byte {
	out := []byte{'['}
	for _, v := range values {
		if v == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}

func block(typ, key string, value []byte) []byte {
	return objects.Object(objects.StringField("type", typ), objects.Field{Key: key, Value: value})
}

// textBlock is a block of a text, nil for an empty one.
func textBlock(value []byte) []byte {
	if !isString(value) || len(value) == 2 {
		return nil
	}
	return block("text", "text", value)
}

// replyOf is a reply of the model: what it thought as far as it can be read, what it said, what it called.
func replyOf(e event) []byte {
	var blocks [][]byte
	if thought := e.member("reasoningText"); isString(thought) && len(thought) > 2 {
		blocks = append(blocks, block("thinking", "thinking", thought))
	}
	blocks = append(blocks, textBlock(e.member("content")))
	objects.Elements(e.member("toolRequests"), func(call []byte) {
		if !isObject(call) {
			return
		}
		id, name, arguments := objects.MemberOf(call, "toolCallId"), objects.MemberOf(call, "name"), objects.MemberOf(call, "arguments")
		if !isString(id) || !isString(name) {
			return
		}
		if arguments == nil {
			arguments = []byte("{}")
		}
		blocks = append(blocks, objects.Object(objects.StringField("type", "toolCall"), objects.Field{Key: "id", Value: id},
			objects.Field{Key: "name", Value: name}, objects.Field{Key: "arguments", Value: arguments}))
	})
	fields := []objects.Field{objects.StringField("role", objects.RoleAssistant), {Key: "content", Value: list(blocks)}}
	if tokens := e.member("outputTokens"); len(tokens) > 0 && '0' <= tokens[0] && tokens[0] <= '9' {
		fields = append(fields, objects.Field{Key: "usage", Value: objects.Object(objects.Field{Key: "output", Value: tokens})})
	}
	return objects.Object(fields...)
}

// resultOf is what a tool call came to.
func resultOf(e event) []byte {
	text := objects.MemberOf(e.member("result"), "content")
	if !isString(text) {
		text = objects.MemberOf(e.member("error"), "message")
	}
	failed := []byte("false")
	if string(e.member("success")) == "false" {
		failed = []byte("true")
	}
	call := e.member("toolCallId")
	if !isString(call) {
		call = []byte(`""`)
	}
	return objects.Object(objects.StringField("role", objects.RoleToolResult), objects.Field{Key: "toolCallId", Value: call},
		objects.Field{Key: "isError", Value: failed}, objects.Field{Key: "content", Value: list([][]byte{textBlock(text)})})
}

// stateFailed is how a call ended that failed without an exit status.
const stateFailed = "failed"

// stateOf is how a call ended: "exit 1" or "failed"; empty if well. The tool that runs commands puts the status behind their output.
func stateOf(e event) string {
	text := strings.TrimSpace(objects.StringOf(objects.MemberOf(e.member("result"), "content")))
	if rest, ok := strings.CutSuffix(text, ">"); ok {
		if at := strings.LastIndex(rest, "<exited with exit code "); at >= 0 {
			code := rest[at+len("<exited with exit code "):]
			if strings.Trim(code, "0123456789") == "" && code != "" && len(code) < 6 && strings.Trim(code, "0") != "" {
				return "exit " + code
			}
		}
	}
	if string(e.member("success")) == "false" {
		return stateFailed
	}
	return ""
}
