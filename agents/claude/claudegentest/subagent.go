package claudegentest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// Subagent writes a call that starts a subagent, the subagent's own transcript by tell, and the result.
func (t *Transcript) Subagent(task string, tell func(child *Transcript)) {
	call := t.id("toolu")
	rows := t.Reply("tool_use", Call(call, "Agent", string(object("description", task, "prompt", task))))
	var data bytes.Buffer
	child := New(&data, t.rng)
	child.ID, child.Cwd, child.time = t.ID, t.Cwd, t.time
	child.AgentID = fmt.Sprintf("a%016x", t.rng.Uint64())
	tell(child)
	t.time = child.time
	t.truth.Subagents = append(t.truth.Subagents, Subagent{
		ID: child.AgentID, Call: call, Data: data.Bytes(), Truth: child.Truth(),
		Meta: object("agentType", "general-purpose", "description", task, "toolUseId", call, "spawnDepth", 1, "finished", true),
	})
	t.Result(rows[0], "", "done: "+task, false)
}

// WriteFolder writes a session as a file of the project folder dir, and what belongs to it into the folder beside it. It gives the file.
func WriteFolder(dir string, data []byte, truth Truth) (file string, err error) {
	file = filepath.Join(dir, truth.Session+".jsonl")
	side := filepath.Join(dir, truth.Session, "subagents")
	files := map[string][]byte{file: data}
	for _, s := range truth.Subagents {
		files[filepath.Join(side, "agent-"+s.ID+".jsonl")] = s.Data
		files[filepath.Join(side, "agent-"+s.ID+".meta.json")] = s.Meta
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if len(truth.Subagents) > 0 {
		if err := os.MkdirAll(side, 0o700); err != nil {
			return "", err
		}
	}
	for path, data := range files {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return "", err
		}
	}
	return file, nil
}
