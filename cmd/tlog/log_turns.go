package main

import (
	"fmt"
	"slices"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/log"
	"tlog/projection"
	"tlog/refs"
)

// printTurns prints a line for each turn, newest first.
func printTurns(a *App, sel *selection) error {
	turns, err := sel.history.Turns()
	if err != nil {
		return err
	}
	if !sel.opt.reverse {
		slices.Reverse(turns)
	}
	for i, turn := range turns {
		if i == sel.opt.count {
			break
		}
		if err := printTurn(a, sel, turn); err != nil {
			return err
		}
	}
	return a.IO.Out.Err()
}

func printTurn(a *App, sel *selection, turn refs.Turn) error {
	first := turn.Prompt
	if first == log.None {
		first = turn.Entries[0]
	}
	v, err := view.New(sel.session.Refs, first, false)
	if err != nil {
		return err
	}
	calls, err := countCalls(sel, turn)
	if err != nil {
		return err
	}
	used, err := projection.CountUsage(sel.session.Log, turn.Entries)
	if err != nil {
		return err
	}
	if a.JSON {
		o := v.JSON().Strings("entries", entryIDs(sel.session.Log, turn.Entries)).Int("toolCalls", int64(calls))
		return a.printJSON(o.Object("tokens", tokensObject(used)))
	}
	title := terminal.Concat(terminal.Yellow.Paint(v.Short), terminal.Line(" "))
	if decoration := v.Decoration(); !decoration.IsEmpty() {
		title = terminal.Concat(title, decoration, terminal.Line(" "))
	}
	facts := fmt.Sprintf("  %d %s, %d tool %s", len(turn.Entries), plural(len(turn.Entries), "entry", "entries"),
		calls, plural(calls, "call", "calls"))
	if used.Recorded {
		facts += ", " + tokensText(used)
	}
	tail := terminal.Dim.Paint(facts)
	return a.IO.Out.Println(title, v.Subject(a.IO.Out.Width()-title.Width()-tail.Width()), tail)
}

func countCalls(sel *selection, turn refs.Turn) (int, error) {
	calls := 0
	for _, at := range turn.Entries {
		_, m, _, err := sel.session.Log.MessageAt(at)
		if err != nil {
			return 0, err
		}
		calls += len(m.Calls())
	}
	return calls, nil
}
