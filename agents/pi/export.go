package pi

import (
	"bytes"
	"io"
	"strconv"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Export implements transcript.Writer: the entries, which are tlog's own, as pi has them. Those that pi would write itself stay as they
// are but for their parents. Messages of bare logs become pi's.
func (Agent) Export(w io.Writer, x transcript.Export) (transcript.Report, error) {
	if x.Cwd == "" {
		x.Cwd = x.OldCwd
	}
	f := newFile(w, x.Now)
	f.header(x.Session, x.Cwd, x.Parent)
	for e, err := range x.Entries {
		if err != nil {
			return transcript.Report{}, err
		}
		if e.OnPath {
			f.take(e)
		}
	}
	f.name(x.Session, x.Name)
	return f.finish()
}

// take writes an entry.
func (f *file) take(e transcript.Entry) {
	line := e.Raw
	if bytes.IndexByte(line, '\n') >= 0 { // between tokens: in a string it is an escape
		line = bytes.ReplaceAll(line, []byte{'\n'}, []byte{' '})
	}
	line = withMember(line, "id", "type", objects.IDField("id", e.EffectiveID).Value, e.ID != e.EffectiveID)
	if e.Type != objects.TypeMessage {
		f.put(line, e, e.EffectiveID)
		return
	}
	whole, err := objects.ParseEntry(line)
	if err != nil {
		return
	}
	f.report.Messages++
	for i, message := range piMessages(whole) {
		part, id := line, e.EffectiveID
		if i > 0 {
			id = objects.DerivedID(id, i)
			part = objects.ReplaceValue(part, "id", objects.IDField("id", id).Value)
		}
		if !bytes.Equal(message, whole.Get("message")) {
			part = objects.ReplaceValue(part, "message", message)
		}
		f.put(part, e, id)
	}
}

// put writes a line of an entry behind the last one.
func (f *file) put(line []byte, e transcript.Entry, id objects.ID) {
	f.line(withMember(line, "parentId", "id", objects.IDField("parentId", f.tip).Value, e.ParentID != f.tip || !e.HasParent))
	f.tip = id
}

// withMember is an object with a member of that value, if it has to be changed.
func withMember(object []byte, name, after string, value []byte, change bool) []byte {
	switch {
	case !change:
		return object
	case objects.MemberOf(object, name) == nil:
		member := append(append(objects.AppendQuote(nil, name), ':'), value...)
		return objects.InsertMembers(object, after, member)
	}
	return objects.ReplaceValue(object, name, value)
}

// piMessages are the messages of pi's that the message of an entry comes to: itself, with what pi misses in it, or where it is
// in an API's words, those that say the same.
func piMessages(e objects.Entry) [][]byte {
	raw := e.Get("message")
	switch objects.StringOf(objects.MemberOf(raw, "role")) {
	case objects.RoleUser, objects.RoleAssistant, objects.RoleToolResult, "tool", "developer":
	default:
		return [][]byte{raw}
	}
	when := e.Timestamp
	at, err := time.Parse(time.RFC3339Nano, when)
	if err != nil {
		at = time.UnixMilli(0)
	}
	if native(raw) {
		return [][]byte{completed(raw, at)}
	}
	m, ok := objects.DecodeMessage(e)
	if !ok {
		return [][]byte{raw}
	}
	return translated(m, at)
}

// native reports whether a message is in pi's own words.
func native(raw []byte) bool {
	role, content := objects.StringOf(objects.MemberOf(raw, "role")), objects.MemberOf(raw, "content")
	switch {
	case role != objects.RoleUser && role != objects.RoleAssistant && role != objects.RoleToolResult:
		return false
	case content == nil || string(content) == "null":
		return objects.MemberOf(raw, "tool_calls") == nil
	case isString(content):
		return role == objects.RoleUser
	}
	fine := true
	is := objects.Elements(content, func(block []byte) { fine = fine && nativeBlock(block) })
	return is && fine && objects.MemberOf(raw, "tool_calls") == nil
}

func nativeBlock(block []byte) bool {
	switch objects.StringOf(objects.MemberOf(block, "type")) {
	case "text":
		return isString(objects.MemberOf(block, "text"))
	case "thinking":
		return isString(objects.MemberOf(block, "thinking")) && objects.MemberOf(block, "signature") == nil
	case "image":
		return isString(objects.MemberOf(block, "data")) && isString(objects.MemberOf(block, "mimeType"))
	case "toolCall":
		return isString(objects.MemberOf(block, "id")) && isString(objects.MemberOf(block, "name")) && isObject(objects.MemberOf(block, "arguments"))
	}
	return false
}

// completed is a message of pi's with the members that it lacks.
func completed(raw []byte, at time.Time) []byte {
	if content := objects.MemberOf(raw, "content"); content == nil {
		raw = appended(raw, objects.Field{Key: "content", Value: []byte("[]")})
	} else if string(content) == "null" {
		raw = objects.ReplaceValue(raw, "content", []byte("[]")) // a null hides the session from pi's lists
	}
	var wanted []objects.Field
	switch objects.StringOf(objects.MemberOf(raw, "role")) {
	case objects.RoleAssistant:
		wanted = replyFields(objects.StringOf(objects.MemberOf(raw, "provider")), objects.StringOf(objects.MemberOf(raw, "model")), bytes.Contains(raw, []byte(`"toolCall"`)))
	case objects.RoleToolResult:
		wanted = []objects.Field{objects.StringField("toolCallId", ""), objects.StringField("toolName", unknownModel), boolField("isError", false)}
	}
	wanted = append(wanted, objects.Field{Key: "timestamp", Value: strconv.AppendInt(nil, at.UnixMilli(), 10)})
	for _, f := range wanted {
		if objects.MemberOf(raw, f.Key) == nil {
			raw = appended(raw, f)
		}
	}
	return raw
}

func appended(object []byte, f objects.Field) []byte {
	return objects.AppendMembers(object, append(append(objects.AppendQuote(nil, f.Key), ':'), f.Value...))
}

// translated are the messages of pi's that say the same as one in an API's words: the results of tools first, each a message
// of its own.
func translated(m objects.Message, at time.Time) [][]byte {
	var results, blocks [][]byte
	calls := false
	timestamp := objects.Field{Key: "timestamp", Value: strconv.AppendInt(nil, at.UnixMilli(), 10)}
	for _, b := range m.Blocks {
		switch b.Kind {
		case objects.BlockText:
			blocks = append(blocks, textBlock(b.Text))
		case objects.BlockThinking:
			blocks = append(blocks, thinkingBlock(b))
		case objects.BlockImage:
			if len(b.Data) > 0 {
				blocks = append(blocks, imageBlock(b.MimeType, string(b.Data)))
			}
		case objects.BlockToolCall:
			calls = true
			arguments := []byte(b.Arguments)
			if !isObject(arguments) {
				arguments = []byte("{}")
			}
			blocks = append(blocks, callBlock(b.CallID, b.Name, arguments))
		case objects.BlockToolResult:
			results = append(results, objects.Object(objects.StringField("role", objects.RoleToolResult), objects.StringField("toolCallId", b.CallID),
				objects.StringField("toolName", orUnknown(b.Name)), objects.Field{Key: "content", Value: resultContent(b)},
				boolField("isError", b.IsError), timestamp))
		}
	}
	role, content := m.Role, objects.Field{Key: "content", Value: array(blocks)}
	switch {
	case role == "developer":
		return [][]byte{objects.Object(objects.StringField("role", objects.RoleSystem), objects.StringField("content", m.Text()), timestamp)}
	case len(blocks) == 0 && len(results) > 0:
		return results
	case role == objects.RoleAssistant:
		fields := append([]objects.Field{objects.StringField("role", role), content}, replyFields(m.Provider, m.Model, calls)...)
		return append(results, objects.Object(append(fields, timestamp)...))
	}
	return append(results, objects.Object(objects.StringField("role", objects.RoleUser), content, timestamp))
}

// thinkingBlock is a block of thinking, with the signature that an API gave it.
func thinkingBlock(b objects.Block) []byte {
	fields := []objects.Field{objects.StringField("type", "thinking"), objects.StringField("thinking", b.Text)}
	for _, name := range []string{"thinkingSignature", "signature"} {
		if signature := objects.MemberOf(b.Raw, name); isString(signature) {
			return objects.Object(append(fields, objects.Field{Key: "thinkingSignature", Value: signature})...)
		}
	}
	return objects.Object(fields...)
}

// resultContent is the content of a result: its texts and images in their order.
func resultContent(b objects.Block) []byte {
	inner, _ := objects.DecodeMessage(objects.Entry{
		Type: objects.TypeMessage, Raw: objects.Object(objects.Field{Key: "message", Value: objects.Object(objects.Field{Key: "content", Value: objects.MemberOf(b.Raw, "content")})}),
	})
	var blocks [][]byte
	for _, part := range inner.Blocks {
		switch {
		case part.Kind == objects.BlockText:
			blocks = append(blocks, textBlock(part.Text))
		case part.Kind == objects.BlockImage && len(part.Data) > 0:
			blocks = append(blocks, imageBlock(part.MimeType, string(part.Data)))
		}
	}
	return array(blocks)
}

func orUnknown(name string) string {
	if name == "" {
		return unknownModel
	}
	return name
}

// NativeEntries implements agents.NativeTarget: pi knows edits of the context.
func (Agent) NativeEntries() (withEdits bool) { return true }
