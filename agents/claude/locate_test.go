package claude

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/agents/transcript"
)

// put writes a file below root and returns its path.
func put(t *testing.T, root, name, content string) string {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestFolder(t *testing.T) {
	for name, test := range map[string]struct {
		env  func(string) string
		want string
	}{
		"home":            {environment("HOME", "/home/ada"), "/home/ada/.claude"},
		"config folder":   {environment("HOME", "/home/ada", "CLAUDE_CONFIG_DIR", "/srv/claude/"), "/srv/claude"},
		"nothing to know": {environment(), ""},
	} {
		if got := (Agent{}).Folder(test.env); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestLocate(t *testing.T) {
	root := t.TempDir()
	const (
		first  = "projects/-srv-a/11111111-0000-4000-8000-000000000001"
		second = "projects/-srv-a/11111111-0000-4000-8000-000000000002"
		gone   = "projects/-srv-a/11111111-0000-4000-8000-000000000003"
	)
	want := []transcript.Found{
		{Path: put(t, root, first+".jsonl", "{}\n")},
		{Path: put(t, root, first+"/subagents/agent-a1.jsonl", "{}\n"), Subagent: true},
		{Path: put(t, root, first+"/subagents/agent-a2.jsonl", "{}\n"), Subagent: true},
		{Path: put(t, root, first+"/subagents/workflows/run/agent-a3.jsonl", "{}\n"), Subagent: true},
		{Path: put(t, root, second+".jsonl", "{}\n")},
		{Path: put(t, root, "projects/-srv-a/odd name\x1b[31m.jsonl", "{}\n")},
		{Path: put(t, root, gone+"/subagents/agent-b1.jsonl", "{}\n"), Subagent: true},
		{Path: put(t, root, "projects/-srv-a/agent-0ld.jsonl", "{}\n"), Subagent: true},
		{Path: put(t, root, "projects/-srv-b/11111111-0000-4000-8000-000000000004.jsonl", "")},
	}
	for _, other := range []string{first + "/subagents/agent-a1.meta.json", first + "/tool-results/x.txt", "projects/-srv-a/memory/MEMORY.md",
		"projects/stray.jsonl", "history.jsonl", first + "/subagents/notes.jsonl"} {
		put(t, root, other, "{}\n")
	}
	// Of two that begin alike "agent-..." comes before "1...", but behind the sessions all the same.
	slices.SortStableFunc(want[6:8], func(a, b transcript.Found) int { return strings.Compare(a.Path, b.Path) })
	links := map[string]string{
		"projects/-srv-c":                filepath.Join(root, "projects", "-srv-a"), // would list it twice
		"projects/-srv-a/dangling.jsonl": filepath.Join(root, "nowhere"),
		"projects/-srv-a/folder.jsonl":   t.TempDir(),
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	outside := t.TempDir()
	put(t, outside, "11111111-0000-4000-8000-000000000005.jsonl", "{}\n")
	if err := os.Symlink(outside, filepath.Join(root, "projects", "-srv-d")); err != nil {
		t.Fatal(err)
	}
	want = append(want, transcript.Found{Path: filepath.Join(root, "projects", "-srv-d", "11111111-0000-4000-8000-000000000005.jsonl")})
	for range 2 { // the same each time
		got, err := Agent{}.Locate(environment("CLAUDE_CONFIG_DIR", root))
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("got %v\n%v, want\n%v", err, got, want)
		}
	}
	subagents, err := Agent{}.Subagents(want[0].Path)
	if err != nil || !slices.Equal(subagents, []string{want[1].Path, want[2].Path, want[3].Path}) {
		t.Errorf("subagents: %v, %v", subagents, err)
	}
	for name, env := range map[string]func(string) string{
		"no folder": environment("CLAUDE_CONFIG_DIR", filepath.Join(root, "nowhere")), "no home": environment(),
	} {
		if got, err := (Agent{}).Locate(env); got != nil || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestLocateUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	root := t.TempDir()
	put(t, root, "projects/-srv-a/a.jsonl", "{}\n")
	b := put(t, root, "projects/-srv-b/b.jsonl", "{}\n")
	locked := filepath.Join(root, "projects", "-srv-a")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(locked, 0o700) })
	got, err := Agent{}.Locate(environment("CLAUDE_CONFIG_DIR", root))
	if err == nil || !strings.Contains(err.Error(), locked) {
		t.Errorf("error %v, expected one that names %s", err, locked)
	}
	if !slices.Equal(got, []transcript.Found{{Path: b}}) {
		t.Errorf("got %v, want the other project", got)
	}
}
