package claude_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/agentstest"
	"tlog/agents/claude"
	"tlog/agents/claude/claudegentest"
	"tlog/objects"
	"tlog/objects/sharedtest"
)

var (
	testdata = filepath.Join("..", "..", "testdata")
	others   = filepath.Join(testdata, "versions", "v*.jsonl")
)

// TestConformance holds Claude Code to what every agent has to pass, by samples and by sessions at random.
func TestConformance(t *testing.T) {
	agentstest.Run(t, agentstest.Suite{
		Agent:   claude.Agent{},
		Samples: samples(),
		Generate: func(rng *rand.Rand) agentstest.Sample {
			data, truth := claudegentest.Bytes(rng, claudegentest.Options{Old: rng.IntN(3) == 0, Linear: rng.IntN(5) == 0})
			return expected("", data, truth)
		},
		Seeds:  500,
		Others: agentstest.Files(t, others),
		Env:    env,
	})
}

// TestConformanceShared reads the real transcripts.
func TestConformanceShared(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes every real transcript through the whole suite")
	}
	files := sharedtest.Glob(t, "*.jsonl", "corpus", "claude")
	err := filepath.WalkDir(sharedtest.Dir(t, "samples", "claude"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(path, "projects") && filepath.Ext(path) == ".jsonl" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	agentstest.Run(t, agentstest.Suite{
		Agent: claude.Agent{}, Env: env, Shared: files,
		Others: append(agentstest.Files(t, filepath.Join(sharedtest.Dir(t, "corpus"), "pi", "*.jsonl")),
			agentstest.Files(t, filepath.Join(sharedtest.Dir(t, "corpus"), "codex", "*.jsonl"))...),
	})
}

func env(home string) func(string) string {
	return func(name string) string {
		switch name {
		case "HOME":
			return home
		case "CLAUDE_CONFIG_DIR":
			return filepath.Join(home, "config")
		}
		return ""
	}
}

// samples are the sessions of testdata/claude.
func samples() (all []agentstest.Sample) {
	for _, s := range claudegentest.Samples() {
		sample := expected(s.Name, s.Data, s.Truth)
		sample.Repaired = s.Repaired
		if s.Damaged {
			sample.Damaged, sample.Records, sample.Live, sample.Branches = true, s.Records, nil, 0
		}
		all = append(all, sample)
	}
	return all
}

// expected is what the truth says of a transcript.
func expected(name string, data []byte, truth claudegentest.Truth) agentstest.Sample {
	s := agentstest.Sample{
		Name: name, Data: data, Session: objects.ID(truth.Session), Cwd: truth.Cwd,
		Records: truth.Lines, Branches: len(truth.Tips()) + truth.Sidechains(),
	}
	for _, row := range truth.Live() {
		n := agentstest.Node{ID: objects.ID(row.UUID), Visible: row.Visible, Hidden: row.Hidden, Role: row.Role()}
		var texts []string
		for _, part := range row.Said() {
			switch part.Kind {
			case "call":
				n.Calls = append(n.Calls, part.ID)
			case "result":
				n.Results = append(n.Results, part.ID)
				texts = append(texts, part.Text)
			case "text":
				texts = append(texts, part.Text)
			}
		}
		n.Text = strings.Join(texts, "\n")
		s.Live = append(s.Live, n)
	}
	return s
}

// TestContext: the last compaction says of the rows before it what the client keeps, and where it stands.
func TestContext(t *testing.T) {
	for seed := range uint64(200) {
		data, truth := claudegentest.Bytes(rand.New(rand.NewPCG(seed, 4)), claudegentest.Options{})
		checkContext(t, fmt.Sprint("seed ", seed), data, truth)
	}
}

func checkContext(t *testing.T, name string, data []byte, truth claudegentest.Truth) {
	t.Helper()
	r := claude.NewReader(objects.ID(truth.Session))
	entries := map[objects.ID]objects.Entry{}
	for _, v := range r.Read(data) {
		e, err := objects.ParseEntry(v.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		entries[e.ID] = e
	}
	var path []objects.Entry
	for id := r.Leaf(); id != ""; id = entries[id].ParentID {
		path = append([]objects.Entry{entries[id]}, path...)
	}
	var got []string
	for _, e := range contextOf(path, entries) {
		if m, ok := (claude.Agent{}).Message(e); ok {
			for _, b := range m.Blocks {
				got = append(got, m.Role+" "+b.Type+" "+b.CallID)
			}
		}
	}
	var want []string
	for _, row := range claudegentest.Context(truth.Leaf) {
		for _, part := range row.Said() {
			want = append(want, row.Role()+" "+map[string]string{
				"text": "text", "thinking": "thinking", "image": "image", "call": "tool_use", "result": "tool_result",
			}[part.Kind]+" "+part.ID)
		}
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Fatalf("%s: the context is\n%s\nexpected\n%s", name, a, b)
	}
}

// contextOf is what is left of a path behind its last compaction, with what that keeps.
func contextOf(path []objects.Entry, entries map[objects.ID]objects.Entry) []objects.Entry {
	from := 0
	for i, e := range path {
		if e.Type == objects.TypeCompaction {
			from = i
		}
	}
	path = path[from:]
	c, ok := (claude.Agent{}).Compaction(path[0])
	if !ok {
		return path
	}
	at := 0
	for i, e := range path {
		if e.ID == c.KeptAfter {
			at = i
		}
	}
	var out []objects.Entry
	out = append(out, path[:at+1]...)
	for _, id := range c.Kept {
		out = append(out, entries[id])
	}
	return append(out, path[at+1:]...)
}

// BenchmarkReader reads a session of 100 MB, as an import does: in pieces of a megabyte.
func BenchmarkReader(b *testing.B) {
	var session bytes.Buffer
	truth, err := claudegentest.Generate(&session, rand.New(rand.NewPCG(1, 5)), claudegentest.Options{Size: 100 << 20})
	if err != nil {
		b.Fatal(err)
	}
	data := session.Bytes()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r := claude.NewReader(objects.ID(truth.Session))
		for rest := data; len(rest) > 0; {
			end := len(rest)
			if end > 1<<20 {
				end = bytes.LastIndexByte(rest[:1<<20], '\n') + 1
			}
			r.Read(rest[:end])
			rest = rest[end:]
		}
		if r.Leaf() != objects.ID(truth.Leaf.UUID) {
			b.Fatal("another leaf")
		}
	}
}
