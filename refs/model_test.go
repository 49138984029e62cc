package refs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
)

// model is what docs/format.md says about refs and undoing, written down as
// simply as it can be: maps of ids, everything worked out again at each question.
type model struct {
	branch   string // HEAD's; empty if detached
	detached string
	branches map[string]string
	reflogs  map[string][]string // where each ref stood, oldest first
	labels   map[string]string
	parent   map[string]string
	skips    map[string][]string // targets of skip entries
	unskips  map[string][]string
	nodes    []string

	rng   *rand.Rand
	lines []string
	again []func() // what each line does, for repeats
}

func newModel(seed uint64) *model {
	return &model{
		branch: "main", branches: map[string]string{}, reflogs: map[string][]string{}, labels: map[string]string{},
		parent: map[string]string{}, skips: map[string][]string{}, unskips: map[string][]string{},
		rng: rand.New(rand.NewPCG(seed, 1)),
	}
}

func (m *model) head() string {
	if m.branch == "" {
		return m.detached
	}
	return m.branches[m.branch]
}

// record does something and notes in the reflogs what it changed.
func (m *model) record(do func()) {
	branches, head := maps.Clone(m.branches), m.branch+" "+m.head()
	do()
	for _, name := range modelBranches {
		if branches[name] != m.branches[name] {
			m.reflogs[name] = append(m.reflogs[name], m.branches[name])
		}
	}
	if now := m.branch + " " + m.head(); now != head {
		m.reflogs["HEAD"] = append(m.reflogs["HEAD"], m.head())
	}
}

// write adds a line and what it does.
func (m *model) write(text string, do func()) {
	m.lines = append(m.lines, text)
	m.again = append(m.again, do)
	m.record(do)
}

var modelBranches = []string{"main", "one", "two/three", "four"}

func (m *model) anyBranch() string { return modelBranches[m.rng.IntN(len(modelBranches))] }

// anyTarget is mostly a node, now and then an id that is none.
func (m *model) anyTarget() string {
	if len(m.nodes) == 0 || m.rng.IntN(10) == 0 {
		return "nothing"
	}
	return m.nodes[m.rng.IntN(len(m.nodes))]
}

func (m *model) anyTargets() []string {
	targets := make([]string, 1+m.rng.IntN(4))
	for i := range targets {
		targets[i] = m.anyTarget()
	}
	return targets
}

// node adds a tree entry with the type's payload on top of parent.
func (m *model) node(id, parent, branch, text string) {
	if branch != "" {
		text = strings.TrimSuffix(text, "}") + `,"ref":"` + branch + `"}`
	}
	m.nodes = append(m.nodes, id)
	m.parent[id] = parent
	m.write(text, func() {
		switch {
		case branch != "":
			m.branches[branch] = id
		case m.branch != "":
			m.branches[m.branch] = id
		default:
			m.detached = id
		}
	})
}

// known reports whether an id is that of a node.
func (m *model) known(id string) bool { return slices.Contains(m.nodes, id) }

// next writes one random line.
func (m *model) next() {
	id := fmt.Sprintf("e%d", len(m.lines))
	switch n := m.rng.IntN(20); {
	case n < 6:
		m.node(id, m.head(), "", say(id, m.head(), objects.RoleUser, "x"))
	case n < 8:
		branch := m.anyBranch()
		parent := m.branches[branch]
		m.node(id, parent, branch, say(id, parent, objects.RoleUser, "x"))
	case n < 9 && len(m.nodes) > 0:
		parent := m.nodes[m.rng.IntN(len(m.nodes))]
		m.node(id, parent, "", say(id, parent, objects.RoleAssistant, "x"))
	case n < 11:
		m.writeRef(id)
	case n < 13:
		m.writeHead(id)
	case n < 15:
		m.skips[id] = m.anyTargets()
		m.node(id, m.head(), "", undo(objects.TypeSkip, id, m.head(), m.skips[id]...))
	case n < 17:
		m.unskips[id] = m.anyTargets()
		m.node(id, m.head(), "", undo(objects.TypeUnskip, id, m.head(), m.unskips[id]...))
	case n < 19:
		m.writeLabel(id)
	case len(m.lines) > 0:
		i := m.rng.IntN(len(m.lines))
		m.write(m.lines[i], m.again[i])
	}
}

func (m *model) writeRef(id string) {
	name, target := m.anyBranch(), m.anyTarget()
	if m.rng.IntN(5) == 0 {
		target = ""
	}
	m.write(ref(id, m.head(), name, target, "because"), func() {
		if target == "" {
			delete(m.branches, name)
		} else if m.known(target) {
			m.branches[name] = target
		}
	})
}

func (m *model) writeHead(id string) {
	if m.rng.IntN(3) > 0 {
		name := m.anyBranch()
		m.write(attach(id, m.head(), name, ""), func() { m.branch, m.detached = name, "" })
		return
	}
	target := m.anyTarget()
	m.write(detach(id, m.head(), target, ""), func() {
		if m.known(target) {
			m.branch, m.detached = "", target
		}
	})
}

