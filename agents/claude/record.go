package claude

import (
	"bytes"

	"tlog/objects"
)

// record is what the reader looks at of one object in a transcript.
type record struct {
	line   []byte // of the file, or the part of it that is the record
	object []byte // in it; nil if it holds none
	joined bool
	fault  int // where the line breaks off, if it holds no object
	id     objects.ID

	kind, subtype     string
	uuid              string
	row               bool // it has a uuid and a type
	parent, logical   link
	side              bool
	agentID           string
	meta, summary     bool
	timestamp         string
	requestID         string
	session           bool // it names its session, or the row that it is about
	leaf              link
	explicit          bool
	title             string
	titleRank         titleRank
	messageID         string
	synthetic, result bool
	thought           bool // the message is thinking alone
	note              string
	queuedPrompt      bool

	told *told // of an entry that the log holds already
}

// told is what the log says of a line that it holds.
type told struct {
	kind   objects.Type
	parent objects.ID
	gap    string
	hidden bool
}

// link is a member that names a row.
type link struct {
	state linkState
	name  string
}

type linkState uint8

const (
	noLink   linkState = iota // the key is missing, or its value is no name
	nullLink                  // null, or an empty name
	named
	lost // a row that stands for its parent, which stands for it
)

// linkOf is the link in the value of a member.
func linkOf(value []byte) link {
	if string(value) == "null" {
		return link{state: nullLink}
	}
	name, ok := objects.Unquote(value)
	switch {
	case !ok:
		return link{}
	case name == "":
		return link{state: nullLink}
	}
	return link{named, name}
}

// member takes over what a top-level member says. The last of duplicates counts.
func (rec *record) member(m objects.Member) {
	switch string(keyOf(m)) {
	case "uuid":
		rec.uuid = objects.StringOf(m.Value)
	case "type":
		rec.kind = objects.StringOf(m.Value)
	case "parentUuid":
		rec.parent = linkOf(m.Value)
	case "logicalParentUuid":
		rec.logical = linkOf(m.Value)
	case "timestamp":
		rec.timestamp = objects.StringOf(m.Value)
	case "subtype":
		rec.subtype = objects.StringOf(m.Value)
	case "sessionId":
		rec.session = rec.session || isText(m.Value)
	case "agentId":
		rec.agentID = objects.StringOf(m.Value)
	case "requestId":
		rec.requestID = objects.StringOf(m.Value)
	case "isSidechain":
		rec.side = isTrue(m.Value)
	case "isMeta":
		rec.meta = isTrue(m.Value)
	case "isCompactSummary":
		rec.summary = isTrue(m.Value)
	case "message":
		rec.takeMessage(m.Value)
	default:
		rec.rareMember(m)
	}
	rec.row = rec.uuid != "" && rec.kind != ""
}

// rareMember takes over members that only some types of lines have. The type may stand behind them.
func (rec *record) rareMember(m objects.Member) {
	switch string(keyOf(m)) {
	case "leafUuid":
		rec.leaf = linkOf(m.Value)
		rec.session = rec.session || rec.leaf.state == named
	case "messageId": // of a snapshot of files, which has no sessionId
		rec.session = rec.session || isText(m.Value)
	case "explicit":
		rec.explicit = isTrue(m.Value)
	case "customTitle":
		rec.takeTitle(customTitle, m.Value)
	case "aiTitle":
		rec.takeTitle(aiTitle, m.Value)
	case "summary":
		rec.takeTitle(summaryTitle, m.Value)
	case "attachment":
		rec.takeAttachment(m.Value)
	}
}

func (rec *record) takeTitle(rank titleRank, value []byte) {
	if isText(value) && rank >= rec.titleRank {
		rec.title, rec.titleRank = objects.StringOf(value), rank
	}
}

// checkTitle forgets a title that a line of another type has.
func (rec *record) checkTitle() {
	switch {
	case rec.titleRank == customTitle && rec.kind == "custom-title":
	case rec.titleRank == aiTitle && rec.kind == "ai-title":
	case rec.titleRank == summaryTitle && rec.kind == "summary":
	default:
		rec.title, rec.titleRank = "", noTitle
	}
}

// takeMessage takes over what the message of a row says.
func (rec *record) takeMessage(value []byte) {
	rec.messageID, rec.synthetic, rec.result, rec.thought, rec.note = "", false, false, false, ""
	var content []byte
	if objects.Scan(value, func(m objects.Member) {
		switch string(keyOf(m)) {
		case "id":
			rec.messageID = objects.StringOf(m.Value)
		case "model":
			rec.synthetic = string(m.Value) == `"<synthetic>"`
		case "content":
			content = m.Value
		}
	}) != nil {
		return
	}
	if isText(content) {
		rec.note = noteIn(content)
		return
	}
	var blocks, thoughts, texts int
	objects.Elements(content, func(block []byte) {
		kind, words := blockOf(block)
		blocks++
		switch kind {
		case "tool_result":
			rec.result = true
		case "thinking", "redacted_thinking":
			thoughts++
		case "text":
			if texts++; texts == 1 {
				rec.note = noteIn(words)
			}
		}
	})
	rec.thought = blocks > 0 && thoughts == blocks
}

// blockOf is the type of a block, and its text as it stands.
func blockOf(block []byte) (kind string, words []byte) {
	_ = objects.Scan(block, func(m objects.Member) {
		switch string(keyOf(m)) {
		case "type":
			kind = objects.StringOf(m.Value)
		case "text":
			words = m.Value
		}
	})
	return kind, words
}

// noteIn is the note of a text that the client wrote. All of these begin with a tag or a fixed word, so others are not decoded.
func noteIn(token []byte) string {
	if len(token) < 2 || bytes.IndexByte([]byte("< \\C["), token[1]) < 0 {
		return ""
	}
	words, _ := objects.Unquote(token)
	note, _ := noteOf(words)
	return note
}

// takeAttachment takes over whether an attachment is what the user typed while the model was at work.
func (rec *record) takeAttachment(value []byte) {
	var kind string
	prompt := true
	_ = objects.Scan(value, func(m objects.Member) {
		switch string(keyOf(m)) {
		case "type":
			kind = objects.StringOf(m.Value)
		case "commandMode":
			prompt = string(m.Value) == `"prompt"`
		}
	})
	rec.queuedPrompt = kind == "queued_command" && prompt
}

// reply is by what the rows of one reply are known; empty if the row does not say.
func (rec *record) reply() string {
	if rec.messageID != "" {
		return "m" + rec.messageID
	}
	if rec.requestID != "" {
		return "r" + rec.requestID
	}
	return ""
}

func (rec *record) boundary() bool { return rec.kind == "system" && rec.subtype == "compact_boundary" }

// written is the parent that the row names: of a boundary, whose parent is null, the row that came before it.
func (rec *record) written() link {
	if rec.boundary() && rec.logical.state == named {
		return rec.logical
	}
	return rec.parent
}

// isResult reports whether the row is a result of a tool call.
func (rec *record) isResult() bool { return rec.kind == "user" && rec.result }

// keyOf is the key of a member with its escapes resolved.
func keyOf(m objects.Member) []byte {
	if bytes.IndexByte(m.Key, '\\') < 0 {
		return m.Key
	}
	return []byte(objects.StringOf(append(append([]byte{'"'}, m.Key...), '"')))
}

func isText(value []byte) bool { return len(value) > 0 && value[0] == '"' }
