package agents

import (
	"strings"

	"tlog/agents/transcript"
	"tlog/objects"
)

// A Target is an agent that sessions are written for.
type Target interface {
	Agent
	transcript.Writer
	transcript.ConversationWriter
	// InstallPath is where the agent looks for a session of the working folder cwd.
	InstallPath(env func(string) string, cwd string, session objects.ID) string
	// Resume is the agent's own command to go on with a session that lies there.
	Resume(cwd string, session objects.ID) transcript.Command
}

// NativeTarget is a Target that writes a session of tlog's own entry by entry, not as a conversation.
type NativeTarget interface {
	Target
	// NativeEntries reports in which form it wants them: with edits where entries are undone (checkout.Session.NativeTranscript), or without
	// the undone ones (checkout.Session.Transcript).
	NativeEntries() (withEdits bool)
}

// FileTarget is a Target that is told the file of a session.
type FileTarget interface {
	Target
	// ResumeFile is its own command to go on with the session in a file.
	ResumeFile(cwd, file string) transcript.Command
}

// LookupTarget finds an agent that sessions are written for.
func LookupTarget(name string) (Target, bool) {
	agent, _ := Lookup(name)
	target, ok := agent.(Target)
	return target, ok
}

// TargetNames are the names of all of them: "claude, codex, pi".
func TargetNames() string {
	var names []string
	for _, agent := range All() {
		if _, ok := agent.(Target); ok {
			names = append(names, agent.Name())
		}
	}
	return strings.Join(names, ", ")
}
