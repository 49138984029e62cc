package gemini

import (
	"bytes"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Reader makes envelopes of the lines of one session file, or of the parts of an older one that is a JSON document (docs/gemini.md "Lines and envelopes",
// "The graph"). It keeps a few words on each message and none of the bytes.
type Reader struct {
	ids       numbering
	live      live
	timestamp string
	damaged   int
	begun     bool // something was told of or read
}

// NewReader starts a session file from its first line.
func NewReader(session objects.ID) *Reader {
	return &Reader{
		ids:  numbering{session: session, taken: map[objects.ID]struct{}{}, counts: map[[32]byte]int{}},
		live: newLive(),
	}
}

// Known implements transcript.Reader.
func (r *Reader) Known(e objects.Entry) {
	if !e.Foreign() || e.Agent != Name {
		return
	}
	r.begun, r.timestamp = true, e.Timestamp
	rec := record{}
	if object := e.SourceObject(); object != nil {
		rec = readRecord(object)
	}
	switch {
	case rec.kind == message && !e.Type.Journal():
		p := r.live.place(rec)
		if p.id != e.ID {
			p.id, p.parent, p.repeated = e.ID, e.ParentID, false
		}
		r.live.add(rec, p)
		return
	case rec.kind == listRecord && e.Type == objects.TypeCompaction:
		r.live.replace(rec, e.ID)
	case rec.kind == rewindRecord:
		r.live.rewind(rec.target)
	}
	r.ids.taken[e.ID] = struct{}{}
}

// Read implements transcript.Reader.
func (r *Reader) Read(data []byte) []objects.Envelope {
	if !r.begun && r.Document(data) {
		r.begun = true
		return r.readDocument(data)
	}
	r.begun = r.begun || len(data) > 0
	out := make([]objects.Envelope, 0, bytes.Count(data, []byte("\n"))+1)
	var records []transcript.Record
	for len(data) > 0 {
		line := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end:end], data[end+1:]
		} else {
			data = nil
		}
		records = transcript.Split(records[:0], line, isRecord)
		if transcript.Damaged(records) {
			r.damaged++
		}
		for _, in := range records {
			v := objects.Envelope{Agent: Name, Joined: in.Joined, Line: in.Line}
			r.take(&v, in.Object)
			out = append(out, v)
		}
	}
	return out
}

// Leaf implements transcript.Reader.
func (r *Reader) Leaf() objects.ID { return r.live.tip() }

// Damaged implements transcript.Reader.
func (r *Reader) Damaged() int { return r.damaged }

// take takes in an object, nil for damage, and fills in its envelope.
func (r *Reader) take(v *objects.Envelope, object []byte) {
	rec := record{}
	if object != nil {
		rec = readRecord(object)
	}
	if v.Timestamp = rec.timestamp; v.Timestamp == "" {
		v.Timestamp = r.timestamp
	}
	r.timestamp = v.Timestamp
	if rec.summary != "" {
		v.Title = &rec.summary
	}
	if rec.kind == message {
		r.takeMessage(v, rec)
		return
	}
	v.Type, v.ID = objects.TypeMeta, r.ids.id(v.Line)
	switch rec.kind {
	case listRecord:
		v.Type, v.ParentID, v.Hidden = objects.TypeCompaction, r.live.tip(), !r.live.saysMore(rec)
		r.live.replace(rec, v.ID)
	case rewindRecord:
		r.live.rewind(rec.target)
	}
}

// takeMessage takes in a message.
func (r *Reader) takeMessage(v *objects.Envelope, rec record) {
	p := r.live.place(rec)
	v.ID, v.ParentID = p.id, p.parent
	v.Type, v.Hidden = rec.entry(p.told)
	if v.Type == objects.TypeMessage {
		v.State = rec.ending(viewOf(p.id, rec))
	}
	r.live.add(rec, p)
}

// entry is the type of the entry of a message, and whether it is one that nobody said.
func (rec record) entry(results told) (t objects.Type, hidden bool) {
	switch {
	case rec.typ == typeUser && results == nothing:
		return objects.TypeCustom, false
	case rec.typ == typeUser:
		return objects.TypeMessage, rec.note() != ""
	case rec.typ == typeGemini:
		s := shapeOf(rec)
		return objects.TypeMessage, !s.text && !s.calls && s.thoughts == 0 && s.parts <= 1 && count(rec.calls) == 0
	}
	return objects.TypeCustom, false
}

// ending is how the only call ended whose result an entry of the message holds; empty if there are others.
func (rec record) ending(v view) string {
	b := &builder{view: v}
	if rec.typ == typeUser {
		b.user(rec)
	} else {
		b.reply(rec)
	}
	if len(b.results) != 1 {
		return ""
	}
	return b.results[0].ending()
}
