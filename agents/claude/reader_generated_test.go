package claude

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tlog/agents/claude/claudegentest"
	"tlog/objects"
)

// TestGenerated reads sessions of which it is known what the user saw.
func TestGenerated(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		options := claudegentest.Options{Old: seed%3 == 1, Linear: seed%5 == 2}
		if seed%40 == 3 {
			options.Size = 300_000
		}
		data, truth := claudegentest.Bytes(rng, options)
		r := NewReader(objects.ID(truth.Session))
		envelopes := r.Read(data)
		if len(envelopes) != truth.Lines {
			t.Errorf("seed %d: %d envelopes of %d lines", seed, len(envelopes), truth.Lines)
		}
		parents := parentsOf(envelopes)
		for _, row := range truth.Rows {
			want := objects.ID("")
			if row.Prev != nil {
				want = objects.ID(row.Prev.UUID)
			}
			if got, ok := parents[objects.ID(row.UUID)]; got != want || !ok {
				t.Errorf("seed %d: line %d hangs at %s (%v), expected %s", seed, row.Line, got, ok, want)
			}
			if row.Line > len(envelopes) {
				continue
			}
			v := envelopes[row.Line-1]
			if v.Type.Visible() != row.Visible || v.Hidden != row.Hidden || v.Gap != "" {
				t.Errorf("seed %d: line %d is %s hidden %v gap %q", seed, row.Line, v.Type, v.Hidden, v.Gap)
			}
		}
		if want := tipOf(truth); r.Leaf() != want {
			t.Errorf("seed %d: the leaf is %s, expected %s", seed, r.Leaf(), want)
		}
		if title := titleOf(envelopes); title != truth.Title {
			t.Errorf("seed %d: the title is %q, expected %q", seed, title, truth.Title)
		}
		if r.Damaged() != 0 {
			t.Errorf("seed %d: %d damaged lines", seed, r.Damaged())
		}
		if t.Failed() {
			break
		}
	}
}

func tipOf(truth claudegentest.Truth) objects.ID {
	if truth.Leaf == nil {
		return ""
	}
	return objects.ID(truth.Leaf.UUID)
}

func titleOf(envelopes []objects.Envelope) string {
	for _, v := range slices.Backward(envelopes) {
		if v.Title != nil {
			return *v.Title
		}
	}
	return ""
}
