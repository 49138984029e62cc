package claude

import "tlog/objects"

// checkpoint is where the client was told to go on (formats/claude.md section 3).
type checkpoint struct {
	leaf     string // the row; empty for none
	explicit bool
	followed bool // a row stands behind the line
}

// take takes over what a side line says.
func (c *checkpoint) take(rec *record) {
	switch {
	case rec.kind != "last-prompt":
	case rec.leaf.state == named:
		*c = checkpoint{leaf: rec.leaf.name, explicit: rec.explicit}
	case rec.leaf.state == nullLink && rec.explicit:
		*c = checkpoint{}
	}
}

// follow takes over that a row of the main history stands behind the line.
func (c *checkpoint) follow(kind objects.Type) {
	c.followed = true
	if kind == objects.TypeCompaction {
		*c = checkpoint{}
	}
}

// Leaf implements transcript.Reader. Of a transcript of sidechain rows alone, as that of a subagent, it is the last of them.
func (r *Reader) Leaf() objects.ID {
	r.takeKnown()
	leaf := r.lastMain
	if leaf == 0 {
		leaf = r.lastSide
	}
	if r.shuffled {
		leaf = r.newest(leaf)
	}
	if n, ok := r.names[r.checkpoint.leaf]; ok && r.nodes[n].progress {
		// A row that is no node stands for its parent.
		n = r.resolve(nil, 0, r.nodes[n].stands).node
		leaf = r.checked(n, leaf)
	} else if ok {
		leaf = r.checked(n, leaf)
	}
	return r.nodes[r.tail(leaf)].id
}

// checked is the leaf by the checkpoint and the last row.
func (r *Reader) checked(at, last int32) int32 {
	switch {
	case at == 0 || !r.nodes[at].defined || r.nodes[at].side && !r.nodes[last].side:
		return last
	case r.checkpoint.explicit && !r.checkpoint.followed:
		return at
	case r.forest.descends(last, at):
		return last
	}
	return at
}

// newest is the newest row below the last one by their timestamps, as the client looks for it in a file whose rows are not in order.
func (r *Reader) newest(last int32) int32 {
	leaf, side := last, r.nodes[last].side
	for i := range r.nodes {
		n, at := &r.nodes[i], int32(i)
		if at != 0 && n.defined && !n.progress && n.side == side &&
			n.newest > r.nodes[leaf].newest && r.forest.descends(at, last) {
			leaf = at
		}
	}
	return leaf
}
