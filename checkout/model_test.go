package checkout_test

import (
	"slices"

	"tlog/objects"
)

// model is what a session should be, in maps and slices, written down from docs/format.md alone.
// Entries are numbered as they are made; none is -1.
type model struct {
	entries  []modelEntry
	branches map[string]int
	attached string // empty if detached
	detached int
	labels   map[int]string
}

type modelEntry struct {
	kind    string // message, custom, label, skip, unskip, branch_summary
	parent  int
	prompt  bool
	calls   []string
	results []string
	targets []int
}

func newModel() *model {
	return &model{branches: map[string]int{}, attached: "main", labels: map[int]string{}}
}

func (m *model) head() int {
	if m.attached == "" {
		return m.detached
	}
	return m.tip(m.attached)
}

func (m *model) tip(branch string) int {
	if at, ok := m.branches[branch]; ok {
		return at
	}
	return -1
}

// push puts an entry on top of a branch, or of HEAD.
func (m *model) push(branch string, e modelEntry) int {
	e.parent = m.head()
	if branch != "" {
		e.parent = m.tip(branch)
	}
	return m.put(branch, e)
}

func (m *model) put(branch string, e modelEntry) int {
	m.entries = append(m.entries, e)
	at := len(m.entries) - 1
	switch {
	case branch != "":
		m.branches[branch] = at
	case m.attached != "":
		m.branches[m.attached] = at
	default:
		m.detached = at
	}
	return at
}

func (m *model) path(at int) []int {
	var path []int
	for ; at >= 0; at = m.entries[at].parent {
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}

// undone says for each undone entry which skip holds it.
func (m *model) undone(at int) map[int]int {
	held := map[int]int{}
	for _, i := range m.path(at) {
		for _, target := range m.entries[i].targets {
			switch m.entries[i].kind {
			case "skip":
				held[target] = i
			case "unskip":
				delete(held, target)
			}
		}
	}
	return held
}

func (m *model) visible(at int) []int {
	held := m.undone(at)
	var visible []int
	for _, i := range m.path(at) {
		_, gone := held[i]
		if k := m.entries[i].kind; !gone && (k == "message" || k == "branch_summary") {
			visible = append(visible, i)
		}
	}
	return visible
}

// redoStack are the skips on the path that still hold something, newest first, with what they hold.
func (m *model) redoStack(at int) (skips []int, held [][]int) {
	by := m.undone(at)
	for _, i := range slices.Backward(m.path(at)) {
		if m.entries[i].kind != "skip" {
			continue
		}
		var h []int
		for _, target := range m.entries[i].targets {
			if skip, ok := by[target]; ok && skip == i {
				h = append(h, target)
			}
		}
		if h != nil {
			skips, held = append(skips, i), append(held, h)
		}
	}
	return skips, held
}

// newest are the n newest visible entries, newestTurns those of the n newest turns.
func (m *model) newest(at, n int) []int {
	v := m.visible(at)
	return v[max(0, len(v)-n):]
}

func (m *model) newestTurns(at, n int) []int {
	v := m.visible(at)
	for i := len(v) - 1; i >= 0; i-- {
		if m.entries[v[i]].prompt {
			if n--; n == 0 {
				return v[i:]
			}
		}
	}
	return v
}

// caller is the newest call with the id before place p of the path; -1 if there is none.
func (m *model) caller(path []int, p int, id string) int {
	for p--; p >= 0; p-- {
		if slices.Contains(m.entries[path[p]].calls, id) {
			return p
		}
	}
	return -1
}

// closed is asked with all that belongs to it by tool calls, in the order of the path, what
// lies beside the path behind its parent.
func (m *model) closed(at int, asked []int) []int {
	path, held := m.path(at), m.undone(at)
	chosen := map[int]bool{}
	for _, i := range asked {
		chosen[i] = true
	}
	gone := func(i int) bool { _, undone := held[i]; return undone || chosen[i] }
	for changed := true; changed; {
		changed = false
		choose := func(i int) {
			if !gone(i) {
				chosen[i], changed = true, true
			}
		}
		for p, i := range path {
			for _, id := range m.entries[i].results {
				c := m.caller(path, p, id)
				switch {
				case c < 0:
				case chosen[path[c]]:
					choose(i)
				case chosen[i] && m.lastResult(path, c, id, gone):
					choose(path[c])
				}
			}
		}
	}
	var all []int
	for _, i := range path {
		if !chosen[i] {
			continue
		}
		all = append(all, i)
		for j, e := range m.entries {
			if e.parent == i && !slices.Contains(path, j) && !gone(j) && m.answers(e, m.entries[i]) {
				all = append(all, j)
			}
		}
	}
	return all
}

// lastResult reports whether all results of the call at place c are gone.
func (m *model) lastResult(path []int, c int, id string, gone func(int) bool) bool {
	for p := c + 1; p < len(path); p++ {
		if slices.Contains(m.entries[path[p]].results, id) && m.caller(path, p, id) == c && !gone(path[p]) {
			return false
		}
	}
	return true
}

func (m *model) answers(result, call modelEntry) bool {
	for _, id := range result.results {
		if !slices.Contains(call.calls, id) {
			return false
		}
	}
	return len(result.results) > 0
}

// undo is the skip of asked; an error class if there is nothing.
func (m *model) undo(asked []int) (int, error) {
	if len(asked) == 0 {
		return -1, objects.ErrNotFound
	}
	return m.push("", modelEntry{kind: "skip", targets: m.closed(m.head(), asked)}), nil
}

func (m *model) redo() (int, error) {
	_, held := m.redoStack(m.head())
	if len(held) == 0 {
		return -1, objects.ErrNotFound
	}
	return m.push("", modelEntry{kind: "unskip", targets: held[0]}), nil
}

// checkUndo is the error class of undoing an entry.
func (m *model) checkUndo(at int) error {
	_, undone := m.undone(m.head())[at]
	k := m.entries[at].kind
	if undone || k == "skip" || k == "unskip" || !slices.Contains(m.path(m.head()), at) {
		return objects.ErrRefused
	}
	return nil
}
