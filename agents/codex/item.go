package codex

import (
	"bytes"
	"strings"

	"tlog/objects"
)

// The types of items that a model is given and gives (formats/codex.md section 5).
const (
	itemMessage    = "message"
	itemReasoning  = "reasoning"
	itemCall       = "function_call"
	itemCustomCall = "custom_tool_call"
	itemShellCall  = "local_shell_call"
	itemSearchCall = "tool_search_call"
	itemSearched   = "tool_search_output"
	itemAgent      = "agent_message"
)

// family says what an item is.
type family uint8

const (
	unknownItem family = iota
	said
	thought
	called   // by the model, and answered by an item of its own
	answered //
	served   // a call that the model's server made and answered itself
	opaque   // what only the server can read
)

// familyOf is what items of a type are.
func familyOf(sub string) family {
	switch sub {
	case itemMessage, itemAgent:
		return said
	case itemReasoning:
		return thought
	case itemCall, itemCustomCall, itemShellCall, itemSearchCall:
		return called
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", itemSearched:
		return answered
	case "web_search_call", "image_generation_call", "file_search_call", "code_interpreter_call", "mcp_call":
		return served
	case "compaction", "context_compaction", "compaction_summary":
		return opaque
	}
	return unknownItem
}

// entry is the type of the entry that holds the record, and whether it is one that nobody said.
func (r record) entry() (t objects.Type, hidden bool) {
	switch r.kind {
	case kindCompacted:
		if r.payload != nil {
			return objects.TypeCompaction, false
		}
	case kindItem:
		switch familyOf(r.sub) {
		case unknownItem:
			return objects.TypeCustom, false
		case said:
			return objects.TypeMessage, r.compacts || r.note() != ""
		case thought:
			return objects.TypeMessage, r.hollow()
		case opaque:
			return objects.TypeMessage, true
		}
		return objects.TypeMessage, false
	}
	return objects.TypeMeta, false
}

// byModel reports whether a model said what the item holds.
func (r record) byModel() bool {
	switch familyOf(r.sub) {
	case said:
		return r.role == objects.RoleAssistant
	case thought, called, served:
		return true
	}
	return false
}

// hollow reports whether nothing was kept of a thought.
func (r record) hollow() bool {
	return len(thoughts(r.payload)) == 0 && isNull(objects.MemberOf(r.payload, "encrypted_content"))
}

// The notes of messages that nobody said (docs/codex.md "Messages").
const (
	noteCommand     = "command"
	noteInterrupted = "interrupted"
	noteReminder    = "reminder"
	noteSummary     = "summary"
)

// note says what a message is that nobody said; empty for what a user or a model said.
func (r record) note() string {
	switch {
	case r.sub == itemAgent:
		return noteReminder
	case r.role == objects.RoleAssistant:
		return ""
	case r.role == objects.RoleUser:
		return noteOf(firstText(r.content))
	}
	return noteReminder // of a developer or the system
}

// contextTags begin texts that the client writes in the user's name.
var contextTags = []string{
	"<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<skills_instructions>", "<permissions instructions>", "# AGENTS.md instructions",
	"<skill>", "<subagent_notification>", "<apps_instructions>", "<plugins_instructions>", "<collaboration_mode>", "<model_switch>", "<personality_spec>",
	"<realtime_conversation>", "<hook_context>", "<goal_context>",
}

// noteOf is the note that a user's text gives its message.
func noteOf(text string) string {
	text = strings.TrimLeft(text, " \t\r\n")
	for _, tag := range contextTags {
		if strings.HasPrefix(text, tag) {
			return noteReminder
		}
	}
	switch {
	case strings.HasPrefix(text, "<turn_aborted>"):
		return noteInterrupted
	case strings.HasPrefix(text, "<user_shell_command>"):
		return noteCommand
	}
	return ""
}

// firstText is the first text in the content of a message, if it begins as one that the client writes.
func firstText(content []byte) string {
	token := content
	if isArray(content) {
		token = nil
		objects.Elements(content, func(part []byte) {
			if text := objects.MemberOf(part, "text"); token == nil && isString(text) {
				token = text
			}
		})
	}
	// Long texts are not decoded to find out that they are others. Some writers escape the bracket.
	head := bytes.TrimLeft(token, "\" \\ntr")
	if len(head) == 0 || head[0] != '<' && head[0] != '#' && !bytes.HasPrefix(bytes.ToLower(head[:min(len(head), 5)]), []byte("u003c")) {
		return ""
	}
	return objects.StringOf(token)
}

// thoughts are the texts of a reasoning item: those of its summary, or of its content where it has none.
func thoughts(payload []byte) (texts [][]byte) {
	for _, name := range []string{"summary", "content"} {
		value := objects.MemberOf(payload, name)
		if isString(value) && len(value) > 2 {
			return [][]byte{value}
		}
		objects.Elements(value, func(part []byte) {
			if text := objects.MemberOf(part, "text"); isString(text) && len(text) > 2 {
				texts = append(texts, text)
			}
		})
		if len(texts) > 0 {
			return texts
		}
	}
	return nil
}
