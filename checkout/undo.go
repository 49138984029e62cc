package checkout

import (
	"context"
	"fmt"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Undone says what an undo or redo did.
type Undone struct {
	Entry   objects.ID // the skip or unskip entry; empty if nothing was written
	Targets []int      // what is undone (or back) now, oldest first
	Closure []int      // those of Targets that were not asked for but belong to a tool pair
	Pending int        // entries that were taken out of a Stream's pending buffer
}

// Undo undoes the n newest visible entries of HEAD's path; if there are fewer, all of them. The error
// wraps objects.ErrNotFound if there are none.
func (s *Session) Undo(ctx context.Context, n int, reason string) (Undone, error) {
	if n < 1 {
		return Undone{}, fmt.Errorf("%w: undo of %d entries, expected at least 1", objects.ErrInvalid, n)
	}
	return s.undo(ctx, reason, func(*refs.History, *closure) (pick, error) { return newest(n), nil })
}

// UndoTurns undoes the n newest turns; if there are fewer, all of them. What stands before the first
// prompt counts as a turn. The error wraps objects.ErrNotFound if there are none.
func (s *Session) UndoTurns(ctx context.Context, n int, reason string) (Undone, error) {
	if n < 1 {
		return Undone{}, fmt.Errorf("%w: undo of %d turns, expected at least 1", objects.ErrInvalid, n)
	}
	return s.undo(ctx, reason, func(*refs.History, *closure) (pick, error) { return newestTurns(n), nil })
}

// UndoEntries undoes the given entries of HEAD's path. An entry that is not on it, or undone
// already, or a skip, is refused.
func (s *Session) UndoEntries(ctx context.Context, entries []int, reason string) (Undone, error) {
	if len(entries) == 0 {
		return Undone{}, fmt.Errorf("%w: undo of no entries", objects.ErrInvalid)
	}
	return s.undo(ctx, reason, func(h *refs.History, c *closure) (pick, error) {
		paired := false
		for _, at := range entries {
			if err := s.checkUndo(h, at); err != nil {
				return pick{}, err
			}
			has, err := s.hasTools(at)
			if err != nil {
				return pick{}, err
			}
			paired = paired || has
		}
		if !paired {
			c.next = s.only(h, entries) // nothing can belong to them: spare the walk
		}
		return listed(entries), nil
	})
}

// checkUndo checks that an entry can be undone.
func (s *Session) checkUndo(h *refs.History, at int) error {
	if err := s.checkEntry(at); err != nil {
		return err
	}
	r := s.Log.Record(at)
	switch by := h.SkippedBy(at); {
	case !h.Contains(at):
		return fmt.Errorf("%w: entry %s is not on the current branch", objects.ErrRefused, r.ID)
	case undoes(r.Type):
		return fmt.Errorf("%w: entry %s is an undo or redo itself; redo takes the newest undo back", objects.ErrRefused, r.ID)
	case by != log.None:
		return fmt.Errorf("%w: entry %s is undone already, by %s", objects.ErrRefused, r.ID, s.Log.Record(by).ID)
	}
	return nil
}

// hasTools reports whether an entry makes a tool call or holds a result.
func (s *Session) hasTools(at int) (bool, error) {
	if s.Log.Record(at).Type != objects.TypeMessage {
		return false, nil
	}
	e, err := s.Log.Entry(at)
	if err != nil {
		return false, err
	}
	m, _ := decode(e)
	return len(m.Calls()) > 0 || len(m.Results()) > 0, nil
}

// only walks over the given entries of the path alone, newest first.
func (s *Session) only(h *refs.History, entries []int) func() (*unit, error) {
	wanted := set(entries)
	path := h.Path()
	return func() (*unit, error) {
		for len(path) > 0 {
			at := path[len(path)-1]
			path = path[:len(path)-1]
			if wanted[at] {
				return &unit{at: at}, nil
			}
		}
		return nil, nil
	}
}

// undo appends the skip of what choose picks, and of what belongs to it, to HEAD.
func (s *Session) undo(ctx context.Context, reason string, choose func(*refs.History, *closure) (pick, error)) (u Undone, err error) {
	err = s.update(ctx, func(b *batch) error {
		h, err := refs.NewHistory(s.Log, b.head.At)
		if err != nil {
			return err
		}
		c := &closure{next: s.walkPath(h, nil)}
		p, err := choose(h, c)
		if err != nil {
			return err
		}
		c.pick, c.more = p.ask, p.more
		if err := c.run(); err != nil {
			return err
		}
		if u, err = s.undone(h, c.units); err != nil {
			return err
		}
		if len(u.Targets) == 0 {
			return errNothing
		}
		u.Entry, err = b.entry(objects.TypeSkip, withReason(reason, s.targetIDs(u.Targets))...)
		return err
	})
	if err != nil {
		return Undone{}, err
	}
	return u, nil
}

// errNothing says that there is no entry to undo.
var errNothing = fmt.Errorf("nothing to undo: %w", objects.ErrNotFound)

// targetIDs is the field that names the given entries.
func (s *Session) targetIDs(entries []int) objects.Field {
	ids := make([]objects.ID, len(entries))
	for i, at := range entries {
		ids[i] = s.idOf(at)
	}
	return idList("targetIds", ids)
}

func idList(key string, ids []objects.ID) objects.Field {
	value := []byte{'['}
	for i, id := range ids {
		if i > 0 {
			value = append(value, ',')
		}
		value = objects.AppendQuote(value, string(id))
	}
	return objects.Field{Key: key, Value: append(value, ']')}
}

// Redo takes back the newest undo on the path that still holds something. objects.ErrNotFound if there is none.
func (s *Session) Redo(ctx context.Context, reason string) (u Undone, err error) {
	err = s.update(ctx, func(b *batch) error {
		h, err := refs.NewHistory(s.Log, b.head.At)
		if err != nil {
			return err
		}
		skip := h.NewestSkip()
		if skip == log.None {
			return fmt.Errorf("nothing to redo: %w", objects.ErrNotFound)
		}
		u.Targets = s.inPathOrder(h, h.Held(skip))
		u.Entry, err = b.entry(objects.TypeUnskip, withReason(reason, s.targetIDs(u.Targets))...)
		return err
	})
	if err != nil {
		return Undone{}, err
	}
	return u, nil
}

// inPathOrder sorts entries as they come on the path. One that is not on it
// comes behind its parent, or at the end.
func (s *Session) inPathOrder(h *refs.History, entries []int) []int {
	wanted := set(entries)
	beside := map[int][]int{}
	for _, at := range entries {
		if !h.Contains(at) {
			parent := s.Log.Record(at).Parent
			beside[parent] = append(beside[parent], at)
			delete(wanted, at)
		}
	}
	sorted := make([]int, 0, len(entries))
	for _, at := range h.Path() {
		if wanted[at] {
			sorted = append(sorted, at)
		}
		if len(beside) > 0 {
			sorted = append(sorted, beside[at]...)
			delete(beside, at)
		}
	}
	for _, at := range entries {
		if rest := beside[s.Log.Record(at).Parent]; len(rest) > 0 && !h.Contains(at) {
			sorted = append(sorted, at)
		}
	}
	return sorted
}

func set(entries []int) map[int]bool {
	m := make(map[int]bool, len(entries))
	for _, at := range entries {
		m[at] = true
	}
	return m
}
