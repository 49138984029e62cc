package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/diff"
)

func newMergeBaseCommand(a *App) *cobra.Command {
	var ancestor bool
	cmd := &cobra.Command{
		Use:   "merge-base [--is-ancestor] <a> <b>",
		Short: "Print the newest entry that two revisions have in common",
		Long: "Print the id of the newest entry on the paths to both revisions; of revisions of two sessions, the newest that both hold.\n" +
			"With --is-ancestor only the exit status says whether the first is on the path to the second.\n\n" +
			exitStatus(exitOK, exitNo, exitUsage, exitNotFound),
		Example: "  tlog merge-base main attempt-2",
		Args:    operands(2, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := a.session()
			if err != nil {
				return err
			}
			defer s.Close()
			first, second, err := a.resolveSides(s, args)
			if err != nil {
				return fmt.Errorf("merge-base: %w", err)
			}
			return printMergeBase(a, ancestor, first, second)
		},
	}
	cmd.Flags().BoolVar(&ancestor, "is-ancestor", false, "answer by the exit status whether <a> is on the path to <b>")
	return cmd
}

func printMergeBase(a *App, ancestor bool, first, second namedSide) error {
	baseA, baseB, ok := diff.MergeBase(first.Side, second.Side)
	if ancestor {
		if ok && baseA == first.At {
			return nil
		}
		return errNo
	}
	if !ok {
		return errNo
	}
	id := idAt(second.State.Log(), baseB)
	if a.JSON {
		return a.printJSON(new(jsonout.Object).ID("id", id).String("short", second.State.Log().Short(baseB)))
	}
	return a.IO.Out.Println(terminal.Line(string(id)))
}
