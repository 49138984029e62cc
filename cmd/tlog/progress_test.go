package main

import (
	"strings"
	"testing"
	"time"

	"tlog/cmd/tlog/internal/terminal"
)

// A line of progress takes no more than a terminal's line, obeys nothing in names, and goes away.
func TestProgress(t *testing.T) {
	streams, out, errs := terminal.Test(strings.NewReader(""))
	streams.ForceTerminal(40)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a := &App{IO: streams, Now: func() time.Time { return now }}
	p := newProgress(a, "importing", 2040)
	p.step(1, 10, "too early")
	if errs.Len() > 0 {
		t.Errorf("it shows before anybody waits: %q", errs)
	}
	names := []string{"/srv/\x1b[2J\r\nevil\u202e" + strings.Repeat("long", 50), strings.Repeat("日本", 40), "short"}
	for i, name := range names {
		now = now.Add(time.Second)
		p.step(100*i, int64(i)*1e9, name)
	}
	p.clear()
	shown := errs.String()
	for line := range strings.SplitSeq(shown, "\r") {
		if width := terminal.Width(line); width >= 40 {
			t.Errorf("%d cells wide: %q", width, line)
		}
	}
	if strings.ContainsAny(shown, "\x1b\n\u202e") || !strings.Contains(shown, "importing 200/2040  2000 MB  short") {
		t.Errorf("got %q", shown)
	}
	if parts := strings.Split(shown, "\r"); strings.TrimSpace(parts[len(parts)-2]) != "" || parts[len(parts)-1] != "" {
		t.Errorf("it stays: %q", shown)
	}
	p.clear()
	if errs.String() != shown || out.Len() > 0 {
		t.Error("it is cleared twice")
	}
}

// Where nobody sees it there is none.
func TestNoProgress(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, set := range map[string]func(*App){
		"no terminal": func(*App) {},
		"quiet":       func(a *App) { a.IO.ForceTerminal(80); a.Quiet = true },
	} {
		streams, _, errs := terminal.Test(strings.NewReader(""))
		a := &App{IO: streams, Now: func() time.Time { now = now.Add(time.Second); return now }}
		set(a)
		p := newProgress(a, "importing", 10)
		p.step(5, 0, "x")
		p.clear()
		if errs.Len() > 0 {
			t.Errorf("%s: %q", name, errs)
		}
	}
}
