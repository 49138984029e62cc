package checkout

import (
	"context"
	"fmt"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Undo takes the n newest visible entries back: pending ones out of the buffer, what is left of n by a skip entry. removed are the
// ids that were taken out and will never be in the log. The undo of flushed entries is written at once, with what is pending.
// What belongs to an entry by a tool call goes with it, from the buffer and from the log, and so do pending
// labels and edits of an entry that is taken out. If there are fewer than n entries all are undone; the error
// wraps objects.ErrNotFound if there are none.
func (st *Stream) Undo(ctx context.Context, n int) (u Undone, removed []objects.ID, err error) {
	if n < 1 {
		return Undone{}, nil, fmt.Errorf("%w: undo of %d entries, expected at least 1", objects.ErrInvalid, n)
	}
	var stay []*draft
	err = st.session.update(ctx, func(b *batch) error {
		b.branch = st.branch
		chosen, h, err := st.choose(b, n)
		if err != nil {
			return err
		}
		if u, err = st.session.undone(h, chosen); err != nil {
			return err
		}
		if stay, removed, err = st.without(chosen); err != nil {
			return err
		}
		u.Pending = len(removed)
		switch {
		case len(u.Targets) > 0:
			u.Entry, err = st.writeUndo(b, stay, u.Targets, n)
			return err
		case len(removed) == 0:
			return errNothing
		}
		return nil
	})
	if err != nil {
		return Undone{}, nil, err
	}
	st.pending, st.plan = stay, nil
	if u.Entry != "" {
		st.pending, st.away = nil, false
	}
	return u, removed, nil
}

// writeUndo adds what stays pending, the skip of flushed entries, and the line that says where HEAD is.
func (st *Stream) writeUndo(b *batch, stay []*draft, targets []int, n int) (objects.ID, error) {
	if err := st.placeAll(b, stay); err != nil {
		return "", err
	}
	payload := withReason(fmt.Sprintf("undo %d", n), st.session.targetIDs(targets))
	object := []byte(`{"type":"skip"}`)
	for _, f := range payload {
		object = objects.AppendMembers(object, member(f))
	}
	skip, err := st.session.newDraft(object)
	if err != nil {
		return "", err
	}
	if err := b.place(skip); err != nil {
		return "", err
	}
	return skip.id, b.settle()
}

// choose walks back over what is pending and then over the branch. It gives what it walked over, and the
// branch's history.
func (st *Stream) choose(b *batch, n int) ([]*unit, *refs.History, error) {
	s := st.session
	tip, err := b.tip(b.key(st.branch))
	if err != nil {
		return nil, nil, err
	}
	at := log.None
	if tip != "" {
		at, _ = s.Log.Find(tip)
	}
	h, err := refs.NewHistory(s.Log, at)
	if err != nil {
		return nil, nil, err
	}
	hidden := pendingUndo(st.pending)
	onPath, buffer := s.walkPath(h, hidden), st.walkPending(b, hidden)
	p := newest(n)
	c := &closure{pick: p.ask, more: p.more, next: func() (*unit, error) {
		if u := buffer(); u != nil {
			return u, nil
		}
		return onPath()
	}}
	if err := c.run(); err != nil {
		return nil, nil, err
	}
	return c.units, h, nil
}

// walkPending yields the pending entries of the stream's branch, newest first.
func (st *Stream) walkPending(b *batch, hidden func(objects.ID) (undone, known bool)) func() *unit {
	left := st.pending
	return func() *unit {
		for len(left) > 0 {
			d := left[len(left)-1]
			left = left[:len(left)-1]
			if ref := d.entry.Ref; ref != "" && b.key(ref) != b.key(st.branch) {
				continue
			}
			u := &unit{at: log.None, draft: d}
			u.undone, _ = hidden(d.id)
			u.visible = d.entry.Type.Visible() && !u.undone
			u.message, _ = decode(d.entry)
			return u
		}
		return nil
	}
}

// pendingUndo folds the skip and unskip entries that are pending themselves.
func pendingUndo(pending []*draft) func(objects.ID) (undone, known bool) {
	folded := map[objects.ID]bool{}
	for _, d := range pending {
		if undoes(d.entry.Type) {
			for _, id := range d.entry.TargetIDs() {
				folded[id] = d.entry.Type == objects.TypeSkip
			}
		}
	}
	return func(id objects.ID) (undone, known bool) {
		undone, known = folded[id]
		return undone, known
	}
}

// without is the pending buffer without what was chosen of it, and the ids that are left out. What hangs on
// an entry that goes is hung under that one's parent; what only says something about it goes too.
func (st *Stream) without(units []*unit) (stay []*draft, removed []objects.ID, err error) {
	gone := map[objects.ID]*draft{}
	for _, u := range units {
		if u.chosen && u.draft != nil {
			gone[u.draft.id] = u.draft
		}
	}
	for _, d := range st.pending {
		if gone[d.id] == nil {
			kept, err := d.without(gone)
			if err != nil {
				return nil, nil, err
			}
			if kept != nil {
				stay = append(stay, kept)
				continue
			}
			gone[d.id] = d
		}
		removed = append(removed, d.id)
	}
	return stay, removed, nil
}

// without is the draft as it is when others are gone; nil if it makes no sense then.
func (d *draft) without(gone map[objects.ID]*draft) (*draft, error) {
	raw := d.entry.Raw
	switch d.entry.Type {
	case objects.TypeLabel, objects.TypeContextEdit:
		if target, _ := d.entry.Text("targetId"); gone[objects.ID(target)] != nil {
			return nil, nil
		}
	case objects.TypeSkip, objects.TypeUnskip:
		var left []objects.ID
		targets := d.entry.TargetIDs()
		for _, id := range targets {
			if gone[id] == nil {
				left = append(left, id)
			}
		}
		switch {
		case len(left) == 0:
			return nil, nil
		case len(left) < len(targets):
			raw = objects.ReplaceValue(raw, "targetIds", idList("", left).Value)
		}
	}
	return d.with(reparented(raw, d.entry, gone))
}

// reparented is raw with a parent that is not gone.
func reparented(raw []byte, e objects.Entry, gone map[objects.ID]*draft) []byte {
	parent, given := e.ParentID, e.HasParent
	if !given || gone[parent] == nil {
		return raw
	}
	for given && gone[parent] != nil {
		up := gone[parent].entry
		parent, given = up.ParentID, up.HasParent
	}
	if !given {
		return objects.RemoveMember(raw, "parentId")
	}
	return objects.ReplaceValue(raw, "parentId", objects.IDField("", parent).Value)
}

// with is the draft with other bytes.
func (d *draft) with(raw []byte) (*draft, error) {
	if &raw[0] == &d.entry.Raw[0] {
		return d, nil
	}
	e, err := objects.ParseEntry(raw)
	if err != nil {
		return nil, fmt.Errorf("pending entry %s: %w", d.id, err)
	}
	changed := *d
	changed.entry = e
	return &changed, nil
}
