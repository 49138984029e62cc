//go:build acceptance

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/codex/codextest"
)

// TestAcceptanceCodexListed: what is installed for the client stands in its picker, with the name if it has one, in a home that is new and in one that the client
// has used. What it knew before stays.
func TestAcceptanceCodexListed(t *testing.T) {
	for _, home := range []string{"new", "used"} {
		t.Run(home, func(t *testing.T) {
			t.Parallel()
			c := codextest.New(t)
			index := filepath.Join(c.Config(), "session_index.jsonl")
			var before []byte
			if home == "used" {
				c.Say("hello")
				threads := c.Threads()
				if len(threads) != 0 { // the client passes over what it was told by exec
					t.Fatalf("%+v", threads)
				}
				before = []byte(`{"id":"019d4000-0000-7000-8000-0000000000ee","thread_name":"another","updated_at":"2026-04-01T10:00:00Z"}`) // not ended
				if err := os.WriteFile(index, before, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			file, err := filepath.Abs(filepath.Join("..", "..", "testdata", "codex", "simple.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			in := imported{t: t, dir: c.Home}
			in.session = strings.Fields(in.run("", "import", file))[0]
			want := map[string]codextest.Thread{}
			install := func(name, preview string, flags ...string) {
				t.Helper()
				args := append([]string{"-s", in.session, "export", "--to", "codex", "--install", "--cwd", c.Project}, flags...)
				id := strings.TrimSpace(in.run("", args...))
				want[id] = codextest.Thread{ID: id, Name: name, Preview: preview, Cwd: c.Project}
			}
			install("", "Which plants need water?")
			install("beds and paths", "Which plants need water?", "--name", "beds and paths")
			in.session = strings.TrimSpace(in.run("", "new", "--name", "of tlog's \"own\""))
			in.run("{\"role\":\"user\",\"content\":\"own prompt\"}\n{\"role\":\"assistant\",\"content\":\"own answer\"}\n", "-s", in.session, "append")
			install("of tlog's \"own\"", "own prompt")
			for _, thread := range c.Threads() {
				if thread != want[thread.ID] {
					t.Errorf("got %+v, want %+v", thread, want[thread.ID])
				}
				delete(want, thread.ID)
			}
			if len(want) > 0 {
				t.Errorf("not listed: %+v", want)
			}
			if after := readFile(t, index); !bytes.HasPrefix(after, before) || bytes.Count(after, []byte("\n")) != 2+len(before)/max(1, len(before)) {
				t.Errorf("the index is\n%s", after)
			}
		})
	}
}
