package refs

import (
	"slices"
	"strings"

	"tlog/log"
	"tlog/objects"
)

// Move is one line of a reflog.
type Move struct {
	At     int    // where the ref stood afterwards; log.None if it was removed or unborn
	By     int    // the record that moved it
	Reason string // why, see Reflog
}

// Reflog is the history of a branch, or of HEAD ("HEAD" or "@"), newest first. It
// folds the log again. A line counts if it changes where the ref stands or, for
// HEAD, which branch it is attached to. A branch's reflog outlives it.
//
// The reason is that of a ref or head line as written, without one "branch" or
// "checkout". For an entry it is "undo" (skip), "redo" (unskip), "import: <type>"
// if it came to the tracking branch of the header's agent, else "append: <type>".
//
// Move.Why tells apart which of these were brought over.
//
// The error wraps objects.ErrNotFound if the branch never had a tip.
func Reflog(l *log.Log, name string) ([]Move, error) {
	var moves []Move
	var err error
	if name == headName || name == "@" {
		moves, err = headMoves(l)
	} else {
		moves, err = branchMoves(l, name)
	}
	if err != nil {
		return nil, err
	}
	slices.Reverse(moves)
	return moves, nil
}

// Why is the reason of a move, "cherry-pick: <type>" if the entry by which the ref moved is a copy of another one.
func (m Move) Why(by objects.Entry) string {
	if rest, ok := strings.CutPrefix(m.Reason, "append: "); ok && by.Origin() != "" {
		return "cherry-pick: " + rest
	}
	return m.Reason
}

// branchMoves are the moves of a branch, oldest first.
func branchMoves(l *log.Log, name string) ([]Move, error) {
	var moves []Move
	refs, at := newRefSet(), log.None
	why := newReasons(l)
	for i := range l.Len() {
		c, err := refs.read(l, i, l.Record(i))
		if err != nil {
			return nil, err
		}
		if c.kind == changeBranch && c.branch == name && c.at != at {
			at = c.at
			moves = append(moves, Move{At: at, By: i, Reason: why.of(i, c)})
		}
		refs.apply(c)
	}
	if len(moves) == 0 {
		return nil, notFound("no branch '%s' with an entry", shorten(name))
	}
	return moves, nil
}

// headMoves are the moves of HEAD, oldest first.
func headMoves(l *log.Log) ([]Move, error) {
	var moves []Move
	refs := newRefSet()
	head := refs.head()
	why := newReasons(l)
	for i := range l.Len() {
		c, err := refs.read(l, i, l.Record(i))
		if err != nil {
			return nil, err
		}
		refs.apply(c)
		if now := refs.head(); now != head {
			head = now
			moves = append(moves, Move{At: head.At, By: i, Reason: why.of(i, c)})
		}
	}
	return moves, nil
}

// formerHead is the n-th place, from 1, that HEAD was at before: a branch with its
// tip of now, or an entry where it was detached. Branches that are gone are
// passed over, so that a renamed one does not stand in the way. ok is false if there are fewer.
func (s *State) formerHead(n int) (former Head, ok bool, err error) {
	var left []Head
	refs := newRefSet()
	for i := range s.log.Len() {
		c, err := refs.read(s.log, i, s.log.Record(i))
		if err != nil {
			return Head{}, false, err
		}
		before := refs.head()
		refs.apply(c)
		byHead := c.kind == changeAttach || c.kind == changeDetach && s.log.Record(i).Type == objects.TypeHead
		if byHead && (refs.attached != before.Branch || before.Detached() && refs.detached != before.At) {
			left = append(left, before)
		}
	}
	for _, h := range slices.Backward(left) {
		if !h.Detached() {
			h.At = s.refs.tip(h.Branch)
		}
		if h.At == log.None {
			continue
		}
		if n--; n == 0 {
			return h, true, nil
		}
	}
	return Head{}, false, nil
}

// reasons makes the reasons of moves.
type reasons struct {
	log    *log.Log
	agent  string
	append map[objects.Type]string
	bring  map[objects.Type]string
}

func newReasons(l *log.Log) *reasons {
	return &reasons{l, l.Header().Agent, map[objects.Type]string{}, map[objects.Type]string{}}
}

// of is the reason of what record i changed.
func (w *reasons) of(i int, c change) string {
	r := w.log.Record(i)
	switch r.Type {
	case objects.TypeRef, objects.TypeHead:
		if c.reason != "" {
			return c.reason
		}
		if r.Type == objects.TypeRef {
			return "branch"
		}
		return "checkout"
	}
	if w.agent != "" && r.Ref == w.agent {
		return reason(w.bring, "import: ", r.Type)
	}
	switch r.Type {
	case objects.TypeSkip:
		return "undo"
	case objects.TypeUnskip:
		return "redo"
	}
	return reason(w.append, "append: ", r.Type)
}

// reason joins a text once for each type: a long log has as many moves as entries.
func reason(made map[objects.Type]string, prefix string, t objects.Type) string {
	text, ok := made[t]
	if !ok {
		text = prefix + string(t)
		made[t] = text
	}
	return text
}
