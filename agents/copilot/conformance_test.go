package copilot_test

import (
	"os"
	"path/filepath"
	"testing"

	"tlog/agents/agentstest"
	"tlog/agents/copilot"
	"tlog/objects/sharedtest"
)

var testdata = filepath.Join("..", "..", "testdata")

const noExport = "what Copilot CLI resumes is not known"

// TestConformance holds Copilot CLI to what every agent has to pass.
func TestConformance(t *testing.T) {
	var others []agentstest.Sample
	for _, pattern := range []string{"versions/v*.jsonl", "claude/*.jsonl", "codex/*.jsonl", "gemini/*.json*", "opencode/*.json"} {
		others = append(others, agentstest.Files(t, filepath.Join(testdata, filepath.FromSlash(pattern)))...)
	}
	agentstest.Run(t, agentstest.Suite{
		Agent: copilot.Agent{}, Samples: samples(t), Generate: generate, Seeds: 150, Env: env, NoExport: noExport, Others: others,
	})
}

// TestConformanceShared reads the real sessions.
func TestConformanceShared(t *testing.T) {
	files := sharedtest.Glob(t, "*", "corpus", "copilot")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !(copilot.Agent{}).Detect(data[:min(len(data), 64<<10)]) {
			t.Errorf("%s is not known", file)
		}
	}
	var others []agentstest.Sample
	for _, name := range []string{"pi", "claude", "codex", "gemini"} {
		others = append(others, agentstest.Files(t, filepath.Join(sharedtest.Dir(t, "corpus"), name, "*.jsonl"))...)
	}
	agentstest.Run(t, agentstest.Suite{Agent: copilot.Agent{}, Env: env, Shared: files, NoExport: noExport, Others: others})
}

func env(home string) func(string) string {
	return func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
}

// samples are the sessions of testdata/copilot, with what the live path of each says.
func samples(t *testing.T) (all []agentstest.Sample) {
	for _, s := range []agentstest.Sample{
		{Name: "simple.jsonl", Records: 11, Branches: 1, Texts: []string{"Count the pots.", "I look.", "There are none."}},
		{Name: "branched.jsonl", Records: 12, Branches: 2, Texts: []string{"Plan the beds.", "Beans left.", "Then plan anew.", "Peas left."}},
		{Name: "damaged.jsonl", Records: 6, Damaged: true, Texts: []string{"one", "two", "2", "2 again"}},
	} {
		data, err := os.ReadFile(filepath.Join(testdata, "copilot", s.Name))
		if err != nil {
			t.Fatal(err)
		}
		s.Data = data
		all = append(all, s)
	}
	return all
}
