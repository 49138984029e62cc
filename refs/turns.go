package refs

import (
	"fmt"
	"slices"

	"tlog/log"
	"tlog/objects"
)

// Turn is a user prompt and what follows up to the next one.
type Turn struct {
	Prompt  int   // log.None for what stands before the first prompt
	Entries []int // visible entries, the prompt first
}

// Turns are the turns of the path's visible entries, oldest first. It reads the messages on the path.
func (h *History) Turns() ([]Turn, error) {
	var turns []Turn
	for _, i := range h.Visible() {
		prompt, err := isPrompt(h.log, i)
		switch {
		case err != nil:
			return nil, err
		case prompt:
			turns = append(turns, Turn{Prompt: i})
		case len(turns) == 0:
			turns = append(turns, Turn{Prompt: log.None})
		}
		last := &turns[len(turns)-1]
		last.Entries = append(last.Entries, i)
	}
	return turns, nil
}

// lastPrompt is the newest user prompt on the path that is not undone, or log.None.
func (h *History) lastPrompt() (int, error) {
	for _, i := range slices.Backward(h.path) {
		if !h.visible(i) {
			continue
		}
		if prompt, err := isPrompt(h.log, i); prompt || err != nil {
			return i, err
		}
	}
	return log.None, nil
}

// isPrompt reports whether entry i is a user prompt.
func isPrompt(l *log.Log, i int) (bool, error) {
	if l.Record(i).Type != objects.TypeMessage {
		return false, nil
	}
	_, m, ok, err := l.MessageAt(i)
	if err != nil {
		return false, fmt.Errorf("read message %s: %w", l.Short(i), err)
	}
	return ok && m.Prompt(), nil
}
