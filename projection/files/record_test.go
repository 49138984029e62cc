package files_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
)

// writer writes a session in which calls are recorded, as one agent records them.
type writer struct {
	t     testing.TB
	claud bool // Claude Code, else pi
	lines []string
	tip   string
	calls int
}

const folder = "/p"

func newWriter(t testing.TB, claude bool) *writer {
	return &writer{t: t, claud: claude, lines: []string{`{"type":"session","version":4,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"` + folder + `"}`}}
}

func (w *writer) json(v any) json.RawMessage {
	w.t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// put adds an entry and gives its id.
func (w *writer) put(kind objects.Type, role string, message any, extra map[string]any) string {
	id := fmt.Sprintf("e%d", len(w.lines))
	fields := []objects.Field{{Key: "message", Value: w.json(message)}}
	line := objects.Build(kind, objects.ID(id), objects.ID(w.tip), "2026-01-01T00:00:00.000Z", fields...)
	if w.claud && kind == objects.TypeMessage {
		row := map[string]any{"type": role, "uuid": id, "cwd": folder, "message": message}
		for k, v := range extra {
			row[k] = v
		}
		line = objects.Envelope{Type: kind, ID: objects.ID(id), ParentID: objects.ID(w.tip), Timestamp: "2026-01-01T00:00:00.000Z", Agent: "claude", Line: w.json(row)}.Bytes()
	}
	w.lines = append(w.lines, string(line))
	w.tip = id
	return id
}

func (w *writer) prompt() {
	w.put(objects.TypeMessage, "user", map[string]any{"role": "user", "content": "go on"}, nil)
}

// call adds a call, and gives what its result has to name.
func (w *writer) call(name string, input map[string]any) (id, entry string) {
	w.calls++
	id = fmt.Sprintf("c%d", w.calls)
	block := map[string]any{"type": "toolCall", "id": id, "name": name, "arguments": input}
	if w.claud {
		block = map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}
	}
	return id, w.put(objects.TypeMessage, "assistant", map[string]any{"role": "assistant", "content": []any{block}}, nil)
}

// result adds the result of a call; recorded is what the agent keeps beside it.
func (w *writer) result(id, name, text string, failed bool, recorded any) string {
	if w.claud {
		extra := map[string]any{}
		if recorded != nil {
			extra["toolUseResult"] = recorded
		}
		block := map[string]any{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}
		return w.put(objects.TypeMessage, "user", map[string]any{"role": "user", "content": []any{block}}, extra)
	}
	message := map[string]any{"role": "toolResult", "toolCallId": id, "toolName": name, "isError": failed, "content": []any{map[string]any{"type": "text", "text": text}}}
	if recorded != nil {
		message["details"] = recorded
	}
	return w.put(objects.TypeMessage, "", message, nil)
}

// both adds a call and its result.
func (w *writer) both(name string, input map[string]any, text string, failed bool, recorded any) (call, result string) {
	id, call := w.call(name, input)
	return call, w.result(id, name, text, failed, recorded)
}

// skip undoes entries.
func (w *writer) skip(ids []string) {
	id := fmt.Sprintf("e%d", len(w.lines))
	w.lines = append(w.lines, string(objects.Build(objects.TypeSkip, objects.ID(id), objects.ID(w.tip), "2026-01-01T00:00:00.000Z",
		objects.Field{Key: "targetIds", Value: w.json(ids)}, objects.StringField("reason", "undo"))))
	w.tip = id
}

// open opens what was written.
func (w *writer) open() *log.Log {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(w.lines, "\n")+"\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	l, err := log.Open(path, log.WithDecoders(agents.Decoder))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { l.Close() })
	return l
}
