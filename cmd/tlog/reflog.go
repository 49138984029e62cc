package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
	"tlog/refs"
)

func newReflogCommand(a *App) *cobra.Command {
	count := -1
	cmd := &cobra.Command{
		Use:     "reflog [<ref>]",
		Short:   "Show where HEAD or a branch has stood",
		Long:    "Show where HEAD or a branch has stood, newest first; also of branches that were removed.\n\n" + exitStatus(exitOK, exitUsage, exitNotFound),
		Example: "  tlog reflog\n  tlog reflog main",
		Args:    operands(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := "HEAD"
			if len(args) == 1 && args[0] != "@" {
				name = args[0]
			}
			return runReflog(a, name, count)
		},
	}
	cmd.Flags().IntVarP(&count, "max-count", "n", -1, "at most `n` lines")
	return cmd
}

func runReflog(a *App, name string, count int) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	moves, err := refs.Reflog(s.Log, name)
	if err != nil {
		return fmt.Errorf("reflog: %w", err)
	}
	a.page()
	for i, move := range moves {
		if i == count {
			break
		}
		by, err := s.Log.Entry(move.By)
		if err != nil {
			return fmt.Errorf("reflog: %w", err)
		}
		if a.JSON {
			o := new(jsonout.Object).String("ref", name).Int("index", int64(i)).ID("id", idAt(s.Log, move.At))
			o.ID("by", idAt(s.Log, move.By)).String("reason", move.Why(by)).Known("timestamp", by.Timestamp)
			err = a.printJSON(o)
		} else {
			short := "(none)"
			if move.At != log.None {
				short = s.Log.Short(move.At)
			}
			err = a.IO.Out.Println(terminal.Yellow.Paint(short), terminal.Line(fmt.Sprintf(" %s@{%d}: %s", name, i, move.Why(by))))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
