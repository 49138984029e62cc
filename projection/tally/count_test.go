package tally

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
	"tlog/projection/files"
	"tlog/refs"
)

// historyOf is the path through messages, each behind the one before it, a second apart unless its line names a time.
func historyOf(t *testing.T, messages ...string) (*refs.History, []int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var lines []log.Line
	parent := objects.ID("")
	for i, message := range messages {
		at, text, timed := strings.Cut(message, "@")
		if !timed || len(at) > 8 {
			at, text = time.Date(2026, 1, 1, 10, 0, i, 0, time.UTC).Format("15:04:05"), message
		}
		id := objects.ID("e" + strings.Repeat("0", 6) + string(rune('a'+i)))
		text, origin, copied := strings.Cut(text, " copy of ")
		fields := []objects.Field{{Key: "message", Value: []byte(text)}}
		if copied {
			fields = append(fields, objects.Field{Key: "origin", Value: objects.Object(objects.StringField("id", origin))})
		}
		lines = append(lines, log.Line{Bytes: objects.Build(objects.TypeMessage, id, parent, "2026-01-01T"+at+"Z", fields...)})
		parent = id
	}
	opt := log.WriteOptions{Durability: log.DurabilityOS, Blobs: log.BlobOptions{Threshold: 200}}
	if err := log.WriteFile(path, objects.Header{ID: "s1", Cwd: "/w"}, lines, opt); err != nil {
		t.Fatal(err)
	}
	l, err := log.Open(path, log.WithDecoders(agents.Decoder))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	h, err := refs.NewHistory(l, l.Len()-1)
	if err != nil {
		t.Fatal(err)
	}
	return h, h.Path()
}

// What lies in blobs counts as what stands in a line: a long prompt by its words, a long output by what its runner says at the end.
func TestCountInBlobs(t *testing.T) {
	h, entries := historyOf(t,
		`{"role":"user","content":"`+strings.Repeat("word ", 100)+`"}`,
		`{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"pytest"}}]}`,
		`{"role":"toolResult","toolCallId":"c1","toolName":"bash","content":[{"type":"text","text":"`+strings.Repeat("line\\n", 100)+`1 failed, 2 passed in 0.10s\n"}]}`,
	)
	got, err := Count(h, Options{Entries: entries})
	if err != nil {
		t.Fatal(err)
	}
	if got.Words != 100 || got.Tests != (TestCount{Runs: 1, Passed: 2, Failed: 1, LastPassed: 2, LastFailed: 1}) {
		t.Errorf("got %d words, tests %+v", got.Words, got.Tests)
	}
}

// The user's time is not active, nor is a long pause; two calls of one id are two, and the older one stays without a result.
func TestCountTimesAndCalls(t *testing.T) {
	h, entries := historyOf(t,
		`10:00:00@{"role":"user","content":"go on"}`,
		`10:00:10@{"role":"assistant","model":"m","content":[{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"ls"}}]}`,
		`10:00:20@{"role":"assistant","model":"m","content":[{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"ls"}}]}`,
		`10:20:20@{"role":"toolResult","toolCallId":"c1","toolName":"bash","isError":true,"content":"no"}`,
		`10:20:30@{"role":"user","content":"thanks"}`,
		`10:20:25@{"role":"assistant","model":"m","content":"a clock that went back"}`,
	)
	got, err := Count(h, Options{Entries: entries})
	if err != nil {
		t.Fatal(err)
	}
	want := ToolCount{Name: "bash", Calls: 2, Failed: 1, Pending: 1}
	if len(got.Tools) != 1 || got.Tools[0] != want || got.Commands != 2 || got.CommandsBad != 1 || got.CommandsOpen != 1 {
		t.Errorf("calls: got %+v, %d commands, %d bad, %d open", got.Tools, got.Commands, got.CommandsBad, got.CommandsOpen)
	}
	if got.Wall != 20*time.Minute+30*time.Second || got.Active != 20*time.Second {
		t.Errorf("wall %s, active %s", got.Wall, got.Active)
	}
	if got.Turns != 2 || got.Words != 3 || got.Usage.Recorded || len(got.Models) != 1 || got.Models[0].Replies != 3 {
		t.Errorf("got %+v", got)
	}
}

