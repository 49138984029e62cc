package codextest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func words(t *testing.T, value any) string {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestClient: the real client writes a session with a tool call, and resumes it.
func TestClient(t *testing.T) {
	c := New(t, []Item{Reasoning("hm"), Text("I look."), Call("exec_command", map[string]any{"cmd": "echo found"})})
	c.Say("look around")
	files := c.Rollouts()
	if len(files) != 1 {
		t.Fatalf("rollouts %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(data), "look around") {
		t.Error("not its rollout: ", err)
	}
	id := strings.TrimSuffix(files[0], ".jsonl")
	got, err := c.Resume(id[len(id)-36:])
	if err != nil {
		t.Fatal(err)
	}
	sent := words(t, got)
	for _, word := range []string{"look around", "I look.", "echo found", "function_call_output", "pong 1", Ping} {
		if !strings.Contains(sent, word) {
			t.Errorf("%s is not in %s", word, sent)
		}
	}
}

// TestClientRefuses: a session that is not there is an error of its own.
func TestClientRefuses(t *testing.T) {
	c := New(t)
	if _, err := c.Resume("01a00000-0000-7000-8000-00000000abcd"); err == nil {
		t.Error("a session that is not there was resumed")
	}
}

func TestNormalise(t *testing.T) {
	got := words(t, Normalise([]Item{
		{"type": "message", "role": "developer", "content": []any{}},
		{"type": "message", "role": "user", "content": []any{map[string]any{"text": " <environment_context>x"}}},
		{"type": "message", "id": "m", "role": "user", "content": []any{map[string]any{"text": "one"}}},
	}))
	if got != `[{"content":[{"text":"one"}],"role":"user","type":"message"}]` {
		t.Errorf("got %s", got)
	}
}
