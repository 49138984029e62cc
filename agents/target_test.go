package agents_test

import (
	"testing"

	"tlog/agents"
)

// TestTargets: what is written for whom.
func TestTargets(t *testing.T) {
	if got := agents.TargetNames(); got != "claude, codex, pi" {
		t.Errorf("targets %s", got)
	}
	for name, want := range map[string][2]bool{"claude": {true, false}, "codex": {}, "pi": {true, true}} {
		target, ok := agents.LookupTarget(name)
		if !ok {
			t.Errorf("%s is no target", name)
			continue
		}
		native, is := target.(agents.NativeTarget)
		if is != want[0] || is && native.NativeEntries() != want[1] {
			t.Errorf("%s: native %v", name, is)
		}
	}
	if _, ok := agents.LookupTarget("markdown"); ok {
		t.Error("markdown is an agent")
	}
}
