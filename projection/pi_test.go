package projection

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tlog/log"
	"tlog/projection/pitest"
)

// TestAgainstPi compares random sessions with what pi's own session manager makes
// of them. PI_SEED and PI_FILES change what is tried.
func TestAgainstPi(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("PI_SEED"), 10, 64)
	files, _ := strconv.Atoi(os.Getenv("PI_FILES"))
	if files == 0 {
		files = 500
	}
	dir := t.TempDir()
	var names []string
	for i := range files {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		s := &session{Rand: r, v: 3 - i%5/4, journal: i%2 == 0}
		name := filepath.Join(dir, fmt.Sprint(i, ".jsonl"))
		if err := os.WriteFile(name, []byte(strings.Join(s.lines(1+r.IntN(30)), "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	command := pitest.Command(t, "contexts.mjs", names)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	compared := 0
	for _, name := range names {
		line, err := answers.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		if compareWithPi(t, name, line) {
			compared++
		}
		if t.Failed() {
			data, _ := os.ReadFile(name)
			t.Fatalf("%s:\n%s", filepath.Base(name), data)
		}
	}
	t.Logf("%d of %d compared", compared, files)
	if compared < files/2 {
		t.Error("too few could be compared")
	}
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
}

func compareWithPi(t *testing.T, name string, answer []byte) bool {
	var pi struct {
		Skip    string
		Sources []string
		Context struct {
			Messages      json.RawMessage
			Model         json.RawMessage
			ThinkingLevel string
		}
	}
	if err := json.Unmarshal(answer, &pi); err != nil {
		t.Fatal(err)
	}
	if pi.Skip != "" {
		t.Log(pi.Skip)
		return false
	}
	l, err := log.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	at := l.Last()
	switch r := l.Record(at); {
	case r.RepeatOf != log.None:
		at = r.RepeatOf
	case !r.Tree(): // the line stands for its parent
		at = r.Parent
	}
	c := buildAt(t, l, at)
	sameJSON(t, "messages", messagesJSON(c), pi.Context.Messages)
	sameJSON(t, "model", c.Model, pi.Context.Model)
	if c.ThinkingLevel != pi.Context.ThinkingLevel {
		t.Errorf("thinking level %q, want %q", c.ThinkingLevel, pi.Context.ThinkingLevel)
	}
	for i, m := range c.Messages {
		if i < len(pi.Sources) && string(l.Record(m.At).ID) != pi.Sources[i] {
			t.Errorf("message %d is of %s, want %s", i, l.Record(m.At).ID, pi.Sources[i])
		}
	}
	return true
}
