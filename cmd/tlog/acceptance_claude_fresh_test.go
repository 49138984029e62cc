//go:build acceptance

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/agents/claude/claudetest"
)

// fresh is a session that the real client writes in the test.
type fresh struct {
	name string
	// make has the client work; turns are what its model says.
	make  func(c *claudetest.Client)
	turns []claudetest.Turn
	// sent are words that the client sends of it, in this order.
	sent []string
}

const freshID = claudetest.SessionID

func bash(command string) claudetest.Block {
	return claudetest.Call("Bash", map[string]any{"command": command, "description": "x"})
}

func says(blocks ...claudetest.Block) claudetest.Turn { return claudetest.Turn{Content: blocks} }

func begin(prompt string) func(c *claudetest.Client) {
	return func(c *claudetest.Client) {
		c.Say(prompt, "--session-id", freshID, "--allowedTools", "Bash,Read,Write,Edit,Agent")
	}
}

// freshSessions are of each shape that the client makes by itself when it prints.
func freshSessions() []fresh {
	return append(freshTools(), []fresh{
		{
			name: "three runs",
			make: func(c *claudetest.Client) {
				begin("ask-one")(c)
				c.Say("ask-two", "--resume", freshID)
				c.Say("ask-three", "--continue")
			},
			sent: strings.Fields("ask-one ask-two ask-three"),
		}, {
			name: "a compaction",
			turns: []claudetest.Turn{
				{When: "detailed summary", Content: []claudetest.Block{claudetest.Text("<analysis>a</analysis><summary>in-short</summary>")}},
			},
			make: func(c *claudetest.Client) {
				begin("ask-one")(c)
				c.Say("ask-two", "--resume", freshID)
				c.Say("/compact all of it", "--resume", freshID)
				c.Say("ask-three", "--resume", freshID)
			},
			sent: strings.Fields("in-short ask-three"),
		}, {
			name: "a prompt that waited while the model worked",
			turns: []claudetest.Turn{
				{When: "ask-one", Delay: 2 * time.Second, Content: []claudetest.Block{bash("sleep 1; echo found-one")}},
			},
			make: func(c *claudetest.Client) { stream(c, "ask-one", "ask-waiting") },
			sent: strings.Fields("ask-one found-one ask-waiting"),
		}, {
			name: "a name",
			make: func(c *claudetest.Client) { c.Say("ask-one", "--session-id", freshID, "--name", "a name") },
			sent: strings.Fields("ask-one"),
		}, {
			name:  "an error of the API",
			turns: []claudetest.Turn{{When: "ask-two", Status: 400}},
			make: func(c *claudetest.Client) {
				begin("ask-one")(c)
				c.Run("-p", "ask-two", "--resume", freshID)
				c.Say("ask-three", "--resume", freshID)
			},
			sent: strings.Fields("ask-one ask-two ask-three"),
		},
	}...)
}

func freshTools() []fresh {
	return []fresh{
		{
			name: "tools",
			turns: []claudetest.Turn{
				says(claudetest.Thinking("think-one", "c2lnbmF0dXJl"), claudetest.Text("say-one"), claudetest.Call("Write", map[string]any{"file_path": "a.txt", "content": "x"})),
				says(bash("echo found-one")),
			},
			make: begin("ask-one"), sent: strings.Fields("ask-one think-one say-one Write found-one"),
		}, {
			name: "parallel calls, one of which fails",
			turns: []claudetest.Turn{
				says(claudetest.Text("say-one"), bash("echo found-one"), bash("echo found-two; exit 3"), bash("sleep 1; echo found-three")),
				says(claudetest.Text("say-two"), bash("echo found-four"), bash("echo found-five")),
			},
			make: begin("ask-one"), sent: strings.Fields("ask-one say-one found-one found-two found-three say-two found-four found-five found-four"),
		}, {
			name: "a call of an unknown tool, and one that is not allowed",
			turns: []claudetest.Turn{
				says(claudetest.Call("NoSuchTool", map[string]any{"x": 1})),
				says(claudetest.Call("WebFetch", map[string]any{"url": "http://127.0.0.1:1/", "prompt": "x"})),
			},
			make: begin("ask-one"), sent: strings.Fields("ask-one NoSuchTool NoSuchTool WebFetch"),
		}, {
			name: "a subagent",
			turns: []claudetest.Turn{
				{When: "ask-one", Content: []claudetest.Block{claudetest.Text("say-one"), claudetest.Call("Agent", map[string]any{
					"description": "look", "subagent_type": "general-purpose", "prompt": "ask-below", "run_in_background": false,
				})}},
				{When: "ask-below", Content: []claudetest.Block{bash("echo found-below")}},
				{When: "found-below", Content: []claudetest.Block{claudetest.Text("say-below")}},
			},
			make: begin("ask-one"), sent: strings.Fields("ask-one say-one ask-below say-below pong"),
		}, {
			name:  "an output that is kept beside the transcript",
			turns: []claudetest.Turn{says(bash("seq 1 20000"))},
			make:  begin("ask-one"), sent: strings.Fields("ask-one persisted-output"),
		},
	}
}

