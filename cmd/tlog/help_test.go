package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents"
)

// TestEnvironmentHelp: the page on variables names every one that an agent's folder is looked up by.
func TestEnvironmentHelp(t *testing.T) {
	asked := map[string]bool{}
	env := func(name string) string {
		asked[name] = true
		return ""
	}
	for _, agent := range agents.All() {
		agent.Folder(env)
		if _, err := agent.Locate(env); err != nil {
			t.Errorf("%s: %v", agent.Name(), err)
		}
	}
	delete(asked, "HOME")
	if len(asked) == 0 {
		t.Fatalf("only %v were asked for", asked)
	}
	for name := range asked {
		if !strings.Contains(environmentHelp, name) {
			t.Errorf("tlog help environment: nothing of %s", name)
		}
	}
}

// TestPagesAreLinked: the README leads to every page of docs/.
func TestPagesAreLinked(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(projectRoot, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(projectRoot, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("pages %v, %v", pages, err)
	}
	for _, page := range pages {
		if link := "(docs/" + filepath.Base(page) + ")"; !strings.Contains(string(readme), link) {
			t.Errorf("README.md: no link to docs/%s", filepath.Base(page))
		}
	}
}
