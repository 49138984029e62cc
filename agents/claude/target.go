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

// ahead knows the rows that are given and not taken in yet.
type ahead struct {
	from  int            // the first record that is not taken in
	index map[string]int // the first row of a uuid from there on
	first []bool         // by record from there on: it is the first in the file of those that go round in a cycle
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
	a := &ahead{from: i, index: map[string]int{}, first: make([]bool, len(records)-i)}
	for j := i; j < len(records); j++ {
		if rec := &records[j]; rec.row {
			if _, ok := a.index[rec.uuid]; !ok {
				a.index[rec.uuid] = j
			}
		}
	}
	r.ahead = a
	a.findCycles(r.parentsAhead(records, i))
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

// findCycles marks the first record of each cycle.
func (a *ahead) findCycles(next []int) {
	visit := make([]int, len(next)) // the walk that came by, from 1
	for i := range next {
		at := i
		for at >= 0 && visit[at] == 0 {
			visit[at] = i + 1
			at = next[at]
		}
		if at < 0 || visit[at] != i+1 {
			continue
		}
		first := at
		for on := next[at]; on != at; on = next[on] {
			first = min(first, on)
		}
		a.first[first] = true
	}
}

// inCycle reports whether the row is the first of a cycle.
func (p *placing) inCycle() bool {
	return p.ahead != nil && p.at >= p.ahead.from && p.ahead.first[p.at-p.ahead.from]
}
