package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

type cherryPickOptions struct {
	onto   string
	dryRun bool
}

func newCherryPickCommand(a *App) *cobra.Command {
	var opt cherryPickOptions
	cmd := &cobra.Command{
		Use:   "cherry-pick <rev | range>... [--onto <branch>]",
		Short: "Bring entries of one approach over to another",
		Long: "Append copies of entries to the current branch, or to another one: new entries, the payload byte for byte, with their\n" +
			"origin. With a tool call come its results, and with a result its call; a call without a result stays behind. What is undone in\n" +
			"a range stays behind too. An entry that is there already, or a copy of it, is passed over. 'tlog undo' takes a pick back.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitRefused, exitVersion),
		Example: "  tlog cherry-pick attempt-2~1\n  tlog cherry-pick main..attempt-2 --onto main",
		Args:    operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.writable(cmd)
			if err != nil {
				return err
			}
			defer s.Close()
			if err := runCherryPick(cmd, a, s, opt, args); err != nil {
				return fmt.Errorf("cherry-pick: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&opt.onto, "onto", "", "append to `branch` and leave HEAD where it is")
	cmd.Flags().BoolVarP(&opt.dryRun, "dry-run", "n", false, "only say what would be brought over")
	return cmd
}

func runCherryPick(cmd commandContext, a *App, s *checkout.Session, opt cherryPickOptions, args []string) error {
	p, err := pickOf(a, s, args)
	if err != nil {
		return err
	}
	p.Branch, p.DryRun = opt.onto, opt.dryRun
	done, err := s.CherryPick(cmd.Context(), p)
	if err != nil {
		return err
	}
	return reportPicked(a, s, p, done)
}

// pickOf finds the entries that revisions and ranges name; all lie in one session.
func pickOf(a *App, s *checkout.Session, args []string) (checkout.Pick, error) {
	resolver := a.resolver(s)
	var p checkout.Pick
	for _, arg := range args {
		rg, err := resolver.ResolveRange(arg)
		if err == nil && rg.To.At == log.None {
			_, err = resolver.ResolveTree(arg)
		}
		if err != nil {
			return p, err
		}
		if p.From != nil && p.From.Log() != rg.To.State.Log() {
			return p, fmt.Errorf("%w: expected entries of one session, got some of two", objects.ErrInvalid)
		}
		p.From = rg.To.State
		entries := []int{rg.To.At}
		if rg.HasFrom {
			history, err := refs.NewHistory(rg.To.State.Log(), rg.To.At)
			if err != nil {
				return p, err
			}
			entries = slices.DeleteFunc(resolver.Select(rg), func(at int) bool {
				return history.SkippedBy(at) != log.None || !rg.To.State.Log().Record(at).Visible()
			})
		}
		p.Entries = append(p.Entries, entries...)
	}
	return p, nil
}

// reportPicked tells what was brought over.
func reportPicked(a *App, s *checkout.Session, p checkout.Pick, done checkout.Picked) error {
	if a.JSON {
		return a.printJSON(pickedObject(done))
	}
	for _, c := range done.Copies {
		line := terminal.Yellow.Paint(shortOf(p.From.Log(), c.Origin))
		if !p.DryRun {
			line = terminal.Concat(line, terminal.Line(" -> "), terminal.Yellow.Paint(shortOf(s.Log, c.ID)))
		}
		if slices.Contains(done.Closure, c.Origin) {
			line = terminal.Concat(line, terminal.Dim.Paint("  belongs to a tool call"))
		}
		if err := a.IO.Out.Println(line); err != nil {
			return err
		}
	}
	for _, id := range done.There {
		a.note("%s is there already", shortOf(p.From.Log(), id))
	}
	for _, left := range done.Left {
		a.note("%s stays behind: %s", shortOf(p.From.Log(), left.ID), left.Reason)
	}
	if len(done.Copies) == 0 {
		a.note("nothing to bring over")
	}
	return a.IO.Out.Err()
}

// shortOf is the short form of an id; all of it if the log does not hold it.
func shortOf(l *log.Log, id objects.ID) string {
	if at, ok := l.Find(id); ok {
		return l.Short(at)
	}
	return string(id)
}

func pickedObject(done checkout.Picked) *jsonout.Object {
	var copies, left jsonout.Array
	for _, c := range done.Copies {
		copies.Object(new(jsonout.Object).ID("origin", c.Origin).ID("id", c.ID).Bool("closure", slices.Contains(done.Closure, c.Origin)))
	}
	for _, l := range done.Left {
		left.Object(new(jsonout.Object).ID("id", l.ID).String("reason", l.Reason))
	}
	there := make([]string, len(done.There))
	for i, id := range done.There {
		there[i] = string(id)
	}
	return new(jsonout.Object).Array("picked", copies).Strings("there", there).Array("left", left)
}
