// Package gemini reads sessions of Gemini CLI (docs/gemini.md).
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

// Detect implements agents.Agent.
func (Agent) Detect(head []byte) bool { return false }

// Locate implements agents.Agent.
func (Agent) Locate(env func(string) string) ([]transcript.Found, error) { return nil, nil }

// Folder implements agents.Agent.
func (Agent) Folder(env func(string) string) string { return "" }

// Message implements objects.Decoder.
func (Agent) Message(e objects.Entry) (objects.Message, bool) { return objects.Message{}, false }

// Compaction implements objects.Decoder.
func (Agent) Compaction(e objects.Entry) (objects.Compaction, bool) {
	return objects.Compaction{}, false
}

// Identify implements agents.Foreign.
func (Agent) Identify(path string, head []byte) (transcript.Identity, error) {
	return transcript.Identity{}, nil
}

// NewReader implements agents.Foreign.
func (Agent) NewReader(session objects.ID) transcript.Reader { return nil }

// SideFiles implements agents.Foreign.
func (Agent) SideFiles(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	return nil, nil
}

// SideFileReader implements agents.Foreign.
func (a Agent) SideFileReader() func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	return a.SideFiles
}

// Subagents implements agents.Foreign.
func (Agent) Subagents(path string) ([]string, error) { return nil, nil }

// CleanUp implements agents.Foreign.
func (Agent) CleanUp(env func(string) string) (transcript.CleanUp, error) {
	return transcript.CleanUp{}, nil
}
