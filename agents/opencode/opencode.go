// Package opencode reads sessions that opencode exported: `opencode export <id>` gives one as a JSON document. The facts are those of
// formats/others.md, section "opencode"; docs/opencode.md says what tlog makes of them. Nothing is written for this agent, and the database in
// which it keeps its sessions is not read.
package opencode

import (
	"path/filepath"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Name is that of the agent and of its tracking branch.
const Name = "opencode"

// Agent is opencode.
type Agent struct{}

// Name implements agents.Agent.
func (Agent) Name() string { return Name }

// NewReader implements agents.Foreign.
func (Agent) NewReader(session objects.ID) transcript.Reader { return NewReader(session) }

// Folder implements agents.Agent: that of the database (formats/others.md "Where").
func (Agent) Folder(env func(string) string) string {
	if data := env("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, Name)
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", Name)
	}
	return ""
}

// Locate implements agents.Agent. Sessions lie in a database; an export may lie anywhere.
func (Agent) Locate(env func(string) string) ([]transcript.Found, error) { return nil, nil }

// HowTo implements agents.Exporting.
func (Agent) HowTo() string {
	return "opencode keeps its sessions in a database; 'opencode session list' names them, 'opencode export <id> > <file>' writes one, and 'tlog import <file>' takes it in"
}

// SideFiles implements agents.Foreign: nothing lies beside an export.
func (Agent) SideFiles(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	return nil, nil
}

// SideFileReader implements agents.Foreign.
func (a Agent) SideFileReader() func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	return a.SideFiles
}

// Subagents implements agents.Foreign: each is exported for itself.
func (Agent) Subagents(path string) ([]string, error) { return nil, nil }

// CleanUp implements agents.Foreign: nothing is deleted that is known of.
func (Agent) CleanUp(env func(string) string) (transcript.CleanUp, error) {
	return transcript.CleanUp{}, nil
}
