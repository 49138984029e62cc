package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/objects"
)

// Staged lines are written together, when no more input waits or this many are pending.
const maxPending = 1024

// streamer answers the lines of append --stream. Each input line gets one
// answer, in order; a pending line's answer waits until it is on disk.
type streamer struct {
	app     *App
	session *checkout.Session
	stream  *checkout.Stream
	answers []answer
	refused int
}

// answer is what an input line will be told.
type answer struct {
	id     objects.ID
	undone bool // taken out of the pending buffer before it was written
}

func runAppendStream(cmd commandContext, a *App, opt checkout.AppendOptions) error {
	s, err := a.writable(cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	st := &streamer{app: a, session: s, stream: s.NewStream(opt)}
	if err := st.serve(ctx, readLines(ctx, a.IO.In)); err != nil {
		return fmt.Errorf("append: %w", err)
	}
	if err := st.stream.Close(ctx); err != nil {
		return fmt.Errorf("append: %w", err)
	}
	if st.refused > 0 {
		return usagef("append: %d lines were refused", st.refused)
	}
	return nil
}

// serve takes lines until the input ends. It flushes whenever it would have to wait.
func (st *streamer) serve(ctx context.Context, lines <-chan inputLine) error {
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return st.flush(ctx)
			}
			if err := st.take(ctx, line); err != nil {
				return err
			}
			continue
		default:
		}
		if err := st.flush(ctx); err != nil {
			return err
		}
		select {
		case line, ok := <-lines:
			if !ok {
				return nil
			}
			if err := st.take(ctx, line); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// take handles one line of input. The error is one that ends the stream.
func (st *streamer) take(ctx context.Context, line inputLine) error {
	if line.err != nil {
		return errors.Join(st.flush(ctx), line.err)
	}
	if n, ok := undoRequest(line.bytes); ok {
		if n < 1 {
			return st.refuse(ctx, fmt.Errorf("undo: expected a whole number above 0: %w", objects.ErrInvalid))
		}
		return st.undo(ctx, n)
	}
	id, err := st.stream.Stage(line.bytes)
	if err != nil {
		return st.refuse(ctx, err)
	}
	st.answers = append(st.answers, answer{id: id})
	if st.stream.Pending() >= maxPending {
		return st.flush(ctx)
	}
	return nil
}

func (st *streamer) undo(ctx context.Context, n int) error {
	u, removed, err := st.stream.Undo(ctx, n)
	if err != nil {
		return st.refuse(ctx, err)
	}
	gone := make(map[objects.ID]bool, len(removed))
	undone := make([]string, 0, len(removed)+len(u.Targets))
	for _, id := range removed {
		gone[id] = true
		undone = append(undone, string(id))
	}
	for i := range st.answers {
		st.answers[i].undone = gone[st.answers[i].id]
	}
	if err := st.flush(ctx); err != nil {
		return err
	}
	undone = append(undone, entryIDs(st.session.Log, u.Targets)...)
	o := new(jsonout.Object).ID("id", u.Entry).Strings("undone", undone)
	if err := st.app.printJSON(o); err != nil {
		return err
	}
	return st.app.IO.Out.Flush()
}

// refuse answers a line that is not taken. A failure to write, as opposed to a bad line, ends the stream.
func (st *streamer) refuse(ctx context.Context, err error) error {
	if f := classify(err); f.code == exitIO || f.code == exitInterrupted || f.code == exitLocked {
		return err
	}
	if err := st.flush(ctx); err != nil {
		return err
	}
	st.refused++
	if err := st.app.printJSON(errorObject(err)); err != nil {
		return err
	}
	return st.app.IO.Out.Flush()
}

// flush writes what is pending and gives the answers that waited for it.
func (st *streamer) flush(ctx context.Context) error {
	if _, err := st.stream.Flush(ctx); err != nil {
		return err
	}
	for _, waiting := range st.answers {
		o := new(jsonout.Object).ID("id", waiting.id)
		if waiting.undone {
			o.Bool("undone", true)
		}
		if err := st.app.printJSON(o); err != nil {
			return err
		}
	}
	st.answers = st.answers[:0]
	return st.app.IO.Out.Flush()
}

// undoRequest recognises {"undo":n}; n is 0 if it is no whole number.
func undoRequest(line []byte) (n int, ok bool) {
	members, value := 0, []byte(nil)
	err := objects.Scan(line, func(m objects.Member) {
		members++
		if m.Is("undo") {
			value = m.Value
		}
	})
	if err != nil || members != 1 || value == nil {
		return 0, false
	}
	n, _ = strconv.Atoi(string(value))
	return n, true
}
