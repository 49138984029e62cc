package log

import (
	"slices"

	"tlog/objects"
)

// link finds the parents of the records from first on. Those of the others
// are looked up again only if something that has been read since may change them.
func (l *Log) link(first int) {
	if l.relink || l.fillsGap(first) {
		first = 0
		l.missing = nil
		l.children, l.depths = childLists{}, nil
		l.renameRepeats()
	}
	l.relink = false
	if first == len(l.records) {
		return
	}
	l.prefixes = prefixIndex{}
	journal, forward := l.lookUpParents(first)
	if journal {
		l.stepOverJournal(first)
	}
	l.copyRepeats(first)
	if forward {
		l.cutCycles(first)
	}
}

// fillsGap reports whether a record from first on is a parent that was missing.
func (l *Log) fillsGap(first int) bool {
	if len(l.missing) == 0 {
		return false
	}
	for i := first; i < len(l.records); i++ {
		if _, ok := l.missing[l.records[i].ID]; ok {
			return true
		}
	}
	return false
}

// renameRepeats gives each repeat the id that what it repeats has now.
func (l *Log) renameRepeats() {
	for i := range l.records {
		if r := &l.records[i]; r.RepeatOf != None {
			r.ID = l.records[r.RepeatOf].ID
		}
	}
}

// lookUpParents sets each Parent to the record that ParentID names, be it a journal
// entry or not. It tells whether it met a journal entry as a parent, and whether
// a parent that does not stand above its child, without which there is no cycle.
func (l *Log) lookUpParents(first int) (journal, forward bool) {
	for i := first; i < len(l.records); i++ {
		r := &l.records[i]
		r.Parent, r.Gap = None, false
		if r.ParentID == "" {
			continue
		}
		p, ok := l.Find(r.ParentID)
		if !ok {
			r.Gap = true
			if l.missing == nil {
				l.missing = map[objects.ID]struct{}{}
			}
			l.missing[r.ParentID] = struct{}{}
			continue
		}
		r.Parent = p
		parent := &l.records[p]
		if r.ParentID == parent.ID {
			r.ParentID = parent.ID // one string for all of them
		}
		journal = journal || parent.Type.Journal()
		forward = forward || p >= i
	}
	return journal, forward
}

// stepOverJournal makes each Parent from first on that is a journal entry that entry's own parent.
func (l *Log) stepOverJournal(first int) {
	const (
		untouched = iota
		onChain
		done
	)
	state := make([]uint8, len(l.records)-first)
	isDone := func(i int) bool { return i < first || state[i-first] == done }
	var chain []int
	for i := first; i < len(l.records); i++ {
		at := i
		chain = chain[:0]
		for at != None && l.records[at].Type.Journal() && !isDone(at) && state[at-first] == untouched {
			state[at-first] = onChain
			chain = append(chain, at)
			at = l.records[at].Parent
		}
		switch {
		case at == None || !l.records[at].Type.Journal():
		case isDone(at):
			at = l.records[at].Parent
		default: // journal entries in a circle have no tree entry above them
			l.noteCycle(chain[slices.Index(chain, at):])
			at = None
		}
		for _, j := range chain {
			l.records[j].Parent = at
			state[j-first] = done
		}
	}
	for i := first; i < len(l.records); i++ {
		r := &l.records[i]
		if r.Parent != None && !r.Type.Journal() && l.records[r.Parent].Type.Journal() {
			r.Parent = l.records[r.Parent].Parent
		}
	}
}

// copyRepeats gives each repeat the parent of what it repeats.
func (l *Log) copyRepeats(first int) {
	for i := first; i < len(l.records); i++ {
		if r := &l.records[i]; r.RepeatOf != None {
			r.Parent, r.Gap = l.records[r.RepeatOf].Parent, l.records[r.RepeatOf].Gap
		}
	}
}

// cutCycles makes the first entry of each cycle a root. Records before first are in none:
// they have been looked at, and their parents have not changed since.
func (l *Log) cutCycles(first int) {
	visit := make([]int32, len(l.records)-first) // the walk that came by, from 1
	var walk []int
	for i := first; i < len(l.records); i++ {
		number := int32(i - first + 1)
		at := i
		walk = walk[:0]
		for at >= first && visit[at-first] == 0 {
			visit[at-first] = number
			walk = append(walk, at)
			at = l.records[at].Parent
		}
		if at < first || visit[at-first] != number {
			continue
		}
		cut := at
		for r := l.records[at].Parent; r != at; r = l.records[r].Parent {
			cut = min(cut, r)
		}
		l.noteCycle([]int{cut})
		l.records[cut].Parent = None
	}
}

// noteCycle tells Check of a cycle that is cut at the first of the entries.
func (l *Log) noteCycle(entries []int) {
	if l.check == nil {
		return
	}
	first := entries[0]
	for _, i := range entries {
		first = min(first, i)
	}
	r := &l.records[first]
	l.check.add(Finding{
		Code: Cycle, Line: r.Line, Offset: r.Offset, ID: string(r.ID),
		Message: "the entry is its own ancestor by parentId " + string(r.ParentID) + "; it is read as a root",
	})
}
