package checkout_test

import (
	"slices"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// The functions of this file each do one random thing to the session and to the model.

func (w *walk) append() {
	lines, entries := w.lines()
	w.did("append %v", lines)
	ids, err := w.tryAdd("", lines...)
	w.ok(err)
	for i, e := range entries {
		w.model.push("", e)
		w.made(ids[i])
	}
}

func (w *walk) appendAway() {
	lines, entries := w.lines()
	branch := w.branch()
	w.did("append to %s %v", branch, lines)
	ids, err := w.tryAdd(branch, lines...)
	var class error
	if _, ok := w.model.branches[branch]; !ok && branch != w.model.attached {
		class = objects.ErrNotFound
	}
	if !w.expect(err, class) {
		return
	}
	for i, e := range entries {
		w.model.push(branch, e)
		w.made(ids[i])
	}
}

// branch is a name, mostly of a branch that is there; entry an entry, -1 if there is none.
func (w *walk) branch() string {
	return []string{"main", "x-side", "x/deep", "x-other", "x-more"}[w.rng.IntN(5)]
}

func (w *walk) entryAt() int {
	if len(w.ids) == 0 {
		return -1
	}
	return w.rng.IntN(len(w.ids))
}

func (w *walk) index(at int) int {
	if at < 0 {
		return log.None
	}
	return w.find(w.ids[at])
}

func (w *walk) stream() {
	m := w.model
	lines, entries := w.lines()
	n := 1 + w.rng.IntN(4)
	w.did("stage %v, undo %d", lines, n)
	st := w.NewStream(checkout.AppendOptions{})
	staged := w.stage(st, lines...)
	u, removed, err := st.Undo(ctx, n)

	// The model appends all of it, looks what an undo would take, and goes back.
	head, start := m.head(), len(m.entries)
	for _, e := range entries {
		m.push("", e)
	}
	taken := m.newest(m.head(), n)
	if len(taken) > 0 {
		taken = m.closed(m.head(), taken)
	}
	m.entries = m.entries[:start]
	m.restore(head)
	var class error
	if len(taken) == 0 {
		class = objects.ErrNotFound
	}
	w.expect(err, class)
	flushed, err := st.Flush(ctx)
	w.ok(err)
	var undone []int
	var gone []objects.ID
	for _, i := range taken {
		if i < start {
			undone = append(undone, i)
		} else {
			gone = append(gone, staged[i-start])
		}
	}
	for i, e := range entries {
		if !slices.Contains(taken, start+i) {
			m.push("", e)
			w.made(staged[i])
		}
	}
	if undone != nil {
		m.push("", modelEntry{kind: "skip", targets: undone})
		w.made(u.Entry)
	}
	if !slices.Equal(removed, gone) || (len(flushed) > 0 && undone != nil) {
		w.tb.Fatalf("removed %v, want %v, flushed %v", removed, gone, flushed)
	}
}

// restore puts HEAD, and the branch that it is attached to, to an entry.
func (m *model) restore(at int) {
	switch {
	case m.attached == "":
		m.detached = at
	case at < 0:
		delete(m.branches, m.attached)
	default:
		m.branches[m.attached] = at
	}
}

func (w *walk) switchTo() {
	branch := w.branch()
	w.did("switch %s", branch)
	var class error
	if w.model.tip(branch) < 0 && branch != w.model.attached {
		class = objects.ErrNotFound
	}
	if w.expect(w.Switch(ctx, branch), class) {
		w.model.attached = branch
	}
}

func (w *walk) detach() {
	if at := w.entryAt(); at >= 0 {
		w.did("detach %d", at)
		w.ok(w.Detach(ctx, w.index(at)))
		w.model.attached, w.model.detached = "", at
	}
}

func (w *walk) switchNew() {
	branch, at, reset := w.branch(), w.entryAt(), w.rng.IntN(2) == 0
	if at < 0 {
		return
	}
	w.did("switch new %s %d %v", branch, at, reset)
	var class error
	if w.model.tip(branch) >= 0 && !reset {
		class = objects.ErrInvalid
	}
	if w.expect(w.SwitchNew(ctx, branch, w.index(at), reset), class) {
		w.model.branches[branch], w.model.attached = at, branch
	}
}

func (w *walk) orphan() {
	branch := w.branch()
	w.did("orphan %s", branch)
	var class error
	if w.model.tip(branch) >= 0 {
		class = objects.ErrInvalid
	}
	if w.expect(w.SwitchOrphan(ctx, branch), class) {
		w.model.attached = branch
	}
}

func (w *walk) create() {
	branch, at, force := w.branch(), w.entryAt(), w.rng.IntN(2) == 0
	w.did("branch %s %d %v", branch, at, force)
	var class error
	switch there := w.model.tip(branch) >= 0; {
	case at < 0:
		class = objects.ErrNotFound
	case there && !force:
		class = objects.ErrInvalid
	case there && branch == w.model.attached:
		class = objects.ErrRefused
	}
	if w.expect(w.CreateBranch(ctx, branch, w.index(at), force), class) {
		w.model.branches[branch] = at
	}
}

func (w *walk) remove() {
	branch := w.branch()
	w.did("delete %s", branch)
	var class error
	switch {
	case branch == w.model.attached:
		class = objects.ErrRefused
	case w.model.tip(branch) < 0:
		class = objects.ErrNotFound
	}
	if w.expect(w.DeleteBranch(ctx, branch), class) {
		delete(w.model.branches, branch)
	}
}

func (w *walk) rename() {
	m, from, to, force := w.model, w.branch(), w.branch(), w.rng.IntN(2) == 0
	w.did("rename %s %s %v", from, to, force)
	var class error
	switch {
	case m.tip(from) < 0 && from != m.attached:
		class = objects.ErrNotFound
	case from == to:
	case m.tip(to) >= 0 && !force:
		class = objects.ErrInvalid
	case to == m.attached:
		class = objects.ErrRefused
	}
	if !w.expect(w.RenameBranch(ctx, from, to, force), class) || from == to {
		return
	}
	if at := m.tip(from); at >= 0 {
		m.branches[to] = at
	} else {
		delete(m.branches, to)
	}
	delete(m.branches, from)
	if m.attached == from {
		m.attached = to
	}
}

// undid compares what an undo or redo says with the model's entry.
func (w *walk) undid(u checkout.Undone, err error, entry int, class error) {
	w.tb.Helper()
	if !w.expect(err, class) {
		return
	}
	w.made(u.Entry)
	if got, want := w.idsOf(u.Targets), w.modelIDs(w.model.entries[entry].targets); !slices.Equal(got, want) {
		w.tb.Errorf("%s: targets %v, want %v", w.done[len(w.done)-1], got, want)
	}
}

func (w *walk) undo() {
	n := 1 + w.rng.IntN(3)
	w.did("undo %d", n)
	u, err := w.Undo(ctx, n, "undo")
	entry, class := w.model.undo(w.model.newest(w.model.head(), n))
	w.undid(u, err, entry, class)
}

func (w *walk) undoTurns() {
	n := 1 + w.rng.IntN(2)
	w.did("undo turns %d", n)
	u, err := w.UndoTurns(ctx, n, "undo")
	entry, class := w.model.undo(w.model.newestTurns(w.model.head(), n))
	w.undid(u, err, entry, class)
}

func (w *walk) undoEntries() {
	var asked, indices []int
	var class error
	for range 1 + w.rng.IntN(2) {
		at := w.entryAt()
		if at < 0 {
			return
		}
		asked, indices = append(asked, at), append(indices, w.index(at))
		if class == nil {
			class = w.model.checkUndo(at)
		}
	}
	w.did("undo entries %v", asked)
	u, err := w.UndoEntries(ctx, indices, "undo")
	entry := -1
	if class == nil {
		entry, class = w.model.undo(asked)
	}
	w.undid(u, err, entry, class)
}

func (w *walk) redo() {
	w.did("redo")
	u, err := w.Redo(ctx, "redo")
	entry, class := w.model.redo()
	w.undid(u, err, entry, class)
}

func (w *walk) label() {
	at, label := w.entryAt(), []string{"", "one", "two"}[w.rng.IntN(3)]
	if at < 0 {
		return
	}
	w.did("label %d %q", at, label)
	id, err := w.SetLabel(ctx, w.index(at), label)
	w.ok(err)
	w.model.push("", modelEntry{kind: "label"})
	w.made(id)
	w.model.labels[at] = label
}

func (w *walk) summary() {
	m, at := w.model, w.entryAt()
	w.did("summary at %d", at)
	id, err := w.BranchSummary(ctx, w.index(at), "s")
	w.ok(err)
	if at != m.head() {
		m.attached = ""
	}
	m.put("", modelEntry{kind: "branch_summary", parent: at})
	w.made(id)
}
