package claude

// maxQuiet is the number of rows over which a synthetic reply is moved.
const maxQuiet = 64

// placing is the search for a row's parent (docs/claude.md "The graph").
type placing struct {
	*Reader
	rec     *record
	records []record
	at      int // of rec in records
	node    int32
	hung    bool // the node is in the forest already, and rows may hang below it
	before  int32
	target  target
}

// told is what the log says of the row.
func (p *placing) told() decision {
	told := p.rec.told
	d := decision{gap: told.gap, timestamp: p.rec.timestamp}
	if told.parent == "" {
		return d
	}
	n, ok := p.names[string(told.parent)]
	if !ok {
		n = p.addNode(told.parent)
		p.names[string(told.parent)] = n
	}
	d.parent = n
	return d
}

// decide finds the parent.
func (p *placing) decide() decision {
	switch p.target.state {
	case noTarget:
		return p.atBefore("")
	case nullTarget:
		return p.withoutParent()
	case missingTarget:
		return p.atBefore(p.target.name)
	}
	if d, ok := p.goesRound(); ok {
		return d
	}
	parent := p.target.node
	if p.nodes[parent].side != p.rec.side {
		if p.rec.side {
			return decision{}
		}
		return p.atBefore("")
	}
	if p.target.state == laterTarget {
		return p.firstOf(parent)
	}
	switch {
	case p.rec.boundary() && p.rec.logical.state == named && p.before != 0 && p.forest.descends(p.before, parent),
		p.rec.synthetic && p.quietSince(parent):
		return p.firstOf(p.before, p.tail(parent), parent)
	}
	return p.firstOf(p.tail(parent), parent)
}

// withoutParent places a row whose parent is null.
func (p *placing) withoutParent() decision {
	switch rec := p.rec; {
	case rec.boundary(), rec.summary, rec.kind == "assistant", rec.isResult(), p.unlinked[sideIndex(rec)]:
		return p.atBefore("")
	}
	return decision{}
}

// atBefore hangs the row at the row before. gap is the parent that is missing.
func (p *placing) atBefore(gap string) decision {
	if p.before != 0 && p.fits(p.before) {
		return decision{parent: p.before, gap: gap}
	}
	d := decision{gap: gap}
	if at := p.nodes[p.node]; at.defined {
		d.parent = at.parent // it stays where it was
	}
	return d
}

// firstOf hangs the row at the first candidate that is not below it.
func (p *placing) firstOf(candidates ...int32) decision {
	for _, c := range candidates {
		if p.fits(c) {
			return decision{parent: c}
		}
	}
	return p.atBefore(p.target.name)
}

// fits reports whether a parent, or none, is not below the row.
func (p *placing) fits(parent int32) bool {
	return parent == 0 || parent != p.node && (!p.hung || !p.forest.descends(parent, p.node))
}

// quietSince reports whether the row before is below parent, with nothing said between.
func (p *placing) quietSince(parent int32) bool {
	at := p.before
	for range maxQuiet {
		switch {
		case at == 0:
			return false
		case at == parent:
			return true
		}
		n := &p.nodes[at]
		if !n.quiet && (n.group == 0 || n.group != p.nodes[parent].group) {
			return false
		}
		at = n.parent
	}
	return false
}

// isBehind reports whether the row stands behind a compact_boundary.
func (p *placing) isBehind(parent int32) bool {
	return p.nodes[parent].boundary || p.nodes[p.target.node].boundary || p.nodes[p.before].boundary
}
