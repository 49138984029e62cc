package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

type checkoutOptions struct {
	create string // -b
	reset  string // -B
	orphan string
	detach bool
}

func newCheckoutCommand(a *App) *cobra.Command {
	var opt checkoutOptions
	cmd := &cobra.Command{
		Use:   "checkout {<branch> | <rev> | -b <branch> [<rev>] | --orphan <branch>}",
		Short: "Go to a branch, or to an entry to branch from",
		Long: "Attach HEAD to a branch, or detach it at an entry of the history: what is appended\n" +
			"next goes on from there, and what stood behind it stays. '-' is the branch before. At the tip of the branch that\n" +
			"an import moves HEAD is detached; -b makes a branch of your own there.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitRefused, exitVersion),
		Example: "  tlog checkout main\n  tlog checkout HEAD~2\n  tlog checkout -b attempt-2 :/parser",
		Args:    operands(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkExclusive(cmd, "branch", "reset-branch", "orphan", "detach"); err != nil {
				return err
			}
			return runCheckout(cmd, a, opt, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&opt.create, "branch", "b", "", "make `branch` there and go to it")
	flags.StringVarP(&opt.reset, "reset-branch", "B", "", "as -b, also if `branch` is there already")
	flags.StringVar(&opt.orphan, "orphan", "", "go to a new `branch` without entries: what comes next is a root")
	flags.BoolVar(&opt.detach, "detach", false, "detach HEAD also at the tip of a branch")
	return cmd
}

func runCheckout(cmd commandContext, a *App, opt checkoutOptions, args []string) error {
	s, err := a.writable(cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	ctx := cmd.Context()
	before, tracking := s.Refs.Head(), ""
	switch {
	case opt.orphan != "":
		if len(args) > 0 {
			return usagef("checkout --orphan takes no revision")
		}
		err = s.SwitchOrphan(ctx, opt.orphan)
	case opt.create != "" || opt.reset != "":
		err = switchNew(ctx, a, s, opt, args)
	case len(args) == 0:
		return usagef("checkout: expected a branch or a revision")
	default:
		tracking, err = switchTo(ctx, a, s, args[0], opt.detach)
	}
	if err != nil {
		return fmt.Errorf("checkout: %w", err)
	}
	return reportHead(a, s, before, tracking)
}

func switchNew(ctx context.Context, a *App, s *checkout.Session, opt checkoutOptions, args []string) error {
	name, reset := opt.create, false
	if name == "" {
		name, reset = opt.reset, true
	}
	at := s.Refs.Head().At
	if len(args) == 1 {
		rev, err := a.resolver(s).ResolveTree(args[0])
		if err != nil {
			return err
		}
		at = rev.At
	}
	return s.SwitchNew(ctx, name, at, reset)
}

// switchTo attaches HEAD if name is a branch and detaches it at any other revision. tracking is the branch's name if it is a tracking
// branch, at whose tip HEAD is detached.
func switchTo(ctx context.Context, a *App, s *checkout.Session, name string, detach bool) (tracking string, err error) {
	if name == "-" {
		name = "@{-1}"
	}
	if head := s.Refs.Head(); (name == "HEAD" || name == "@") && !head.Detached() && !detach {
		return "", nil
	}
	if branch, ok := s.Refs.Branch(name); ok && !detach {
		return switchBranch(ctx, s, branch.Name)
	}
	rev, err := a.resolver(s).ResolveTree(name)
	if errors.Is(err, objects.ErrNotFound) && refs.CheckName(name) == nil {
		err = withHint(err, "'tlog checkout -b "+name+"' makes a branch of that name")
	}
	if err != nil {
		return "", err
	}
	if rev.State != s.Refs {
		return "", fmt.Errorf("'%s' lies in another session: %w", name, objects.ErrRefused)
	}
	if _, ok := s.Refs.Branch(rev.Name); ok && !detach {
		return switchBranch(ctx, s, rev.Name)
	}
	return "", s.Detach(ctx, rev.At)
}

func switchBranch(ctx context.Context, s *checkout.Session, branch string) (tracking string, err error) {
	if s.Tracks(branch) {
		tracking = branch
	}
	return tracking, s.Switch(ctx, branch)
}

// reportHead says where HEAD is now.
func reportHead(a *App, s *checkout.Session, before refs.Head, tracking string) error {
	head := s.Refs.Head()
	if a.JSON {
		return a.printJSON(new(jsonout.Object).Object("head", headObject(s.Refs)))
	}
	switch {
	case head.Detached() && tracking != "":
		a.note("HEAD is now at %s, the tip of '%s', on no branch: only an import moves '%[2]s'", s.Log.Short(head.At), tracking)
		a.note("what you append goes on from here; 'tlog checkout -b NAME' names it, 'tlog checkout -' goes back")
	case head.Detached():
		a.note("HEAD is now at %s, on no branch", s.Log.Short(head.At))
		if !before.Detached() {
			a.note("what you append goes on from here; 'tlog checkout -b NAME' names it, 'tlog checkout -' goes back")
		}
	case head == before:
		a.note("Already on '%s'", head.Branch)
	case head.At == log.None:
		a.note("Switched to branch '%s', which has no entry yet", head.Branch)
	default:
		a.note("Switched to branch '%s'", head.Branch)
	}
	return nil
}

// headObject is HEAD as --json gives it.
func headObject(s *refs.State) *jsonout.Object {
	head := s.Head()
	return new(jsonout.Object).Known("branch", head.Branch).Bool("detached", head.Detached()).ID("id", idAt(s.Log(), head.At))
}

// idAt is the id of an entry, empty for log.None.
func idAt(l *log.Log, at int) objects.ID {
	if at == log.None {
		return ""
	}
	return l.Record(at).ID
}

// entryIDs are the ids of entries.
func entryIDs(l *log.Log, list []int) []string {
	ids := make([]string, 0, len(list))
	for _, at := range list {
		ids = append(ids, string(l.Record(at).ID))
	}
	return ids
}
