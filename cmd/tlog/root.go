package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
)

// commandContext is the part of a cobra command that runs need.
type commandContext interface{ Context() context.Context }

// The groups of commands in the help.
const (
	groupWrite = "write"
	groupView  = "view"
	groupStore = "store"
	groupLow   = "plumbing"
)

func newRootCommand(a *App) *cobra.Command {
	var dir string
	var version bool
	color := terminal.ColorAuto
	root := &cobra.Command{
		Use:   "tlog",
		Short: "Version control for the transcripts of coding agents",
		Long: "tlog keeps each session of a coding agent in an append-only log that is a DAG,\n" +
			"with named branches, undo that deletes nothing, and forks that agents resume.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return runVersion(a)
			}
			return cmd.Help()
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.IO.SetColor(color)
			if cmd.Flags().Changed("session") && a.sessionFlag == "" {
				return usagef("-s '': expected an id prefix or a path")
			}
			if err := a.changeDirectory(dir); err != nil {
				return err
			}
			return a.checkFlags()
		},
	}
	root.Flags().BoolVar(&version, "version", false, "print the program's version")
	root.PersistentFlags().StringVarP(&dir, "directory", "C", "", "run as if started in `dir`")
	root.PersistentFlags().Var(&color, "color", "colour: always, never or auto")
	a.addFlags(root.PersistentFlags())
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.SuggestionsMinimumDistance = 2
	root.SetOut(a.IO.Out)
	root.SetErr(a.IO.Err)
	root.SetIn(a.IO.In)
	addCommands(a, root)
	root.InitDefaultHelpCmd()
	return root
}

// addFlags adds the global flags that are kept in App.
func (a *App) addFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&a.sessionFlag, "session", "s", "", "the session: an `id` prefix, agent:id, or the path of a session file (default: the one of tlog use, else the newest of this project)")
	flags.StringVar(&a.storeFlag, "store", "", "the `folder` that holds the sessions (default: $TLOG_DIR, .tlog above, $XDG_DATA_HOME/tlog)")
	flags.BoolVar(&a.JSON, "json", false, "print JSON: a list one object a line, a single thing one object")
	flags.BoolVarP(&a.Quiet, "quiet", "q", false, "no notes on standard error")
	flags.BoolVar(&a.noPager, "no-pager", false, "do not send long output through a pager")
	flags.StringVar(&a.durability, "durability", "disk", "when a write counts as done: disk or os")
	flags.StringVar(&a.blobThreshold, "blob-threshold", "", "strings longer than so many `bytes` are stored beside the log; off: none (default 4096, or blobs.threshold of the store's config)")
	flags.DurationVar(&a.lockTimeout, "lock-timeout", log.DefaultLockTimeout, "how long to wait for another writer")
}

// changeDirectory makes dir, if it is not empty, the folder that the command works in.
func (a *App) changeDirectory(dir string) error {
	if dir != "" {
		a.Cwd, a.cwdErr = a.path(dir), nil
		if !isFolder(a.Cwd) {
			return usagef("-C '%s': no such folder", dir)
		}
	}
	a.Cwd = filepath.Clean(a.Cwd)
	return nil
}

func addCommands(a *App, root *cobra.Command) {
	groups := map[string][]*cobra.Command{
		groupWrite: {newNewCommand(a), newAppendCommand(a), newCheckoutCommand(a), newBranchCommand(a),
			newLabelCommand(a), newUndoCommand(a), newRedoCommand(a), newCherryPickCommand(a)},
		groupView:  {newLogCommand(a), newShowCommand(a), newStatusCommand(a), newContextCommand(a), newReflogCommand(a), newDiffCommand(a), newRangeDiffCommand(a)},
		groupStore: {newSessionsCommand(a), newUseCommand(a), newProjectCommand(a), newImportCommand(a), newExportCommand(a), newResumeCommand(a), newMigrateCommand(a), newBlobCommand(a), newGCCommand(a), newDoctorCommand(a)},
		groupLow:   {newFsckCommand(a), newRepairCommand(a), newVerifyCommand(a), newScanCommand(a), newRevParseCommand(a), newMergeBaseCommand(a), newCatFileCommand(a), newVersionCommand(a)},
	}
	root.AddGroup(
		&cobra.Group{ID: groupWrite, Title: "Write and change a session:"},
		&cobra.Group{ID: groupView, Title: "Look at a session:"},
		&cobra.Group{ID: groupStore, Title: "Sessions:"},
		&cobra.Group{ID: groupLow, Title: "For scripts and repair:"})
	for group, commands := range groups {
		for _, cmd := range commands {
			cmd.GroupID = group
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(newHelpTopics()...)
}

// habits are the words under which users of git and of other tools look for a command.
var habits = map[string][]string{
	"sessions": {"ls", "list"},
	"label":    {"tag"},
	"checkout": {"switch"},
	"undo":     {"reset", "revert", "restore"},
	"append":   {"add", "commit"},
	"export":   {"fork", "clone"},
	"show":     {"cat", "view"},
	"new":      {"init"},
}

// checkCommand refuses a word that is no command before cobra finds fault with the flags behind it.
func checkCommand(root *cobra.Command, args []string) error {
	i := commandIndex(args)
	if i < 0 {
		return nil
	}
	root.InitDefaultCompletionCmd()
	name := args[i]
	if name == cobra.ShellCompRequestCmd || name == cobra.ShellCompNoDescRequestCmd {
		return nil
	}
	for _, cmd := range root.Commands() {
		if cmd.Name() == name || cmd.HasAlias(name) {
			return nil
		}
	}
	return unknownCommand(root, name)
}

// noArgs refuses operands.
func noArgs(cmd *cobra.Command, args []string) error { return operands(0, 0)(cmd, args) }

// operands asks for min to max operands; max < 0 is no limit.
func operands(min, max int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < min:
			return usageError{fmt.Errorf("%s: expected %d or more operands, got %d; usage: %s", cmd.CommandPath(), min, len(args), cmd.UseLine())}
		case max >= 0 && len(args) > max:
			if !cmd.HasParent() {
				return unknownCommand(cmd, args[0])
			}
			return usageError{fmt.Errorf("%s: expected at most %d operands, got %d; usage: %s", cmd.CommandPath(), max, len(args), cmd.UseLine())}
		}
		return nil
	}
}

func unknownCommand(root *cobra.Command, name string) error {
	err := error(usageError{fmt.Errorf("'%s' is not a tlog command", name)})
	for command, words := range habits {
		if slices.Contains(words, name) {
			return withHint(err, "did you mean 'tlog "+command+"'?")
		}
	}
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return withHint(err, "did you mean 'tlog "+near[0]+"'?")
	}
	return withHint(err, "'tlog help' lists the commands")
}

// usagef is an error in the command line.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// checkExclusive refuses two flags together.
func checkExclusive(cmd *cobra.Command, names ...string) error {
	var set []string
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			set = append(set, "--"+name)
		}
	}
	if len(set) > 1 {
		return usagef("%s cannot go with %s", set[0], set[1])
	}
	return nil
}
