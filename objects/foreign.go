package objects

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"
)

// Envelope is an entry that holds one line of an agent's own file, verbatim (docs/format.md "Foreign lines"). Type,
// ids and time are normalised, so that log, refs and graph know nothing of agents.
type Envelope struct {
	Type      Type
	ID        ID
	ParentID  ID
	Timestamp string
	Agent     string
	// Gap is the parent that the line names and its file does not hold; ParentID bridges it by the order of the file.
	Gap    string
	Hidden bool // it is part of the context, but nobody said it: log does not show it by default
	// Joined: no "\n" stands between this record and the next one of the file.
	Joined bool
	// Completes: the record imported before this one was the beginning of it, read while it was being written.
	Completes bool
	// Title is the session's name from here on; nil if the line says nothing about it.
	Title *string
	// Base is the session in whose transcript the line stands, where this one goes on from it by reference; the line is none of this
	// session's own file then. Empty for a line of its own.
	Base ID
	// Model is the model that said what the line holds, where only lines before it tell.
	Model string
	// State is how the tool call ended whose result the line holds, where a text tells that may come to lie in a blob: "exit 1", "interrupted",
	// "failed"; empty for one that ended well.
	State string
	// FirstKept is the first entry that a compaction keeps of those before it, where another line tells; else empty.
	FirstKept ID
	Line      []byte // the line without "\n", or the part of it that is one record
	// Document: the file is one JSON document and Line a part of it. The record, if there is one, is the object in Line, without the first Before
	// and the last After bytes.
	Document      bool
	Before, After int
}

// Bytes is the entry, without what tlog adds to a line when it is written.
func (v Envelope) Bytes() []byte {
	payload := []Field{StringField("agent", v.Agent)}
	if v.Gap != "" {
		payload = append(payload, StringField("gap", v.Gap))
	}
	flag := func(set bool, key, value string) {
		if set {
			payload = append(payload, Field{Key: key, Value: []byte(value)})
		}
	}
	flag(v.Hidden, "display", "false")
	flag(v.Joined, "joined", "true")
	flag(v.Completes, "completes", "true")
	if v.Base != "" {
		payload = append(payload, StringField("base", string(v.Base)))
	}
	if v.Model != "" {
		payload = append(payload, StringField("model", v.Model))
	}
	if v.State != "" {
		payload = append(payload, StringField("state", v.State))
	}
	if v.FirstKept != "" {
		payload = append(payload, StringField("firstKeptEntryId", string(v.FirstKept)))
	}
	if v.Title != nil {
		payload = append(payload, StringField("name", *v.Title))
	}
	switch layout, object, ok := v.layout(); {
	case ok:
		payload = append(payload, layout.field(), Field{Key: "raw", Value: object})
	case cleanObject(v.Line):
		payload = append(payload, Field{Key: "raw", Value: v.Line})
	default:
		if v.Document {
			payload = append(payload, v.place())
		}
		payload = append(payload, StringField("rawBase64", base64.StdEncoding.EncodeToString(v.Line)))
	}
	return Build(v.Type, v.ID, v.ParentID, v.Timestamp, payload...)
}

// cleanObject reports whether a line is one JSON object from its first byte to its last, in UTF-8.
func cleanObject(line []byte) bool {
	return len(line) > 1 && line[0] == '{' && line[len(line)-1] == '}' &&
		bytes.IndexByte(line, '\n') < 0 && utf8.Valid(line) && Scan(line, nil) == nil
}

// Foreign reports whether the entry holds a line of an agent's file.
func (e Entry) Foreign() bool { return e.Agent != "" }

// SourceLine is the line of the agent's file that a foreign entry holds, without "\n". It may share memory with Raw.
// ok is false for an entry of tlog's own, and for one whose base64 cannot be read.
func (e Entry) SourceLine() (line []byte, ok bool) {
	if !e.Foreign() {
		return nil, false
	}
	if raw := e.Get("raw"); raw != nil {
		if layout := e.Get("layout"); layout != nil {
			return parseLayout(layout).line(raw)
		}
		return raw, true
	}
	text, ok := e.Text("rawBase64")
	if !ok {
		return nil, false
	}
	line, err := base64.StdEncoding.DecodeString(text)
	return line, err == nil
}

