//go:build acceptance

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/codex/codextest"
	"tlog/objects/sharedtest"
)

// TestAcceptanceCodexSamples: of each rollout of the real client its export is resumed with the same model input. The source lies with all the
// others of its home: it may go on from them.
func TestAcceptanceCodexSamples(t *testing.T) {
	for _, file := range sharedtest.Glob(t, "*/home/.codex/sessions/*/*/*/rollout-*.jsonl", "samples", "codex") {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		thread, segment, _ := strings.Cut(name[len("rollout-2026-11-30T12-48-10-"):], "_")
		newer, err := filepath.Glob(filepath.Join(filepath.Dir(file), "rollout-*-"+thread+"_*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if len(newer) > 0 && filepath.Base(newer[len(newer)-1]) != filepath.Base(file) {
			continue // the client goes on from a later segment
		}
		t.Run(strings.Split(filepath.ToSlash(file), "/samples/codex/")[1][:8]+thread[len(thread)-4:]+segment, func(t *testing.T) {
			t.Parallel()
			c := codextest.New(t)
			sessions := filepath.Join(c.Config(), "sessions")
			if err := os.CopyFS(sessions, os.DirFS(filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(file)))))); err != nil {
				t.Fatal(err)
			}
			in := imported{t: t, dir: t.TempDir()}
			in.run("", "import", file)
			in.session = strings.TrimSpace(firstWord(in.run("", "sessions", "--all", "--json"), `"session":"`))
			want, err := c.Resume(thread)
			if err != nil {
				t.Fatal(err)
			}
			other := codextest.New(t)
			session, out := in.installed("codex", other.Home, other.Project)
			other.Install(session, readFile(t, out))
			got, err := other.Resume(session)
			if err != nil {
				t.Fatal(err)
			}
			a, b := asJSON(t, got), asJSON(t, want)
			if a != b {
				t.Errorf("got  %s\nwant %s", around(a, b), around(b, a))
			}
			if !strings.Contains(string(readFile(t, out)), `"type":"compacted"`) { // before which the context is another one
				resumesPrefix(t, in, want)
			}
		})
	}
}

// firstWord is what stands behind a text up to the next quote.
func firstWord(text, before string) string {
	_, rest, _ := strings.Cut(text, before)
	word, _, _ := strings.Cut(rest, `"`)
	return word
}

// resumesPrefix holds that an export of an earlier entry is resumed as the beginning of what the client sends of the whole.
func resumesPrefix(t *testing.T, in imported, whole []codextest.Item) {
	t.Helper()
	path := in.path()
	if len(path) < 3 {
		return
	}
	c := codextest.New(t)
	session, out := in.installed("codex", c.Home, c.Project, path[len(path)/2])
	c.Install(session, readFile(t, out))
	got, err := c.Resume(session)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got) - 1; n < 1 || n >= len(whole) || asJSON(t, got[:n]) != asJSON(t, whole[:n]) {
		t.Errorf("up to %s\ngot  %.3000s\nwant %.3000s", path[len(path)/2], asJSON(t, got), asJSON(t, whole))
	}
}
