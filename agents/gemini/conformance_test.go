package gemini_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/agentstest"
	"tlog/agents/gemini"
	"tlog/objects/sharedtest"
)

var testdata = filepath.Join("..", "..", "testdata")

const noExport = "Gemini CLI gives what it is handed a new id"

// TestConformance holds Gemini CLI to what every agent has to pass.
func TestConformance(t *testing.T) {
	agentstest.Run(t, agentstest.Suite{
		Agent: gemini.Agent{}, Samples: samples(t), Generate: generate, Seeds: 150, Env: env, NoExport: noExport,
		Others: append(append(agentstest.Files(t, filepath.Join(testdata, "versions", "v*.jsonl")), agentstest.Files(t, filepath.Join(testdata, "claude", "*.jsonl"))...),
			agentstest.Files(t, filepath.Join(testdata, "codex", "*.jsonl"))...),
	})
}

// TestConformanceShared reads the real sessions.
func TestConformanceShared(t *testing.T) {
	files := sharedtest.Glob(t, "*", "corpus", "gemini")
	err := filepath.WalkDir(sharedtest.Dir(t, "samples", "others", "gemini"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), "session-") && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !(gemini.Agent{}).Detect(data[:min(len(data), 64<<10)]) {
			t.Errorf("%s is not known", file)
		}
	}
	corpus := sharedtest.Dir(t, "corpus")
	var others []agentstest.Sample
	for _, name := range []string{"pi", "claude", "codex"} {
		others = append(others, agentstest.Files(t, filepath.Join(corpus, name, "*.jsonl"))...)
	}
	agentstest.Run(t, agentstest.Suite{Agent: gemini.Agent{}, Env: env, Shared: files, NoExport: noExport, Others: others})
}

func env(home string) func(string) string {
	return func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
}

// samples are the sessions of testdata/gemini, with what the live path of each says.
func samples(t *testing.T) (all []agentstest.Sample) {
	for _, s := range []agentstest.Sample{
		{Name: "simple.jsonl", Records: 11, Branches: 1, Texts: []string{"Which beds are dry?", "The two by the wall.", "And the pots?", "All of them."}},
		{Name: "tools.jsonl", Records: 24, Branches: 1, Texts: []string{
			"Tidy the list of beds.", "I look.", "Tidied, but for leeks.", "Look at this.", "One moment.", "Thanks, stop here.", "Gladly.",
		}},
		{Name: "rewound.jsonl", Records: 11, Branches: 3, Texts: []string{"anew", "1 anew"}},
		{Name: "resumed.jsonl", Records: 19, Branches: 2, Texts: []string{"Plan the beds.", "I read.", "Beans left, peas right.", "And the fence?", "Behind them."}},
		{Name: "compressed.jsonl", Records: 8, Branches: 1, Texts: []string{
			"Count the pots.", "Forty.", "And the lids?", "Twelve.", "So how many lack one?", "Twenty-eight.",
		}},
		{Name: "damaged.jsonl", Records: 10, Branches: 1, Damaged: true, Texts: []string{"one", "1", "two", "2 again"}},
		{Name: "legacy.json", Records: 7, Branches: 1, Texts: []string{"Where does the leek go?", "To the north.", "Thanks."}},
	} {
		data, err := os.ReadFile(filepath.Join(testdata, "gemini", s.Name))
		if err != nil {
			t.Fatal(err)
		}
		s.Data = data
		all = append(all, s)
	}
	return all
}
