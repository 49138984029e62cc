package codex

import (
	"bytes"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Reader makes envelopes of the lines of one rollout (docs/codex.md "Lines and envelopes", "The graph"). It keeps a few words on each prompt and none
// of the bytes.
type Reader struct {
	numbers   numbering
	path      path
	usage     usageState
	model     string // of the turn
	timestamp string
	damaged   int
	base      objects.ID // what the rollout goes on from, as long as no line of its own is a node and that is nowhere
}

// NewReader starts a rollout of the session from its first line.
func NewReader(session objects.ID) *Reader {
	return &Reader{numbers: newNumbering(session)}
}

// MissingBase says that what the rollout goes on from by reference is nowhere: its first node names it as a gap.
func (r *Reader) MissingBase(id objects.ID) { r.base = id }

// Known implements transcript.Reader. Of lines that stand in other rollouts only where they lead to counts.
func (r *Reader) Known(e objects.Entry) {
	if !e.Foreign() || e.Agent != Name {
		return
	}
	rec, ok := record{}, false
	if object := e.SourceObject(); object != nil {
		rec, ok = readRecord(object), true
	}
	if e.Base == "" {
		r.numbers.follow(rec)
	}
	if ok {
		r.usage.counts(rec)
		r.takeState(rec)
	}
	if !e.Type.Journal() {
		r.base = ""
		r.path.add(e.ID, nodeOf(rec, e.Type, e.Hidden))
	}
	r.timestamp = e.Timestamp
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
		records = transcript.Split(records[:0], line, isRecord)
		if transcript.Damaged(records) {
			r.damaged++
		}
		for _, rec := range records {
			out = append(out, r.take(rec))
		}
	}
	return out
}

// Leaf implements transcript.Reader.
func (r *Reader) Leaf() objects.ID { return r.path.tip }

// Damaged implements transcript.Reader.
func (r *Reader) Damaged() int { return r.damaged }

// take takes in a record, and gives its envelope.
func (r *Reader) take(in transcript.Record) objects.Envelope {
	v := objects.Envelope{Type: objects.TypeMeta, Agent: Name, Joined: in.Joined, Line: in.Line}
	if in.Object == nil {
		v.ID = r.numbers.damagedID(in.Line)
		v.Timestamp = r.timestamp
		return v
	}
	rec := readRecord(in.Object)
	v.ID = r.numbers.id(rec)
	if v.Timestamp = rec.timestamp; v.Timestamp == "" {
		v.Timestamp = r.timestamp
	}
	r.timestamp = v.Timestamp
	v.Type, v.Hidden = rec.entry()
	if r.usage.counts(rec) {
		v.Type = objects.TypeUsage
	}
	r.takeState(rec)
	if v.Type.Journal() {
		return v
	}
	if v.Type == objects.TypeMessage && rec.byModel() {
		v.Model = r.model
	}
	if familyOf(rec.sub) == answered {
		v.State = stateOf(rec)
	}
	v.ParentID, v.Gap = r.path.tip, string(r.base)
	r.base = ""
	r.path.add(v.ID, nodeOf(rec, v.Type, v.Hidden))
	return v
}

// takeState takes in what a record says of those behind it.
func (r *Reader) takeState(rec record) {
	switch {
	case rec.kind == kindTurn && rec.model != "":
		r.model = rec.model
	case rec.kind == kindEvent && rec.sub == eventRolledBack:
		r.path.rollBack(rec.turns)
	case rec.kind == kindEvent && (rec.sub == eventStarted || rec.sub == eventTurn):
		r.path.compacted = false
	}
}

// node is what an entry is for a rollback.
type node uint8

const (
	otherNode node = iota
	promptNode
	replacingNode // a compaction that replaces all before it
)

func nodeOf(rec record, t objects.Type, hidden bool) node {
	switch {
	case t == objects.TypeMessage && !hidden && rec.role == objects.RoleUser:
		return promptNode
	case t == objects.TypeCompaction && rec.replaces:
		return replacingNode
	}
	return otherNode
}

// path is the live path, as far as it has to be known: its end, and where what comes hangs if each prompt on it is taken back.
type path struct {
	tip     objects.ID
	prompts []objects.ID
	// compacted: a compaction stands in this turn, with no prompt behind it. A turn that is taken back takes it along: what comes hangs at before.
	compacted bool
	before    objects.ID
}

func (p *path) add(id objects.ID, n node) {
	switch {
	case n == promptNode && p.compacted:
		p.prompts = append(p.prompts, p.before)
	case n == promptNode:
		p.prompts = append(p.prompts, p.tip)
	case n == replacingNode && !p.compacted:
		p.compacted, p.before = true, p.tip
	}
	p.compacted = p.compacted && n != promptNode
	p.tip = id
}

// rollBack takes the last turns off the path, all of it if there are fewer (formats/codex.md section 7).
func (p *path) rollBack(turns int) {
	p.compacted = p.compacted && turns <= 0
	switch at := len(p.prompts) - turns; {
	case turns <= 0:
	case at < 0:
		p.tip, p.prompts = "", nil
	default:
		p.tip, p.prompts = p.prompts[at], p.prompts[:at]
	}
}
