// Package claude knows Claude Code: where its transcripts lie, what their lines mean, which entry it
// would go on from, and what it resumes. The facts are those of formats/claude.md; docs/claude.md says what tlog makes of them.
package claude

import (
	"tlog/agents/transcript"
	"tlog/objects"
)

// Name is what the agent is called in names of sessions and as a tracking branch.
const Name = "claude"

// Agent is Claude Code.
type Agent struct{}

// Name implements agents.Agent.
func (Agent) Name() string { return Name }

// NewReader implements agents.Agent.
func (Agent) NewReader(session objects.ID) transcript.Reader { return NewReader(session) }
