package main

import (
	"fmt"
	"slices"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// branchRow is a line of the listing: a branch, a detached HEAD, or a leaf without a name.
type branchRow struct {
	name    string
	at      int
	current bool
}

func branchRows(s *refs.State) []branchRow {
	head := s.Head()
	var rows []branchRow
	if head.Detached() {
		rows = append(rows, branchRow{at: head.At, current: true})
	}
	for _, b := range s.Branches() {
		rows = append(rows, branchRow{b.Name, b.At, b.Name == head.Branch})
	}
	for _, at := range s.UnnamedLeaves() {
		rows = append(rows, branchRow{at: at})
	}
	return rows
}

func listBranches(a *App, s *checkout.Session) error {
	rows := branchRows(s.Refs)
	tally := refs.NewTally(s.Log)
	if a.JSON {
		for _, row := range rows {
			o, err := branchObject(s.Refs, tally, row)
			if err != nil {
				return err
			}
			if err := a.printJSON(o); err != nil {
				return err
			}
		}
		return nil
	}
	a.page()
	rows = slices.DeleteFunc(rows, func(row branchRow) bool {
		return row.name == "" && !row.current && onlyNames(s.Log, row.at)
	})
	width := 0
	for _, row := range rows {
		width = max(width, terminal.Width(branchTitle(row, s.Log)))
	}
	for _, row := range rows {
		if err := printBranch(a, s, tally, row, width); err != nil {
			return err
		}
	}
	return nil
}

// onlyNames reports whether a leaf ends in nothing but labels and names of the session below an entry that
// other lines go on from: those count anywhere, and the leaf is no attempt of its own.
func onlyNames(l *log.Log, leaf int) bool {
	at := leaf
	for at != log.None && (l.Record(at).Type == objects.TypeLabel || l.Record(at).Type == objects.TypeSessionInfo) {
		at = l.Record(at).Parent
	}
	return at != leaf && at != log.None && len(l.Children(at)) > 1
}

// standsAt is the entry by which people are told of a tip: itself, or where it is an agent's line that no log shows, the newest entry that
// one shows at or before it.
func standsAt(l *log.Log, tip, newest int) int {
	if r := l.Record(tip); newest != log.None && r.Foreign && !r.Visible() {
		return newest
	}
	return tip
}

func branchTitle(row branchRow, l *log.Log) string {
	switch {
	case row.name != "":
		return row.name
	case row.current:
		return "(HEAD detached at " + l.Short(row.at) + ")"
	}
	return "(no branch)"
}

func printBranch(a *App, s *checkout.Session, tally *refs.Tally, row branchRow, width int) error {
	mark, style := terminal.Line("  "), terminal.Plain
	if row.current {
		mark, style = terminal.Line("* "), terminal.Green
	}
	shown, newest, err := tally.Shown(row.at)
	if err != nil {
		return err
	}
	title := terminal.Concat(mark, style.Paint(branchTitle(row, s.Log)).Pad(width), terminal.Line(" "),
		terminal.Yellow.Paint(s.Log.Short(standsAt(s.Log, row.at, newest))), terminal.Line(fmt.Sprintf(" %d %s  ", shown, plural(shown, "entry", "entries"))))
	subject := terminal.Text{}
	if newest != log.None {
		v, err := view.New(s.Refs, newest, false)
		if err != nil {
			return err
		}
		subject = v.Subject(a.IO.Out.Width() - title.Width())
	}
	return a.IO.Out.Println(title, subject)
}

func branchObject(s *refs.State, tally *refs.Tally, row branchRow) (*jsonout.Object, error) {
	shown, newest, err := tally.Shown(row.at)
	if err != nil {
		return nil, err
	}
	o := new(jsonout.Object).Known("name", row.name).ID("id", idAt(s.Log(), row.at))
	o.String("short", s.Log().Short(row.at)).Bool("current", row.current)
	return o.Int("entries", int64(shown)).ID("shown", idAt(s.Log(), newest)), nil
}
