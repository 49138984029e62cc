package projection

import (
	"strings"

	"tlog/objects"
)

// The blocks of this file are those that only Anthropic's API has. They go back as they came, if the API would take them.

// asItIs is a block that goes back as it came.
func asItIs(unit int, b objects.Block) part {
	return part{kind: b.Kind, unit: unit, json: arguments(b.Raw)}
}

// isDocument reports whether a block is a document as the API takes it of a user.
func isDocument(b objects.Block) bool {
	source := member(b.Raw, "source")
	switch {
	case b.Type != "document":
		return false
	case text(source, "type") == "base64":
		return isBase64([]byte(text(source, "data")))
	case text(source, "type") == "text":
		return !blank(text(source, "data"))
	}
	url := text(source, "url")
	return hasPrefix(url, "https://") || hasPrefix(url, "http://")
}

// serverTools are the ids of calls in a reply that the API's own tools answered there: it takes neither without the other.
func serverTools(blocks []objects.Block) map[string]bool {
	var answered map[string]bool
	called := map[string]bool{}
	for _, b := range blocks {
		switch id := serverCall(b); {
		case id == "":
		case b.Type == "server_tool_use":
			called[id] = true
		case called[id]:
			if answered == nil {
				answered = map[string]bool{}
			}
			answered[id] = true
		}
	}
	return answered
}

// serverCall is the id of the call that a block of a tool of the API's own makes or answers; empty for other blocks.
func serverCall(b objects.Block) string {
	input := member(b.Raw, "input")
	switch {
	case b.Kind != objects.BlockOther:
		return ""
	case b.Type == "server_tool_use" && text(b.Raw, "name") != "" && len(input) > 0 && input[0] == '{':
		return text(b.Raw, "id")
	case strings.HasSuffix(b.Type, "_tool_result") && !missing(member(b.Raw, "content")):
		return text(b.Raw, "tool_use_id")
	}
	return ""
}
