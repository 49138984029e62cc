package copilot

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"github.com/google/uuid"
	"github.com/zeebo/blake3"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Reader makes envelopes of the events of one session file (docs/copilot.md "The graph"). It keeps a few words on each and none of the bytes.
type Reader struct {
	session   objects.ID
	events    map[string]known // the newest of each id of the client's
	taken     map[objects.ID]struct{}
	counts    map[sum]int
	tip       objects.ID
	model     string
	timestamp string
	damaged   int
}

type sum [32]byte

// known is an event that others may hang at, or that may come again.
type known struct {
	id, parent objects.ID
	gap        string
	sum        sum
}

// NewReader starts a session file from its first line.
func NewReader(session objects.ID) *Reader {
	return &Reader{session: session, events: map[string]known{}, taken: map[objects.ID]struct{}{}, counts: map[sum]int{}}
}

// Known implements transcript.Reader.
func (r *Reader) Known(e objects.Entry) {
	if !e.Foreign() || e.Agent != Name {
		return
	}
	r.timestamp = e.Timestamp
	object := e.SourceObject()
	if e.Type.Journal() || object == nil {
		line, _ := e.SourceLine()
		r.counts[blake3.Sum256(line)]++
		r.taken[e.ID] = struct{}{}
		return
	}
	ev := readEvent(object)
	if ev.id == "" || !objects.ID(ev.id).Valid() {
		r.counts[blake3.Sum256(object)]++
	}
	r.add(ev, known{id: e.ID, parent: e.ParentID, gap: string(e.Gap), sum: blake3.Sum256(object)})
}

// Read implements transcript.Reader.
func (r *Reader) Read(data []byte) []objects.Envelope {
	out := make([]objects.Envelope, 0, bytes.Count(data, []byte("\n"))+1)
	var records []transcript.Record
	for len(data) > 0 {
		line := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end:end], data[end+1:]
		} else {
			data = nil
		}
		records = transcript.Split(records[:0], line, isEvent)
		if transcript.Damaged(records) {
			r.damaged++
		}
		for _, in := range records {
			out = append(out, r.take(in))
		}
	}
	return out
}

// Leaf implements transcript.Reader: the client goes on behind the last event.
func (r *Reader) Leaf() objects.ID { return r.tip }

// Damaged implements transcript.Reader.
func (r *Reader) Damaged() int { return r.damaged }

// take takes in a record, and gives its envelope.
func (r *Reader) take(in transcript.Record) objects.Envelope {
	v := objects.Envelope{Type: objects.TypeMeta, Agent: Name, Joined: in.Joined, Line: in.Line, Timestamp: r.timestamp}
	if in.Object == nil {
		v.ID = r.derived(blake3.Sum256(in.Line))
		r.taken[v.ID] = struct{}{}
		return v
	}
	e := readEvent(in.Object)
	if e.timestamp != "" {
		v.Timestamp = e.timestamp
	}
	r.timestamp = v.Timestamp
	if e.typ == "" && e.data == nil {
		v.ID = r.derived(blake3.Sum256(in.Object))
		r.taken[v.ID] = struct{}{}
		return v
	}
	k := r.place(e, blake3.Sum256(in.Object))
	v.ID, v.ParentID, v.Gap = k.id, k.parent, k.gap
	v.Type, v.Hidden = e.entry()
	if v.Type == objects.TypeMessage && e.typ == toolComplete {
		v.State = stateOf(e)
	}
	r.add(e, k)
	if v.Type == objects.TypeMessage && e.typ == assistantReply && e.text("model") == "" {
		v.Model = r.model
	}
	return v
}

// place finds where an event hangs, and its id. One that comes again as it was is the same entry.
func (r *Reader) place(e event, s sum) known {
	if before, ok := r.events[e.id]; ok && e.id != "" && before.sum == s {
		return before
	}
	k := known{sum: s, parent: r.tip}
	switch up, ok := r.events[e.parent]; {
	case e.parent == "":
	case ok:
		k.parent = up.id
	default:
		k.gap = e.parent
	}
	if id := objects.ID(e.id); id.Valid() {
		if _, again := r.taken[id]; !again {
			k.id = id
			return k
		}
	}
	k.id = r.derived(s)
	return k
}

func (r *Reader) add(e event, k known) {
	r.taken[k.id] = struct{}{}
	if e.id != "" {
		r.events[e.id] = k
	}
	r.tip = k.id
	if model := e.model(); model != "" {
		r.model = model
	}
}

// derived is an id by what a record says, and by its number among those that say the same.
func (r *Reader) derived(s sum) objects.ID {
	for {
		n := r.counts[s]
		r.counts[s] = n + 1
		name := "tlog:" + Name + ":" + string(r.session) + "." + strconv.Itoa(n) + "." + hex.EncodeToString(s[:])
		id := objects.ID(uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)).String())
		if _, again := r.taken[id]; !again {
			return id
		}
	}
}