// Nothing that an agent's program writes makes the user's time an active one, nor is it the first or the last entry.
func TestTime(t *testing.T) {
	type moment struct {
		at              string
		visible, prompt bool
	}
	for name, test := range map[string]struct {
		moments      []moment
		wall, active time.Duration
	}{
		"a prompt":               {[]moment{{"10:00:00", true, true}, {"10:00:10", true, false}, {"10:03:00", true, true}, {"10:03:05", true, false}}, 185 * time.Second, 15 * time.Second},
		"hidden before a prompt": {[]moment{{"10:00:00", true, true}, {"10:00:10", true, false}, {"10:02:00", false, false}, {"10:03:00", true, true}}, 180 * time.Second, 10 * time.Second},
		"hidden before a reply":  {[]moment{{"10:00:00", true, true}, {"10:00:10", false, false}, {"10:00:30", true, false}}, 30 * time.Second, 30 * time.Second},
		"hidden first and last":  {[]moment{{"09:00:00", false, false}, {"10:00:00", true, true}, {"10:00:30", true, false}, {"11:00:00", false, false}}, 30 * time.Second, 30 * time.Second},
		"a pause, then hidden":   {[]moment{{"10:00:00", true, true}, {"10:20:00", false, false}, {"10:20:10", true, false}}, 1210 * time.Second, 10 * time.Second},
		"one entry":              {[]moment{{"10:00:00", true, true}}, 0, 0},
		"no time in between":     {[]moment{{"10:00:00", true, true}, {"", true, false}, {"10:00:30", true, false}}, 30 * time.Second, 30 * time.Second},
	} {
		c := newCounter(nil)
		for _, m := range test.moments {
			c.time("2026-01-01T"+m.at+"Z", m.visible, m.prompt)
		}
		got := c.finish(Options{})
		if got.Wall != test.wall || got.Active != test.active || got.Timed != (len(test.moments) > 1) {
			t.Errorf("%s: wall %s, active %s, timed %t", name, got.Wall, got.Active, got.Timed)
		}
	}
}

// Commands of the user count too, and copies of a reply once.
func TestCountUserCommandsAndCopies(t *testing.T) {
	h, entries := historyOf(t,
		`{"role":"bashExecution","command":"pytest","output":"1 failed in 0.1s\n","exitCode":1}`,
		`{"role":"bashExecution","command":"ls","output":"a\n","exitCode":0}`,
		`{"role":"bashExecution","command":"sleep 9","output":"","exitCode":null,"cancelled":true}`,
		`{"role":"assistant","model":"m","content":"one"}`,
		`{"role":"assistant","model":"m","content":"one"} copy of e000000d`,
	)
	got, err := Count(h, Options{Entries: entries})
	if err != nil {
		t.Fatal(err)
	}
	if got.Commands != 3 || got.CommandsBad != 2 || got.Tests != (TestCount{Runs: 1, Failed: 1, LastFailed: 1}) || got.Words != 0 {
		t.Errorf("got %+v", got)
	}
	if len(got.Models) != 1 || got.Models[0].Replies != 1 {
		t.Errorf("got %+v", got.Models)
	}
}

// Files are counted by their states where those are at hand: a file under one path however it is named, with what commands did to it.
func TestCountFiles(t *testing.T) {
	call := func(id, name, arguments string) string {
		return `{"role":"assistant","content":[{"type":"toolCall","id":"` + id + `","name":"` + name + `","arguments":` + arguments + `}]}`
	}
	result := func(id, name, more string) string {
		return `{"role":"toolResult","toolCallId":"` + id + `","toolName":"` + name + `","content":[{"type":"text","text":"Successfully done"}],"isError":` + more + `}`
	}
	h, entries := historyOf(t,
		`{"role":"user","content":"go on"}`,
		call("c1", "write", `{"path":"a.txt","content":"one\ntwo\n"}`), result("c1", "write", "false"),
		call("c2", "edit", `{"path":"/w/a.txt","edits":[{"oldText":"two","newText":"three\nfour"}]}`), result("c2", "edit", "false"),
		call("c3", "bash", `{"command":"rm a.txt"}`), result("c3", "bash", "false"),
		call("c4", "edit", `{"path":"a.txt","edits":[{"oldText":"x","newText":"y"}]}`), result("c4", "edit", "true"),
		call("c5", "write", `{"path":"b.txt","content":"one\n"}`), result("c5", "write", "false"),
		call("c6", "write", `{"path":"b.txt","content":"one\ntwo\n"}`), result("c6", "write", "false"),
		call("c7", "write", `{"path":"never.txt","content":"x"}`),
	)
	changes := NewFileChanges(entries[5:])
	replay, err := files.New(h, files.Options{Each: changes.Add})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Count(h, Options{Entries: entries[5:], Files: replay, Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	want := []FileCount{
		{Path: "/w/a.txt", Changes: 1, Failed: 1, Removed: 3, Counted: true, Deleted: true, Grade: files.Derived, Graded: true},
		{Path: "/w/b.txt", Changes: 2, Added: 1, Grade: files.Exact, Graded: true},
	}
	if d := cmp.Diff(want, got.Files); d != "" {
		t.Error(d)
	}
	if got, err = Count(h, Options{Entries: entries[:5]}); err != nil || len(got.Files) != 1 || got.Files[0].Path != "/w/a.txt" || got.Files[0].Changes != 2 {
		t.Errorf("by the calls alone: %+v, %v", got.Files, err)
	}
}
