package gemini

import (
	"tlog/objects"
)

// kind is what an object in a session file is, in the order in which the client asks (formats/others.md "Lines").
type kind uint8

const (
	otherRecord  kind = iota
	metadata          // of the session
	message           // has an id
	update            // of the metadata: $set
	listRecord        // $set.messages: the list of messages from here on
	rewindRecord      // $rewindTo: a message and all behind it are dropped
)

// The types of messages.
const (
	typeUser   = "user"
	typeGemini = "gemini"
)

// record is what is looked at of one object. Its values are as they stand.
type record struct {
	object    []byte
	kind      kind
	id        string // of a message, as the client has it
	typ       string // of a message
	timestamp string
	content   []byte
	calls     []byte // toolCalls
	thoughts  []byte
	tokens    []byte
	model     string
	summary   string // what the session is called; empty if the line does not say
	list      []byte // the messages of a list
	target    string // of a rewind
}

// members collects what tells the kind of a record.
type members struct {
	session, project, id string
	hasID, set, back     []byte
	start                string
}

// readRecord reads an object of a session file.
func readRecord(object []byte) record {
	r := record{object: object}
	var m members
	_ = objects.Scan(object, func(member objects.Member) { r.member(&m, member) })
	switch {
	case m.session != "" && m.project != "":
		r.kind, r.timestamp = metadata, m.start
	case isString(m.hasID):
		r.kind, r.id = message, m.id
	case isObject(m.set):
		r.takeUpdate(m.set)
	case isString(m.back):
		r.kind, r.target = rewindRecord, objects.StringOf(m.back)
	}
	if r.kind != metadata && r.kind != update && r.kind != listRecord {
		r.summary = ""
	}
	return r
}

func (r *record) member(m *members, member objects.Member) {
	switch value := member.Value; {
	case member.Is("sessionId"):
		m.session = objects.StringOf(value)
	case member.Is("projectHash"):
		m.project = objects.StringOf(value)
	case member.Is("startTime"):
		m.start = objects.StringOf(value)
	case member.Is("id"):
		m.hasID, m.id = value, objects.StringOf(value)
	case member.Is("$set"):
		m.set = value
	case member.Is("$rewindTo"):
		m.back = value
	case member.Is("type"):
		r.typ = objects.StringOf(value)
	case member.Is("timestamp"):
		r.timestamp = objects.StringOf(value)
	case member.Is("content"):
		r.content = value
	case member.Is("toolCalls"):
		r.calls = value
	case member.Is("thoughts"):
		r.thoughts = value
	case member.Is("tokens"):
		r.tokens = value
	case member.Is("model"):
		r.model = objects.StringOf(value)
	case member.Is("summary"):
		r.summary = objects.StringOf(value)
	}
}

// takeUpdate reads what a $set says.
func (r *record) takeUpdate(set []byte) {
	r.kind = update
	_ = objects.Scan(set, func(member objects.Member) {
		switch {
		case member.Is("messages") && isArray(member.Value):
			r.kind, r.list = listRecord, member.Value
		case member.Is("summary"):
			r.summary = objects.StringOf(member.Value)
		case member.Is("lastUpdated"):
			r.timestamp = objects.StringOf(member.Value)
		}
	})
}

// isRecord reports whether an object is a record of a session file and no part of one.
func isRecord(object []byte) bool {
	var id, typ, more, session, project, command bool
	_ = objects.Scan(object, func(m objects.Member) {
		switch {
		case m.Is("id"):
			id = isString(m.Value)
		case m.Is("type"):
			typ = isString(m.Value)
		case m.Is("timestamp"), m.Is("content"):
			more = true
		case m.Is("sessionId"):
			session = isString(m.Value)
		case m.Is("projectHash"):
			project = isString(m.Value)
		case m.Is("$set"):
			command = isObject(m.Value)
		case m.Is("$rewindTo"):
			command = isString(m.Value)
		}
	})
	return id && typ && more || session && project || command
}

func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }
func isString(value []byte) bool { return len(value) > 0 && value[0] == '"' }
func isArray(value []byte) bool  { return len(value) > 0 && value[0] == '[' }

// isText reports whether a value is a string with anything in it.
func isText(value []byte) bool { return len(value) > 2 && value[0] == '"' }

// count is the number of elements of a list.
func count(list []byte) (n int) {
	objects.Elements(list, func([]byte) { n++ })
	return n
}
