package checkout

import (
	"fmt"

	"tlog/agents/transcript"
	"tlog/objects"
	"tlog/projection"
)

// HandoffOptions are how to hand a session over to another agent.
type HandoffOptions struct {
	projection.HandoffOptions
	// AllowMissing takes marked placeholders for what lay in blobs that are missing or damaged. Without it these are an error
	// (a *log.BlobError).
	AllowMissing bool
}

// Handoff is what another agent goes on from.
type Handoff struct {
	At    int // the entry at which it ends
	Asked int // the one that was asked for; At lies further down where that would have split calls from their results
	// Undone is how many entries were left out since they are undone.
	Undone   int
	Messages []transcript.Message
	Lost     []transcript.Repair // what does not come along
}

// Conversation is what the model is sent at an entry, for an agent that did not write it (docs/hand-off.md). The path goes on where
// calls on it have results further down. The error wraps objects.ErrNotFound if nothing is said on it.
func (s *Session) Conversation(at int, opt HandoffOptions) (Handoff, error) {
	fail := func(err error) (Handoff, error) { return Handoff{}, fmt.Errorf("conversation: %w", err) }
	history, end, err := s.wholeHistory(at)
	if err != nil {
		return fail(err)
	}
	c, err := projection.Build(history)
	if err != nil {
		return fail(err)
	}
	if err := c.Missing(); err != nil && !opt.AllowMissing {
		return fail(err)
	}
	h := Handoff{At: end, Asked: at, Undone: len(history.Skipped())}
	if h.Messages, h.Lost, err = c.Handoff(s.Log, opt.HandoffOptions); err != nil {
		return fail(err)
	}
	if len(h.Messages) == 0 {
		return fail(fmt.Errorf("%w: nothing is said up to there", objects.ErrNotFound))
	}
	return h, nil
}
