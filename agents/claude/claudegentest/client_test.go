//go:build acceptance

package claudegentest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"tlog/agents/claude/claudetest"
)

// TestClient asks the real client (TLOG_CLAUDE_BIN) whether it sends what the generator says. TLOG_CLAUDE_SEEDS is the number of sessions.
func TestClient(t *testing.T) {
	seeds, err := strconv.ParseUint(os.Getenv("TLOG_CLAUDE_SEEDS"), 10, 64)
	if err != nil {
		seeds = 12
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			data, truth := Bytes(rand.New(rand.NewPCG(seed, 0)), Options{Old: seed%3 == 0})
			resumed, err := claudetest.Resume(t, truth.Session, data)
			if err == nil {
				err = CheckSent(resumed.Messages, truth.Leaf)
			}
			if err == nil {
				return
			}
			if dir := os.Getenv("TLOG_CLAUDE_KEEP"); dir != "" {
				os.WriteFile(fmt.Sprintf("%s/seed%d.jsonl", dir, seed), data, 0o600)
			}
			t.Error(err)
		})
	}
}