// stream gives the client prompts as fast as it takes them.
func stream(c *claudetest.Client, prompts ...string) {
	var in strings.Builder
	for _, prompt := range prompts {
		line, err := json.Marshal(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": prompt}})
		if err != nil {
			panic(err)
		}
		in.Write(append(line, '\n'))
	}
	c.RunIn(c.Project, in.String(), "-p", "--session-id", freshID, "--input-format", "stream-json", "--output-format", "stream-json",
		"--verbose", "--allowedTools", "Bash")
}

// TestAcceptanceFreshSessions: what the client wrote just now it resumes from tlog's export as from its own file.
func TestAcceptanceFreshSessions(t *testing.T) {
	for _, f := range freshSessions() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			c := claudetest.New(t, f.turns...)
			f.make(c)
			if n := c.Model.Left(); n > 0 {
				t.Fatalf("the client did not ask for %d turns of the script", n)
			}
			resumesEqual(t, c.Transcript(freshID), f.sent...)
		})
	}
}

// resumesEqual imports a transcript of the client's and holds that its export is resumed as it is, with all the words.
func resumesEqual(t *testing.T, file string, sent ...string) {
	t.Helper()
	in := importClaude(t, file)
	want, err := claudetest.Resume(t, freshID, readFile(t, file))
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, want.Messages, sent, nil)
	got, report := in.resume()
	sameMessages(t, filepath.Base(file), got.Messages, want.Messages)
	if got.Refused != nil || len(repairsOf(t, report)) > 0 {
		t.Errorf("repaired without need, or not well: %s; refused: %q", report, got.Refused)
	}
	if original := in.tlog("-s", in.session, "export", "--original"); original != string(readFile(t, file)) {
		t.Error("export --original is not the file")
	}
}

// TestAcceptanceForks: a fork by the client is a file of its own, whose rows have the ids of the first one's.
func TestAcceptanceForks(t *testing.T) {
	t.Parallel()
	c := claudetest.New(t, says(bash("echo found-one")))
	begin("ask-one")(c)
	const forkID = "0b0e2f8c-6d4c-4f7b-9a55-3c1d2e4f5a6b"
	c.Say("ask-fork", "--resume", freshID, "--fork-session", "--session-id", forkID)
	c.Say("ask-two", "--resume", freshID)
	resumesEqual(t, c.Transcript(forkID), "ask-one", "found-one", "ask-fork")
	resumesEqual(t, c.Transcript(freshID), "ask-one", "found-one", "ask-two")

	// Both in one store: neither takes from the other.
	in := importClaude(t, c.Transcript(freshID))
	in.tlog("import", c.Transcript(forkID))
	got, _ := in.resume()
	inOrder(t, got.Messages, []string{"ask-one", "found-one", "ask-two"}, []string{"ask-fork"})
}

// TestAcceptanceBranches: a session that was gone back in has two branches, and each is resumed as its own. `tlog log` shows the one that the client
// is on.
func TestAcceptanceBranches(t *testing.T) {
	t.Parallel()
	c := claudetest.New(t, says(bash("echo found-one")), says(claudetest.Text("say-one")))
	begin("ask-one")(c)
	back := newest(t, c, "assistant")
	c.Say("ask-old", "--resume", freshID)
	old := newest(t, c, "assistant")
	c.Say("ask-new", "--resume", freshID, "--resume-session-at", back)
	live := newest(t, c, "assistant")
	if live == old {
		t.Fatal("the client made no branch")
	}

	in := importClaude(t, c.Transcript(freshID))
	if path := in.path(); !slices.Contains(path, live) || slices.Contains(path, old) {
		t.Errorf("tlog log shows %q; the live one is %s, the old one %s", path, live, old)
	}
	if all := in.path("--all"); !slices.Contains(all, live) || !slices.Contains(all, old) {
		t.Errorf("tlog log --all shows %q", all)
	}
	for _, tt := range []struct {
		rev        []string
		sent, gone string
	}{
		{nil, "ask-new", "ask-old"},
		{[]string{live}, "ask-new", "ask-old"},
		{[]string{old}, "ask-old", "ask-new"},
	} {
		got, report := in.resume(tt.rev...)
		inOrder(t, got.Messages, []string{"ask-one", "found-one", "say-one", tt.sent}, []string{tt.gone})
		if len(repairsOf(t, report)) > 0 {
			t.Errorf("repaired without need: %s", report)
		}
	}
	resumesEqual(t, c.Transcript(freshID), "ask-one", "found-one", "say-one", "ask-new")
}

