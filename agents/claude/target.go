package claude

// target is what a parent as written comes to, progress rows stepped over.
type target struct {
	state targetState
	node  int32  // if it is found or later
	name  string // if it is missing or later
}

type targetState uint8

const (
	noTarget      targetState = iota // none was written
	nullTarget                       // a root
	missingTarget                    // nowhere in what was given
	foundTarget                      // a row above
	laterTarget                      // a row further down
)

// resolve finds what the row i means by its parent.
func (r *Reader) resolve(records []record, i int, l link) target {
	first := l.name
	r.walk++
	var passed []int32
	for l.state == named {
		n, ok := r.names[l.name]
		if !ok || !r.nodes[n].defined && !r.nodes[n].progress {
			if n, ok = r.further(records, i, l.name); !ok {
				break
			}
		}
		at := &r.nodes[n]
		if !at.progress {
			r.shorten(passed, l)
			if at.defined {
				return target{state: foundTarget, node: n, name: l.name}
			}
			return target{state: laterTarget, node: n, name: l.name}
		}
		if at.walk == r.walk {
			l = link{state: lost}
			break
		}
		at.walk = r.walk
		passed = append(passed, n)
		l = at.stands
	}
	r.shorten(passed, l)
	switch l.state {
	case named:
		return target{state: missingTarget, name: l.name}
	case nullLink:
		return target{state: nullTarget}
	case lost:
		return target{state: missingTarget, name: first}
	}
	return target{}
}

// shorten makes the progress rows that were passed stand for where the walk ended, so that no walk is long twice.
func (r *Reader) shorten(passed []int32, end link) {
	for _, n := range passed {
		r.nodes[n].stands = end
	}
}

// ahead knows the rows that are given and not taken in yet. Of those that go round in a cycle by their parents as written one has
// to hang elsewhere.
type ahead struct {
	from  int             // the first record that is not taken in
	index map[string]int  // the first row of a uuid from there on
	nodes map[int32]int   // the records of nodes that a row above named
	loose []bool          // by record from there on: it is the row of its cycle that hangs elsewhere
	leads []int           // by record from there on: its parents lead into the cycle whose first record is that; -1 if they end
	ring  []bool          // by record from there on: it is part of a cycle
	live  []bool          // by record from there on: the parents of the last row lead to it
	base  map[int32]int32 // of a cycle, by its first record: the row before the first one that leads into it and waits for it
}

// further is the node of a row that stands further down than the row i; false if none of that name does.
func (r *Reader) further(records []record, i int, name string) (int32, bool) {
	if r.ahead == nil {
		r.look(records, i)
	}
	j, ok := r.ahead.index[name]
	if !ok {
		return 0, false
	}
	rec := &records[j]
	n, ok := r.names[string(rec.id)]
	if !ok {
		n = r.addNode(rec.id)
		r.names[string(rec.id)] = n
	}
	r.ahead.nodes[n] = j
	at := &r.nodes[n]
	at.side = rec.side
	if rec.kind == "progress" {
		at.progress, at.stands = true, rec.parent
	}
	return n, true
}

// look finds out about the rows from record i on. It is done once for what is given, when the first parent is missed: rows
// above have all their parents above them, and are in no cycle.
func (r *Reader) look(records []record, i int) {
	rest := len(records) - i
	a := &ahead{
		from: i, index: map[string]int{}, nodes: map[int32]int{}, base: map[int32]int32{},
		loose: make([]bool, rest), leads: make([]int, rest), ring: make([]bool, rest), live: make([]bool, rest),
	}
	last := -1
	for j := i; j < len(records); j++ {
		if rec := &records[j]; rec.row {
			if _, ok := a.index[rec.uuid]; !ok {
				a.index[rec.uuid] = j
			}
			if last < 0 || !rec.side || records[last].side {
				last = j
			}
		}
	}
	r.ahead = a
	next := r.parentsAhead(records, i)
	a.findCycles(next)
	if last >= 0 {
		a.follow(last-i, next)
	}
}

// follow marks where the parents of the last row lead. The client stops when it has gone round a cycle: the row that names the one by which it
// came in is the first of what it takes.
func (a *ahead) follow(last int, next []int) {
	top := -1
	for at := last; at >= 0; at = next[at] {
		if a.live[at] {
			a.loose[a.leads[at]] = false
			a.loose[top] = true
			return
		}
		a.live[at] = true
		top = at
	}
}

// parentsAhead gives for each record from i on the one that it names as its parent, counted from i; -1 if that is taken in already, or nowhere.
func (r *Reader) parentsAhead(records []record, i int) []int {
	next := make([]int, len(records)-i)
	above := map[string]int{}
	for j := i; j < len(records); j++ {
		rec := &records[j]
		next[j-i] = -1
		if !rec.row {
			continue
		}
		if l := rec.written(); l.state == named {
			if n, ok := r.names[l.name]; ok && r.nodes[n].defined {
				// It is found where it was taken in.
			} else if k, ok := above[l.name]; ok {
				next[j-i] = k - i
			} else if k, ok := r.ahead.index[l.name]; ok {
				next[j-i] = k - i
			}
		}
		above[rec.uuid] = j
	}
	return next
}

// findCycles marks the first record of each cycle, and the records that lead into it.
func (a *ahead) findCycles(next []int) {
	visit := make([]int, len(next)) // the walk that came by, from 1
	for i := range next {
		at := i
		for at >= 0 && visit[at] == 0 {
			visit[at] = i + 1
			at = next[at]
		}
		first := -1
		switch {
		case at < 0:
		case visit[at] != i+1: // an earlier walk has come here
			first = a.leads[at]
		default:
			first = at
			for on := at; !a.ring[on]; on = next[on] {
				a.ring[on], first = true, min(first, on)
			}
			a.loose[first] = true
		}
		for at := i; at >= 0 && visit[at] == i+1; at = next[at] {
			visit[at], a.leads[at] = -1, first
		}
	}
}

// goesRound finds the place of a row whose parents lead into a cycle, as far as it is another one than at the row that it names; ok is false for others.
func (p *placing) goesRound() (d decision, ok bool) {
	a := p.ahead
	if a == nil || p.at < a.from || a.leads[p.at-a.from] < 0 {
		return decision{}, false
	}
	at := p.at - a.from
	cycle := a.leads[at]
	switch {
	case a.loose[at]:
		before := *p
		if p.waitsFor(cycle) {
			before.before = a.base[int32(cycle)]
		}
		return before.atBefore(p.target.name), true
	case p.target.state != laterTarget:
		return decision{}, false
	case !a.ring[at] && !a.live[at]:
		return p.atBefore(p.target.name), true
	}
	if _, noted := a.base[int32(cycle)]; !noted {
		a.base[int32(cycle)] = p.before
	}
	return decision{}, false
}

// waitsFor reports whether the row before hangs below a row that is still to come and leads into the cycle.
func (p *placing) waitsFor(cycle int) bool {
	if p.before == 0 {
		return false
	}
	top := p.forest.root(p.before)
	j, named := p.ahead.nodes[top]
	return named && !p.nodes[top].defined && p.ahead.leads[j-p.ahead.from] == cycle
}
