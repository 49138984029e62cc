package projection

import (
	"encoding/json"
	"slices"

	"tlog/objects"
)

// The roles of messages that are built from entries of other types, in pi's words.
const (
	roleCompaction = "compactionSummary"
	roleBranch     = "branchSummary"
)

// messagesOf are the messages that an entry gives. Of an agent's line that is the message that its decoder finds in it.
func (b *builder) messagesOf(e objects.Entry, at int) []Message {
	if !e.Foreign() {
		return nativeMessages(e, at)
	}
	m, ok := b.log.Message(e)
	if !ok {
		return nil
	}
	b.context.foreign[at] = m
	message := withContent(at, m.Raw)
	message.Role = m.Role // which the decoder may know better than the message
	return []Message{message}
}

// nativeMessages are the messages of an entry that is no agent's line (formats/pi.md, section 2).
func nativeMessages(e objects.Entry, at int) []Message {
	built := func(role string, fields ...field) Message {
		fields = append([]field{{"role", quote(role)}}, fields...)
		fields = append(fields, field{"timestamp", milliseconds(e.Get("timestamp"))})
		return Message{At: at, Role: role, JSON: object(fields...)}
	}
	switch e.Type {
	case objects.TypeMessage:
		if raw := e.Get("message"); !missing(raw) {
			return []Message{withContent(at, raw)}
		}
	case objects.TypeCustomMessage:
		content := e.Get("content")
		if missing(content) {
			content = []byte("[]")
		}
		return []Message{built(objects.RoleCustom, field{"customType", e.Get("customType")},
			field{"content", content}, field{"display", e.Get("display")}, field{"details", e.Get("details")})}
	case objects.TypeBranchSummary:
		if summary := e.Get("summary"); truthy(summary) {
			return []Message{built(roleBranch, field{"summary", summary}, field{"fromId", e.Get("fromId")})}
		}
	case objects.TypeCompaction:
		summary := built(roleCompaction, field{"summary", e.Get("summary")}, field{"tokensBefore", e.Get("tokensBefore")})
		if system := e.Get("systemMessage"); truthy(system) {
			return []Message{{At: at, Role: text(system, "role"), JSON: system}, summary}
		}
		return []Message{summary}
	}
	return nil
}

// withContent is a message entry's message. Null or no content of the roles
// that models know becomes an empty one, since readers go by its type.
func withContent(at int, raw []byte) Message {
	m := Message{At: at, Role: text(raw, "role"), JSON: json.RawMessage(raw)}
	var empty []byte
	switch m.Role {
	case objects.RoleSystem:
		empty = []byte(`""`)
	case objects.RoleUser, objects.RoleAssistant, objects.RoleToolResult:
		empty = []byte(`[]`)
	default:
		return m
	}
	if missing(member(raw, "content")) {
		m.JSON = objects.ReplaceValue(raw, "content", empty)
	}
	return m
}

// apply gives the messages of an entry as an edit leaves them: none if its
// replacement is null, else with the replacement's content. Summaries and system
// messages cannot be replaced, only left out.
func (e edit) apply(messages []Message) []Message {
	if missing(e.replacement) {
		return nil
	}
	content := member(e.replacement, "content")
	out := slices.Clone(messages)
	for i, m := range out {
		if !replaceable(m) {
			continue
		}
		value := content
		if (m.Role == objects.RoleAssistant || m.Role == objects.RoleToolResult) && len(content) > 0 && content[0] == '"' {
			// These have no plain string as content.
			value = array([][]byte{object(field{"type", quote("text")}, field{"text", content})})
		}
		out[i].JSON = setContent(m.JSON, value)
	}
	return out
}

// replaceable reports whether an edit can give a message other content.
func replaceable(m Message) bool {
	switch m.Role {
	case objects.RoleUser, objects.RoleAssistant, objects.RoleToolResult, objects.RoleCustom:
		return true
	}
	return false
}

// setContent replaces the content of a message; nil takes it away.
func setContent(message, content []byte) json.RawMessage {
	if content == nil {
		return objects.RemoveMember(message, "content")
	}
	return objects.ReplaceValue(message, "content", content)
}
