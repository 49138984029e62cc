// Package codex knows Codex CLI: where its rollouts lie, what their lines mean, which entry it would go on from. The facts are those
// of formats/codex.md; docs/codex.md says what tlog makes of them.
package codex

import (
	"tlog/agents/transcript"
	"tlog/objects"
)

// Name is what the agent is called in names of sessions and as a tracking branch.
const Name = "codex"

// Agent is Codex CLI.
type Agent struct{}

// Name implements agents.Agent.
func (Agent) Name() string { return Name }

// NewReader implements agents.Foreign.
func (Agent) NewReader(session objects.ID) transcript.Reader { return NewReader(session) }