// SourceObject is the JSON object in the line of a foreign entry, without white space, NULs or a byte order mark
// around it; nil if the line holds none.
func (e Entry) SourceObject() []byte {
	if e.Foreign() && e.Get("layout") != nil {
		if raw := e.Get("raw"); raw != nil {
			return raw // it was checked when the entry was read
		}
	}
	line, ok := e.SourceLine()
	if !ok {
		return nil
	}
	if layout := e.Get("layout"); layout != nil {
		line = placedIn(line, layout)
	}
	if object := TrimLine(line); len(object) > 0 && object[0] == '{' && Scan(object, nil) == nil {
		return object
	}
	return nil
}

// TrimLine is a line without what a reader passes over around its object: white space, NULs, a byte order mark.
func TrimLine(line []byte) []byte {
	for {
		line = bytes.TrimLeft(line, " \t\r\x00")
		rest, found := bytes.CutPrefix(line, []byte("\xEF\xBB\xBF"))
		if !found {
			break
		}
		line = rest
	}
	return bytes.TrimRight(line, " \t\r\x00")
}

// envelope collects what makes an entry a foreign one.
type envelope struct {
	agent, gap, base    string
	raw, hidden, titled bool
}

func (v *envelope) member(m Member) {
	switch string(m.name()) {
	case "agent":
		v.agent = tokenText(m.Value)
	case "gap":
		v.gap = tokenText(m.Value)
	case "base":
		v.base = tokenText(m.Value)
	case "display":
		v.hidden = string(m.Value) == "false"
	case "name":
		v.titled = isString(m.Value)
	case "raw":
		v.raw = v.raw || m.Value[0] == '{'
	case "rawBase64":
		v.raw = v.raw || isString(m.Value)
	}
}

// takeEnvelope takes over what an envelope says, if the entry is one.
func (p *entryParser) takeEnvelope() {
	if v := p.envelope; v.raw && v.agent != "" {
		p.entry.Agent, p.entry.Gap, p.entry.Hidden, p.entry.Titled = v.agent, v.gap, v.hidden, v.titled
		p.entry.Base = ID(v.base)
	}
}

// A Decoder makes of the lines of an agent what tlog looks at. The entries are foreign ones of that agent.
type Decoder interface {
	// Message is the normalised message in the line; ok is false if it holds none.
	Message(e Entry) (m Message, ok bool)
	// Compaction is what an entry of type compaction says; ok is false if it is none.
	Compaction(e Entry) (c Compaction, ok bool)
}

// A UsageDecoder is a Decoder of an agent that records in lines of their own what its models were given and gave.
type UsageDecoder interface {
	// Usage is the usage that an entry of type usage records, a JSON object for [Message.Usage]; nil if it records none.
	Usage(e Entry) []byte
}

// Compaction is what a compaction keeps of the path before it.
type Compaction struct {
	Summary      string // empty if the summary is an entry of its own behind the compaction
	TokensBefore []byte // a JSON number; nil if not recorded
	Trigger      string // what made it: "manual", "auto"; empty if not recorded
	// FirstKept is the first entry that is kept with all that follow it up to the compaction; empty for none.
	FirstKept ID
	// Kept are the entries that are kept, in their order, where they are listed one by one; FirstKept is empty then.
	Kept []ID
	// KeptAfter is the entry behind which the kept ones stand in the context; empty for the compaction itself.
	KeptAfter ID
	// Replaces: the messages in Replacement stand for the compaction and all that is before it but for what is kept from FirstKept on.
	Replaces    bool
	Replacement []Message // in the order of the context; their Raw is as [DecodeMessage] reads it
	// KeepsPrompts: what the user said before stays, in front of Replacement.
	KeepsPrompts bool
}
