package opencode

import (
	"encoding/hex"
	"strconv"

	"github.com/zeebo/blake3"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Reader makes envelopes of the parts of an export (docs/opencode.md "Parts of the document", "The graph"). It keeps a few words on each message and
// none of the bytes.
type Reader struct {
	session    objects.ID
	taken      map[objects.ID]struct{} // ids that are given
	counts     map[string]int          // how often a name of an id came
	entries    map[string]objects.ID   // the entries of messages, by the client's ids
	parents    map[objects.ID]objects.ID
	compacts   map[string]string // the messages that asked for a compaction, with the first message that it was to keep
	leaf       objects.ID        // the last entry of the history
	undone     string            // as in fileHead
	undonePart string
	timestamp  string
	damaged    int
	begun      bool // something was told of or read
}

// NewReader starts an export.
func NewReader(session objects.ID) *Reader {
	return &Reader{
		session: session, taken: map[objects.ID]struct{}{}, counts: map[string]int{}, entries: map[string]objects.ID{},
		parents: map[objects.ID]objects.ID{}, compacts: map[string]string{},
	}
}

// Document implements transcript.DocumentReader.
func (r *Reader) Document(head []byte) bool { return isDocument(head) }

// Known implements transcript.Reader. An export is written anew as a whole, so it is told of entries only where something stands behind one.
func (r *Reader) Known(e objects.Entry) {
	if !e.Foreign() || e.Agent != Name {
		return
	}
	r.begun, r.timestamp = true, e.Timestamp
	if e.Type.Journal() {
		r.taken[e.ID] = struct{}{}
		if line, ok := e.SourceLine(); ok {
			r.takeRevert(headOf(line))
		}
		return
	}
	if object := e.SourceObject(); object != nil {
		if rec := readRecord(object); rec.id != "" {
			if _, again := r.entries[rec.id]; !again {
				r.entries[rec.id] = e.ID
			}
		}
	}
	r.node(e.ID, e.ParentID)
}

// Read implements transcript.Reader. What stands behind an export that was read before is no part of it.
func (r *Reader) Read(data []byte) []objects.Envelope {
	if len(data) == 0 {
		return nil
	}
	pieces := []transcript.Piece{{Line: data, Torn: true}}
	if !r.begun {
		pieces = transcript.SplitDocument(data, listName)
	}
	r.begun = true
	out := make([]objects.Envelope, 0, len(pieces))
	for i, p := range pieces {
		if p.Torn {
			r.damaged++
		}
		v := p.Envelope(Name)
		if p.Object != nil {
			r.take(&v, p.Object)
		} else {
			r.takeAround(&v, i == 0, len(pieces) > 1)
		}
		out = append(out, v)
	}
	return out
}

// Leaf implements transcript.Reader: the last message, or the last before those that the user took back (info.revert).
func (r *Reader) Leaf() objects.ID {
	undone, known := r.entries[r.undone]
	switch {
	case !known:
		return r.leaf
	case r.undonePart != "":
		return undone // a part of it stays
	}
	return r.parents[undone]
}

// Damaged implements transcript.Reader.
func (r *Reader) Damaged() int { return r.damaged }

// take takes in an element of messages.
func (r *Reader) take(v *objects.Envelope, object []byte) {
	rec := readRecord(object)
	if rec.created != "" {
		r.timestamp = rec.created
	}
	v.Timestamp = r.timestamp
	if !rec.known {
		v.ID = r.lineID(v.Line)
		return
	}
	c := contentOf(rec)
	v.ID, v.ParentID = r.messageID(rec, v.Line), r.leaf
	v.Type, v.Hidden = rec.entry(c)
	if c.compacts && rec.role == roleUser {
		r.compacts[rec.id] = c.keepsFrom
	}
	if keepsFrom, asked := r.compacts[rec.parent]; asked && rec.summarises() {
		v.Type, v.Hidden, v.FirstKept = objects.TypeCompaction, false, r.entries[keepsFrom]
	}
	if _, again := r.entries[rec.id]; !again && rec.id != "" {
		r.entries[rec.id] = v.ID
	}
	r.node(v.ID, v.ParentID)
}

// entry is the type of the entry of a message, and whether it is one that nobody said. Whether it is a summary shows elsewhere.
func (rec record) entry(c content) (t objects.Type, hidden bool) {
	switch {
	case rec.role == roleUser && c.empty(), rec.role != roleUser && rec.role != roleAssistant:
		return objects.TypeCustom, false
	case rec.role == roleUser:
		return objects.TypeMessage, c.unsaid()
	}
	return objects.TypeMessage, c.empty() && rec.err == nil
}

// node notes an entry of the history.
func (r *Reader) node(id, parent objects.ID) {
	r.taken[id] = struct{}{}
	r.parents[id] = parent
	r.leaf = id
}

// takeAround reads what stands around the messages, or all of a document that has none. The info stands before them; where it does
// not it is read from what stands behind them.
func (r *Reader) takeAround(v *objects.Envelope, first, list bool) {
	line := v.Line
	if !first && list {
		line = append([]byte(`{"`+listName+`":[`), line...)
	}
	var h fileHead
	if info := memberIn(line, infoName); info != nil {
		h.takeInfo(info)
	}
	if h.created != "" && first {
		r.timestamp = h.created
	}
	if h.title != "" {
		v.Title = &h.title
	}
	r.takeRevert(h)
	v.Timestamp, v.ID = r.timestamp, r.lineID(v.Line)
}

func (r *Reader) takeRevert(h fileHead) {
	if h.id != "" {
		r.undone, r.undonePart = h.undone, h.undonePart
	}
}

// messageID is the id of the entry of a message: the client's, if that may be one and no message above has it.
func (r *Reader) messageID(rec record, line []byte) objects.ID {
	if rec.id == "" {
		return r.lineID(line)
	}
	id := objects.ID(rec.id)
	if _, again := r.taken[id]; !again && id.Valid() {
		return id
	}
	return r.free("message." + rec.id)
}

// lineID is the id of a part that has none: by session and bytes, and among those of the same bytes by their number.
func (r *Reader) lineID(line []byte) objects.ID {
	sum := blake3.Sum256(line)
	return r.free(hex.EncodeToString(sum[:]))
}

// free derives an id from a name that no entry has.
func (r *Reader) free(name string) objects.ID {
	for {
		n := r.counts[name]
		r.counts[name]++
		id := derived(string(r.session) + "." + strconv.Itoa(n) + "." + name)
		if _, again := r.taken[id]; !again {
			r.taken[id] = struct{}{}
			return id
		}
	}
}
