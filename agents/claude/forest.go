package claude

// forest answers whether a row descends from another one while rows are hung and hung again. It is a forest of
// link-cut trees: a path from a root down is kept as a splay tree by depth, so that each question costs the
// logarithm of the number of rows on average, whatever the shape of the history. Nodes are numbers from 1; 0 is none.
type forest struct {
	left, right []int32
	up          []int32 // in the splay tree; of its root: the parent of the path's first node
}

func newForest() forest {
	return forest{left: make([]int32, 1), right: make([]int32, 1), up: make([]int32, 1)}
}

// add adds a root without children.
func (f *forest) add() {
	f.left, f.right, f.up = append(f.left, 0), append(f.right, 0), append(f.up, 0)
}

// link hangs the root child below parent, which is in another tree.
func (f *forest) link(child, parent int32) {
	f.access(child)
	f.up[child] = parent
}

// cut makes the node a root.
func (f *forest) cut(node int32) {
	f.access(node)
	if above := f.left[node]; above != 0 {
		f.up[above], f.left[node] = 0, 0
	}
}

// root is the root of the node's tree.
func (f *forest) root(node int32) int32 {
	f.access(node)
	for f.left[node] != 0 {
		node = f.left[node]
	}
	f.splay(node)
	return node
}

// descends reports whether node is ancestor, or below it.
func (f *forest) descends(node, ancestor int32) bool {
	if node == ancestor {
		return true
	}
	if f.root(node) != f.root(ancestor) {
		return false
	}
	f.access(ancestor)
	return f.access(node) == ancestor
}

// access makes the path from the root to the node one splay tree with the node on top and nothing below it, and gives the
// last node at which that path left another one.
func (f *forest) access(node int32) (branch int32) {
	below := int32(0)
	for at := node; at != 0; at = f.up[at] {
		f.splay(at)
		f.right[at] = below
		below = at
	}
	f.splay(node)
	return below
}

// onTop reports whether the node is the root of its splay tree.
func (f *forest) onTop(node int32) bool {
	up := f.up[node]
	return up == 0 || f.left[up] != node && f.right[up] != node
}

func (f *forest) splay(node int32) {
	for !f.onTop(node) {
		up := f.up[node]
		if !f.onTop(up) {
			if above := f.up[up]; (f.left[above] == up) == (f.left[up] == node) {
				f.rotate(up)
			} else {
				f.rotate(node)
			}
		}
		f.rotate(node)
	}
}

// rotate puts the node in the place of the one above it.
func (f *forest) rotate(node int32) {
	up := f.up[node]
	above := f.up[up]
	switch {
	case above == 0:
	case f.left[above] == up:
		f.left[above] = node
	case f.right[above] == up:
		f.right[above] = node
	}
	var moved int32
	if f.left[up] == node {
		moved = f.right[node]
		f.left[up], f.right[node] = moved, up
	} else {
		moved = f.left[node]
		f.right[up], f.left[node] = moved, up
	}
	if moved != 0 {
		f.up[moved] = up
	}
	f.up[up], f.up[node] = node, above
}
