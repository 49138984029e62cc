//go:build acceptance

package claude_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"tlog/agents/agentstest"
	"tlog/agents/claude"
	"tlog/agents/claude/claudegentest"
	"tlog/agents/claude/claudetest"
	"tlog/objects"
)

// TestClientResumesExports: of the export of every branch the real client (TLOG_CLAUDE_BIN) sends what it would send there in the session itself.
// TLOG_CLAUDE_SEEDS is the number of sessions.
func TestClientResumesExports(t *testing.T) {
	seeds, err := strconv.ParseUint(os.Getenv("TLOG_CLAUDE_SEEDS"), 10, 64)
	if err != nil {
		seeds = 8
	}
	for seed := range seeds {
		data, truth := claudegentest.Bytes(rand.New(rand.NewPCG(seed, 6)), claudegentest.Options{Old: seed%3 == 0})
		for n, tip := range truth.Tips() {
			t.Run(fmt.Sprintf("seed%d/%d", seed, n), func(t *testing.T) {
				const session = "0e000000-0000-4000-8000-000000000003"
				sample := agentstest.Sample{Data: data, Session: objects.ID(truth.Session), Cwd: truth.Cwd}
				export := agentstest.Exported(t, claude.Agent{}, sample, objects.ID(tip.UUID), session, truth.Cwd)
				resumed, err := claudetest.Resume(t, session, export)
				if err == nil {
					err = claudegentest.CheckSent(resumed.Messages, tip)
				}
				if err == nil {
					return
				}
				if dir := os.Getenv("TLOG_CLAUDE_KEEP"); dir != "" {
					os.WriteFile(fmt.Sprintf("%s/seed%d.%d.jsonl", dir, seed, n), data, 0o600)
					os.WriteFile(fmt.Sprintf("%s/seed%d.%d.out.jsonl", dir, seed, n), export, 0o600)
				}
				t.Error(err)
			})
		}
	}
}
