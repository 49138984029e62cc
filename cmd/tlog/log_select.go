package main

import (
	"container/heap"
	"iter"
	"slices"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/view"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// selection is what log shows of a session.
type selection struct {
	session *checkout.Session
	opt     logOptions
	list    []int         // candidates, oldest first
	history *refs.History // of the revision, or of the end of the range
	undone  func(at int) bool
	parents map[int]bool // whether an entry is shown, as far as asked
	names   map[int]names
	read    func(at int, skipped bool) (view.Entry, error)
}

// names are what stands at an entry, or behind it with nothing shown in between: after an
// undo, HEAD stands at an entry that no log shows.
type names struct {
	refs []string
	on   string // the branch that HEAD is attached to
}

func newSelection(a *App, s *checkout.Session, opt logOptions, spec string) (*selection, error) {
	sel := &selection{session: s, opt: opt, parents: map[int]bool{}}
	tip := s.Refs.Head().At
	rg := refs.Range{}
	if spec != "" {
		var err error
		if rg, err = a.resolver(s).ResolveRange(spec); err != nil {
			return nil, err
		}
		if rg.To.State != s.Refs {
			sel.session = &checkout.Session{Log: rg.To.State.Log(), Refs: rg.To.State}
		}
		tip = rg.To.At
	}
	l := sel.session.Log
	history, err := refs.NewHistory(l, tip)
	if err != nil {
		return nil, err
	}
	sel.history = history
	reader := view.NewReader(sel.session.Refs)
	sel.read = reader.Read
	if a.JSON {
		sel.read = reader.ReadWhole
	}
	sel.undone = func(at int) bool { return history.SkippedBy(at) != log.None }
	switch {
	case opt.all:
		if sel.undone, err = undoneAnywhere(l, history); err != nil {
			return nil, err
		}
		sel.list = allEntries(l, opt.graph)
	case rg.HasFrom:
		sel.list = a.resolver(s).Select(rg)
	default:
		sel.list = history.Path()
	}
	sel.placeNames()
	return sel, nil
}

// placeNames puts HEAD and the branches at the nearest entries that are shown.
func (sel *selection) placeNames() {
	sel.names = map[int]names{}
	state := sel.session.Refs
	head := state.Head()
	if at := sel.nearestShown(head.At); at != log.None {
		sel.names[at] = names{refs: []string{"HEAD"}, on: head.Branch}
	}
	for _, branch := range state.Branches() {
		if at := sel.nearestShown(branch.At); at != log.None {
			n := sel.names[at]
			n.refs = append(n.refs, branch.Name)
			sel.names[at] = n
		}
	}
}

// hidden is the number of entries that the selection leaves out because they are undone.
func (sel *selection) hidden() int {
	n := 0
	for _, at := range sel.list {
		if sel.session.Log.Record(at).Visible() && sel.undone(at) {
			n++
		}
	}
	return n
}

// candidate reports whether an entry is shown as far as its record tells.
func (sel *selection) candidate(at int) bool {
	record := sel.session.Log.Record(at)
	if record.RepeatOf != log.None {
		return false
	}
	if !sel.opt.skipped && !sel.opt.all && sel.undone(at) {
		return false
	}
	if record.Hidden && !sel.opt.hidden && !sel.opt.all {
		return false
	}
	if len(sel.opt.types) > 0 {
		return slices.Contains(sel.opt.types, string(record.Type))
	}
	return sel.opt.all || record.Type.Visible()
}

// wanted reports whether an entry passes the filters on its content.
func (sel *selection) wanted(v view.Entry) bool {
	if len(sel.opt.roles) > 0 && !slices.Contains(sel.opt.roles, v.Role()) {
		return false
	}
	if sel.opt.since == "" && sel.opt.until == "" {
		return true
	}
	t := v.Time()
	switch {
	case t.IsZero():
		return false
	case sel.opt.since != "" && t.Before(sel.opt.sinceTime):
		return false
	}
	return sel.opt.until == "" || !t.After(sel.opt.untilTime)
}

// entries yields what is shown, newest first or with --reverse oldest first. It reads no more than it yields and passes over.
func (sel *selection) entries() iter.Seq2[view.Entry, error] {
	return func(yield func(view.Entry, error) bool) {
		if !sel.opt.reverse {
			sel.newest(yield)
			return
		}
		var shown []view.Entry
		for v, err := range sel.newest {
			if err != nil {
				yield(v, err)
				return
			}
			shown = append(shown, v)
		}
		for _, v := range slices.Backward(shown) {
			if !yield(v, nil) {
				return
			}
		}
	}
}

func (sel *selection) newest(yield func(view.Entry, error) bool) {
	left := sel.opt.count
	for _, at := range slices.Backward(sel.list) {
		if left == 0 {
			return
		}
		if !sel.candidate(at) {
			continue
		}
		v, err := sel.read(at, sel.undone(at))
		if err == nil && !sel.wanted(v) {
			continue
		}
		left--
		v.Refs, v.On = sel.names[at].refs, sel.names[at].on
		if !yield(v, err) || err != nil {
			return
		}
	}
}

// shownParent is the id of the nearest entry from at upwards that is shown, "" if there is none.
func (sel *selection) shownParent(at int) string {
	return string(idAt(sel.session.Log, sel.nearestShown(at)))
}

// nearestShown is the nearest entry from at upwards that is shown, or log.None.
func (sel *selection) nearestShown(at int) int {
	for at != log.None && !sel.shown(at) {
		at = sel.session.Log.Record(at).Parent
	}
	return at
}

func (sel *selection) shown(at int) bool {
	if !sel.candidate(at) {
		return false
	}
	if len(sel.opt.roles) == 0 && sel.opt.since == "" && sel.opt.until == "" {
		return true
	}
	known, ok := sel.parents[at]
	if !ok {
		v, err := sel.read(at, false)
		known = err == nil && sel.wanted(v)
		sel.parents[at] = known
	}
	return known
}

// allEntries are the entries of the log in file order; for a graph only nodes, none before its parent.
func allEntries(l *log.Log, graph bool) []int {
	list := make([]int, 0, l.Len())
	inOrder := true
	for at := range l.Len() {
		record := l.Record(at)
		if graph && !record.Tree() {
			continue
		}
		inOrder = inOrder && record.Parent < at
		list = append(list, at)
	}
	if graph && !inOrder {
		return parentsFirst(l, list)
	}
	return list
}

// parentsFirst sorts nodes so that none stands before its parent, and else in file order.
func parentsFirst(l *log.Log, nodes []int) []int {
	ready := intHeap(l.Children(log.None))
	ready = slices.Clone(ready)
	heap.Init(&ready)
	sorted := make([]int, 0, len(nodes))
	for len(ready) > 0 {
		at := heap.Pop(&ready).(int)
		sorted = append(sorted, at)
		for _, child := range l.Children(at) {
			heap.Push(&ready, child)
		}
	}
	return sorted
}

type intHeap []int

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *intHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// undoneAnywhere tells for every entry of the log whether it is undone: on HEAD's path as that
// path has it, elsewhere by the last skip or unskip that names it.
func undoneAnywhere(l *log.Log, head *refs.History) (func(at int) bool, error) {
	last := map[int]bool{}
	for at := range l.Len() {
		record := l.Record(at)
		if record.Type != objects.TypeSkip && record.Type != objects.TypeUnskip || !record.Tree() {
			continue
		}
		e, err := l.Entry(at)
		if err != nil {
			return nil, err
		}
		for _, id := range e.TargetIDs() {
			if target, ok := l.Find(id); ok {
				last[target] = record.Type == objects.TypeSkip
			}
		}
	}
	return func(at int) bool {
		if head.Contains(at) {
			return head.SkippedBy(at) != log.None
		}
		return last[at]
	}, nil
}

// shows reports whether log shows an entry of the path by default.
func shows(s *checkout.Session, history *refs.History, at int) bool {
	return s.Log.Record(at).Visible() && history.SkippedBy(at) == log.None
}
