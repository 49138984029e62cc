// Package pi knows the coding agent pi: where its sessions lie. What stands in them tlog reads as it does
// its own (docs/format.md "Imports").
package pi

import (
	"os"
	"path/filepath"
	"strings"

	"tlog/agents/transcript"
)

// Agent is pi.
type Agent struct{}

// Name implements agents.Agent.
func (Agent) Name() string { return "pi" }

// Detect implements agents.Agent. A session of pi is native, so what it is is found out by reading it as a log.
func (Agent) Detect([]byte) bool { return false }

// Locate implements agents.Agent.
func (Agent) Locate(env func(string) string) ([]transcript.Found, error) {
	files, err := Locate(env)
	found := make([]transcript.Found, 0, len(files))
	for _, file := range files {
		found = append(found, transcript.Found{Path: file})
	}
	return found, err
}

// Folder implements agents.Agent: the folder that holds its sessions, at whatever depth.
func (Agent) Folder(env func(string) string) string {
	if dir := env("PI_CODING_AGENT_SESSION_DIR"); dir != "" {
		return expand(dir, env("HOME"))
	}
	return agentFolder(env)
}

// agentFolder is the folder of pi's own files, empty if the environment does not tell.
func agentFolder(env func(string) string) string {
	if agent := expand(env("PI_CODING_AGENT_DIR"), env("HOME")); agent != "" {
		return agent
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, ".pi", "agent")
	}
	return ""
}

// Locate gives the files that may be sessions of pi (formats/pi.md section 1). env looks up the environment.
//
// They lie flat in $PI_CODING_AGENT_SESSION_DIR if that is set, else in the folders of
// $PI_CODING_AGENT_DIR/sessions, by default ~/.pi/agent/sessions; early versions put them beside that
// folder. A folder that is not there holds none. The error is one of reading a folder.
func Locate(env func(string) string) ([]string, error) {
	if dir := env("PI_CODING_AGENT_SESSION_DIR"); dir != "" {
		return logsIn(expand(dir, env("HOME")))
	}
	agent := agentFolder(env)
	if agent == "" {
		return nil, nil
	}
	files, err := logsIn(agent)
	if err != nil {
		return nil, err
	}
	sessions := filepath.Join(agent, "sessions")
	folders, err := entriesOf(sessions)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		if folder.Type().IsRegular() {
			continue
		}
		more, err := logsIn(filepath.Join(sessions, folder.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

// expand is a folder of the environment with ~ at its beginning replaced.
func expand(dir, home string) string {
	if dir == "~" {
		return home
	}
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return dir
}

// logsIn are the *.jsonl directly in a folder.
func logsIn(folder string) (files []string, err error) {
	entries, err := entriesOf(folder)
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".jsonl") && !entry.IsDir() {
			files = append(files, filepath.Join(folder, entry.Name()))
		}
	}
	return files, err
}

// entriesOf reads a folder; one that is missing, or is none, is empty.
func entriesOf(folder string) ([]os.DirEntry, error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, nil
	}
	return os.ReadDir(folder)
}
