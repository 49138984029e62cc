package copilot

import (
	"strings"

	"tlog/objects"
)

// The types of events that are looked into (docs/copilot.md "Events").
const (
	sessionStart    = "session.start"
	sessionResume   = "session.resume"
	modelChange     = "session.model_change"
	compacted       = "session.compaction_complete"
	userMessage     = "user.message"
	systemMessage   = "system.message"
	assistantReply  = "assistant.message"
	turnStart       = "assistant.turn_start"
	toolStarted     = "tool.execution_start"
	toolComplete    = "tool.execution_complete"
	familySession   = "session."
	familyAssistant = "assistant."
	familyTool      = "tool."
)

// families are how the types of events begin; there are some without a family.
var families = []string{familySession, "user.", familyAssistant, familyTool, "system.", "hook.", "subagent.", "skill.", "permission.", "pending_messages."}

// event is what is looked at of one object. Its values are as they stand.
type event struct {
	object    []byte
	typ       string
	id        string // as the client has it
	parent    string // likewise; empty for none
	orphan    bool   // parentId is null
	timestamp string
	data      []byte // an object; nil if there is none
}

// readEvent reads an object of a session file.
func readEvent(object []byte) event {
	e := event{object: object}
	_ = objects.Scan(object, func(m objects.Member) {
		switch {
		case m.Is("type"):
			e.typ = objects.StringOf(m.Value)
		case m.Is("id"):
			e.id = objects.StringOf(m.Value)
		case m.Is("parentId"):
			e.parent, e.orphan = objects.StringOf(m.Value), string(m.Value) == "null"
		case m.Is("timestamp"):
			e.timestamp = objects.StringOf(m.Value)
		case m.Is("data"):
			if isObject(m.Value) {
				e.data = m.Value
			}
		}
	})
	return e
}

// member is a value in the data of an event.
func (e event) member(name string) []byte { return objects.MemberOf(e.data, name) }

// text is a string in the data of an event, empty if there is none.
func (e event) text(name string) string { return objects.StringOf(e.member(name)) }

// entry is the type of the event's entry, and whether nobody said it.
func (e event) entry() (t objects.Type, hidden bool) {
	if e.text("parentToolCallId") != "" { // of a subagent: none of it is sent to the session's own model
		return objects.TypeCustom, true
	}
	switch e.typ {
	case userMessage:
		source := e.text("source")
		return objects.TypeMessage, source != "" && source != "user" || e.saysNothing()
	case systemMessage:
		return objects.TypeMessage, true
	case assistantReply, toolComplete:
		return objects.TypeMessage, false
	case compacted:
		if e.text("summaryContent") != "" && string(e.member("success")) != "false" {
			return objects.TypeCompaction, false
		}
	}
	return objects.TypeCustom, true
}

// saysNothing reports whether a prompt holds nothing but what the client tells the model: without words of the user, and nothing attached.
func (e event) saysNothing() bool {
	attached := 0
	objects.Elements(e.member("attachments"), func([]byte) { attached++ })
	return e.text("content") == "" && attached == 0
}

// model is the model that an event says is at work; empty if it says nothing.
func (e event) model() string {
	switch e.typ {
	case sessionStart, sessionResume:
		return e.text("selectedModel")
	case modelChange:
		return e.text("newModel")
	case assistantReply, turnStart, toolStarted, toolComplete:
		if e.text("parentToolCallId") == "" {
			return e.text("model")
		}
	}
	return ""
}

// isEvent reports whether an object is an event and no part of one.
func isEvent(object []byte) bool {
	e := readEvent(object)
	return e.data != nil && e.id != "" && knownType(e.typ)
}

// knownType reports whether the client writes events of a type.
func knownType(typ string) bool {
	for _, family := range families {
		if strings.HasPrefix(typ, family) && len(typ) > len(family) {
			return true
		}
	}
	return typ == "abort"
}

func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }
func isString(value []byte) bool { return len(value) > 0 && value[0] == '"' }
