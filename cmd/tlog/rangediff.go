package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/diff"
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
	width := len(fmt.Sprint(max(len(d.A.Turns), len(d.B.Turns))))
	number := func(n int) string {
		if n == diff.None {
			return terminal.PadLeft("-", width)
		}
		return terminal.PadLeft(fmt.Sprint(n+1), width)
	}
	for _, t := range d.Turns {
		words, err := d.promptWords(t)
		if err != nil {
			return err
		}
		if d.app.JSON {
			o := new(jsonout.Object).String("status", statusNames[t.Status])
			if err := d.app.printJSON(turnNumbers(o, t).String("prompt", words)); err != nil {
				return err
			}
			continue
		}
		short := func(s side, path *diff.Path, n int) string {
			if n == diff.None {
				return terminal.Pad("-", 7)
			}
			return s.log.Short(path.Turns[n].Entries[0])
		}
		mark := statusStyles[t.Status].Paint(" " + rangeMarks[t.Status] + " ")
		err = d.app.IO.Out.Println(terminal.Line(number(t.A)+": "+short(d.a, d.A, t.A)), mark,
			terminal.Line(number(t.B)+": "+short(d.b, d.B, t.B)+"  "), terminal.Line(words))
		if err != nil {
			return err
		}
	}
	return d.app.IO.Out.Err()
}
