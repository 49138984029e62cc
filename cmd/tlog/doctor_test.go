package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/cmd/tlog/internal/terminal"
)

// runAt runs a command in a folder, at a time, with an environment of its own.
func runAt(t *testing.T, dir string, now time.Time, args ...string) (code int, out, errs string) {
	t.Helper()
	vars, err := projectEnv(dir)
	if err != nil {
		t.Fatal(err)
	}
	streams, o, e := terminal.Test(strings.NewReader(""))
	a := &App{IO: streams, Cwd: dir, Now: func() time.Time { return now }, Random: rand.Reader}
	a.Lookup = func(name string) (string, bool) {
		for _, pair := range vars {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}
	code = a.Run(context.Background(), args)
	return code, o.String(), e.String()
}

// TestDoctorExpiring looks at sessions that the agent will delete: in what order they are told, and when.
func TestDoctorExpiring(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	config := filepath.Join(dir, ".home", ".claude")
	kept := filepath.Join(config, "projects", "-srv-shop")
	if err := os.MkdirAll(kept, 0o700); err != nil {
		t.Fatal(err)
	}
	session := func(n string) string { return "cccccccc-0000-4000-8000-00000000000" + n }
	put := func(n string, days int) {
		t.Helper()
		file := filepath.Join(kept, session(n)+".jsonl")
		addTo(t, file, talk(session(n), 1))
		if err := os.Chtimes(file, now, now.AddDate(0, 0, -days)); err != nil {
			t.Fatal(err)
		}
	}
	put("1", 29)
	put("2", 5)
	if code, _, errs := runAt(t, dir, now, "import", "--agent", "claude", "--all"); code != exitOK {
		t.Fatal(errs)
	}
	put("3", 25)
	put("4", 22) // eight days are left
	put("5", 31)

	type report struct {
		Agent    string
		Expiring []struct{ Session, State, DeletedFrom string }
		CleanUp  *struct {
			Days    int
			AtStart bool
		}
		Care   bool
		Errors []string
	}
	examined := func(want int) (got report) {
		t.Helper()
		code, out, errs := runAt(t, dir, now, "doctor", "--agent", "claude", "--json")
		if err := json.NewDecoder(bytes.NewReader([]byte(out))).Decode(&got); err != nil || code != want {
			t.Fatalf("code %d, %v: %s%s", code, err, out, errs)
		}
		return got
	}
	order := func(r report) (list []string) {
		for _, e := range r.Expiring {
			list = append(list, e.Session[35:]+" "+e.State+" "+e.DeletedFrom)
		}
		return list
	}
	got := examined(exitNo)
	want := []string{"5 new 2026-06-29T12:00:00.000Z", "3 new 2026-07-05T12:00:00.000Z", "1 current 2026-07-01T12:00:00.000Z"}
	if !slices.Equal(order(got), want) || !got.Care {
		t.Errorf("got %+v, want %v", got, want)
	}
	_, out, _ := runAt(t, dir, now, "doctor", "--agent", "claude")
	for _, text := range []string{"any moment  ", "2026-07-05  ", session("3") + ".jsonl, NOT IN THE STORE", session("1") + ".jsonl, in the store", "3 not yet", "'tlog import --agent claude --all'"} {
		if !strings.Contains(out, text) {
			t.Errorf("no %q in\n%s", text, out)
		}
	}
	// Once all is in the store nothing needs care, though the agent goes on deleting.
	if code, _, errs := runAt(t, dir, now, "import", "--agent", "claude", "--all"); code != exitOK {
		t.Fatal(errs)
	}
	if got = examined(exitOK); len(got.Expiring) != 3 || got.Care {
		t.Errorf("got %+v", got)
	}

	settings := filepath.Join(config, "settings.json")
	for _, test := range []struct {
		settings string
		expiring int
		code     int
	}{
		{`{"cleanupPeriodDays":365}`, 0, exitOK},
		{`{"cleanupPeriodDays":0}`, 5, exitOK},
		{`{"cleanupPeriodDays":`, 0, exitNo},
	} {
		os.Remove(settings)
		addTo(t, settings, test.settings)
		if got := examined(test.code); len(got.Expiring) != test.expiring || (test.code == exitNo) != (len(got.Errors) > 0) {
			t.Errorf("%s: %+v", test.settings, got)
		}
	}
}

// TestDoctorTellsOnce: a transcript is looked at twice, and what keeps from that is told once.
func TestDoctorTellsOnce(t *testing.T) {
	x := &examination{unread: map[string]bool{}}
	for _, path := range []string{"/a", "/b", "/a", "", ""} {
		x.failed(path, errNo)
	}
	if len(x.errs) != 4 {
		t.Errorf("%d errors, expected one of each transcript and two of folders", len(x.errs))
	}
}
