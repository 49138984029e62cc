package diff

import (
	"tlog/log"
	"tlog/refs"
)

// MergeBase is the newest common entry of two paths, by the graph or, of two sessions, by their ids; ok is false if none is. baseA and
// baseB are its records in the two logs. Of sessions that have common entries in different orders it is the newest on each path.
func MergeBase(a, b Side) (baseA, baseB int, ok bool) {
	if a.State.Log() == b.State.Log() {
		base := a.State.Log().CommonAncestor(a.At, b.At)
		return base, base, base != log.None
	}
	baseA, baseB = newestShared(a, b), newestShared(b, a)
	return baseA, baseB, baseA != log.None
}

// newestShared is the newest entry on the path of a whose id is on that of b, or log.None.
func newestShared(a, b Side) int {
	from, to := a.State.Log(), b.State.Log()
	onPath := newBitSet(to.Len())
	for _, i := range to.Ancestry(b.At) {
		onPath.add(i)
	}
	path := from.Ancestry(a.At)
	for n := len(path) - 1; n >= 0; n-- {
		if twin := twinOf(from, path[n], to); twin != log.None && onPath.has(twin) {
			return path[n]
		}
	}
	return log.None
}

// twinOf is the tree entry of another log that has the id of entry i of from, or log.None. A line of an agent and an entry of tlog's own are no twins: one was
// written from the other for another agent, which divides a talk into entries in its own way (docs/hand-off.md "A conversation").
func twinOf(from *log.Log, i int, to *log.Log) int {
	twin, ok := to.Find(from.Record(i).ID)
	if !ok || to.Record(twin).Foreign != from.Record(i).Foreign {
		return log.None
	}
	if original := to.Record(twin).RepeatOf; original != log.None {
		return original
	}
	return twin
}

type bitSet []uint64

func newBitSet(n int) bitSet { return make(bitSet, n/64+1) }

func (s bitSet) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s bitSet) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// shareGraph finds the common part of two paths of one log; ok is false if they have no entry in common.
func (c *Comparison) shareGraph() (ok bool) {
	if c.A.History.Log() != c.B.History.Log() {
		return false
	}
	base := c.A.History.Log().CommonAncestor(c.A.At, c.B.At)
	if base == log.None {
		return false
	}
	pathA, pathB := c.A.History.Path(), c.B.History.Path()
	n := 0
	for n < len(pathA) && n < len(pathB) && pathA[n] == pathB[n] {
		n++
	}
	c.Relation, c.BaseA, c.BaseB = ByGraph, base, base
	c.CommonA, c.OnlyA = pathA[:n:n], pathA[n:]
	c.CommonB, c.OnlyB = pathB[:n:n], pathB[n:]
	return true
}

// shareIDs finds the entries of both paths that have one id; ok is false if there are none.
func (c *Comparison) shareIDs() (ok bool) {
	a, b := c.A.History.Log(), c.B.History.Log()
	if a == b {
		return false
	}
	shared := newBitSet(b.Len())
	for _, i := range c.A.History.Path() {
		if twin := twinOf(a, i, b); twin != log.None && c.B.History.Contains(twin) {
			c.CommonA, c.CommonB = append(c.CommonA, i), append(c.CommonB, twin)
			shared.add(twin)
			continue
		}
		c.OnlyA = append(c.OnlyA, i)
	}
	if len(c.CommonA) == 0 {
		c.OnlyA = nil
		return false
	}
	for _, i := range c.B.History.Path() {
		if shared.has(i) {
			c.BaseB = i
		} else {
			c.OnlyB = append(c.OnlyB, i)
		}
	}
	c.Relation, c.BaseA = ByID, c.CommonA[len(c.CommonA)-1]
	return true
}

// shareWords finds the longest run from the start of both paths that says the same.
func (c *Comparison) shareWords() error {
	a, b := newSpeech(c.A.History), newSpeech(c.B.History)
	saidA, saidB := 0, 0 // visible entries of the common part
	for {
		nextA, okA, err := a.next()
		if err != nil {
			return err
		}
		nextB, okB, err := b.next()
		if err != nil {
			return err
		}
		if !okA || !okB || nextA != nextB {
			break
		}
		if a.atEnd() && b.atEnd() {
			saidA, saidB = a.read, b.read
		}
	}
	if saidA > 0 {
		c.Relation, c.BaseA, c.BaseB = ByContent, a.visible[saidA-1], b.visible[saidB-1]
	}
	c.CommonA, c.OnlyA = a.cut(saidA)
	c.CommonB, c.OnlyB = b.cut(saidB)
	return nil
}

// speech is what a path says, one saying after the other.
type speech struct {
	reader  reader
	history *refs.History
	visible []int
	read    int // visible entries that have been read
	rest    []hash
}

func newSpeech(h *refs.History) *speech {
	return &speech{reader: reader{log: h.Log()}, history: h, visible: h.Visible()}
}

// next is the next saying; ok is false at the end of the path.
func (s *speech) next() (said hash, ok bool, err error) {
	for len(s.rest) == 0 {
		if s.read == len(s.visible) {
			return 0, false, nil
		}
		entry, err := s.reader.read(s.visible[s.read])
		if err != nil {
			return 0, false, err
		}
		s.read++
		s.rest = entry.sayings
	}
	said, s.rest = s.rest[0], s.rest[1:]
	return said, true, nil
}

// atEnd reports whether the last saying was the last one of its entry.
func (s *speech) atEnd() bool { return len(s.rest) == 0 }

// cut cuts the path behind the first n visible entries and what goes with them.
func (s *speech) cut(n int) (common, only []int) {
	path := s.history.Path()
	switch {
	case n == 0:
		return nil, path
	case n == len(s.visible):
		return path, nil
	}
	at := 0
	for path[at] != s.visible[n] {
		at++
	}
	return path[:at:at], path[at:]
}

// findUndone finds the entries of the common part that are undone on one side alone.
func (c *Comparison) findUndone() {
	if c.Relation == ByContent {
		return
	}
	for n, i := range c.CommonA {
		j := c.CommonB[n]
		if !c.A.History.Log().Record(i).Visible() && !c.B.History.Log().Record(j).Visible() {
			continue
		}
		switch undoneA, undoneB := c.A.History.SkippedBy(i) != log.None, c.B.History.SkippedBy(j) != log.None; {
		case undoneA && !undoneB:
			c.Undone = append(c.Undone, EntryPair{i, j, OnlyB})
		case undoneB && !undoneA:
			c.Undone = append(c.Undone, EntryPair{i, j, OnlyA})
		}
	}
}
