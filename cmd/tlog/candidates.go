package main

import (
	"errors"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/refs"
)

// candidates lists what an ambiguous revision may stand for.
func (a *App) candidates(err error) []terminal.Text {
	var ambiguous *refs.AmbiguousError
	if !errors.As(err, &ambiguous) {
		return nil
	}
	// The command has closed its session; entries keep their index in a log that only grows.
	s, openErr := a.open(ambiguous.State.Log().Path())
	if openErr != nil {
		return nil
	}
	defer s.Close()
	var lines []terminal.Text
	for _, at := range ambiguous.Candidates {
		if at >= s.Log.Len() {
			continue
		}
		v, err := view.New(s.Refs, at, false)
		if err != nil {
			continue
		}
		title := terminal.Concat(terminal.Line("  "), terminal.Yellow.Paint(string(v.Record.ID)), terminal.Line("  "))
		lines = append(lines, terminal.Concat(title, v.Subject(a.IO.Err.Width()-title.Width())))
	}
	if ambiguous.More {
		lines = append(lines, terminal.Line("  ..."))
	}
	return lines
}
