package claude

import "tlog/objects"

// node is a row, or a uuid that a row above it named.
type node struct {
	id       objects.ID
	parent   int32 // as normalised
	group    int32
	walk     int32 // the newest walk over progress rows that came by
	defined  bool  // the row was taken in
	progress bool  // it is no node of the history: it stands for its parent
	side     bool
	boundary bool   // of a compaction
	quiet    bool   // nobody said it: a synthetic reply may hang below it
	stands   link   // what a progress row stands for
	written  link   // the parent that its first line names
	newest   string // timestamp of its newest line
	first    decision
}

// decision is what was decided of a row. It is kept, so that the same row has the same parent again.
type decision struct {
	parent    int32
	gap       string
	behind    bool   // it stands behind a compact_boundary
	aside     bool   // it is a sidechain's beside a main history
	timestamp string // of its line, or of the line before it
}

// againKey is a row that came again with another parent.
type againKey struct {
	node int32
	link link
}

// addNode makes a node of a row that was not taken in yet.
func (r *Reader) addNode(id objects.ID) int32 {
	n := int32(len(r.nodes))
	r.nodes = append(r.nodes, node{id: id})
	r.forest.add()
	return n
}

// nodeOf is the node of a row, made if it is new. known tells that it is not: a row named it, or it is here again.
// Rows whose uuid is no id have an id each, and so a node.
func (r *Reader) nodeOf(rec *record) (n int32, known bool) {
	n, known = r.names[rec.uuid]
	if string(rec.id) != rec.uuid {
		n, known = r.names[string(rec.id)]
	}
	if !known {
		n = r.addNode(rec.id)
	}
	r.names[rec.uuid] = n
	if string(rec.id) != rec.uuid {
		r.names[string(rec.id)] = n
	}
	return n, known
}

// takeRow takes in the row i, and completes its envelope.
func (r *Reader) takeRow(records []record, i int, v *objects.Envelope) {
	rec := &records[i]
	if rec.kind == "progress" {
		r.takeProgress(records, i, v)
		return
	}
	p := placing{Reader: r, rec: rec, at: i, records: records}
	p.target = r.resolve(records, i, rec.written())
	p.node, p.hung = r.nodeOf(rec)
	p.before = r.before(rec)
	old, again := r.earlier(p.node, rec)
	d := old
	switch {
	case rec.told != nil:
		d = p.told()
		d.behind, d.aside = p.isBehind(d.parent), rec.side && rec.told.hidden
	case !again:
		d = p.decide()
		d.behind, d.aside = p.isBehind(d.parent), rec.side && r.lastMain != 0
	case !p.fits(d.parent): // its parent has come below it since: it stays where it is
		d.parent, d.gap = r.nodes[p.node].parent, rec.written().name
	}
	v.Type, v.Hidden = entryKind(rec, d.behind)
	v.Hidden = v.Hidden || d.aside
	if rec.told != nil {
		v.Type, v.Hidden = rec.told.kind, rec.told.hidden
	}
	v.ParentID, v.Gap, v.Timestamp = r.nodes[d.parent].id, d.gap, rec.timestamp
	if v.Timestamp == "" {
		v.Timestamp = d.timestamp
	}
	r.hang(p.node, d.parent, p.hung)
	r.shuffled = r.shuffled || p.hung
	if d.timestamp = v.Timestamp; d.timestamp == "" {
		d.timestamp = r.timestamp
	}
	r.nodes[p.node].newest = d.timestamp
	if again {
		p.advance(v)
		return
	}
	p.settle(d, v)
}

// earlier is what was decided of the row when it came with the same parentUuid.
func (r *Reader) earlier(n int32, rec *record) (decision, bool) {
	at := &r.nodes[n]
	if !at.defined {
		return decision{}, false
	}
	if at.written == rec.parent {
		return at.first, true
	}
	d, ok := r.again[againKey{n, rec.parent}]
	return d, ok
}

// hang moves the node below its parent in the forest. A repeat whose first parent has come below it since stays where it is.
func (r *Reader) hang(n, parent int32, hung bool) {
	at := &r.nodes[n]
	if at.parent == parent || parent == n {
		return
	}
	if hung && parent != 0 && r.forest.descends(parent, n) {
		return
	}
	if at.parent != 0 {
		r.forest.cut(n)
	}
	if at.parent = parent; parent != 0 {
		r.forest.link(n, parent)
	}
}

// takeProgress takes in a row that is no node of the history.
func (r *Reader) takeProgress(records []record, i int, v *objects.Envelope) {
	rec := &records[i]
	target := r.resolve(records, i, rec.parent)
	n, _ := r.nodeOf(rec)
	at := &r.nodes[n]
	at.defined, at.progress, at.stands = true, true, rec.parent
	if target.node != n {
		v.ParentID = r.nodes[target.node].id
	}
	v.Timestamp = rec.timestamp
}

// settle keeps what the rows behind this one need to know of it.
func (p *placing) settle(d decision, v *objects.Envelope) {
	r, rec, at := p.Reader, p.rec, &p.nodes[p.node]
	if at.defined {
		r.again[againKey{p.node, rec.parent}] = d
	} else {
		at.written, at.first = rec.parent, d
	}
	at.defined, at.progress, at.side = true, false, rec.side
	at.boundary = rec.boundary()
	at.quiet = v.Hidden || !v.Type.Visible() || rec.thought || isClients(rec.note)
	if p.target.state == nullTarget && p.before != 0 && (rec.kind == "assistant" || rec.isResult()) {
		r.unlinked[sideIndex(rec)] = true
	}
	p.join(d)
	p.advance(v)
}

// advance makes the row the row before for what comes. One that is here again is not, if the row before is below it and not older: a repeated
// part of a history does not turn it back.
func (p *placing) advance(v *objects.Envelope) {
	r, rec := p.Reader, p.rec
	if p.hung && p.before != 0 && p.before != p.node && r.nodes[p.before].newest >= p.nodes[p.node].newest && r.forest.descends(p.before, p.node) {
		return
	}
	if !rec.side {
		r.lastMain = p.node
		r.checkpoint.follow(v.Type)
		return
	}
	r.lastSide = p.node
	if rec.agentID != "" {
		r.lastOf[rec.agentID] = p.node
	}
}

// isClients reports whether a note is that of a command or of what came of it.
func isClients(note string) bool {
	return note == noteCommand || note == noteOutput || note == noteCaveat
}

func sideIndex(rec *record) int {
	if rec.side {
		return 1
	}
	return 0
}

// before is the row before: the last one of the history, or of the sidechain that the row is part of.
func (r *Reader) before(rec *record) int32 {
	switch {
	case !rec.side:
		return r.lastMain
	case rec.agentID != "":
		return r.lastOf[rec.agentID]
	}
	return r.lastSide
}
