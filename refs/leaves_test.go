package refs_test

import (
	"os"
	"path/filepath"
	"testing"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// TestUnnamedLeaves holds that what an agent left hanging without showing it is no branch, and anything else is.
func TestUnnamedLeaves(t *testing.T) {
	foreign := func(id, parent objects.ID, hidden bool) string {
		v := objects.Envelope{
			Type: objects.TypeMessage, ID: id, ParentID: parent, Timestamp: "2026-01-01T00:00:00.000Z",
			Agent: "claude", Hidden: hidden, Line: []byte(`{"type":"user","uuid":"` + string(id) + `"}`),
		}
		return string(v.Bytes()) + "\n"
	}
	native := func(id, parent string) string {
		return `{"type":"custom","id":"` + id + `","parentId":"` + parent + `","timestamp":"2026-01-01T00:00:00.000Z"}` + "\n"
	}
	head := `{"type":"session","version":4,"id":"s","timestamp":"2026-01-01T00:00:00.000Z"}` + "\n"
	lines := head + foreign("a", "", false) +
		foreign("aside", "", true) + foreign("aside2", "aside", true) + // a conversation beside it
		foreign("dead", "a", true) + // hidden rows at the main history
		foreign("shown", "a", false) + foreign("after", "shown", true) + // a real branch that ends hidden
		native("mark", "a") + // tlog's own
		foreign("tip", "a", false)
	file := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := log.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	state, err := refs.Fold(l)
	if err != nil {
		t.Fatal(err)
	}
	var got []objects.ID
	for _, i := range state.UnnamedLeaves() {
		got = append(got, l.Record(i).ID)
	}
	if len(got) != 2 || got[0] != "after" || got[1] != "mark" {
		t.Errorf("unnamed leaves %q, expected after and mark", got)
	}
}
