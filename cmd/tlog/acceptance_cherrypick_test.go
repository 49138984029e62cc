//go:build acceptance

package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/agents/claude/claudetest"
	"tlog/agents/codex/codextest"
)

// TestAcceptanceCherryPick: the client goes on from one attempt with the other one behind it, as from both.
func TestAcceptanceCherryPick(t *testing.T) {
	file, err := filepath.Abs(attemptsFile)
	if err != nil {
		t.Fatal(err)
	}
	in := importClaude(t, file)
	tlog := func(args ...string) string { return in.tlog(append([]string{"-s", in.session}, args...)...) }
	old := oldLeaf(t, tlog)
	base := strings.TrimSpace(tlog("merge-base", old, "main"))
	first, _ := in.resume(old)
	second, _ := in.resume("main")
	common, _ := in.resume(base)
	// The last message of each is the one that the client is resumed with.
	behind := first.Messages[len(common.Messages)-1:]
	tlog("cherry-pick", "main.."+old)
	both, report := in.resume()
	if repairs := repairsOf(t, report); len(repairs) > 0 || both.Refused != nil {
		t.Errorf("repairs %v, refused %q", repairs, both.Refused)
	}
	sameMessages(t, "both attempts", both.Messages, slices.Concat(second.Messages[:len(second.Messages)-1], behind))

	t.Run("into a session of tlog's own", func(t *testing.T) {
		own := imported{t: t, dir: in.dir}
		own.session = strings.Fields(own.tlog("new"))[0]
		own.tlog("-s", own.session, "cherry-pick", in.session+":"+base+".."+in.session+":"+old)
		got, _ := own.resume()
		if got.Refused != nil {
			t.Errorf("refused: %q", got.Refused)
		}
		sameMessages(t, "the first attempt alone", got.Messages, behind)
	})
	t.Run("a part of a reply behind another part of it", func(t *testing.T) {
		some := importClaude(t, file)
		path := some.path(base + ".." + old)
		tlog := func(args ...string) string { return some.tlog(append([]string{"-s", some.session}, args...)...) }
		tlog("checkout", "-b", "part", path[1]) // the text of the reply, without its two calls
		some.run(`{"role":"user","content":"Wait a moment."}`, "-s", some.session, "append")
		tlog("cherry-pick", path[3]) // the second one
		got, _ := some.resume()
		words := claudetest.Words(got.Messages)
		if got.Refused != nil || strings.Count(words, `"tool_use"`) != 1 || strings.Count(words, "1 failed, 1 passed") != 1 ||
			strings.Index(words, "Wait a moment.") > strings.Index(words, `"tool_use"`) {
			t.Errorf("refused %q, sent\n%s", got.Refused, words)
		}
	})
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("picks ", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 7))
			some := importClaude(t, file)
			args := []string{"-s", some.session, "cherry-pick"}
			for _, id := range some.path(base + ".." + old) {
				if rng.IntN(3) == 0 {
					args = append(args, id)
				}
			}
			if len(args) == 3 {
				return
			}
			some.tlog(args...)
			got, _ := some.resume()
			if got.Refused != nil {
				t.Errorf("%v: refused: %q", args, got.Refused)
			}
			holdsAll(t, got.Messages, second.Messages)
			calls := func(messages []claudetest.Message) int {
				return strings.Count(claudetest.Words(messages), `"tool_use"`)
			}
			if added, all := calls(got.Messages)-calls(second.Messages), calls(behind); added < 0 || added > all {
				t.Errorf("%d calls were added, of %d", added, all)
			}
		})
	}
}

// TestAcceptanceCherryPickCodex: what Codex sends of a branch with picked lines is what it sends of their sources.
func TestAcceptanceCherryPickCodex(t *testing.T) {
	const thread = "019d4000-0000-7000-8000-000000000002"
	file, err := filepath.Abs(filepath.Join("..", "..", "testdata", "codex", "tools.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	in := imported{t: t, dir: t.TempDir(), session: thread}
	in.run("", "import", file)
	sent := func() map[string]int {
		c := codextest.New(t)
		session, out := in.installed("codex", c.Home, c.Project)
		c.Install(session, readFile(t, out))
		items, err := c.Resume(session)
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, item := range items {
			count[asJSON(t, []codextest.Item{item})]++
		}
		return count
	}
	all := sent()
	path := in.path()
	in.tlog("-s", thread, "checkout", "-b", "other", path[0])
	in.tlog("-s", thread, "cherry-pick", path[6], path[len(path)-1]) // the result of a patch, and the last answer
	some := sent()
	picked := 0
	for item, n := range some {
		if n > all[item] {
			t.Errorf("%d times, not %d: %s", n, all[item], item)
		}
		for _, words := range []string{"*** Begin Patch", "A todo.txt", "Gladly."} {
			if strings.Contains(item, words) {
				picked++
			}
		}
	}
	if picked != 3 {
		t.Errorf("%d of 3 picked items were sent: %v", picked, some)
	}
}
