package codex

import (
	"testing"

	"tlog/objects"
)

// TestSupersedes: which file of a thread the client goes on with.
func TestSupersedes(t *testing.T) {
	const (
		thread   = "019d4000-0000-7000-8000-0000000000ff"
		lowID    = "019d4000-0000-7000-8000-000000000001"
		first    = "/h/archived_sessions/rollout-2026-04-01T10-00-00-" + thread + ".jsonl"
		early    = "/h/sessions/2026/04/02/rollout-2026-04-02T10-00-00-" + thread + "_" + lowID + ".jsonl"
		late     = "/h/sessions/2026/04/02/rollout-2026-04-02T10-00-01-" + thread + "_" + lowID + ".jsonl.zst"
		sameTime = "/h/sessions/2026/04/02/rollout-2026-04-02T10-00-00-" + thread + "_" + thread + ".jsonl"
	)
	order := []string{first, early, sameTime, late}
	for i, a := range order {
		for j, b := range order {
			if got := (Agent{}).Supersedes(a, b); got != (i > j) {
				t.Errorf("%s supersedes %s: %v", a, b, got)
			}
		}
	}
	for id, want := range map[string]string{thread: thread, thread + "_" + lowID: thread, "": ""} {
		if got := (Agent{}).Thread(objects.ID(id)); string(got) != want {
			t.Errorf("the thread of %q is %q", id, got)
		}
	}
}
