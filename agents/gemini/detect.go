package gemini

import (
	"bytes"

	"tlog/agents/transcript"
	"tlog/objects"
)

// maxDetect is the number of lines that Detect looks at.
const maxDetect = 16

// Detect implements agents.Agent. The first lines may be damaged, so they are asked in turn until one knows.
func (Agent) Detect(head []byte) bool {
	if isDocument(head) {
		return true
	}
	for range maxDetect {
		if len(head) == 0 {
			return false
		}
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		head = rest
		if !whole {
			return isLine(line) == yes // all that is there of it
		}
		for _, r := range transcript.Split(nil, line, isRecord) {
			switch isLine(r.Line) {
			case yes:
				return true
			case no:
				return false
			}
		}
	}
	return false
}

type verdict uint8

const (
	unknown verdict = iota
	yes
	no
)

// isLine is what a line, or the beginning of one, says of its file. Members of which nothing but the beginning is there are not told of.
func isLine(line []byte) verdict {
	var typ string
	var id, session, project, command, foreign bool
	_ = objects.Scan(objects.TrimLine(line), func(m objects.Member) {
		switch {
		case m.Is("type"):
			typ = objects.StringOf(m.Value)
		case m.Is("id"):
			id = isText(m.Value)
		case m.Is("sessionId"):
			session = isText(m.Value)
		case m.Is("projectHash"):
			project = isText(m.Value)
		case m.Is("$set"):
			command = isObject(m.Value)
		case m.Is("$rewindTo"):
			command = isString(m.Value)
		case m.Is("parentId"), m.Is("parentUuid"), m.Is("uuid"), m.Is("raw"), m.Is("payload"), m.Is("role"), m.Is("message"):
			foreign = true
		}
	})
	switch {
	case foreign, typ == "session":
		return no
	case session && project, command, id && typ == typeGemini:
		return yes
	}
	return unknown
}
