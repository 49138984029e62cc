package gemini

import (
	"bytes"

	"tlog/agents/transcript"
	"tlog/objects"
)

// listName is the member of a document that holds the messages.
const listName = "messages"

// Document implements transcript.DocumentReader.
func (r *Reader) Document(head []byte) bool { return isDocument(head) }

// isDocument reports whether a file that begins with head is one object, as older clients kept a session: {sessionId, projectHash, ..., messages}, its
// first bracket on a line of its own. An object on one line is the first of many, unless it holds messages and nothing is behind it.
func isDocument(head []byte) bool {
	line, rest, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte{'\n'})
	line = bytes.TrimSpace(line)
	if string(line) == "{" {
		return headOf(head).known()
	}
	if len(line) == 0 || line[0] != '{' || len(bytes.TrimSpace(rest)) > 0 || objects.Scan(line, nil) != nil {
		return false
	}
	m := headOf(line)
	return m.known() && m.list
}

// readDocument makes an envelope of each piece of a document.
func (r *Reader) readDocument(data []byte) []objects.Envelope {
	pieces := transcript.SplitDocument(data, listName)
	out := make([]objects.Envelope, 0, len(pieces))
	for i, p := range pieces {
		if p.Torn {
			r.damaged++
		}
		v := p.Envelope(Name)
		r.take(&v, p.Object)
		if p.Object == nil && len(pieces) > 1 {
			r.takeAround(&v, i == 0)
		}
		out = append(out, v)
	}
	return out
}

// takeAround reads what stands around the messages of a document.
func (r *Reader) takeAround(v *objects.Envelope, first bool) {
	whole := append([]byte(`{"`+listName+`":[`), v.Line...)
	if first {
		whole = append(bytes.Clone(v.Line), "]}"...)
	}
	var name string
	_ = objects.Scan(whole, func(m objects.Member) {
		switch {
		case m.Is("summary"):
			name = objects.StringOf(m.Value)
		case m.Is("startTime") && first:
			if at := objects.StringOf(m.Value); at != "" {
				v.Timestamp, r.timestamp = at, at
			}
		}
	})
	if name != "" {
		v.Title = &name
	}
}

// fileHead is what the first members of an object say.
type fileHead struct {
	session, project, start, summary, kind string
	list                                   bool // it has messages
}

func (h fileHead) known() bool { return h.session != "" && h.project != "" }

// headOf reads the members of an object up to where it breaks off.
func headOf(object []byte) (h fileHead) {
	_ = objects.Scan(object, func(m objects.Member) {
		switch {
		case m.Is("sessionId"):
			h.session = objects.StringOf(m.Value)
		case m.Is("projectHash"):
			h.project = objects.StringOf(m.Value)
		case m.Is("startTime"):
			h.start = objects.StringOf(m.Value)
		case m.Is("summary"):
			h.summary = objects.StringOf(m.Value)
		case m.Is("kind"):
			h.kind = objects.StringOf(m.Value)
		case m.Is(listName):
			h.list = isArray(m.Value)
		}
	})
	return h
}
