package claude

import (
	"slices"
	"strings"

	"tlog/agents/transcript"
	"tlog/objects"
)

// clientVersion is the version of the client whose rows are written here.
const clientVersion = "2.1.332"

// madeRows are the rows of an entry of tlog's own, or of another agent; replacement is the content that takes the place of the
// entry's. An entry that the client has no form for has none.
func (e *exporter) madeRows(entry transcript.Entry, replacement []byte) []row {
	switch entry.Type {
	case objects.TypeMessage, objects.TypeCustomMessage:
		m, ok := objects.DecodeMessage(withReplacement(entry.Entry, replacement))
		if !ok {
			return nil
		}
		return e.messageRows(entry, m)
	case objects.TypeBranchSummary:
		summary, _ := entry.Text("summary")
		return e.userRow(entry, "The conversation went on elsewhere for a while and came back to this point. A summary of that part:\n\n"+summary)
	case objects.TypeCompaction:
		return e.compactionRows(entry)
	}
	return nil
}

// withReplacement is an entry with other content.
func withReplacement(entry objects.Entry, content []byte) objects.Entry {
	if content == nil {
		return entry
	}
	changed := splice(entry.Raw, edit{name: "content", value: content})
	if entry.Type == objects.TypeMessage {
		changed = splice(entry.Raw, edit{name: "message", value: splice(entry.Get("message"), edit{name: "content", value: content})})
	}
	if parsed, err := objects.ParseEntry(changed); err == nil {
		return parsed
	}
	return entry
}

// messageRows are the rows of a message: one for each block of a reply, one for any other message.
func (e *exporter) messageRows(entry transcript.Entry, m objects.Message) []row {
	switch m.Role {
	case objects.RoleUser, objects.RoleCustom, objects.RoleToolResult, "tool":
		blocks := e.blocksOf(entry, m)
		if len(blocks) == 0 {
			return nil
		}
		return e.number(entry, []row{e.newRow("user", "", e.timeOf(entry), userContent(blocks))})
	case objects.RoleBash:
		if isTrue(objects.MemberOf(m.Raw, "excludeFromContext")) {
			return nil
		}
		return e.userRow(entry, bashWords(m))
	case objects.RoleAssistant:
		if m.StopReason == "error" || m.StopReason == "aborted" {
			e.repaired(transcript.DroppedBlock, entry.EffectiveID, "a reply that failed or was stopped")
			return nil
		}
		return e.replyRows(entry, m)
	}
	e.repaired(transcript.DroppedBlock, entry.EffectiveID, "a message of role %q", m.Role)
	return nil
}

// replyRows are the rows of a reply. The client tells replies apart by message.id alone.
func (e *exporter) replyRows(entry transcript.Entry, m objects.Message) []row {
	id := m.ReplyID
	if id == "" {
		id = "msg_" + string(entry.EffectiveID)
	}
	var rows []row
	for _, b := range e.blocksOf(entry, m) {
		fields := []objects.Field{objects.StringField("id", id), objects.StringField("type", "message"), objects.StringField("role", "assistant")}
		if strings.HasPrefix(m.Model, "claude-") {
			fields = append(fields, objects.StringField("model", m.Model))
		}
		fields = append(fields, objects.Field{Key: "content", Value: slices.Concat([]byte{'['}, b, []byte{']'})})
		rows = append(rows, e.newRow("assistant", "", e.timeOf(entry), objects.Object(fields...)))
	}
	return e.number(entry, rows)
}

// blocksOf are the blocks of a message as the client writes them.
func (e *exporter) blocksOf(entry transcript.Entry, m objects.Message) [][]byte {
	var blocks [][]byte
	for _, b := range m.Blocks {
		if raw := clientBlock(m, b); raw != nil {
			blocks = append(blocks, raw)
		} else {
			e.repaired(transcript.DroppedBlock, entry.EffectiveID, "a block of type %q", b.Type)
		}
	}
	return blocks
}

// clientBlock is a block as the client writes it; nil if it has no form for it.
func clientBlock(m objects.Message, b objects.Block) []byte {
	switch b.Kind {
	case objects.BlockText:
		return textBlock(b.Text)
	case objects.BlockThinking:
		return thinkingBlock(m, b)
	case objects.BlockImage:
		return imageBlock(b)
	case objects.BlockToolCall:
		arguments := []byte(b.Arguments)
		if len(arguments) == 0 {
			arguments = []byte("{}")
		}
		return objects.Object(objects.StringField("type", "tool_use"), objects.StringField("id", b.CallID),
			objects.StringField("name", b.Name), objects.Field{Key: "input", Value: oneLine(arguments)})
	case objects.BlockToolResult:
		return resultBlock(b)
	}
	return nil
}

