package claude

// group is a reply of the model with the results of its calls.
type group struct {
	reply string // by what its rows are known; empty if they do not say
	tail  int32  // the newest row
}

// tail is where what names the row as its parent hangs.
func (r *Reader) tail(n int32) int32 {
	if g := r.nodes[n].group; g != 0 {
		return r.groups[g].tail
	}
	return n
}

// join makes the row part of its reply. A row that is here again stays in the group that it is in.
func (p *placing) join(d decision) {
	r, rec, at := p.Reader, p.rec, &p.nodes[p.node]
	if at.group != 0 || rec.kind != "assistant" && !rec.isResult() {
		return
	}
	above := r.nodes[p.connected(d)].group
	reply := rec.reply()
	switch {
	case rec.isResult():
		if above == 0 {
			return
		}
	case above == 0, reply == "", r.groups[above].reply != reply:
		above = int32(len(r.groups))
		r.groups = append(r.groups, group{reply: reply})
	}
	at.group = above
	r.groups[above].tail = p.node
}

// connected is the row that connects this one with its reply: the one it names, or where that one is not, the one it hangs at.
func (p *placing) connected(d decision) int32 {
	switch {
	case p.target.state == laterTarget && d.gap == "":
		return 0
	case p.target.state == foundTarget && d.gap == "":
		if p.nodes[p.target.node].side != p.rec.side {
			return 0
		}
		return p.target.node
	}
	return d.parent
}
