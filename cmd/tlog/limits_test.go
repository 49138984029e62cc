package main

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"tlog/cmd/tlog/internal/terminal"
)

// TestClockGoesBackwards: the order is that of the graph, whatever the clock says.
func TestClockGoesBackwards(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	run := func(stdin string, args ...string) string {
		t.Helper()
		now = now.Add(-time.Hour)
		streams, out, errs := terminal.Test(strings.NewReader(stdin))
		app := &App{
			IO: streams, Lookup: func(name string) (string, bool) { return map[string]string{"HOME": dir}[name], name == "HOME" },
			Cwd: dir, Now: func() time.Time { return now }, Random: rand.Reader,
		}
		if code := app.Run(t.Context(), args); code != exitOK {
			t.Fatalf("%v: exit code %d: %s", args, code, errs)
		}
		return out.String()
	}
	run("", "new")
	var ids []string
	for _, text := range []string{"one", "two", "three"} {
		ids = append([]string{strings.TrimSpace(run(`{"role":"user","content":"`+text+`"}`+"\n", "append"))}, ids...)
	}
	run("", "undo")
	run("", "redo")
	var shown []string
	for line := range strings.Lines(run("", "log", "--json")) {
		id, _, _ := strings.Cut(strings.TrimPrefix(line, `{"id":"`), `"`)
		shown = append(shown, id)
	}
	if strings.Join(shown, " ") != strings.Join(ids, " ") {
		t.Errorf("log shows %v, appended were (newest first) %v", shown, ids)
	}
	if found := run("", "fsck", "--json"); strings.Count(found, `"time-backwards"`) != 4 || strings.Count(found, "\n") != 4 {
		t.Errorf("fsck says %s", found)
	}
}
