//go:build acceptance

package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tlog/agents/claude/claudetest"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/objects/sharedtest"
)

// imported is a transcript of Claude Code in a store of its own.
type imported struct {
	t       *testing.T
	dir     string // the home and working folder of tlog
	session string
}

// importClaude imports a transcript, which stays as it is.
func importClaude(t *testing.T, file string) imported {
	t.Helper()
	return importInto(t, t.TempDir(), file)
}

// importInto imports a transcript into the store of the home dir.
func importInto(t *testing.T, dir, file string) imported {
	t.Helper()
	in := imported{t: t, dir: dir}
	before := readFile(t, file)
	out := in.tlog("import", "--json", file)
	if string(readFile(t, file)) != string(before) {
		t.Errorf("the import changed %s", file)
	}
	var first struct{ Session string }
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&first); err != nil || first.Session == "" {
		t.Fatalf("tlog import --json: %v: %s", err, out)
	}
	in.session = first.Session
	return in
}

// importText imports a transcript of SessionID that the test made.
func importText(t *testing.T, text string) imported {
	t.Helper()
	file := filepath.Join(t.TempDir(), claudetest.SessionID+".jsonl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return importClaude(t, file)
}

// tlog runs a command that must succeed, and gives what it prints.
func (in imported) tlog(args ...string) string {
	in.t.Helper()
	streams, out, errs := terminal.Test(strings.NewReader(""))
	app := &App{
		IO: streams, Cwd: in.dir, Now: time.Now, Random: rand.Reader,
		Lookup: func(name string) (string, bool) {
			value, ok := map[string]string{"HOME": in.dir}[name]
			return value, ok
		},
	}
	if code := app.Run(in.t.Context(), args); code != exitOK {
		in.t.Fatalf("tlog %s: exit code %d: %s", strings.Join(args, " "), code, errs)
	}
	return out.String()
}

// path are the ids of the entries that log shows, oldest first.
func (in imported) path(args ...string) (ids []string) {
	in.t.Helper()
	for line := range strings.Lines(in.tlog(append([]string{"-s", in.session, "log", "--json", "--reverse"}, args...)...)) {
		var entry struct{ ID string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			in.t.Fatal(err)
		}
		ids = append(ids, entry.ID)
	}
	return ids
}

// export writes the path to HEAD, or to a revision, as a transcript, and gives it with what export --json prints.
func (in imported) export(rev ...string) (data []byte, report string) {
	in.t.Helper()
	file := filepath.Join(in.t.TempDir(), "export.jsonl")
	args := append([]string{"-s", in.session, "export", "--to", "claude", "--json", "-o", file}, rev...)
	report = in.tlog(args...)
	return readFile(in.t, file), report
}

// resume exports the path to HEAD, or to a revision, and has the client resume that.
func (in imported) resume(rev ...string) (claudetest.Resumed, string) {
	in.t.Helper()
	data, repairs := in.export(rev...)
	got, err := claudetest.Resume(in.t, claudetest.SessionID, data)
	if err != nil {
		in.t.Fatalf("%v; exported:\n%.3000s", err, data)
	}
	return got, repairs
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sameMessages holds that two transcripts are resumed as the same conversation.
func sameMessages(t *testing.T, what string, got, want []claudetest.Message) {
	t.Helper()
	a, b := strings.SplitAfter(claudetest.Words(got), "\n"), strings.SplitAfter(claudetest.Words(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s: %d messages, expected %d; the first that differs is number %d:\ngot      %s\nexpected %s", what,
				len(got), len(want), i, around(a[i], b[i]), around(b[i], a[i]))
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s: %d messages, expected %d", what, len(got), len(want))
	}
}

// around is the part of a text where it begins to differ from another.
func around(text, other string) string {
	i := 0
	for i < len(text) && i < len(other) && text[i] == other[i] {
		i++
	}
	from := max(0, i-200)
	return fmt.Sprintf("…[%d]%s", from, text[from:min(len(text), i+400)])
}

// claudeTranscripts are the transcripts of the real client in the shared material.
func claudeTranscripts(t *testing.T) (files []string) {
	t.Helper()
	files = sharedtest.Glob(t, "*/projects/*/*.jsonl", "samples", "claude")
	for line := range strings.Lines(string(readFile(t, sharedtest.Dir(t, "corpus", "INDEX.tsv")))) {
		fields := strings.Split(line, "\t")
		if len(fields) > 7 && fields[0] == "claude" && strings.HasPrefix(fields[7], "real ") {
			files = append(files, sharedtest.Dir(t, "corpus", fields[1]))
		}
	}
	return files
}
