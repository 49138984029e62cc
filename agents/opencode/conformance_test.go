package opencode_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/agentstest"
	"tlog/agents/opencode"
	"tlog/objects/sharedtest"
)

var testdata = filepath.Join("..", "..", "testdata")

const noExport = "opencode checks what it imports against a schema of its own"

// TestConformance holds opencode to what every agent has to pass.
func TestConformance(t *testing.T) {
	var others []agentstest.Sample
	for _, pattern := range []string{"versions/v*.jsonl", "claude/*.jsonl", "codex/*.jsonl", "gemini/*.json*"} {
		others = append(others, agentstest.Files(t, filepath.Join(testdata, pattern))...)
	}
	agentstest.Run(t, agentstest.Suite{
		Agent: opencode.Agent{}, Samples: samples(t), Generate: generate, Seeds: 200, Env: env, NoExport: noExport, Others: others,
	})
}

// shared are the exports that real clients wrote.
func shared(t *testing.T) (files []string) {
	files = sharedtest.Glob(t, "*.json", "corpus", "opencode")
	for _, name := range []string{"export.json", "export-fork.json", "export-more.json", "hand-made.json"} {
		files = append(files, filepath.Join(sharedtest.Dir(t, "samples", "others", "opencode"), name))
	}
	return files
}

// TestConformanceShared reads real exports.
func TestConformanceShared(t *testing.T) {
	files := shared(t)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !(opencode.Agent{}).Detect(data[:min(len(data), 64<<10)]) {
			t.Errorf("%s is not known", file)
		}
	}
	corpus := sharedtest.Dir(t, "corpus")
	var others []agentstest.Sample
	for _, name := range []string{"pi", "claude", "codex"} {
		others = append(others, agentstest.Files(t, filepath.Join(corpus, name, "*.jsonl"))...)
	}
	for _, file := range sharedtest.Glob(t, "*", "samples", "others", "opencode") {
		if name := filepath.Base(file); !strings.HasPrefix(name, "export") && name != "hand-made.json" {
			others = append(others, agentstest.Files(t, file)...)
		}
	}
	agentstest.Run(t, agentstest.Suite{Agent: opencode.Agent{}, Env: env, Shared: files, NoExport: noExport, Others: others})
}

func env(home string) func(string) string {
	return func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
}

// samples are the exports of testdata/opencode, with what the live path of each says.
func samples(t *testing.T) (all []agentstest.Sample) {
	for _, s := range []agentstest.Sample{
		{Name: "simple.json", Records: 8, Branches: 1, Texts: []string{"Which beds are dry?", "The leeks are.", "Write that down.", "It stands in dry.txt."}},
		{Name: "tools.json", Records: 15, Branches: 1, Texts: []string{
			"Tidy @shed/ with @helper\nCalled the Read tool with the following input: {\"filePath\":\"/home/ada/garden/shed/\"}\nspade\nrake",
			"What is this?\n[file plan.pdf]", "Go on.", "Count the rakes.", "One.",
		}},
		{Name: "compacted.json", Records: 18, Branches: 1, Texts: []string{
			"Plan the beds.", "Beans left, peas right.", "The beds are planned: beans left.", "And the path?", "Between them.", "And the fence?", "Behind them.",
			"Beds and a path are planned.", "All is planned.", "Thanks.", "Gladly.",
		}},
		{Name: "reverted.json", Records: 6, Branches: 1, Texts: []string{"Water the pots.", "Done."}},
		{Name: "grown.json", Records: 6, Branches: 1, Texts: []string{"Count the pots.", "Forty.", "And the lids?"}},
		{Name: "subagent.json", Records: 4, Branches: 1, Texts: []string{"Look for slugs.", "There are none."}},
		{Name: "damaged.json", Records: 5, Branches: 1, Damaged: true, Texts: []string{"one", "1", "two"}},
	} {
		data, err := os.ReadFile(filepath.Join(testdata, "opencode", s.Name))
		if err != nil {
			t.Fatal(err)
		}
		s.Data = data
		all = append(all, s)
	}
	return all
}
