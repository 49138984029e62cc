package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/log"
	"tlog/refs"
)

func newShowCommand(a *App) *cobra.Command {
	var full bool
	cmd := &cobra.Command{
		Use:   "show [<rev>...] [--full]",
		Short: "Show entries whole",
		Long: "Show entries with their text (default: the newest that log shows). Long pasted text and images\n" +
			"lie beside the log and are shown by a placeholder; --full fills in the text.\n\n" + exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt),
		Example: "  tlog show\n  tlog show HEAD~3 start",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"HEAD~0"}
			}
			return runShow(a, full, args)
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "fill in what lies beside the log")
	return cmd
}

func runShow(a *App, full bool, revs []string) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	resolver := a.resolver(s)
	found := make([]refs.Rev, 0, len(revs))
	for _, name := range revs {
		rev, err := resolver.Resolve(name)
		if err == nil && rev.At == log.None {
			rev, err = resolver.ResolveTree(name)
		}
		if err != nil {
			return fmt.Errorf("show: %w", err)
		}
		found = append(found, rev)
	}
	a.page()
	for i, rev := range found {
		if err := showEntry(a, rev, full, i > 0); err != nil {
			return fmt.Errorf("show: %w", err)
		}
	}
	return nil
}

func showEntry(a *App, rev refs.Rev, full, separate bool) error {
	skipped, err := undoneInBranch(rev.State, rev.At)
	if err != nil {
		return err
	}
	read := view.New
	if full || a.JSON {
		read = view.NewWhole
	}
	v, err := read(rev.State, rev.At, skipped)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.printJSON(v.JSON().Raw("entry", v.Entry.Body()))
	}
	out := a.IO.Out
	if separate {
		out.Println()
	}
	out.Println(terminal.Yellow.Paint("entry " + string(v.Record.ID)))
	out.Println(v.Headline(a.Now(), out.Width()))
	if v.Entry.Timestamp != "" {
		out.Printf("date   %s\n", v.Entry.Timestamp)
	}
	if v.Parent != "" {
		out.Printf("parent %s\n", v.Parent)
	}
	if gap := v.GapLine(); !gap.IsEmpty() {
		out.Println(gap)
	}
	out.Println()
	for _, line := range v.Lines(0) {
		if err := out.Println(terminal.Line("    "), terminal.Block(line)); err != nil {
			return err
		}
	}
	return out.Err()
}

// undoneInBranch reports whether an entry is undone on HEAD's path, or if it is
// not on it, on a branch that holds it.
func undoneInBranch(s *refs.State, at int) (bool, error) {
	tips := []int{s.Head().At}
	for _, branch := range s.Branches() {
		tips = append(tips, branch.At)
	}
	for _, tip := range tips {
		if tip == log.None || !s.Log().Record(at).Tree() || !s.Log().IsAncestor(at, tip) {
			continue
		}
		history, err := refs.NewHistory(s.Log(), tip)
		if err != nil {
			return false, err
		}
		return history.SkippedBy(at) != log.None, nil
	}
	return false, nil
}
