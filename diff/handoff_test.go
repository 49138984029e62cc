package diff_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/checkout"
	"tlog/diff"
	"tlog/log"
	"tlog/objects"
	"tlog/store"
)

// handOver writes what HEAD of a session comes to as a transcript of another agent, and opens that.
func handOver(t *testing.T, s *checkout.Session, agent string) (over *checkout.Session, ok bool) {
	t.Helper()
	h, err := s.Conversation(s.Refs.Head().At, checkout.HandoffOptions{AllowMissing: true})
	if err != nil || len(h.Messages) == 0 {
		return nil, false
	}
	target, found := agents.LookupTarget(agent)
	if !found {
		t.Fatalf("no target %s", agent)
	}
	var out bytes.Buffer
	_, err = target.WriteConversation(&out, transcript.Conversation{
		Session: "0197f0aa-0000-7000-8000-00000000c0de", Now: options().Now(), Cwd: "/work", Messages: h.Messages,
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rollout-2026-11-30T10-00-00-0197f0aa-0000-7000-8000-00000000c0de.jsonl")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return openShared(t, path)
}

// TestSameTalkOfTwoAgents compares real sessions of Claude Code with what another agent goes on from. Where nothing was compacted, so that the hand-off begins with
// the session, all that both have is common up to the first entry that is handed over in other words.
func TestSameTalkOfTwoAgents(t *testing.T) {
	for _, agent := range []string{"codex", "pi"} {
		talks, whole, begun := 0, 0, 0
		for _, file := range claudeFiles(t) {
			s, ok := openShared(t, file)
			if !ok || s.Refs.Head().At == log.None || compacted(s) {
				continue
			}
			over, ok := handOver(t, s, agent)
			if !ok {
				continue
			}
			talks++
			c := compareSides(t, head(s), head(over))
			if c.Relation == diff.ByContent {
				begun++
			}
			if len(c.OnlyB) == 0 {
				whole++
			}
			if t.Failed() {
				t.Fatal(file)
			}
		}
		t.Logf("%s: of %d talks %d have a common beginning, %d are common as a whole", agent, talks, begun, whole)
		if talks == 0 || begun*10 < talks*9 || whole*10 < talks*6 {
			t.Errorf("%s: expected that most are found again", agent)
		}
	}
}

func claudeFiles(t *testing.T) (files []string) {
	t.Helper()
	for _, file := range sharedSessions(t) {
		if strings.Contains(filepath.ToSlash(file), "/claude/") && filepath.Ext(file) == ".jsonl" {
			files = append(files, file)
		}
	}
	return files
}

func compacted(s *checkout.Session) bool {
	return slices.ContainsFunc(s.Log.Ancestry(s.Refs.Head().At), func(i int) bool { return s.Log.Record(i).Type == objects.TypeCompaction })
}

// talk are the lines of a session of Claude Code, n turns with a call each; a compact one with words.
func talk(n int) string {
	var sb strings.Builder
	parent := "null"
	row := func(kind, content string) {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", strings.Count(sb.String(), "\n"))
		fmt.Fprintf(&sb, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/work","sessionId":"11111111-1111-4111-8111-1111111111ff",`+
			`"version":"2.1.0","type":%q,"message":{"role":%q,"content":%s},"uuid":%q,"timestamp":"2026-11-30T10:00:00.000Z"}`+"\n", parent, kind, kind, content, id)
		parent = `"` + id + `"`
	}
	for i := range n {
		row("user", fmt.Sprintf(`"look at file %d"`, i))
		row("assistant", fmt.Sprintf(`[{"type":"thinking","thinking":"hm %d","signature":"x"}]`, i))
		row("assistant", fmt.Sprintf(`[{"type":"tool_use","id":"toolu_%d","name":"Read","input":{"file_path":"/work/%d"}}]`, i, i))
		row("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"toolu_%d","content":"content %d","is_error":%v}]`, i, i, i%3 == 2))
		row("assistant", fmt.Sprintf(`[{"type":"text","text":"it holds content %d"}]`, i))
	}
	return sb.String()
}

// TestSessionThatGrew compares two imports of one session, of which one has gone on, and a fork with its parent.
func TestSessionThatGrew(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "11111111-1111-4111-8111-1111111111ff.jsonl")
	importInto := func(root, content string) *checkout.Session {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		imported, err := store.Open(filepath.Join(dir, root)).Import(t.Context(), file, "/work", options())
		if err != nil {
			t.Fatal(err)
		}
		return reopen(t, imported.File)
	}
	short, long := importInto("one", talk(4)), importInto("two", talk(6))
	c := compareSides(t, tip(t, short, "claude"), tip(t, long, "claude"))
	if c.Relation != diff.ByID || len(c.CommonA) != 20 || len(c.OnlyA) != 0 || len(c.OnlyB) != 10 || len(c.Turns) != 2 {
		t.Errorf("a session that grew: relation %d, %d common, %d and %d alone, %d turns", c.Relation, len(c.CommonA), len(c.OnlyA), len(c.OnlyB), len(c.Turns))
	}
	again := importInto("one", talk(6))
	if c = compareSides(t, tip(t, again, "claude"), tip(t, long, "claude")); !c.Empty() || len(c.CommonA) != 30 {
		t.Errorf("after another import: %d common, %d and %d alone", len(c.CommonA), len(c.OnlyA), len(c.OnlyB))
	}

	at := again.Log.Ancestry(tip(t, again, "claude").At)[14]
	written, err := again.Fork(at, checkout.ForkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := store.Open(filepath.Join(dir, "three")).WriteFork(written, "/work", log.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fork := reopen(t, path)
	entry := []byte(`{"type":"message","message":{"role":"user","content":"another way"}}`)
	if _, err := fork.Append(t.Context(), [][]byte{entry}, checkout.AppendOptions{}); err != nil {
		t.Fatal(err)
	}
	c = compareSides(t, tip(t, again, "claude"), head(fork))
	if c.Relation != diff.ByID || c.BaseA != at || len(c.CommonA) != 15 || len(c.OnlyA) != 15 || len(c.OnlyB) != 1 {
		t.Errorf("a fork: relation %d, base %d, %d common, %d and %d alone", c.Relation, c.BaseA, len(c.CommonA), len(c.OnlyA), len(c.OnlyB))
	}
}

// TestHandedOver compares a session with what Codex and pi go on from, which is all common.
func TestHandedOver(t *testing.T) {
	file := filepath.Join(t.TempDir(), "11111111-1111-4111-8111-1111111111ff.jsonl")
	if err := os.WriteFile(file, []byte(talk(6)), 0o600); err != nil {
		t.Fatal(err)
	}
	s, ok := openShared(t, file)
	if !ok {
		t.Fatal("the session is none")
	}
	for _, agent := range []string{"codex", "pi"} {
		over, ok := handOver(t, s, agent)
		if !ok {
			t.Fatalf("%s: nothing was handed over", agent)
		}
		c := compareSides(t, head(s), head(over))
		if c.Relation != diff.ByContent || len(c.CommonA) != 30 || len(c.OnlyB) != 0 || !c.Empty() {
			t.Errorf("%s: relation %d, %d common, %d and %d alone", agent, c.Relation, len(c.CommonA), len(c.OnlyA), len(c.OnlyB))
		}
	}
}

func reopen(t *testing.T, path string) *checkout.Session {
	t.Helper()
	s, err := checkout.Open(path, options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