// newest is the uuid of the newest row of a kind in the client's transcript.
func newest(t *testing.T, c *claudetest.Client, kind string) (id string) {
	t.Helper()
	return newestOf(t, c, freshID, kind)
}

func newestOf(t *testing.T, c *claudetest.Client, session, kind string) (id string) {
	t.Helper()
	for line := range bytes.Lines(readFile(t, c.Transcript(session))) {
		var row struct{ Type, UUID string }
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.Type == kind {
			id = row.UUID
		}
	}
	return id
}

// TestAcceptanceStaleCheckpoint: a checkpoint on another branch keeps the client from what was said later. The export of
// that is resumed.
func TestAcceptanceStaleCheckpoint(t *testing.T) {
	t.Parallel()
	rows := append(wholeTalk(), claudetest.Row{"type": "last-prompt", "lastPrompt": "ask-two", "leafUuid": "a5", "sessionId": freshID},
		claudetest.User("u9", "a3", "ask-later"), claudetest.Assistant("a9", "u9", "msg_9", claudetest.Text("say-later")))
	source := claudetest.Lines(rows...)
	found, err := claudetest.Resume(t, freshID, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, found.Messages, words(), []string{"ask-later"})
	in := importText(t, source)
	got, _ := in.resume()
	inOrder(t, got.Messages, words(), []string{"ask-later"})
	got, _ = in.resume("a9")
	inOrder(t, got.Messages, append(words("ask-two", "call-two", "found-two", "say-three"), "ask-later", "say-later"), []string{"ask-two"})
}

// TestAcceptanceGoesOn: the client works in an export, and the next import takes in what it did there.
func TestAcceptanceGoesOn(t *testing.T) {
	t.Parallel()
	c := claudetest.New(t, says(claudetest.Text("say-one"), bash("echo found-one"), bash("echo found-two")))
	begin("ask-one")(c)
	data, _ := importClaude(t, c.Transcript(freshID)).export()
	var row struct{ SessionID string }
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&row); err != nil || row.SessionID == "" || row.SessionID == freshID {
		t.Fatalf("the export has the session %q: %v", row.SessionID, err)
	}
	other := claudetest.New(t, says(bash("echo found-three")))
	other.Install(row.SessionID, data)
	in := importClaude(t, other.Transcript(row.SessionID))
	first := in.path("--all")
	other.Say("ask-two", "--resume", row.SessionID, "--allowedTools", "Bash")
	in.tlog("import", other.Transcript(row.SessionID))
	if all := in.path("--all"); len(all) <= len(first) || !slices.Equal(all[:len(first)], first) {
		t.Errorf("before %q, after the client went on %q", first, all)
	}
	got, _ := in.resume()
	inOrder(t, got.Messages, strings.Fields("ask-one say-one found-one found-two ask-two found-three"), nil)
	resumesEqual(t, other.Transcript(row.SessionID), "ask-one", "ask-two", "found-three")
}

// TestAcceptanceResume: what `tlog resume` installs lies in the client's own folder for the project, however that is called, and the
// command that it prints goes on there.
func TestAcceptanceResume(t *testing.T) {
	for _, folder := range []string{
		"plain", "with space.and_dots", "é-ü-e\u0301", "😀 日本", filepath.Join(strings.Repeat("long-", 25), strings.Repeat("Ünger", 25)),
	} {
		t.Run(folder[:5], func(t *testing.T) {
			t.Parallel()
			c := claudetest.New(t)
			c.Project = filepath.Join(c.Project, folder)
			if err := os.MkdirAll(c.Project, 0o700); err != nil {
				t.Fatal(err)
			}
			begin("ask-one")(c)
			own, err := filepath.Glob(filepath.Join(c.Config(), "projects", "*", freshID+".jsonl"))
			if err != nil || len(own) != 1 {
				t.Fatalf("the client wrote %q, %v", own, err)
			}
			in := importInto(t, c.Home, own[0]) // so that what tlog installs goes to this client
			var installed struct {
				Session, File string
				Command       struct {
					Dir  string
					Args []string
				}
			}
			if err := json.Unmarshal([]byte(in.tlog("-s", in.session, "resume", "--in", "claude", "--json")), &installed); err != nil {
				t.Fatal(err)
			}
			if filepath.Dir(installed.File) != filepath.Dir(own[0]) {
				t.Errorf("installed in %s, the client's folder is %s", installed.File, filepath.Dir(own[0]))
			}
			if command := installed.Command; command.Dir != c.Project || !slices.Equal(command.Args[1:], []string{"--resume", installed.Session}) {
				t.Errorf("the command is %q in %s", command.Args, command.Dir)
			}
			got, err := c.Resume(installed.Session)
			if err != nil {
				t.Fatal(err)
			}
			inOrder(t, got.Messages, []string{"ask-one", "pong"}, nil)
		})
	}
}
