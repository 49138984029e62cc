// Package gemini knows Gemini CLI: where its sessions lie, what their lines mean, which entry it would go on from. The facts are those of
// formats/others.md, section "Gemini CLI"; docs/gemini.md says what tlog makes of them. Nothing is written for this agent.
package gemini

import (
	"tlog/agents/transcript"
	"tlog/objects"
)

// Name is that of the agent and of its tracking branch.
const Name = "gemini"

// Agent is Gemini CLI.
type Agent struct{}

// Name implements agents.Agent.
func (Agent) Name() string { return Name }

// NewReader implements agents.Foreign.
func (Agent) NewReader(session objects.ID) transcript.Reader { return NewReader(session) }
