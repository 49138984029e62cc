package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/diff"
)

type diffOptions struct {
	stat, nameOnly, nameStatus, files bool
	text, tools                       bool
	words, sideBySide                 bool
	exitCode, nul                     bool
	context                           int
}

// defaultContext is how many lines stand around a change.
const defaultContext = 3

func newDiffCommand(a *App) *cobra.Command {
	opt := diffOptions{}
	cmd := &cobra.Command{
		Use:   "diff <a> [<b>] | <a>..<b> | <a>...<b>",
		Short: "Compare two approaches",
		Long: "Compare two branches of a session, or two sessions: what they have in common, what each did after it, in numbers and\n" +
			"turn by turn. With one revision it is compared with HEAD. a...b compares the common ancestor with b. Only the part that is\n" +
			"not common is counted. What nothing is recorded of is said to be so.\n\n" +
			"Marks: - only in a, + only in b, ~ changed, = the same. docs/diff.md says how the sides are aligned.\n\n" +
			exitStatus(exitOK, exitNo, exitUsage, exitNotFound, exitCorrupt),
		Example: "  tlog diff main attempt-2\n  tlog diff --stat main attempt-2\n  tlog diff --files main...attempt-2",
		Args:    operands(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opt.check(cmd); err != nil {
				return err
			}
			return runDiff(a, opt, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&opt.stat, "stat", false, "only the numbers, all of them")
	flags.BoolVar(&opt.nameOnly, "name-only", false, "only the files that differ")
	flags.BoolVar(&opt.nameStatus, "name-status", false, "only the files that differ, with a letter: A, D, M, or X if it cannot be told")
	flags.BoolVar(&opt.files, "files", false, "a patch from the files of a to those of b, as far as they were recorded")
	flags.BoolVar(&opt.text, "text", false, "only what was said, whole")
	flags.BoolVar(&opt.tools, "tools", false, "only tool calls and results, whole")
	flags.BoolVar(&opt.words, "word-diff", false, "changes within entries by words")
	flags.BoolVar(&opt.sideBySide, "side-by-side", false, "both sides beside each other")
	flags.IntVarP(&opt.context, "unified", "U", defaultContext, "so many `lines` around a change")
	flags.BoolVar(&opt.exitCode, "exit-code", false, "exit status 1 if there is something to show")
	flags.BoolVarP(&opt.nul, "null", "z", false, "names end with NUL")
	return cmd
}

// diffForms are forms of the output that leave no room for one another.
var diffForms = []string{"stat", "name-only", "name-status", "files"}

// check refuses flags that contradict each other.
func (opt *diffOptions) check(cmd *cobra.Command) error {
	for _, others := range [][]string{{"word-diff", "side-by-side"}, {"text", "tools"}} {
		if err := checkExclusive(cmd, others...); err != nil {
			return err
		}
		for _, other := range others {
			if err := checkExclusive(cmd, append(diffForms[:len(diffForms):len(diffForms)], other)...); err != nil {
				return err
			}
		}
	}
	if opt.context < 0 {
		return usagef("-U %d: expected 0 or more lines", opt.context)
	}
	if opt.nul && !opt.nameOnly && !opt.nameStatus {
		return usagef("-z needs --name-only or --name-status")
	}
	return nil
}

func runDiff(a *App, opt diffOptions, args []string) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	d, err := newComparison(a, s, opt, args)
	if err != nil {
		return fmt.Errorf("diff: %w", err)
	}
	if !a.Quiet {
		if err := d.print(); err != nil {
			return fmt.Errorf("diff: %w", err)
		}
	}
	if !opt.exitCode && !a.Quiet {
		return nil
	}
	differs, err := d.differs()
	if err != nil {
		return fmt.Errorf("diff: %w", err)
	}
	if differs {
		return errNo
	}
	return nil
}

// comparison is what diff shows.
type comparison struct {
	*diff.Comparison
	app    *App
	opt    diffOptions
	a, b   side
	totals *[2]tallied // nil until they are asked for
	files  []fileDiff  // nil until they are asked for, and if there are none
	// keeping is what the compactions on each side keep; nil until a compaction is shown.
	keeping [2]*keeping
}

func newComparison(a *App, s *checkout.Session, opt diffOptions, args []string) (*comparison, error) {
	first, second, err := a.resolveSides(s, args)
	if err != nil {
		return nil, err
	}
	c, err := diff.Compare(first.Side, second.Side)
	if err != nil {
		return nil, err
	}
	return &comparison{Comparison: c, app: a, opt: opt, a: newSide(first, c.A), b: newSide(second, c.B)}, nil
}

// differs reports whether there is a difference in what was asked for: the files, what was said, the tools, or all.
func (d *comparison) differs() (bool, error) {
	switch {
	case d.opt.nameOnly, d.opt.nameStatus, d.opt.files:
		list, err := d.fileDiffs()
		return len(list) > 0, err
	case !d.opt.text && !d.opt.tools:
		return !d.Empty(), nil
	}
	for _, pair := range d.Undone {
		if part, err := d.part(pair); err != nil || part {
			return part, err
		}
	}
	for _, t := range d.Turns {
		for _, pair := range t.Entries {
			if pair.Status == diff.Same {
				continue
			}
			if status, part, err := d.judge(pair); err != nil || part && status != diff.Same {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// print shows the comparison in the form that was asked for.
func (d *comparison) print() error {
	d.app.page()
	switch {
	case d.opt.nameOnly, d.opt.nameStatus, d.opt.files:
		return d.printFiles()
	case d.app.JSON:
		return d.printJSON()
	case d.Empty():
		return nil
	case d.opt.stat:
		if err := d.printHead(); err != nil {
			return err
		}
		return d.printStat()
	case d.opt.text, d.opt.tools:
		return d.printTurns()
	}
	if err := d.printHead(); err != nil {
		return err
	}
	if err := d.printSummary(); err != nil {
		return err
	}
	return d.printTurns()
}
