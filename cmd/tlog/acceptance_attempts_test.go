//go:build acceptance

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/claude/claudetest"
)

const attemptsID = "5c1f0a52-8d3e-4b7c-9a10-2e6f7a8b9c0d"

// The files of the project that both attempts begin with.
const (
	calcScript = "#!/bin/sh\necho $(($1 - $2))\n"
	calcTest   = "passed=0 failed=0\nfor t in '1 2 3' '5 0 5'; do\n  set -- $t\n" +
		"  if [ \"$(sh calc.sh $1 $2)\" = \"$3\" ]; then passed=$((passed+1)); else failed=$((failed+1)); fi\ndone\n" +
		"if [ $failed -gt 0 ]; then echo \"$failed failed, $passed passed in 0.01s\"; exit 1; fi\necho \"$passed passed in 0.01s\"\n"
)

// TestAcceptanceAttempts has the client try a task twice, from one entry: the first attempt looks, fails, edits wrongly, then rightly, and tests twice; the second one
// writes the file anew. With -update the session becomes testdata/attempts, which TestAttempts counts; without, it is compared with the real one in what it comes to.
func TestAcceptanceAttempts(t *testing.T) {
	tools := []string{"--allowedTools", "Bash,Read,Write,Edit"}
	c := claudetest.New(t)
	script := filepath.Join(c.Project, "calc.sh")
	begin := func() {
		for name, text := range map[string]string{"calc.sh": calcScript, "test.sh": calcTest} {
			if err := os.WriteFile(filepath.Join(c.Project, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	test := claudetest.Call("Bash", map[string]any{"command": "sh test.sh"})
	read := claudetest.Call("Read", map[string]any{"file_path": script})
	edit := func(old, new string) claudetest.Block {
		return claudetest.Call("Edit", map[string]any{"file_path": script, "old_string": old, "new_string": new})
	}
	begin()
	c.Model.Script(says(claudetest.Text("Yes: calc.sh adds two numbers, test.sh tests it.")))
	c.Say("Is there a test here?", append([]string{"--session-id", attemptsID}, tools...)...)
	back := newestOf(t, c, attemptsID, "assistant")

	c.Model.Script(
		reply(1, claudetest.Text("I look at both first."), read, test),
		reply(2, edit("$1 * $2", "$1 + $2")),
		reply(3, edit("$1 - $2", "$1 + $2 + 1")),
		reply(4, test),
		reply(5, edit("$1 + $2 + 1", "$1 + $2")),
		reply(6, test),
		reply(7, claudetest.Text("Both pass now.")),
	)
	c.Say("Make the test pass.", append([]string{"--resume", attemptsID}, tools...)...)
	c.Model.Script(reply(8, claudetest.Text("The sign, and a one too many that I put in myself.")))
	c.Say("What was wrong with it?", append([]string{"--resume", attemptsID}, tools...)...)

	begin()
	c.Model.Script(
		reply(11, read),
		reply(12, claudetest.Call("Write", map[string]any{"file_path": script, "content": "#!/bin/sh\n# the sum of two numbers\necho $(($1 + $2))\n"})),
		reply(13, test),
		reply(14, claudetest.Text("It subtracted. Both pass.")),
	)
	c.Say("Make the test pass.", append([]string{"--resume", attemptsID, "--resume-session-at", back}, tools...)...)
	if n := c.Model.Left(); n > 0 {
		t.Fatalf("the client did not ask for %d turns of the script", n)
	}
	data := strings.NewReplacer(c.Project, "/home/ada/calc", c.Home, "/home/ada").Replace(talkOf(t, readFile(t, c.Transcript(attemptsID))))
	if *update {
		if err := os.WriteFile(attemptsFile, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	fresh := filepath.Join(t.TempDir(), attemptsID+".jsonl")
	if err := os.WriteFile(fresh, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	checkAttempts(t, fresh)
}

// reply is an answer of the model, the n-th of those that are told apart by their tokens.
func reply(n int, blocks ...claudetest.Block) claudetest.Turn {
	turn := says(blocks...)
	turn.Tokens = &claudetest.Tokens{Input: 100 + 10*n, CacheWrite: n, CacheRead: 1000 * n, Output: 30 + n}
	return turn
}

// talkOf are the rows of a transcript that somebody said, each at the one before it that stays: what the client tells its model besides is left out.
func talkOf(t *testing.T, transcript []byte) string {
	t.Helper()
	var talk strings.Builder
	above := map[string]string{} // the row at which what hangs at one hangs now
	for line := range bytes.Lines(transcript) {
		var row struct {
			Type, UUID string
			ParentUUID *string
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		parent := ""
		if row.ParentUUID != nil {
			parent = *row.ParentUUID
			if up, gone := above[parent]; gone {
				parent = up
			}
		}
		if row.Type != "user" && row.Type != "assistant" {
			above[row.UUID] = parent
			continue
		}
		if row.ParentUUID != nil && parent != *row.ParentUUID {
			line = bytes.Replace(line, []byte(`"parentUuid":"`+*row.ParentUUID), []byte(`"parentUuid":"`+parent), 1)
		}
		talk.Write(line)
	}
	return talk.String()
}
