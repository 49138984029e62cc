package checkout

import (
	"context"
	"sync"

	"tlog/objects"
)

// Appender appends entries to a session from many goroutines at once. Those that come while a write is on its way to disk wait for it and go with the next one, all
// with one write and one sync; so many writers wait hardly longer than one. While an Appender is in use nothing else may be done with its Session.
type Appender struct {
	stream *Stream

	mu      sync.Mutex
	waiting []*waitingEntry
	busy    bool // a goroutine is writing
}

// waitingEntry is a line that is not on disk yet.
type waitingEntry struct {
	line []byte
	id   objects.ID
	err  error
	done chan struct{}
}

// NewAppender makes an appender to a branch, or to HEAD.
func (s *Session) NewAppender(opt AppendOptions) *Appender {
	return &Appender{stream: s.NewStream(opt)}
}

// Append appends a line as [Session.Append] does and returns when it is on disk. Entries without parentId go on top of each other in the order in which they came. If ctx
// ends before, its error is returned, and the entry may be written all the same.
func (a *Appender) Append(ctx context.Context, line []byte) (objects.ID, error) {
	w := &waitingEntry{line: line, done: make(chan struct{})}
	a.mu.Lock()
	a.waiting = append(a.waiting, w)
	if !a.busy {
		a.busy = true
		go a.write()
	}
	a.mu.Unlock()
	select {
	case <-w.done:
		return w.id, w.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// write writes until nobody waits any more.
func (a *Appender) write() {
	for {
		a.mu.Lock()
		batch := a.waiting
		a.waiting = nil
		a.busy = len(batch) > 0
		a.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		a.flush(batch)
	}
}

// flush writes a batch. A line that is refused concerns nobody but who gave it; a write that fails all.
func (a *Appender) flush(batch []*waitingEntry) {
	staged := make([]*waitingEntry, 0, len(batch))
	for _, w := range batch {
		if w.id, w.err = a.stream.Stage(w.line); w.err != nil {
			close(w.done)
			continue
		}
		staged = append(staged, w)
	}
	_, err := a.stream.Flush(context.Background())
	if err != nil {
		a.stream.pending, a.stream.plan = nil, nil
	}
	for _, w := range staged {
		if w.err = err; err != nil {
			w.id = ""
		}
		close(w.done)
	}
}
