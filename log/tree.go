package log

import "slices"

// node is the tree entry that i stands for: itself, what it repeats, or the
// tree entry above a journal entry.
func (l *Log) node(i int) int {
	if i == None {
		return None
	}
	r := &l.records[i]
	switch {
	case r.RepeatOf != None:
		return l.node(r.RepeatOf) // a repeat never names another repeat
	case r.Type.Journal():
		return r.Parent
	}
	return i
}

// Ancestry is the path to i: the tree entries from a root to i, oldest first. Empty for None.
// A journal entry stands for its parent, a repeat for what it repeats.
func (l *Log) Ancestry(i int) []int {
	var path []int
	for at := l.node(i); at != None; at = l.records[at].Parent {
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}

// IsAncestor reports whether a is on the path to b (or b itself).
func (l *Log) IsAncestor(a, b int) bool {
	b = l.node(b)
	if a == None || b == None {
		return false
	}
	l.measureDepths()
	for b != None && l.depths[b] > l.depths[a] {
		b = l.records[b].Parent
	}
	return a == b
}

// CommonAncestor is the newest entry that is on the paths to both, or None.
func (l *Log) CommonAncestor(a, b int) int {
	a, b = l.node(a), l.node(b)
	if a == None || b == None {
		return None
	}
	l.measureDepths()
	for l.depths[a] > l.depths[b] {
		a = l.records[a].Parent
	}
	for l.depths[b] > l.depths[a] {
		b = l.records[b].Parent
	}
	for a != b {
		a, b = l.records[a].Parent, l.records[b].Parent
	}
	return a
}

// measureDepths makes sure that the depth of every record is known: the length of the path to
// it. It is 0 for records that are no tree entries.
func (l *Log) measureDepths() {
	first := len(l.depths)
	if first == len(l.records) {
		return
	}
	l.depths = append(l.depths, make([]int32, len(l.records)-first)...)
	var walk []int
	for i := first; i < len(l.records); i++ {
		if !l.records[i].Tree() {
			continue
		}
		at := i
		for at != None && l.depths[at] == 0 {
			walk = append(walk, at)
			at = l.records[at].Parent
		}
		depth := int32(0)
		if at != None {
			depth = l.depths[at]
		}
		for ; len(walk) > 0; walk = walk[:len(walk)-1] {
			depth++
			l.depths[walk[len(walk)-1]] = depth
		}
	}
}

// childLists hold the tree entries by parent, each as a list through next. Index 0 is
// None's, index i+1 that of record i. They grow with the log.
type childLists struct {
	first, last []int32 // of the children; 0 if there are none, else index+1
	next        []int32 // the next child of the same parent, likewise
}

func (l *Log) linkChildren() {
	c := &l.children
	done := max(len(c.first)-1, 0)
	if len(c.first) == 0 || done < len(l.records) {
		grow := make([]int32, len(l.records)+1-len(c.first))
		c.first = append(c.first, grow...)
		c.last = append(c.last, grow...)
		c.next = append(c.next, grow...)
	}
	for i := done; i < len(l.records); i++ {
		if !l.records[i].Tree() {
			continue
		}
		child, parent := int32(i+1), l.records[i].Parent+1
		if c.first[parent] == 0 {
			c.first[parent] = child
		} else {
			c.next[c.last[parent]] = child
		}
		c.last[parent] = child
	}
}

// HangsBelow reports whether the way from an entry to its Parent leads over the given journal line: a program
// that takes journal lines for entries has appended the entry under that line.
func (l *Log) HangsBelow(entry, journal int) bool {
	id := l.records[entry].ParentID
	for range l.records { // journal lines may form a cycle
		i, ok := l.Find(id)
		switch {
		case !ok || !l.records[i].Type.Journal():
			return false
		case i == journal:
			return true
		}
		id = l.records[i].ParentID
	}
	return false
}

// Children are the tree entries whose Parent is i, in file order; of None: the roots.
func (l *Log) Children(i int) []int {
	l.linkChildren()
	var children []int
	for c := l.children.first[i+1]; c != 0; c = l.children.next[c] {
		children = append(children, int(c-1))
	}
	return children
}

// Leaves are the tree entries without children, in file order.
func (l *Log) Leaves() []int {
	l.linkChildren()
	var leaves []int
	for i := range l.records {
		if l.records[i].Tree() && l.children.first[i+1] == 0 {
			leaves = append(leaves, i)
		}
	}
	return leaves
}
