package tally

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
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
		lines = append(lines, log.Line{Bytes: objects.Build(objects.TypeMessage, id, parent, "2026-01-01T"+at+"Z", objects.Field{Key: "message", Value: []byte(text)})})
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
