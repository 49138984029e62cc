package codex_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/agentstest"
	"tlog/agents/codex"
	"tlog/objects/sharedtest"
)

var testdata = filepath.Join("..", "..", "testdata")

// TestConformance holds Codex to what every agent has to pass.
func TestConformance(t *testing.T) {
	agentstest.Run(t, agentstest.Suite{
		Agent: codex.Agent{}, Samples: samples(t), Env: env,
		Others: append(agentstest.Files(t, filepath.Join(testdata, "versions", "v*.jsonl")), agentstest.Files(t, filepath.Join(testdata, "claude", "*.jsonl"))...),
	})
}

// TestConformanceShared reads the real rollouts.
func TestConformanceShared(t *testing.T) {
	files := sharedtest.Glob(t, "*.jsonl", "corpus", "codex")
	err := filepath.WalkDir(sharedtest.Dir(t, "samples", "codex"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), "rollout-") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	agentstest.Run(t, agentstest.Suite{
		Agent: codex.Agent{}, Env: env, Shared: files,
		Others: append(agentstest.Files(t, filepath.Join(sharedtest.Dir(t, "corpus"), "pi", "*.jsonl")),
			agentstest.Files(t, filepath.Join(sharedtest.Dir(t, "corpus"), "claude", "*.jsonl"))...),
	})
}

func env(home string) func(string) string {
	return func(name string) string {
		if name == "CODEX_HOME" {
			return filepath.Join(home, "codex")
		}
		return ""
	}
}

// samples are the rollouts of testdata/codex, with what the live path of each says.
func samples(t *testing.T) (all []agentstest.Sample) {
	for _, s := range []agentstest.Sample{
		{Name: "simple.jsonl", Records: 20, Branches: 1, Texts: []string{"Which plants need water?", "The tomatoes do.", "And the herbs?", "Not today."}},
		{Name: "tools.jsonl", Records: 35, Branches: 1, Texts: []string{"Tidy the shed list.", "Tidied.", "Look at this.", "A spade.", "Stop here.", "Go on.", "Gladly."}},
		{Name: "rolledback.jsonl", Records: 13, Branches: 2, Texts: []string{"one", "1", "two again", "2 again"}},
		{Name: "compacted.jsonl", Records: 12, Branches: 1, Texts: []string{"Plan the beds.", "Beans left, peas right.", "And the path?", "Between them.", "Done?", "Done."}},
		{Name: "source.jsonl", Records: 9, Branches: 1, Texts: []string{"base one", "base two", "in the source", "source answer"}},
		{Name: "forked.jsonl", Records: 11, Branches: 1, Texts: []string{"base one", "base two", "in the fork", "fork answer"}},
		{Name: "damaged.jsonl", Records: 10, Branches: 1, Damaged: true, Texts: []string{"one", "two", "2", "three", "3"}},
	} {
		data, err := os.ReadFile(filepath.Join(testdata, "codex", s.Name))
		if err != nil {
			t.Fatal(err)
		}
		s.Data = data
		all = append(all, s)
	}
	return all
}
