package checkout

import (
	"context"

	"tlog/objects"
)

// Stream appends entries as they come. Staged entries lie in a pending buffer
// until Flush writes them with one write; an undo takes those out of it first and undoes
// flushed ones by a skip entry.
type Stream struct{ session *Session }

// NewStream makes a stream that appends to a branch, or to HEAD.
func (s *Session) NewStream(opt AppendOptions) *Stream { panic("todo") }

// Stage checks a line as Append does and puts it into the pending buffer. The id is given at once; it is on disk after Flush.
func (st *Stream) Stage(line []byte) (objects.ID, error) { panic("todo") }

// Pending is the number of staged entries.
func (st *Stream) Pending() int { panic("todo") }

// Undo takes the n newest visible entries back: pending ones out of the buffer, what is left of n by a skip entry. removed are the
// ids that were taken out and will never be in the log. The undo of flushed entries is written at once, with what is pending.
func (st *Stream) Undo(ctx context.Context, n int) (u Undone, removed []objects.ID, err error) {
	panic("todo")
}

// Flush writes the pending entries and returns their ids in order. On an error all of them stay pending.
func (st *Stream) Flush(ctx context.Context) ([]objects.ID, error) { panic("todo") }

// Close flushes and, if the stream wrote to a branch other than HEAD's, ends with the head line that makes the last line descend from the active leaf.
func (st *Stream) Close(ctx context.Context) error { panic("todo") }
