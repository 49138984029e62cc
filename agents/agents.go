// Package agents is the table of the coding agents that tlog knows, one package each below this one, and the seam
// that every one of them goes through. agentstest holds the tests that each has to pass.
package agents

import (
	"slices"

	"tlog/agents/claude"
	"tlog/agents/codex"
	"tlog/agents/copilot"
	"tlog/agents/gemini"
	"tlog/agents/opencode"
	"tlog/agents/pi"
	"tlog/agents/transcript"
	"tlog/objects"
)

// An Agent is a program whose transcripts tlog reads and writes. Nothing that it keeps is ever written to but by
// installing an export.
type Agent interface {
	// Name is that of its tracking branch, and what stands before the colon in `claude:<id>`.
	Name() string
	// Detect reports whether a file that begins with head is a transcript of the agent.
	Detect(head []byte) bool
	// Locate gives the transcripts that the agent keeps, by the environment that env looks up. A folder that is not there
	// holds none.
	Locate(env func(string) string) ([]transcript.Found, error)
	// Folder is where the agent keeps its files; empty if the environment does not tell.
	Folder(env func(string) string) string
}

// A Foreign agent is one whose lines are kept in envelopes. Those of the others are native: tlog reads them as they are.
type Foreign interface {
	Agent
	objects.Decoder
	// Identify says what a transcript is, by its path and its first bytes. It looks at files beside it, and reads no more
	// of the transcript itself.
	Identify(path string, head []byte) (transcript.Identity, error)
	// NewReader starts a transcript of the session from its first line.
	NewReader(session objects.ID) transcript.Reader
	// SideFiles gives what the agent keeps of a session beside its transcript at path.
	SideFiles(path string, id transcript.Identity) ([]transcript.SideFile, error)
	// SideFileReader is SideFiles for many transcripts: it remembers what it has read of files that all of them share. It may
	// be called from several goroutines.
	SideFileReader() func(path string, id transcript.Identity) ([]transcript.SideFile, error)
	// Subagents are the transcripts of the subagents of the session whose transcript is at path. The error tells of folders that
	// cannot be read; what is in the others is given.
	Subagents(path string) ([]string, error)
	// CleanUp says what the agent deletes by itself. The error is one of reading its settings.
	CleanUp(env func(string) string) (transcript.CleanUp, error)
}

// Based is an agent whose transcripts may go on from others by reference.
type Based interface {
	// Base gives what a transcript goes on from, as far as it is there; head is its first bytes. A Missing one is no error.
	Base(path string, head []byte) (transcript.Base, error)
}

// A Keeper is an agent of whose sessions more lies beside a transcript that a session alone has, so that it can be put back.
type Keeper interface {
	// Beside is where a side file of a transcript lies, by the name that SideFiles gives it; ok is false for one that belongs to other sessions too, and
	// for a name that is none. MetaFile is where what the agent keeps of a subagent lies.
	Beside(path, name string) (file string, ok bool)
	MetaFile(path string) string
}

// Exporting is an agent whose sessions lie where tlog does not read them, so that Locate gives none.
type Exporting interface {
	// HowTo says in a sentence without a stop how a session comes out of there and into the store.
	HowTo() string
}

// All are the agents, by name.
func All() []Agent {
	return []Agent{claude.Agent{}, codex.Agent{}, copilot.Agent{}, gemini.Agent{}, opencode.Agent{}, pi.Agent{}}
}

// Lookup finds an agent by its name.
func Lookup(name string) (Agent, bool) {
	i := slices.IndexFunc(All(), func(a Agent) bool { return a.Name() == name })
	if i < 0 {
		return nil, false
	}
	return All()[i], true
}

// LookupForeign finds an agent whose lines are kept in envelopes.
func LookupForeign(name string) (Foreign, bool) {
	agent, _ := Lookup(name)
	foreign, ok := agent.(Foreign)
	return foreign, ok
}

// Detect finds the agent whose transcript begins with head.
func Detect(head []byte) (Foreign, bool) {
	for _, agent := range All() {
		if foreign, ok := agent.(Foreign); ok && foreign.Detect(head) {
			return foreign, true
		}
	}
	return nil, false
}

// Decoder finds the decoder of an agent's lines, for log.WithDecoders.
func Decoder(name string) (objects.Decoder, bool) {
	foreign, ok := LookupForeign(name)
	return foreign, ok
}

// Message is the normalised message of any entry: an agent's line is read by that agent's decoder.
func Message(e objects.Entry) (objects.Message, bool) {
	if !e.Foreign() {
		return objects.DecodeMessage(e)
	}
	decoder, ok := Decoder(e.Agent)
	if !ok {
		return objects.Message{}, false
	}
	return decoder.Message(e)
}
