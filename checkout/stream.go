package checkout

import (
	"context"
	"fmt"

	"tlog/log"
	"tlog/objects"
)

// Stream appends entries as they come. Staged entries lie in a pending buffer
// until Flush writes them with one write; an undo takes those out of it first and undoes
// flushed ones by a skip entry. A Stream is as little safe for several goroutines as its Session.
type Stream struct {
	session *Session
	branch  string
	pending []*draft
	plan    *batch // of the pending entries on the log as read; nil to be made
	planned int    // the length of the log for which plan was made
	away    bool   // the last line that was flushed moved another branch than HEAD's
}

// NewStream makes a stream that appends to a branch, or to HEAD.
func (s *Session) NewStream(opt AppendOptions) *Stream {
	return &Stream{session: s, branch: opt.Branch}
}

// Stage checks a line as Append does and puts it into the pending buffer. The id is given at once; it is on disk after Flush.
// Flush checks again, on what other programs have appended by then.
func (st *Stream) Stage(line []byte) (objects.ID, error) {
	d, err := st.session.newDraft(line)
	if err != nil {
		return "", err
	}
	if err := st.replan(); err != nil {
		return "", err
	}
	if err := st.plan.place(d); err != nil {
		return "", err
	}
	st.pending = append(st.pending, d)
	return d.id, nil
}

// replan places the pending entries anew if the session has read more since.
func (st *Stream) replan() error {
	s := st.session
	if st.plan != nil && st.planned == s.Log.Len() {
		return nil
	}
	plan := newBatch(s, st.branch)
	plan.dry = true
	for _, d := range st.pending {
		if err := plan.place(d); err != nil {
			return pendingError(d, err)
		}
	}
	st.plan, st.planned = plan, s.Log.Len()
	return nil
}

func pendingError(d *draft, err error) error { return fmt.Errorf("pending entry %s: %w", d.id, err) }

// Pending is the number of staged entries.
func (st *Stream) Pending() int { return len(st.pending) }

// Flush writes the pending entries and returns their ids in order. On an error all of them stay pending.
// An entry without parentId goes on top of what is there then.
func (st *Stream) Flush(ctx context.Context) ([]objects.ID, error) {
	if len(st.pending) == 0 {
		return nil, nil
	}
	var away bool
	err := st.session.update(ctx, func(b *batch) error {
		err := st.placeAll(b, st.pending)
		away = b.away
		return err
	})
	if err != nil {
		return nil, err
	}
	ids := make([]objects.ID, len(st.pending))
	for i, d := range st.pending {
		ids[i] = d.id
	}
	st.pending, st.plan, st.away = nil, nil, away
	return ids, nil
}

// placeAll places drafts in the batch of a flush.
func (st *Stream) placeAll(b *batch, drafts []*draft) error {
	b.branch = st.branch
	for _, d := range drafts {
		if err := b.place(d); err != nil {
			return pendingError(d, err)
		}
	}
	return nil
}

// Close flushes and, if the stream wrote to a branch other than HEAD's, ends with the head line that makes the last line descend from the active leaf.
func (st *Stream) Close(ctx context.Context) error {
	if _, err := st.Flush(ctx); err != nil || !st.away {
		return err
	}
	err := st.session.update(ctx, func(b *batch) error {
		b.away = !st.session.settled()
		return b.settle()
	})
	if err == nil {
		st.away = false
	}
	return err
}

// settled reports whether the file's last line descends from the tip of HEAD.
func (s *Session) settled() bool {
	last := s.Log.Last()
	if last == log.None {
		return true
	}
	r := s.Log.Record(last)
	switch {
	case r.RepeatOf != log.None:
		last = r.RepeatOf
	case !r.Tree():
		last = r.Parent
	}
	return last == s.Refs.Head().At
}
