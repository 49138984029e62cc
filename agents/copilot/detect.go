package copilot

import (
	"bytes"

	"tlog/agents/transcript"
	"tlog/objects"
)

// maxDetect is the number of lines that Detect looks at.
const maxDetect = 16

// Detect implements agents.Agent. The first lines may be damaged, so they are asked in turn until one knows.
func (Agent) Detect(head []byte) bool {
	for range maxDetect {
		if len(head) == 0 {
			return false
		}
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		head = rest
		if !whole {
			return isLine(line) == yes // all that is there of it
		}
		for _, r := range transcript.Split(nil, line, isEvent) {
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

// isLine is what a line, or the beginning of one, says of its file. Data that is cut off is not told of.
func isLine(line []byte) verdict {
	var typ string
	var data, id, foreign bool
	_ = objects.Scan(objects.TrimLine(line), func(m objects.Member) {
		switch {
		case m.Is("type"):
			typ = objects.StringOf(m.Value)
		case m.Is("data"):
			data = isObject(m.Value)
		case m.Is("id"):
			id = isString(m.Value)
		case m.Is("uuid"), m.Is("parentUuid"), m.Is("payload"), m.Is("message"), m.Is("raw"), m.Is("role"), m.Is("sessionId"):
			foreign = true
		}
	})
	switch {
	case foreign, typ == "session":
		return no
	case knownType(typ) && (data || id), typ == sessionStart:
		return yes
	}
	return unknown
}
