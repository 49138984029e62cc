package codex

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

type answer uint8

const (
	unknown answer = iota
	yes
	no
)

// isLine is what a line, or the beginning of one, says of its file. A payload that is cut off is not told of.
func isLine(line []byte) answer {
	var kind string
	var time, payload, foreign, stream, recordType bool
	_ = objects.Scan(objects.TrimLine(line), func(m objects.Member) {
		switch {
		case m.Is("type"):
			kind = objects.StringOf(m.Value)
		case m.Is("timestamp"):
			time = true
		case m.Is("payload"):
			payload = true
		case m.Is("parentId"), m.Is("parentUuid"), m.Is("raw"), m.Is("sessionId"):
			foreign = true
		case m.Is("stream"):
			stream = isObject(m.Value)
		case m.Is("record_type"):
			recordType = true
		}
	})
	switch {
	case foreign, kind == "session":
		return no
	case isKind(kind) && (time || payload), stream && recordType:
		return yes
	}
	return unknown
}

// isKind reports whether the client writes lines of a type (formats/codex.md section 2).
func isKind(kind string) bool {
	switch kind {
	case kindMeta, kindItem, kindEvent, kindTurn, kindCompacted, kindUsage, "world_state", "dynamic_tools_updated", "inter_agent_communication",
		"inter_agent_communication_metadata", "retained_context", "security_risk_score", "realtime_item":
		return true
	}
	return false
}
