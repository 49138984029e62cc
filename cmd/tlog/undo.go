package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/objects"
	"tlog/refs"
)

// maxCountDigits keeps counts and ids apart: an operand of more digits is an id.
const maxCountDigits = 6

type undoOptions struct {
	turns  int
	reason string
}

func newUndoCommand(a *App) *cobra.Command {
	var opt undoOptions
	cmd := &cobra.Command{
		Use:   "undo [<n> | <rev>... | <from>..<to>] [--turns <n>]",
		Short: "Skip recent entries; nothing is deleted",
		Long: "Undo the n newest entries of the current branch (default 1), the n newest turns, given\n" +
			"entries, or a range with both its ends. With a tool call go its results, and with a result\n" +
			"its call. The entries stay in the log and are left out of the context; 'tlog redo' brings\n" +
			"them back.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitRefused, exitVersion),
		Example: "  tlog undo\n  tlog undo --turns 2\n  tlog undo 1a2b3c4..5d6e7f8",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("turns") && (opt.turns < 1 || len(args) > 0) {
				return usagef("undo: --turns takes a number above 0 and no operands")
			}
			return runUndo(cmd, a, opt, args)
		},
	}
	cmd.Flags().IntVar(&opt.turns, "turns", 0, "undo the `n` newest turns")
	cmd.Flags().StringVarP(&opt.reason, "message", "m", "", "why, to be kept in the log")
	return cmd
}

func newRedoCommand(a *App) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "redo",
		Short: "Take back the newest undo",
		Long: "Bring back what the newest undo on the current branch still holds.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitRefused, exitVersion),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.writable(cmd)
			if err != nil {
				return err
			}
			defer s.Close()
			u, err := s.Redo(cmd.Context(), reason)
			if err != nil {
				return fmt.Errorf("redo: %w", err)
			}
			return reportUndone(a, s, u, "redone", "back")
		},
	}
	cmd.Flags().StringVarP(&reason, "message", "m", "", "why, to be kept in the log")
	return cmd
}

func runUndo(cmd commandContext, a *App, opt undoOptions, args []string) error {
	s, err := a.writable(cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	u, err := undo(cmd, a, s, opt, args)
	if err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	return reportUndone(a, s, u, "undone", "undone")
}

func undo(cmd commandContext, a *App, s *checkout.Session, opt undoOptions, args []string) (checkout.Undone, error) {
	if opt.turns > 0 {
		return s.UndoTurns(cmd.Context(), opt.turns, opt.reason)
	}
	if n, ok := undoCount(args); ok {
		if n < 1 {
			return checkout.Undone{}, usagef("'%d' entries to undo: expected 1 or more", n)
		}
		return s.Undo(cmd.Context(), n, opt.reason)
	}
	var entries []int
	for _, arg := range args {
		named, err := undoOperand(a, s, arg)
		if err != nil {
			return checkout.Undone{}, err
		}
		entries = append(entries, named...)
	}
	return s.UndoEntries(cmd.Context(), entries, opt.reason)
}

// undoCount reads the operands as a number of entries; without operands it is 1.
func undoCount(args []string) (n int, ok bool) {
	if len(args) == 0 {
		return 1, true
	}
	if len(args) > 1 || len(args[0]) > maxCountDigits {
		return 0, false
	}
	n, err := strconv.Atoi(args[0])
	return n, err == nil
}

// undoOperand gives the entries that a revision or a range names.
func undoOperand(a *App, s *checkout.Session, arg string) ([]int, error) {
	resolver := a.resolver(s)
	if !strings.Contains(arg, "..") {
		rev, err := resolver.ResolveTree(arg)
		if err != nil {
			return nil, err
		}
		return []int{rev.At}, nil
	}
	rg, err := resolver.ResolveRange(arg)
	if err != nil {
		return nil, err
	}
	history, err := refs.NewHistory(s.Log, s.Refs.Head().At)
	if err != nil {
		return nil, err
	}
	return entriesBetween(s, history, rg.From.At, rg.To.At, arg)
}

// entriesBetween are the entries shown by log from one entry of the path to another, both included.
func entriesBetween(s *checkout.Session, history *refs.History, from, to int, arg string) ([]int, error) {
	if !history.Contains(from) || !history.Contains(to) {
		return nil, fmt.Errorf("range '%s' does not lie on the current branch: %w", arg, objects.ErrRefused)
	}
	var entries []int
	inside, closed := false, false
	for _, at := range history.Path() {
		inside = inside || at == from
		if inside && shows(s, history, at) {
			entries = append(entries, at)
		}
		if at == to {
			closed = inside
			break
		}
	}
	if !closed || len(entries) == 0 {
		return nil, fmt.Errorf("range '%s' is empty on the current branch: %w", arg, objects.ErrNotFound)
	}
	return entries, nil
}

// reportUndone lists what an undo or redo did.
func reportUndone(a *App, s *checkout.Session, u checkout.Undone, key, word string) error {
	if a.JSON {
		o := new(jsonout.Object).ID("id", u.Entry).Strings(key, entryIDs(s.Log, u.Targets))
		return a.printJSON(o.Strings("closure", entryIDs(s.Log, u.Closure)))
	}
	asked := map[int]bool{}
	for _, at := range u.Closure {
		asked[at] = true
	}
	out := a.IO.Out
	out.Printf("%d %s %s:\n", len(u.Targets), plural(len(u.Targets), "entry", "entries"), word)
	for _, at := range u.Targets {
		if err := printUndone(a, s.Refs, at, asked[at]); err != nil {
			return err
		}
	}
	return nil
}

func printUndone(a *App, s *refs.State, at int, closure bool) error {
	v, err := view.New(s, at, false)
	if err != nil {
		return err
	}
	title := terminal.Concat(terminal.Line("  "), terminal.Yellow.Paint(v.Short), terminal.Line("  "))
	note := terminal.Text{}
	if closure {
		note = terminal.Dim.Paint("  (belongs to the tool call)")
	}
	return a.IO.Out.Println(title, v.Subject(a.IO.Out.Width()-title.Width()-note.Width()), note)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
