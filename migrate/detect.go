package migrate

import (
	"fmt"

	"tlog/objects"
)

// Detect tells the format version of a file from its first line that is a JSON object.
// 0 for a bare message (a string "role" and no "type" that makes it an entry), the header's version for a header; a
// header's version above [objects.Version] is returned as it is. The error wraps
// objects.ErrInvalid if the line begins no session, and says what it looks like.
func Detect(object []byte) (version int, err error) {
	s, err := shapeOf(object)
	if err != nil {
		return 0, fmt.Errorf("%w first line: %w", objects.ErrInvalid, err)
	}
	if text(s.kind) == string(objects.TypeSession) {
		h, err := objects.ParseHeader(object)
		return h.Version, err
	}
	if s.bareMessage() {
		return 0, nil
	}
	return 0, fmt.Errorf("%w first line: expected a session header or a message with a role, got %s", objects.ErrInvalid, s.guess())
}

// guess says in plain words what a line looks like that begins no session.
func (s shape) guess() string {
	switch kind := text(s.kind); {
	case s.gemini:
		return "a line of a Gemini CLI transcript"
	case s.claude:
		return "a line of a Claude Code transcript"
	case s.payload && len(s.timestamp) > 0, kind == "session_meta", kind == "response_item":
		return "a line of a Codex transcript"
	case kind == "session.start":
		return "a line of a Copilot transcript"
	case s.entry():
		return fmt.Sprintf("an entry of type %q without a header above it", kind)
	case s.messages:
		return "a whole conversation in one line"
	case isString(s.role):
		return fmt.Sprintf("role %.40q without content", text(s.role))
	case kind != "":
		return fmt.Sprintf("type %.40q", kind)
	}
	return "an object with neither type nor role"
}