func (m *model) writeLabel(id string) {
	target, name := m.anyTarget(), []string{"red", "blue", " "}[m.rng.IntN(3)]
	parent := m.head()
	m.nodes = append(m.nodes, id)
	m.parent[id] = parent
	m.write(label(id, parent, target, name), func() {
		if name = strings.TrimSpace(name); name == "" {
			delete(m.labels, target)
		} else {
			m.labels[target] = name
		}
		if m.branch != "" {
			m.branches[m.branch] = id
		} else {
			m.detached = id
		}
	})
}

// path is the path to a node, oldest first.
func (m *model) path(id string) []string {
	var path []string
	for ; id != ""; id = m.parent[id] {
		path = append(path, id)
	}
	slices.Reverse(path)
	return path
}

// undone is the skip set of the path to a node: each id to the entry that holds it.
func (m *model) undone(id string) map[string]string {
	held := map[string]string{}
	for _, id := range m.path(id) {
		for _, target := range m.skips[id] {
			if m.known(target) {
				held[target] = id
			}
		}
		for _, target := range m.unskips[id] {
			delete(held, target)
		}
	}
	return held
}

// TestModel holds the fold and the histories of random logs to the model, read at
// once and in two steps.
func TestModel(t *testing.T) {
	for seed := range uint64(150) {
		m := newModel(seed)
		for range 20 + m.rng.IntN(60) {
			m.next()
		}
		name := fmt.Sprintf("seed %d", seed)
		whole := foldLines(t, m.lines...)
		m.compare(t, name, whole)

		half := len(m.lines) / 2
		l := openLog(t, m.lines[:half]...)
		s := foldLog(t, l)
		appendLines(t, l.Path(), m.lines[half:]...)
		if _, err := l.Refresh(); err != nil {
			t.Fatal(err)
		}
		if err := s.Advance(); err != nil {
			t.Fatal(err)
		}
		m.compare(t, name+" in two steps", s)
		if t.Failed() {
			t.Fatalf("%s:\n%s", name, strings.Join(m.lines, "\n"))
		}
	}
}

func (m *model) compare(t *testing.T, name string, s *State) {
	t.Helper()
	l := s.log
	check(t, name+": HEAD", headOf(s), m.branch+" "+dash(m.head()))
	var branches []string
	for _, b := range slices.Sorted(maps.Keys(m.branches)) {
		branches = append(branches, b+"="+m.branches[b])
	}
	check(t, name+": branches", branchesOf(s), strings.Join(branches, " "))

	for _, b := range append([]string{"HEAD"}, modelBranches...) {
		moves, err := Reflog(l, b)
		if want := len(m.reflogs[b]) > 0 || b == "HEAD"; want != (err == nil) {
			t.Errorf("%s: reflog of %s: %v", name, b, err)
		}
		var got, want []string
		for _, move := range slices.Backward(moves) {
			got = append(got, idOf(l, move.At))
		}
		for _, id := range m.reflogs[b] {
			want = append(want, dash(id))
		}
		check(t, name+": reflog of "+b, strings.Join(got, " "), strings.Join(want, " "))
	}
	m.compareEntries(t, name, s)
}

func (m *model) compareEntries(t *testing.T, name string, s *State) {
	t.Helper()
	l := s.log
	tally := NewTally(l)
	for _, id := range m.nodes {
		i := at(t, l, id)
		check(t, name+": label of "+id, s.Label(i), m.labels[id])
		h, err := NewHistory(l, i)
		if err != nil {
			t.Fatal(err)
		}
		path, held := m.path(id), m.undone(id)
		count, last, err := tally.Shown(i)
		back, _ := h.Back(0)
		if err != nil || count != len(h.Visible()) || last != back {
			t.Errorf("%s: tally at %s: got %d, %d, %v; want %d, %d", name, id, count, last, err, len(h.Visible()), back)
		}
		check(t, name+": path to "+id, idsOf(l, h.Path()), strings.Join(path, " "))
		newest := ""
		for _, on := range path {
			for _, holder := range held {
				if holder == on {
					newest = on
				}
			}
		}
		check(t, name+": newest skip at "+id, idOf(l, h.NewestSkip()), dash(newest))
		for _, other := range m.nodes {
			check(t, name+": "+other+" on the path to "+id, idOf(l, h.SkippedBy(at(t, l, other))), dash(held[other]))
		}
		for _, skip := range path {
			var want []string
			for _, target := range m.skips[skip] {
				if held[target] == skip && !slices.Contains(want, target) {
					want = append(want, target)
				}
			}
			check(t, name+": held by "+skip, idsOf(l, h.Held(at(t, l, skip))), strings.Join(want, " "))
		}
	}
}

func dash(id string) string {
	if id == "" {
		return idOf(nil, log.None)
	}
	return id
}
