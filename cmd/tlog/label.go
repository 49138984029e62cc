package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/objects"
	"tlog/refs"
)

func newLabelCommand(a *App) *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   "label [<label> [<rev>] | -d {<label> | <rev>}]",
		Short: "List, set or clear labels of entries",
		Long: "List the labels, or label an entry (default: the newest that log shows). An entry has one label;\n" +
			"its last one counts.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitRefused, exitVersion),
		Example: "  tlog label before-refactoring\n  tlog label start HEAD~4\n  tlog label -d start",
		Args:    operands(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLabel(cmd, a, remove, args)
		},
	}
	cmd.Flags().BoolVarP(&remove, "delete", "d", false, "clear a label")
	return cmd
}

func runLabel(cmd commandContext, a *App, remove bool, args []string) error {
	if len(args) == 0 {
		if remove {
			return usagef("label -d: expected a label")
		}
		return listLabels(a)
	}
	s, err := a.writable(cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	label, target := args[0], "HEAD~0"
	if len(args) == 2 {
		target = args[1]
	}
	if remove {
		label, target = "", args[0]
	} else if err := refs.CheckName(label); err != nil {
		return err
	}
	at, err := labelTarget(a, s, target, remove)
	if err != nil {
		return fmt.Errorf("label: %w", err)
	}
	id, err := s.SetLabel(cmd.Context(), at, label)
	if err != nil {
		return fmt.Errorf("label: %w", err)
	}
	if a.JSON {
		return a.printJSON(new(jsonout.Object).ID("id", id).ID("targetId", s.Log.Record(at).ID).Known("label", label))
	}
	return nil
}

// labelTarget is the entry to label. A label to be cleared may have been set by another program
// and be no revision at all, so it is looked up by its text first.
func labelTarget(a *App, s *checkout.Session, target string, remove bool) (int, error) {
	if labelled := s.Refs.Labelled(target); remove && len(labelled) == 1 {
		return labelled[0], nil
	}
	rev, err := a.resolver(s).ResolveTree(target)
	if err != nil {
		return 0, err
	}
	if remove && s.Refs.Label(rev.At) == "" {
		return 0, fmt.Errorf("entry %s has no label: %w", s.Log.Short(rev.At), objects.ErrNotFound)
	}
	return rev.At, nil
}

func listLabels(a *App) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	for _, at := range s.Refs.Labels() {
		v, err := view.New(s.Refs, at, false)
		if err != nil {
			return err
		}
		label := s.Refs.Label(at)
		if a.JSON {
			err = a.printJSON(new(jsonout.Object).String("label", label).ID("targetId", v.Record.ID).String("short", v.Short))
		} else {
			title := terminal.Concat(terminal.Magenta.Paint(label), terminal.Line("  "), terminal.Yellow.Paint(v.Short), terminal.Line("  "))
			err = a.IO.Out.Println(title, v.Subject(a.IO.Out.Width()-title.Width()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
