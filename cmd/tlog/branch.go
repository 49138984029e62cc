package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/log"
	"tlog/refs"
)

type branchOptions struct {
	remove, rename, force, show bool
	list                        bool // what the command does anyway; git's words for it are taken too
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
	flags.BoolVarP(&opt.remove, "delete-force", "D", false, "as -d: no entry is lost either way")
	flags.BoolVarP(&opt.list, "list", "l", false, "list the branches")
	flags.BoolVarP(&opt.list, "all", "a", false, "as --list")
	flags.BoolVarP(&opt.list, "verbose", "v", false, "as --list")
	for _, name := range []string{"delete-force", "all", "verbose"} {
		flags.Lookup(name).Hidden = true
	}
	flags.BoolVarP(&opt.rename, "move", "m", false, "rename a branch, default the current one")
	flags.BoolVarP(&opt.force, "force", "f", false, "also if a branch of that name is there")
	flags.BoolVar(&opt.show, "show-current", false, "print the branch that HEAD is on")
	return cmd
}

func runBranch(cmd commandContext, a *App, opt branchOptions, args []string) error {
	if opt.show || opt.list || !opt.remove && !opt.rename && len(args) == 0 {
		s, err := a.session()
		if err != nil {
			return err
		}
		defer s.Close()
		if opt.show {
			return showCurrent(a, s)
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
		err = renameBranch(cmd, a, s, opt, args)
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
	if err := s.CreateBranch(cmd.Context(), args[0], rev.At, opt.force); err != nil {
		return err
	}
	return a.reportBranch(s, args[0])
}

// showCurrent prints the branch that HEAD is on, an empty line if it is on none.
func showCurrent(a *App, s *checkout.Session) error {
	head := s.Refs.Head()
	if a.JSON {
		return a.printJSON(headObject(s.Refs))
	}
	return a.IO.Out.Printf("%s\n", head.Branch)
}

// reportBranch prints a branch that was made or renamed, with --json.
func (a *App) reportBranch(s *checkout.Session, name string) error {
	branch, ok := s.Refs.Branch(name)
	if !a.JSON || !ok {
		return nil
	}
	o, err := branchObject(s.Refs, refs.NewTally(s.Log), branchRow{name, branch.At, name == s.Refs.Head().Branch})
	if err != nil {
		return err
	}
	return a.printJSON(o)
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
		if a.JSON {
			o := new(jsonout.Object).String("name", name).ID("id", idAt(s.Log, at)).Bool("removed", true)
			if err := a.printJSON(o); err != nil {
				return err
			}
			continue
		}
		a.note("Removed branch '%s' (it stood at %s; its entries stay)", name, s.Log.Short(at))
	}
	return nil
}

func renameBranch(cmd commandContext, a *App, s *checkout.Session, opt branchOptions, args []string) error {
	if len(args) == 1 {
		args = []string{s.Refs.Head().Branch, args[0]}
	}
	switch {
	case len(args) != 2:
		return usagef("expected the new name, or the old and the new one")
	case args[0] == "":
		return usagef("HEAD is on no branch; name the one to rename")
	}
	if err := s.RenameBranch(cmd.Context(), args[0], args[1], opt.force); err != nil {
		return err
	}
	return a.reportBranch(s, args[1])
}
