package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/dates"
	"tlog/cmd/tlog/internal/graph"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
)

// maxLines is how many lines of an entry's text log shows without --oneline.
const maxLines = 6

type logOptions struct {
	count                                 int
	all, graph, oneline, reverse, skipped bool
	turns, hidden                         bool
	roles, types                          []string
	since, until                          string
	sinceTime, untilTime                  time.Time
}

func newLogCommand(a *App) *cobra.Command {
	opt := logOptions{count: -1}
	cmd := &cobra.Command{
		Use:   "log [<rev> | <a>..<b>]",
		Short: "Show the entries of a branch, newest first",
		Long: "Show messages, compactions and branch summaries of the current branch (or of a revision or range),\n" +
			"newest first, less what is undone, and less what an agent's program wrote for the model (--hidden).\n" +
			"--all shows every entry of the session: all branches, all types, what is undone or hidden, and with it\n" +
			"the journal. Its lines are in the order of the log.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt),
		Example: "  tlog log --oneline -n 20\n  tlog log --graph --all\n  tlog log --role user --since yesterday",
		Args:    operands(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkExclusive(cmd, "turns", "graph"); err != nil {
				return err
			}
			if err := checkExclusive(cmd, "reverse", "graph"); err != nil {
				return err
			}
			if err := opt.parseTimes(a.Now()); err != nil {
				return err
			}
			return runLog(a, opt, args)
		},
	}
	flags := cmd.Flags()
	flags.IntVarP(&opt.count, "max-count", "n", -1, "at most `n` entries")
	flags.BoolVar(&opt.all, "all", false, "every entry of the session")
	flags.BoolVar(&opt.graph, "graph", false, "draw the history beside the entries")
	flags.BoolVar(&opt.oneline, "oneline", false, "one line an entry")
	flags.BoolVar(&opt.reverse, "reverse", false, "oldest first")
	flags.BoolVar(&opt.skipped, "skipped", false, "also what is undone")
	flags.BoolVar(&opt.hidden, "hidden", false, "also messages that an agent's program wrote for the model")
	flags.BoolVar(&opt.turns, "turns", false, "one line a turn")
	flags.StringSliceVar(&opt.roles, "role", nil, "only these `roles`: user, assistant, toolResult, ...")
	flags.StringSliceVar(&opt.types, "type", nil, "only these `types`: message, compaction, model_change, ...")
	flags.StringVar(&opt.since, "since", "", "only entries of `date` or later: 2026-11-30, '2 weeks ago', yesterday")
	flags.StringVar(&opt.until, "until", "", "only entries of `date` or earlier")
	return cmd
}

func (opt *logOptions) parseTimes(now time.Time) (err error) {
	if opt.since != "" {
		if opt.sinceTime, err = dates.Parse(opt.since, now); err != nil {
			return usagef("--since: %w", err)
		}
	}
	if opt.until != "" {
		if opt.untilTime, err = dates.ParseEnd(opt.until, now); err != nil {
			return usagef("--until: %w", err)
		}
	}
	return nil
}

func runLog(a *App, opt logOptions, args []string) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	spec := ""
	if len(args) == 1 {
		spec = args[0]
	}
	sel, err := newSelection(a, s, opt, spec)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	a.page()
	if opt.turns {
		return printTurns(a, sel)
	}
	printer := &logPrinter{app: a, session: s, opt: opt, now: a.Now(), sel: sel}
	for item, err := range sel.entries() {
		if err != nil {
			return fmt.Errorf("log: %w", err)
		}
		if err := printer.print(item); err != nil {
			return err
		}
	}
	return printer.finish()
}

// logPrinter prints entries one after the other.
type logPrinter struct {
	app     *App
	session *checkout.Session
	opt     logOptions
	now     time.Time
	sel     *selection
	drawer  graph.Drawer
	printed int
}

func (p *logPrinter) print(v view.Entry) error {
	if p.app.JSON {
		return p.app.printJSON(v.JSON())
	}
	rows := graph.Rows{}
	if p.opt.graph {
		rows = p.drawer.Next(string(v.Record.ID), p.sel.shownParent(v.Record.Parent))
	}
	if p.opt.oneline {
		return p.printLines(rows, p.onelineText(v, terminal.Width(rows.Node)))
	}
	lines := []terminal.Text{v.Headline(p.now, p.app.IO.Out.Width()-terminal.Width(rows.Node))}
	room := p.app.IO.Out.Width() - terminal.Width(rows.Bars) - 4
	for _, line := range v.Lines(maxLines) {
		line = terminal.FitLong(line, max(room, 10))
		lines = append(lines, terminal.Concat(terminal.Line("    "), terminal.Line(line)))
	}
	if gap := v.GapLine(); !gap.IsEmpty() {
		// What is older stands below, but for --reverse.
		lines = slices.Insert(lines, p.older(len(lines)), gap)
	}
	if !p.opt.graph && p.printed > 0 {
		p.app.IO.Out.Println()
	} else if p.opt.graph {
		lines = append(lines, terminal.Text{})
	}
	p.printed++
	return p.printLines(rows, lines...)
}

// older is where a line of an entry stands that is about what came before it.
func (p *logPrinter) older(end int) int {
	if p.opt.reverse {
		return 0
	}
	return end
}

func (p *logPrinter) onelineText(v view.Entry, used int) terminal.Text {
	title := terminal.Concat(terminal.Yellow.Paint(v.Short), terminal.Line(" "))
	if decoration := v.Decoration(); !decoration.IsEmpty() {
		title = terminal.Concat(title, decoration, terminal.Line(" "))
	}
	if v.Skipped {
		title = terminal.Concat(title, terminal.Red.Paint("undone"), terminal.Line(" "))
	}
	if v.Gap != "" {
		title = terminal.Concat(title, terminal.Red.Paint("gap"), terminal.Line(" "))
	}
	p.printed++
	return terminal.Concat(title, v.Subject(p.app.IO.Out.Width()-used-title.Width()))
}

// printLines prints the lines of an entry beside its part of the graph.
func (p *logPrinter) printLines(rows graph.Rows, lines ...terminal.Text) error {
	out := p.app.IO.Out
	if !p.opt.graph {
		for _, line := range lines {
			if err := out.Println(line); err != nil {
				return err
			}
		}
		return nil
	}
	for i, line := range lines {
		prefix := rows.Prefix(i)
		if line.IsEmpty() {
			prefix = strings.TrimRight(prefix, " ")
		}
		if err := out.Println(terminal.Line(prefix), line); err != nil {
			return err
		}
	}
	for _, rest := range rows.Rest(len(lines)) {
		if err := out.Println(terminal.Line(rest)); err != nil {
			return err
		}
	}
	return nil
}

// finish says what was left out.
func (p *logPrinter) finish() error {
	if p.app.JSON || p.opt.skipped || p.opt.all {
		return p.app.IO.Out.Err()
	}
	if n := p.sel.hidden(); n > 0 {
		p.app.IO.Out.Println(terminal.Dim.Paint(fmt.Sprintf("(%d %s undone; --skipped shows %s)",
			n, plural(n, "entry", "entries"), plural(n, "it", "them"))))
	}
	return p.app.IO.Out.Err()
}
