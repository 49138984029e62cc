package pi_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tlog/agents/pi"
)

func TestLocate(t *testing.T) {
	home := t.TempDir()
	put := func(parts ...string) string {
		file := filepath.Join(append([]string{home}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	old := put(".pi", "agent", "old.jsonl")
	a := put(".pi", "agent", "sessions", "--home-ada--", "2026_a.jsonl")
	b := put(".pi", "agent", "sessions", "--home-bob--", "2026_b.jsonl")
	put(".pi", "agent", "sessions", "--home-bob--", "deeper", "c.jsonl")
	put(".pi", "agent", "sessions", "stray.jsonl")
	put(".pi", "agent", "sessions", "--home-bob--", "notes.txt")
	moved := put("moved", "sessions", "--x--", "m.jsonl")
	flat := put("flat", "f.jsonl")
	for name, test := range map[string]struct {
		env  map[string]string
		want []string
	}{
		"default":         {map[string]string{"HOME": home}, []string{old, a, b}},
		"agent folder":    {map[string]string{"HOME": home, "PI_CODING_AGENT_DIR": filepath.Join(home, "moved")}, []string{moved}},
		"home sign":       {map[string]string{"HOME": home, "PI_CODING_AGENT_DIR": "~/moved"}, []string{moved}},
		"session folder":  {map[string]string{"HOME": home, "PI_CODING_AGENT_SESSION_DIR": filepath.Join(home, "flat")}, []string{flat}},
		"no such folder":  {map[string]string{"HOME": filepath.Join(home, "nowhere")}, nil},
		"nothing to know": {nil, nil},
	} {
		got, err := pi.Locate(func(name string) string { return test.env[name] })
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, test.want)
		}
	}
}

func TestFolder(t *testing.T) {
	for name, test := range map[string]struct {
		env  map[string]string
		want string
	}{
		"default":         {map[string]string{"HOME": "/home/ada"}, "/home/ada/.pi/agent"},
		"agent folder":    {map[string]string{"HOME": "/home/ada", "PI_CODING_AGENT_DIR": "~/pi"}, "/home/ada/pi"},
		"session folder":  {map[string]string{"HOME": "/home/ada", "PI_CODING_AGENT_DIR": "~/pi", "PI_CODING_AGENT_SESSION_DIR": "~/flat"}, "/home/ada/flat"},
		"nothing to know": {nil, ""},
	} {
		if got := (pi.Agent{}).Folder(func(name string) string { return test.env[name] }); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
