package log

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tlog/objects"
)

// modelNode is an entry of the naive model of a graph, which follows docs/format.md by the letter.
type modelNode struct {
	id, parent string
	journal    bool
}

// model gives the parent of each tree entry, None for a root.
func model(nodes []modelNode) []int {
	index := map[string]int{}
	for i, n := range nodes {
		index[n.id] = i
	}
	up := func(i int) int {
		seen := map[int]bool{}
		for {
			p, ok := index[nodes[i].parent]
			if !ok || seen[p] {
				return None
			}
			if !nodes[p].journal {
				return p
			}
			seen[p] = true
			i = p
		}
	}
	parents := make([]int, len(nodes))
	for i := range nodes {
		parents[i] = up(i)
	}
	for i, n := range nodes { // in file order, so the first entry of a cycle is met first
		if n.journal {
			continue
		}
		seen := map[int]bool{}
		for at := parents[i]; at != None && !seen[at]; at = parents[at] {
			if at == i {
				parents[i] = None
				break
			}
			seen[at] = true
		}
	}
	return parents
}

func modelPath(parents []int, i int) []int {
	var path []int
	for ; i != None; i = parents[i] {
		path = append([]int{i}, path...)
	}
	return path
}

func randomNodes(r *rand.Rand) []modelNode {
	nodes := make([]modelNode, 1+r.IntN(24))
	for i := range nodes {
		n := modelNode{id: fmt.Sprintf("e%d", i), journal: r.IntN(5) == 0}
		switch r.IntN(8) {
		case 0: // a root
		case 1:
			n.parent = "nowhere"
		case 2, 3:
			n.parent = fmt.Sprintf("e%d", r.IntN(len(nodes)))
		default:
			n.parent = fmt.Sprintf("e%d", max(0, i-1-r.IntN(3)))
			if n.parent == n.id {
				n.parent = ""
			}
		}
		nodes[i] = n
	}
	return nodes
}

func nodeLine(n modelNode) string {
	kind := objects.TypeCustom
	if n.journal {
		kind = objects.TypeHead
	}
	return string(objects.Build(kind, objects.ID(n.id), objects.ID(n.parent), "t"))
}

func TestGraphAgreesWithModel(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		nodes := randomNodes(r)
		path := writeLog(t, lines(sessionLine))
		l := openLog(t, path)
		for rest := nodes; len(rest) > 0; { // read in pieces, with look-ups in between
			n := 1 + r.IntN(len(rest))
			for _, node := range rest[:n] {
				appendRaw(t, path, nodeLine(node)+"\n")
			}
			rest = rest[n:]
			if _, err := l.Refresh(); err != nil {
				t.Fatal(err)
			}
			compareGraph(t, l, nodes[:l.Len()])
		}
		if t.Failed() {
			t.Fatalf("seed %d: %+v", seed, nodes)
		}
		_ = l.Close()
	}
}

func compareGraph(t *testing.T, l *Log, nodes []modelNode) {
	t.Helper()
	parents := model(nodes)
	var roots, leaves []int
	hasChild := make([]bool, len(nodes))
	for i, n := range nodes {
		if got := l.Record(i).Parent; got != parents[i] {
			t.Errorf("parent of %d: got %d, want %d", i, got, parents[i])
		}
		if !n.journal && parents[i] == None {
			roots = append(roots, i)
		}
		if !n.journal && parents[i] != None {
			hasChild[parents[i]] = true
		}
	}
	if t.Failed() {
		return
	}
	for i, n := range nodes {
		if n.journal {
			continue
		}
		if !hasChild[i] {
			leaves = append(leaves, i)
		}
		comparePaths(t, l, parents, i, nodes)
	}
	if got := l.Children(None); !slices.Equal(got, roots) {
		t.Errorf("roots: got %v, want %v", got, roots)
	}
	if got := l.Leaves(); !slices.Equal(got, leaves) {
		t.Errorf("leaves: got %v, want %v", got, leaves)
	}
}

func comparePaths(t *testing.T, l *Log, parents []int, i int, nodes []modelNode) {
	t.Helper()
	path := modelPath(parents, i)
	if got := l.Ancestry(i); !slices.Equal(got, path) {
		t.Errorf("path to %d: got %v, want %v", i, got, path)
	}
	var children []int
	for j, n := range nodes {
		if n.journal {
			continue
		}
		if parents[j] == i {
			children = append(children, j)
		}
		other := modelPath(parents, j)
		if got, want := l.IsAncestor(i, j), slices.Contains(other, i); got != want {
			t.Errorf("%d is an ancestor of %d: got %v, want %v", i, j, got, want)
		}
		common := None
		for k := range min(len(path), len(other)) {
			if path[k] == other[k] {
				common = path[k]
			}
		}
		if got := l.CommonAncestor(i, j); got != common {
			t.Errorf("common ancestor of %d and %d: got %d, want %d", i, j, got, common)
		}
	}
	if got := l.Children(i); !slices.Equal(got, children) {
		t.Errorf("children of %d: got %v, want %v", i, got, children)
	}
}

func TestDeepGraph(t *testing.T) {
	const n = 200_000
	var b strings.Builder
	b.WriteString(sessionLine + "\n")
	for i := n - 1; i >= 0; i-- { // every child stands above its parent
		parent := ""
		if i > 0 {
			parent = fmt.Sprintf(`,"parentId":"%d"`, i-1)
		}
		fmt.Fprintf(&b, `{"type":"custom","id":"%d"%s}`+"\n", i, parent)
	}
	l := openLog(t, writeLog(t, b.String()))
	tip, ok := l.Find(objects.ID(fmt.Sprint(n - 1)))
	if !ok || len(l.Ancestry(tip)) != n || !l.IsAncestor(n-1, tip) || len(l.Leaves()) != 1 {
		t.Errorf("tip %d, %v: path of %d", tip, ok, len(l.Ancestry(tip)))
	}
	for i := range l.Len() { // must not take time by the square
		l.Short(i)
	}
}
