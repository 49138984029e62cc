package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/projection"
)

// TestBugCases holds the commands to what must come out of inputs after public reports of other tools, of whatever agent.
func TestBugCases(t *testing.T) {
	for name, check := range map[string]func(*claudeCase){
		"B038": sourceGone, "B041": unicodeProjects, "B048": tornCharacter, "B049": emptyFiles, "B052": cutText,
		"B026": longLines, "B060": secretsMasked, "B065": sharedReply, "B191": longChain, "B198": redactedLines,
		"B094": fencedPage, "B095": convertedRollout, "B127": hiddenSubagents, "B129": promptlessSubagent, "B174": titles,
	} {
		t.Run(name, func(t *testing.T) { check(openCase(t, name)) })
	}
}

// apart moves a folder of the case to where no store looks for its own.
func (c *claudeCase) apart(name string) string {
	c.Helper()
	to := filepath.Join(c.TempDir(), "agent")
	if err := os.Rename(filepath.Join(c.dir, name), to); err != nil {
		c.Fatal(err)
	}
	return to
}

// A source that is gone removes nothing, and is said to be gone.
func sourceGone(c *claudeCase) {
	src := filepath.Join(c.dir, "src")
	out, _ := c.run(exitOK, "import", src)
	id := strings.Fields(out)[0]
	if err := os.Remove(filepath.Join(src, "s1.jsonl")); err != nil {
		c.Fatal(err)
	}
	if code, _, notes := runApp(c.T, c.dir, "import", src); code != exitOK && code != exitNotFound {
		c.Errorf("exit code %d: %s", code, notes)
	}
	c.session = id
	c.shows(c.log(), marks("01", "02")...)
	c.session = ""
	list, _ := c.run(exitOK, "sessions", "--all")
	c.holds(list, "gone")
}

// Projects whose names are of equal length, and have no ASCII letter, are two.
func unicodeProjects(c *claudeCase) {
	c.run(exitOK, "import", c.apart("projects"))
	list, _ := c.run(exitOK, "project")
	c.holds(list, "/proj/新聞", "/proj/暫存")
	var columns []int
	for line := range strings.Lines(list) {
		before, _, found := strings.Cut(line, "/proj/")
		if found {
			columns = append(columns, terminal.Width(before))
		}
	}
	if len(columns) != 2 || columns[0] != columns[1] {
		c.Errorf("the columns do not line up: %v in\n%s", columns, list)
	}
	one, _ := c.run(exitOK, "sessions", "--all", "--json")
	for line := range strings.Lines(one) {
		if strings.Contains(line, "新聞") == strings.Contains(line, "temp mark-02") {
			c.Errorf("a session stands in the wrong project: %s", line)
		}
	}
}

// A torn tail in the middle of a character, and bytes that are no UTF-8, are told with their lines; all else is read.
func tornCharacter(c *claudeCase) {
	c.take("in.jsonl")
	c.shows(c.log(), marks("01", "03", "04")...)
	found, _ := c.run(exitNo, "fsck")
	c.holds(found, "line 2 of the source", "line 4 of the source")
	whole, _ := c.run(exitOK, "show", ":/mark-04")
	c.holds(whole, "\uFFFD")
	original, _ := c.run(exitOK, "export", "--original")
	if original != string(readCase(c.T, filepath.Join(c.dir, "in.jsonl"))) {
		c.Error("export --original is not the file")
	}
}

// Files without entries do not stop the others.
func emptyFiles(c *claudeCase) {
	args := []string{"import"}
	for _, name := range []string{"empty.jsonl", "blank.jsonl", "bom.jsonl"} {
		args = append(args, filepath.Join(c.dir, name))
	}
	code, out, notes := runApp(c.T, c.dir, args...)
	if code > exitVersion || !strings.Contains(out, "2 new of 2 entries") {
		c.Errorf("exit code %d: %s%s", code, out, notes)
	}
	c.holds(out+notes, "empty.jsonl", "blank.jsonl")
}

// A text is never cut within a character, at whatever width.
func cutText(c *claudeCase) {
	c.take("in.jsonl")
	for cells := 20; cells <= 80; cells++ {
		streams, out, _ := terminal.Test(strings.NewReader(""))
		streams.ForceTerminal(cells)
		app := &App{IO: streams, Cwd: c.dir, Now: time.Now, Lookup: func(name string) (string, bool) { return c.dir, name == "HOME" }}
		if code := app.Run(c.Context(), []string{"-s", c.session, "--no-pager", "--color", "never", "log", "--oneline"}); code != exitOK {
			c.Fatal(code)
		}
		if text := out.String(); !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			c.Errorf("%d cells: %q", cells, text)
		}
	}
}

// fence is the line that opens or closes a block.
var fence = regexp.MustCompile("^(`{3,}|~{3,})")

