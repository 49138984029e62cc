package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/diff"
	"tlog/log"
)

func newRangeDiffCommand(a *App) *cobra.Command {
	return &cobra.Command{
		Use:   "range-diff <a>...<b> | <a> <b>",
		Short: "Show how the turns of two approaches correspond",
		Long: "Print a line for each turn behind the common part: its number on both sides, = if both say the same, ! if they\n" +
			"correspond and differ, < if only a has it, > if only b has it, and its prompt.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt),
		Example: "  tlog range-diff main...attempt-2",
		Args:    operands(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := a.session()
			if err != nil {
				return err
			}
			defer s.Close()
			if err := runRangeDiff(a, s, args); err != nil {
				return fmt.Errorf("range-diff: %w", err)
			}
			return nil
		},
	}
}

// rangeMarks are git's marks.
var rangeMarks = map[diff.Status]string{diff.Same: "=", diff.Changed: "!", diff.OnlyA: "<", diff.OnlyB: ">"}

func runRangeDiff(a *App, s *checkout.Session, args []string) error {
	if len(args) == 1 { // both ranges begin at the common ancestor, so a..b and a...b are the same here
		rg, err := a.resolver(s).ResolveSides(args[0])
		if err != nil {
			return err
		}
		if !rg.HasFrom {
			return usagef("range-diff %s: expected a...b, or two revisions", args[0])
		}
		c, err := diff.Compare(sideOf(rg.From), sideOf(rg.To))
		if err != nil {
			return err
		}
		first, second := namedSide{sideOf(rg.From), nameOf(rg.From)}, namedSide{sideOf(rg.To), nameOf(rg.To)}
		return (&comparison{Comparison: c, app: a, a: newSide(first, c.A), b: newSide(second, c.B)}).printRange()
	}
	d, err := newComparison(a, s, diffOptions{}, args)
	if err != nil {
		return err
	}
	return d.printRange()
}

// printRange prints a line a turn.
func (d *comparison) printRange() error {
	d.app.page()
	digits, cells := len(fmt.Sprint(max(len(d.A.Turns), len(d.B.Turns)))), 0
	for _, t := range d.Turns {
		cells = max(cells, terminal.Width(d.a.firstShort(t.A)), terminal.Width(d.b.firstShort(t.B)))
	}
	for _, t := range d.Turns {
		words, err := d.promptWords(t)
		if err != nil {
			return err
		}
		if d.app.JSON {
			first := new(jsonout.Object).ID("a", idAt(d.a.log, d.a.first(t.A))).ID("b", idAt(d.b.log, d.b.first(t.B)))
			o := new(jsonout.Object).String("status", statusNames[t.Status])
			if err := d.app.printJSON(turnNumbers(o, t).Known("prompt", words).Object("first", first)); err != nil {
				return err
			}
			continue
		}
		if words == "" {
			words = goesOn
		}
		half := func(s side, n int) terminal.Text {
			number := "-"
			if n != diff.None {
				number = fmt.Sprint(n + 1)
			}
			return terminal.Concat(terminal.Line(terminal.PadLeft(number, digits)+": "), terminal.Yellow.Paint(s.firstShort(n)).Pad(cells))
		}
		mark := statusStyles[t.Status].Paint(" " + rangeMarks[t.Status] + " ")
		line := terminal.Concat(half(d.a, t.A), mark, half(d.b, t.B), terminal.Line("  "))
		if err := d.app.IO.Out.Println(line, terminal.Line(terminal.Fit(words, max(20, d.app.IO.Out.Width()-line.Width())))); err != nil {
			return err
		}
	}
	return d.app.IO.Out.Err()
}

// first is the entry that the n-th turn behind the common part begins with; log.None for none.
func (s side) first(n int) int {
	if n == diff.None {
		return log.None
	}
	return s.path.Turns[n].Entries[0]
}

// firstShort is the short id of [side.first], a dash for none.
func (s side) firstShort(n int) string {
	if n == diff.None {
		return "-"
	}
	return s.log.Short(s.first(n))
}
