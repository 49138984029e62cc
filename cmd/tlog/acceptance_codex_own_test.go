//go:build acceptance

package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"tlog/agents/codex/codextest"
)

// TestAcceptanceCodexOwn: exports of hand-written rollouts are resumed with the model input of their sources.
func TestAcceptanceCodexOwn(t *testing.T) {
	for name, thread := range map[string]string{
		"simple": "019d4000-0000-7000-8000-000000000001", "tools": "019d4000-0000-7000-8000-000000000002",
		"rolledback": "019d4000-0000-7000-8000-000000000003", "compacted": "019d4000-0000-7000-8000-000000000004",
		"forked": "019d4000-0000-7000-8000-000000000006",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := filepath.Abs(filepath.Join("..", "..", "testdata", "codex", name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			source, target := codextest.New(t), codextest.New(t)
			// The test's client has another provider, for which it would refuse the source. An export has none.
			source.Install(thread, bytes.ReplaceAll(readFile(t, file), []byte(`,"model_provider":"openai"`), nil))
			want, err := source.Resume(thread)
			if err != nil {
				t.Fatal(err)
			}
			in := imported{t: t, dir: t.TempDir(), session: thread}
			in.run("", "import", file)
			session, out := in.installed("codex", target.Home, target.Project)
			target.Install(session, readFile(t, out))
			got, err := target.Resume(session)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := asJSON(t, got), asJSON(t, want); a != b {
				t.Errorf("got  %s\nwant %s", around(a, b), around(b, a))
			}
		})
	}
}
