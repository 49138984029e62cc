package claude

import (
	"slices"
	"strconv"
	"strings"

	"tlog/objects"
)

// synthetic is the model of replies that the client made itself.
const synthetic = "<synthetic>"

// said is what a row says that is looked at, as it stands in the line.
type said struct {
	row       []byte // the object
	kind      string // the row's type
	subtype   string
	requestID string
	failure   string // the kind of an API error
	content   []byte // of a system row
	attached  []byte // the attachment
	compact   []byte // compactMetadata
	result    []byte // toolUseResult
	meta      bool
	summary   bool
	failed    bool // isApiErrorMessage
}

// readRow reads the row in a foreign entry; ok is false if it holds no object.
func readRow(e objects.Entry) (s said, ok bool) {
	s.row = e.SourceObject()
	if s.row == nil {
		return said{}, false
	}
	_ = objects.Scan(s.row, func(m objects.Member) { // SourceObject has scanned it already
		switch {
		case m.Is("type"):
			s.kind = objects.StringOf(m.Value)
		case m.Is("subtype"):
			s.subtype = objects.StringOf(m.Value)
		case m.Is("requestId"):
			s.requestID = objects.StringOf(m.Value)
		case m.Is("error"):
			s.failure = objects.StringOf(m.Value)
		case m.Is("content"):
			s.content = m.Value
		case m.Is("attachment"):
			s.attached = m.Value
		case m.Is("compactMetadata"):
			s.compact = m.Value
		case m.Is("toolUseResult"):
			s.result = m.Value
		case m.Is("isMeta"):
			s.meta = isTrue(m.Value)
		case m.Is("isCompactSummary"):
			s.summary = isTrue(m.Value)
		case m.Is("isApiErrorMessage"):
			s.failed = isTrue(m.Value)
		}
	})
	return s, true
}

// Message implements objects.Decoder. Rows of type user and assistant hold messages of the model API; so do the summary of a
// compaction, a prompt that was typed while the model was busy (attachment queued_command) and a local command
// (system local_command): formats/claude.md section 2.
func (Agent) Message(e objects.Entry) (objects.Message, bool) {
	if e.Type != objects.TypeMessage && e.Type != objects.TypeCompaction {
		return objects.Message{}, false
	}
	s, ok := readRow(e)
	if !ok {
		return objects.Message{}, false
	}
	switch s.kind {
	case "assistant":
		return s.reply()
	case "user":
		return s.spoken()
	case "attachment":
		if objects.StringOf(objects.MemberOf(s.attached, "type")) == "queued_command" {
			return userMessage(objects.MemberOf(s.attached, "prompt"))
		}
	case "system":
		if s.subtype == "local_command" {
			m, ok := userMessage(s.content)
			s.annotate(&m)
			return m, ok
		}
	}
	return objects.Message{}, false
}

// reply is the message of an assistant row: one block of a reply of the model, most often.
func (s said) reply() (objects.Message, bool) {
	m, ok := decodeMessage(s.row)
	if !ok {
		return m, false
	}
	m.Role = objects.RoleAssistant // the client goes by the row's type
	m.ReplyID = objects.StringOf(objects.MemberOf(m.Raw, "id"))
	if m.ReplyID == "" {
		m.ReplyID = s.requestID
	}
	m.Provider = ""
	switch m.Model {
	case synthetic:
		m.Model = ""
	case "":
	default:
		m.Provider = "anthropic"
	}
	if s.failed {
		if m.Error = s.failure; m.Error == "" {
			m.Error = m.Text()
		}
		if m.Error == "" {
			m.Error = "API error"
		}
	}
	return m, true
}

// spoken is the message of a user row.
func (s said) spoken() (objects.Message, bool) {
	m, ok := decodeMessage(s.row)
	if !ok {
		return m, false
	}
	m.Role = objects.RoleUser
	m.Provider, m.Model = "", ""
	s.annotate(&m)
	s.readResult(&m)
	return m, true
}

// readResult says of the results in a message how they ended, as far as its text or toolUseResult tells. A command that was
// interrupted has failed.
func (s said) readResult(m *objects.Message) {
	interrupted := isTrue(objects.MemberOf(s.result, "interrupted"))
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind != objects.BlockToolResult {
			continue
		}
		switch {
		case interrupted, strings.HasPrefix(b.Text, "[Request interrupted by user"):
			b.State, b.IsError = "interrupted", true
		case b.IsError && strings.HasPrefix(b.Text, "The user doesn't want to proceed with this tool use."):
			b.State = "refused"
		case b.IsError:
			b.State = exitState(b.Text)
		}
	}
}

// exitState is the exit code that a failed command's result begins with: "exit 1". Empty if it begins with none.
func exitState(text string) string {
	rest, ok := strings.CutPrefix(text, "Exit code ")
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	if _, err := strconv.Atoi(line); err != nil {
		return ""
	}
	return "exit " + line
}

// decodeMessage decodes the member message of a row.
func decodeMessage(row []byte) (objects.Message, bool) {
	return objects.DecodeMessage(objects.Entry{Type: objects.TypeMessage, Raw: row})
}

// userMessage is a message of the user that is built of its content, a string or a list of blocks.
func userMessage(content []byte) (objects.Message, bool) {
	if len(content) == 0 || content[0] != '"' && content[0] != '[' {
		return objects.Message{}, false
	}
	return decodeMessage(slices.Concat([]byte(`{"message":{"role":"user","content":`), content, []byte(`}}`)))
}

// Compaction implements objects.Decoder (formats/claude.md section 3, item 2).
func (Agent) Compaction(e objects.Entry) (objects.Compaction, bool) {
	if e.Type != objects.TypeCompaction {
		return objects.Compaction{}, false
	}
	s, ok := readRow(e)
	switch {
	case !ok:
		return objects.Compaction{}, false
	case s.kind == "system":
		return s.boundary(e.ID), true
	case s.summary:
		m, _ := decodeMessage(s.row)
		return objects.Compaction{Summary: m.Text()}, true
	}
	return objects.Compaction{}, false
}

// boundary is what a compact_boundary says. The list of the messages that are kept counts before the range.
func (s said) boundary(own objects.ID) objects.Compaction {
	c := objects.Compaction{Trigger: objects.StringOf(objects.MemberOf(s.compact, "trigger"))}
	if n := objects.MemberOf(s.compact, "preTokens"); isNumber(n) {
		c.TokensBefore = n
	}
	preserved := objects.MemberOf(s.compact, "preservedMessages")
	objects.Elements(objects.MemberOf(preserved, "uuids"), func(value []byte) {
		if id := objects.StringOf(value); id != "" {
			c.Kept = append(c.Kept, objects.ID(id))
		}
	})
	if len(c.Kept) == 0 {
		preserved = objects.MemberOf(s.compact, "preservedSegment")
		c.FirstKept = objects.ID(objects.StringOf(objects.MemberOf(preserved, "headUuid")))
	}
	if anchor := objects.ID(objects.StringOf(objects.MemberOf(preserved, "anchorUuid"))); anchor != own {
		c.KeptAfter = anchor
	}
	return c
}

func isTrue(value []byte) bool { return string(value) == "true" }

func isNumber(value []byte) bool {
	return len(value) > 0 && strings.IndexByte("-0123456789", value[0]) >= 0
}