// Each fence of a page is closed by one of its length that does not occur inside.
func fencedPage(c *claudeCase) {
	c.take("in.jsonl")
	page, _ := c.run(exitOK, "export", "--to", "markdown")
	open := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		mark := fence.FindString(line)
		switch {
		case open == "" && mark != "":
			open = mark
		case open != "" && strings.HasPrefix(line, open) && strings.Trim(line, open[:1]) == "":
			open = ""
		case strings.Contains(line, "mark-05") && open != "":
			c.Error("mark-05 stands within a fence")
		}
	}
	if open != "" {
		c.Errorf("a fence %q is not closed", open)
	}
}

// A rollout made of another agent's session has the form that Codex takes, and reads as the same talk.
func convertedRollout(c *claudeCase) {
	c.take("in.jsonl")
	file := filepath.Join(c.TempDir(), "out.jsonl")
	c.run(exitOK, "export", "--to", "codex", "-o", file)
	text := string(readCase(c.T, file))
	first, _, _ := strings.Cut(text, "\n")
	c.holds(first, `"type":"session_meta"`, `"cli_version"`, `"originator"`, `"cwd"`)
	for line := range strings.Lines(text) {
		if !regexp.MustCompile(`"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`).MatchString(line) {
			c.Errorf("a line without a time: %.200s", line)
		}
	}
	c.holds(text, `"type":"function_call"`, `"type":"function_call_output"`, `"arguments":"`)
	before, _ := c.run(exitOK, "export", "--to", "markdown")
	out, _ := runOK(c, "import", file)
	c.session = strings.Fields(out)[0]
	after, _ := c.run(exitOK, "export", "--to", "markdown")
	if a, b := markPattern.FindAllString(before, -1), markPattern.FindAllString(after, -1); !slices.Equal(a, b) {
		c.Errorf("the talk has the marks %q, imported again %q", a, b)
	}
}

// runOK runs a command on no session of the case.
func runOK(c *claudeCase, args ...string) (string, string) {
	c.Helper()
	session := c.session
	c.session = ""
	defer func() { c.session = session }()
	return c.run(exitOK, args...)
}

// Subagents are listed where they are asked for, and are not the newest session.
func hiddenSubagents(c *claudeCase) {
	c.run(exitOK, "import", c.apart("projects"))
	list, _ := c.run(exitOK, "sessions", "--all", "--json")
	if n := strings.Count(list, "\n"); n != 1 {
		c.Errorf("%d sessions are listed, expected 1:\n%s", n, list)
	}
	all, _ := c.run(exitOK, "sessions", "--all", "--subagents", "--json")
	if n := strings.Count(all, "\n"); n != 3 {
		c.Errorf("%d sessions with subagents are listed, expected 3:\n%s", n, all)
	}
	c.holds(list, "5e550000-0000-4000-8000-0000000000a9")
}

// A subagent's transcript without a prompt is a session of its own.
func promptlessSubagent(c *claudeCase) {
	c.take(filepath.Join("session", "main.jsonl"))
	main := c.log()
	c.holds(main, "mark-01", "mark-03")
	if strings.Contains(main, "mark-11") {
		c.Error("the subagent's words stand in the main session")
	}
	c.session = ""
	all, _ := c.run(exitOK, "sessions", "--all", "--subagents", "--json")
	if n := strings.Count(all, "\n"); n != 2 {
		c.Fatalf("%d sessions, expected 2:\n%s", n, all)
	}
	child := regexp.MustCompile(`"session":"([^"]*h1[^"]*)"`).FindStringSubmatch(all)
	if child == nil {
		c.Fatalf("no session of h1 in\n%s", all)
	}
	c.session = child[1]
	c.shows(c.log(), marks("11", "12")...)
}

// A title that the user gave wins; a reminder is none.
func titles(c *claudeCase) {
	for name, want := range map[string]string{"s1": "plan the orchard mark-01", "s2": "My own title", "s3": ""} {
		c.take(name + ".jsonl")
		session := c.session
		c.session = ""
		list, _ := c.run(exitOK, "sessions", "--all", "--json")
		for line := range strings.Lines(list) {
			if strings.Contains(line, session) && !strings.Contains(line, fmt.Sprintf("%q", want)) && want != "" {
				c.Errorf("%s: expected the title %q: %s", name, want, line)
			}
		}
	}
}

// made runs the case's program that writes an input too large to keep.
func (c *claudeCase) made() {
	c.Helper()
	if testing.Short() {
		c.Skip("its input is large")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		c.Skip("the case's input is made by Python")
	}
	cmd := exec.CommandContext(c.Context(), python, "make.py")
	cmd.Dir = c.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		c.Fatalf("%v: %s", err, out)
	}
	c.take("in.jsonl")
}

// Lines of 20 MB are lines: all are there, a list shows how they begin and how much it leaves out, and all of each can be had.
func longLines(c *claudeCase) {
	c.made()
	list, _ := c.run(exitOK, "log", "--oneline")
	c.shows(list, marks("06", "05", "04", "03", "02", "01")...)
	c.holds(list, "[pasted text #1, 21 MB]")
	if len(list) > 5000 {
		c.Errorf("the list has %d bytes", len(list))
	}
	whole, _ := c.run(exitOK, "show", "--full", ":/mark-05")
	if !strings.HasSuffix(strings.TrimSpace(whole), "tail-05") || len(whole) < 15_000_000 {
		c.Errorf("show --full gives %d bytes that end in %q", len(whole), whole[max(0, len(whole)-20):])
	}
}