// thinkingBlock is a block of thinking with the signature that was recorded; of another company's model it has none that counts.
func thinkingBlock(m objects.Message, b objects.Block) []byte {
	signature := objects.StringOf(objects.MemberOf(b.Raw, "signature"))
	if signature == "" {
		signature = objects.StringOf(objects.MemberOf(b.Raw, "thinkingSignature"))
	}
	if m.Provider != "" && m.Provider != "anthropic" {
		signature = ""
	}
	if b.Type == "redacted_thinking" {
		return objects.Object(objects.StringField("type", b.Type), objects.StringField("data", objects.StringOf(objects.MemberOf(b.Raw, "data"))))
	}
	if isTrue(objects.MemberOf(b.Raw, "redacted")) {
		return objects.Object(objects.StringField("type", "redacted_thinking"), objects.StringField("data", signature))
	}
	return objects.Object(objects.StringField("type", "thinking"), objects.StringField("thinking", b.Text), objects.StringField("signature", signature))
}

// imageBlock is an image; nil if its data is not in the block.
func imageBlock(b objects.Block) []byte {
	if len(b.Data) == 0 || b.MimeType == "" {
		return nil
	}
	source := objects.Object(objects.StringField("type", "base64"), objects.StringField("media_type", b.MimeType), objects.StringField("data", string(b.Data)))
	return objects.Object(objects.StringField("type", "image"), objects.Field{Key: "source", Value: source})
}

// resultBlock is the result of a tool: its text, or a list if there are images in it.
func resultBlock(b objects.Block) []byte {
	content := objects.AppendQuote(nil, b.Text)
	if b.Images > 0 {
		var blocks [][]byte
		inner, _ := objects.DecodeMessage(objects.Entry{Type: objects.TypeMessage,
			Raw: objects.Object(objects.Field{Key: "message", Value: objects.Object(objects.Field{Key: "content", Value: objects.MemberOf(b.Raw, "content")})})})
		for _, part := range inner.Blocks {
			if raw := clientBlock(inner, part); raw != nil && (part.Kind == objects.BlockText || part.Kind == objects.BlockImage) {
				blocks = append(blocks, raw)
			}
		}
		content = list(blocks)
	}
	fields := []objects.Field{objects.StringField("type", "tool_result"), objects.StringField("tool_use_id", b.CallID), {Key: "content", Value: content}}
	if b.IsError {
		fields = append(fields, objects.Field{Key: "is_error", Value: []byte("true")})
	}
	return objects.Object(fields...)
}

// bashWords tells of a command that the user ran beside the conversation.
func bashWords(m objects.Message) string {
	text := func(name string) string { return objects.StringOf(objects.MemberOf(m.Raw, name)) }
	words := "The user ran a shell command:\n\n" + text("command")
	if output := text("output"); strings.TrimSpace(output) != "" {
		words += "\n\nIt printed:\n\n" + output
	} else {
		words += "\n\nIt printed nothing."
	}
	code := objects.MemberOf(m.Raw, "exitCode")
	switch {
	case isTrue(objects.MemberOf(m.Raw, "cancelled")):
		words += "\n\nThe user stopped it before it ended."
	case isNumber(code) && string(code) != "0":
		words += "\n\nExit code: " + string(code)
	}
	return words
}

// userRow is a row of the user with a text.
func (e *exporter) userRow(entry transcript.Entry, text string) []row {
	return e.number(entry, []row{e.newRow("user", "", e.timeOf(entry), userContent([][]byte{textBlock(text)}))})
}

// userContent is a message of the user.
func userContent(blocks [][]byte) []byte {
	return objects.Object(objects.StringField("role", "user"), objects.Field{Key: "content", Value: list(blocks)})
}

// list is a JSON list.
func list(values [][]byte) []byte {
	out := []byte{'['}
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}

// number gives the rows of an entry their ids: the first that of the entry, further ones such that are derived from it.
func (e *exporter) number(entry transcript.Entry, rows []row) []row {
	var numbered []row
	for i, r := range rows {
		r.uuid = string(entry.EffectiveID)
		if i > 0 || r.uuid == "" {
			r.uuid = string(objects.DerivedID(entry.EffectiveID, i))
		}
		r.object = splice(r.object, edit{name: "uuid", value: objects.AppendQuote(nil, r.uuid)})
		r.entry = entry.EffectiveID
		if r = r.again(); e.counts(r) {
			numbered = append(numbered, r)
		}
	}
	return numbered
}

// newRow is a row of the client's kind (formats/claude.md section 4). Its parent is given when it is written.
func (e *exporter) newRow(kind, uuid, timestamp string, message []byte, more ...objects.Field) row {
	fields := []objects.Field{
		{Key: "parentUuid", Value: []byte("null")},
		{Key: "isSidechain", Value: []byte("false")},
		objects.StringField("userType", "external"),
		objects.StringField("cwd", e.x.Cwd),
		objects.StringField("sessionId", string(e.x.Session)),
		objects.StringField("version", clientVersion),
		objects.StringField("entrypoint", "cli"),
		objects.StringField("type", kind),
	}
	if message != nil {
		fields = append(fields, objects.Field{Key: "message", Value: message})
	}
	fields = append(fields, more...)
	fields = append(fields, objects.StringField("uuid", uuid), objects.StringField("timestamp", timestamp))
	r := readRowObject(objects.Object(fields...))
	r.made = true
	return r
}
