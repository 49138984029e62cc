// Package copilot knows GitHub Copilot CLI: where its sessions lie, what their events mean, which entry it would go on from. docs/copilot.md says what tlog makes of
// them, and where that is known from. Nothing is written for this agent.
package copilot

import (
	"tlog/agents/transcript"
	"tlog/objects"
)

// Name is that of the agent and of its tracking branch.
const Name = "copilot"

// Agent is Copilot CLI.
type Agent struct{}

// Name implements agents.Agent.
func (Agent) Name() string { return Name }

// NewReader implements agents.Foreign.
func (Agent) NewReader(session objects.ID) transcript.Reader { return NewReader(session) }

// Subagents implements agents.Foreign. What a subagent does stands among the events of its session.
func (Agent) Subagents(string) ([]string, error) { return nil, nil }

// CleanUp implements agents.Foreign: the client deletes nothing by itself that is known of.
func (Agent) CleanUp(func(string) string) (transcript.CleanUp, error) {
	return transcript.CleanUp{}, nil
}
