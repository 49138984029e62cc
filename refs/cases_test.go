package refs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
	"tlog/objects/sharedtest"
)

// sharedCase is a session file and what pi's own session manager makes of it.
type sharedCase struct {
	Name         string   `json:"name"`
	Kind         string   `json:"kind"`
	Input        []string `json:"input"`
	FinalNewline bool     `json:"finalNewline"`
	Expected     struct {
		Hang        bool              `json:"hang"`
		Error       any               `json:"error"`
		LeafOnLoad  *string           `json:"leafIdOnLoad"`
		Labels      map[string]string `json:"labels"`
		SessionName *string           `json:"sessionName"`
	} `json:"expected"`
}

// TestSharedCases: leaf, labels and name are those that pi gives.
func TestSharedCases(t *testing.T) {
	files := sharedtest.Glob(t, "*.json", "cases", "pi")
	// Where tlog deliberately differs.
	differs := map[string]string{
		"file-number-line": "a line that is no object is damage, not an entry without id",
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c sharedCase
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if c.Kind != "load" || c.Expected.Hang || c.Expected.Error != nil || differs[c.Name] != "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) { c.run(t) })
	}
}

func (c *sharedCase) run(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	content := strings.Join(c.Input, "\n")
	if c.FinalNewline && len(c.Input) > 0 {
		content += "\n"
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := log.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := foldLog(t, l)

	leaf := idOf(l, log.None)
	if c.Expected.LeafOnLoad != nil {
		leaf = c.id(t, l, *c.Expected.LeafOnLoad)
	}
	check(t, "HEAD", headOf(s), "main "+leaf)

	name := ""
	if c.Expected.SessionName != nil {
		name = *c.Expected.SessionName
	}
	check(t, "name", s.Name(), name)
	for id, label := range c.Expected.Labels {
		check(t, "label of "+id, s.Label(at(t, l, c.id(t, l, id))), label)
	}
	if n := len(s.Labels()); n != len(c.Expected.Labels) {
		t.Errorf("labels: got %d, want %d", n, len(c.Expected.Labels))
	}
}

// id is the id that an expected one stands for: "#n" is that of the n-th entry line, from 1.
func (c *sharedCase) id(t *testing.T, l *log.Log, id string) string {
	digits, ok := strings.CutPrefix(id, "#")
	if !ok {
		return id
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > l.Len() {
		t.Fatalf("no entry line %s of %d", id, l.Len())
	}
	return string(objects.ID(idOf(l, n-1)))
}
