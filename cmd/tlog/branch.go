package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/log"
	"tlog/refs"
)

type branchOptions struct {
	remove, rename, force, show bool
}

func newBranchCommand(a *App) *cobra.Command {
	var opt branchOptions
	cmd := &cobra.Command{
		Use:   "branch [<branch> [<rev>] | -d <branch>... | -m [<old>] <new>]",
		Short: "List, make, rename or remove branches",
		Long: "List the branches, and the leaves of the history that no branch names; or make a branch\n" +
			"at an entry (default: HEAD). Removing a branch removes no entry.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitRefused, exitVersion),
		Example: "  tlog branch\n  tlog branch attempt-2 HEAD~3\n  tlog branch -m attempt-2 parser",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkExclusive(cmd, "delete", "move", "show-current"); err != nil {
				return err
			}
			return runBranch(cmd, a, opt, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&opt.remove, "delete", "d", false, "remove branches")
	flags.BoolVarP(&opt.rename, "move", "m", false, "rename a branch, default the current one")
	flags.BoolVarP(&opt.force, "force", "f", false, "also if a branch of that name is there")
	flags.BoolVar(&opt.show, "show-current", false, "print the branch that HEAD is on")
	return cmd
}

func runBranch(cmd commandContext, a *App, opt branchOptions, args []string) error {
	if opt.show || !opt.remove && !opt.rename && len(args) == 0 {
		s, err := a.session()
		if err != nil {
			return err
		}
		defer s.Close()
		if opt.show {
			return a.IO.Out.Printf("%s\n", s.Refs.Head().Branch)
		}
		return listBranches(a, s)
	}
	s, err := a.writable(cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	switch {
	case opt.remove:
		err = removeBranches(cmd, a, s, args)
	case opt.rename:
		err = renameBranch(cmd, s, opt, args)
	default:
		err = makeBranch(cmd, a, s, opt, args)
	}
	if err != nil {
		return fmt.Errorf("branch: %w", err)
	}
	return nil
}

func makeBranch(cmd commandContext, a *App, s *checkout.Session, opt branchOptions, args []string) error {
	if len(args) > 2 {
		return usagef("expected a name and a revision, got %d operands", len(args))
	}
	start := "HEAD"
	if len(args) == 2 {
		start = args[1]
	}
	rev, err := a.resolver(s).ResolveTree(start)
	if err != nil {
		return err
	}
	return s.CreateBranch(cmd.Context(), args[0], rev.At, opt.force)
}

func removeBranches(cmd commandContext, a *App, s *checkout.Session, names []string) error {
	if len(names) == 0 {
		return usagef("expected the name of a branch")
	}
	for _, name := range names {
		at := log.None
		if branch, ok := s.Refs.Branch(name); ok {
			at = branch.At
		}
		if err := s.DeleteBranch(cmd.Context(), name); err != nil {
			return err
		}
		a.note("Removed branch '%s' (it stood at %s; its entries stay)", name, s.Log.Short(at))
	}
	return nil
}

func renameBranch(cmd commandContext, s *checkout.Session, opt branchOptions, args []string) error {
	from := s.Refs.Head().Branch
	switch len(args) {
	case 1:
		if from == "" {
			return usagef("HEAD is on no branch; name the one to rename")
		}
		return s.RenameBranch(cmd.Context(), from, args[0], opt.force)
	case 2:
		return s.RenameBranch(cmd.Context(), args[0], args[1], opt.force)
	}
	return usagef("expected the new name, or the old and the new one")
}

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
	if a.JSON {
		for _, row := range rows {
			o, err := branchObject(s.Refs, row)
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
	width := 0
	for _, row := range rows {
		width = max(width, terminal.Width(branchTitle(row, s.Log)))
	}
	for _, row := range rows {
		if err := printBranch(a, s, row, width); err != nil {
			return err
		}
	}
	return nil
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

func printBranch(a *App, s *checkout.Session, row branchRow, width int) error {
	mark, style := terminal.Line("  "), terminal.Plain
	if row.current {
		mark, style = terminal.Line("* "), terminal.Green
	}
	history, err := refs.NewHistory(s.Log, row.at)
	if err != nil {
		return err
	}
	visible := history.Visible()
	title := terminal.Concat(mark, style.Paint(branchTitle(row, s.Log)).Pad(width), terminal.Line(" "),
		terminal.Yellow.Paint(s.Log.Short(row.at)), terminal.Line(fmt.Sprintf(" %d %s  ", len(visible), plural(len(visible), "entry", "entries"))))
	subject := terminal.Text{}
	if len(visible) > 0 {
		v, err := view.New(s.Refs, visible[len(visible)-1], false)
		if err != nil {
			return err
		}
		subject = v.Subject(a.IO.Out.Width() - title.Width())
	}
	return a.IO.Out.Println(title, subject)
}

func branchObject(s *refs.State, row branchRow) (*jsonout.Object, error) {
	history, err := refs.NewHistory(s.Log(), row.at)
	if err != nil {
		return nil, err
	}
	o := new(jsonout.Object).Known("name", row.name).ID("id", idAt(s.Log(), row.at))
	o.String("short", s.Log().Short(row.at)).Bool("current", row.current)
	return o.Int("entries", int64(len(history.Visible()))), nil
}