// What a tool printed of the environment is found, never shown whole, and masked in what is written; the log stays as it is.
func secretsMasked(c *claudeCase) {
	c.take("in.jsonl")
	before, _ := c.run(exitOK, "export", "--original")
	secret := []string{"AKIAEXAMPLEEXAMPLE00", "plantpass99", "ghp_012345678901234567890123456789abcdef", "sb_secret_probe_0000_aaaabbbbcccc"}
	found, _ := c.run(exitNo, "scan")
	for kind, n := range map[string]int{"aws-access-key-id": 1, "url-password": 1, "github-token": 2, "supabase-key": 1} {
		if strings.Count(found, kind) != n {
			c.Errorf("%s is not found %d times in\n%s", kind, n, found)
		}
	}
	exports := []string{found}
	for _, to := range []string{"markdown", "claude", "codex", "pi", "json", "anthropic"} {
		file := filepath.Join(c.dir, "out."+to)
		_, notes := c.run(exitOK, "export", "--redact", "--to", to, "-o", file)
		c.holds(notes, "masked in what was written; the log keeps them")
		exports = append(exports, string(readCase(c.T, file)))
		c.holds(exports[len(exports)-1], "mark-01", "mark-03", "mark-04", "mark-05")
	}
	fork, _ := c.run(exitOK, "export", "--redact", "-o", "-")
	for _, text := range append(exports, fork) {
		for _, s := range secret {
			if strings.Contains(text, s) {
				c.Errorf("%s is in %.300s", s, text)
			}
		}
	}
	if after, _ := c.run(exitOK, "export", "--original"); after != before {
		c.Error("the stored log was changed")
	}
}

// One reply on two lines, and again in a resumed session, counts once.
func sharedReply(c *claudeCase) {
	var all projection.UsageCount
	for file, want := range map[string]projection.Usage{
		"a.jsonl":         {Input: 11, CacheWrite: 100, Output: 43, Replies: 2, Recorded: true},
		"b_resumed.jsonl": {Input: 12, CacheWrite: 100, Output: 42, Replies: 2, Recorded: true},
	} {
		c.take(file)
		status, _ := c.run(exitOK, "status")
		c.holds(status, fmt.Sprintf("in %d  out %d", want.Input+want.CacheWrite, want.Output))
		s, err := checkout.Open(c.file(), checkout.Options{})
		if err != nil {
			c.Fatal(err)
		}
		defer s.Close()
		var one projection.UsageCount
		for at := range s.Log.Len() {
			if err := errors.Join(one.Add(s.Log, at), all.Add(s.Log, at)); err != nil {
				c.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, one.Total()); diff != "" {
			c.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	want := projection.Usage{Input: 19, CacheWrite: 100, Output: 45, Replies: 3, Recorded: true}
	if diff := cmp.Diff(want, all.Total()); diff != "" {
		c.Errorf("both (-want +got):\n%s", diff)
	}
}

// file is the log of the case's session.
func (c *claudeCase) file() string {
	c.Helper()
	status, _ := c.run(exitOK, "status", "--json")
	var s struct{ File string }
	if err := json.Unmarshal([]byte(status), &s); err != nil {
		c.Fatal(err)
	}
	return s.File
}

// No depth is too deep: each of 100,000 entries hangs at the one before.
func longChain(c *claudeCase) {
	c.made()
	list, _ := c.run(exitOK, "log", "--oneline")
	lines := strings.Split(strings.TrimSpace(list), "\n")
	if len(lines) != 100_000 {
		c.Fatalf("%d entries", len(lines))
	}
	c.holds(lines[0], "mark-100000")
	c.holds(lines[len(lines)-1], "mark-000001")
}

// Masking is done in the strings, so that lines stay JSON; what only looks like a secret stays, and so do ids.
func redactedLines(c *claudeCase) {
	c.take("in.jsonl")
	file := filepath.Join(c.dir, "out.jsonl")
	c.run(exitOK, "export", "--redact", "--to", "claude", "-o", file)
	session := regexp.MustCompile(`"sessionId":"[^"]*"`)
	source := session.ReplaceAllString(string(readCase(c.T, filepath.Join(c.dir, "in.jsonl"))), "")
	want := strings.ReplaceAll(source, "ghp_012345678901234567890123456789abcdef", "[redacted github-token]")
	if got := session.ReplaceAllString(string(readCase(c.T, file)), ""); got != want {
		c.Errorf("got %s\nwant %s", got, want)
	}
	found, _ := c.run(exitNo, "scan")
	if strings.Count(found, "\n") != 1 {
		c.Errorf("scan finds %s", found)
	}
}
