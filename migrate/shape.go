package migrate

import (
	"bytes"

	"tlog/objects"
)

// shape is what tells apart the kinds of lines: the members that only some of
// them have.
type shape struct {
	kind      []byte // value of type
	role      []byte
	message   []byte
	timestamp []byte
	speaks    bool // something is there that a message says
	// The others are for saying what a line is that cannot be read.
	claude, gemini, payload, messages bool
}

func shapeOf(object []byte) (s shape, err error) {
	err = objects.Scan(object, func(m objects.Member) {
		switch {
		case m.Is("type"):
			s.kind = m.Value
		case m.Is("role"):
			s.role = m.Value
		case m.Is("message"):
			s.message = m.Value
		case m.Is("timestamp"):
			s.timestamp = m.Value
		case m.Is("content"), m.Is("tool_calls"), m.Is("function_call"), m.Is("command"), m.Is("summary"):
			// Calls stand without content in OpenAI's messages, the other two
			// in pi's roles for shell commands and summaries.
			s.speaks = true
		case m.Is("uuid"), m.Is("parentUuid"), m.Is("sessionId"), m.Is("leafUuid"), m.Is("snapshot"):
			s.claude = true
		case m.Is("projectHash"):
			s.gemini = true
		case m.Is("payload"):
			s.payload = true
		case m.Is("messages"):
			s.messages = true
		}
	})
	return s, err
}

// bareMessage reports whether the line is a message without an entry around it.
// A type "message" alone makes no entry: the messages of model APIs have it too.
func (s shape) bareMessage() bool {
	return isString(s.role) && s.speaks && !s.entry()
}

// entry reports whether the line is an entry, or a header.
func (s shape) entry() bool {
	switch objects.Type(text(s.kind)) {
	case objects.TypeMessage:
		return isObject(s.message)
	case objects.TypeSession, objects.TypeModelChange, objects.TypeThinkingLevel, objects.TypeCompaction,
		objects.TypeBranchSummary, objects.TypeCustom, objects.TypeCustomMessage, objects.TypeContextEdit,
		objects.TypeUsage, objects.TypeQueue, objects.TypeLabel, objects.TypeSessionInfo,
		objects.TypeSkip, objects.TypeUnskip, objects.TypeRef, objects.TypeHead, objects.TypeMeta:
		return true
	}
	return len(s.kind) > 0 && isObject(s.message)
}

func isString(value []byte) bool { return bytes.HasPrefix(value, []byte{'"'}) }

func isObject(value []byte) bool { return bytes.HasPrefix(value, []byte{'{'}) }
