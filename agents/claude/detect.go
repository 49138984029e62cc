package claude

import (
	"bytes"

	"tlog/objects"
)

// maxDetect is the number of objects that Detect looks at.
const maxDetect = 32

// Detect implements agents.Agent. A transcript may begin with lines that say little, and with damaged ones, so the
// first lines are asked in turn until one knows. Lines that hold no object say nothing, however many there are.
func (Agent) Detect(head []byte) bool {
	for seen := 0; seen < maxDetect && len(head) > 0; {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		head = rest
		if !whole {
			return verdict(line) == yes // all that is there of it
		}
		records := splitLine(nil, line)
		for i := range records {
			if records[i].object != nil {
				seen++
			}
			switch verdict(records[i].line) {
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

// verdict is what a line, or the beginning of one, says of its file.
func verdict(line []byte) answer {
	var kind string
	var session, uuid, parent, message, leaf bool
	_ = objects.Scan(skipJunk(line), func(m objects.Member) {
		switch string(keyOf(m)) {
		case "type":
			kind = objects.StringOf(m.Value)
		case "sessionId":
			session = isText(m.Value)
		case "uuid":
			uuid = isText(m.Value)
		case "parentUuid":
			parent = true
		case "messageId":
			message = isText(m.Value)
		case "leafUuid":
			leaf = true
		}
	})
	switch {
	case kind == "session":
		return no // the header of a log of pi's or tlog's
	case parent && (uuid || session || isRowKind(kind)), uuid && session && kind != "":
		return yes
	case session && (isRowKind(kind) || isSideKind(kind)), message && isSideKind(kind), leaf && kind == "summary":
		return yes
	}
	return unknown
}

func isRowKind(kind string) bool {
	switch kind {
	case "user", "assistant", "system", "attachment", "progress":
		return true
	}
	return false
}

// isSideKind reports whether the client writes side lines of the kind at the beginning of a transcript (formats/claude.md section 2).
func isSideKind(kind string) bool {
	switch kind {
	case "summary", "custom-title", "ai-title", "agent-name", "agent-color", "agent-setting", "tag",
		"mode", "permission-mode", "last-prompt", "queue-operation", "tools-used", "cost-state", "atis-latch",
		"file-history-snapshot", "file-history-delta", "api-request", "api-request-shape", "api-request-blob":
		return true
	}
	return false
}
