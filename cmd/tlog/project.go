package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/dates"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/store"
)

func newProjectCommand(a *App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "project",
		Short: "List the projects of the store, or tell of a folder that was moved",
		Long: "List the projects that have sessions, those changed last first, with the git repository that several of them\n" +
			"are worktrees of.\n\n" + exitStatus(exitOK, exitUsage, exitIO),
		Example: "  tlog project\n  tlog project alias ~/shop ~/work/shop",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return runProject(a) },
	}
	cmd.AddCommand(newProjectAliasCommand(a))
	return cmd
}

func newProjectAliasCommand(a *App) *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   "alias [<old> <new> | --remove <old>]",
		Short: "Make the history of a moved folder appear in its new place",
		Long: "Say that the folder OLD was moved to NEW: the sessions of OLD are listed and found in NEW, new ones are made in NEW. No\n" +
			"file is moved. Moves may follow each other. Without operands list what was said.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitRefused, exitIO),
		Example: "  tlog project alias ~/shop ~/work/shop\n  tlog project alias --remove ~/shop",
		Args:    operands(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := runProjectAlias(cmd, a, remove, args); err != nil {
				return fmt.Errorf("project alias: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "take back what was said of a folder")
	return cmd
}

func runProject(a *App) error {
	st, err := a.store()
	if err != nil {
		return err
	}
	list, err := st.Projects()
	if err != nil {
		return fmt.Errorf("project: %w", err)
	}
	if len(list) == 0 && !a.JSON {
		a.note("no projects; 'tlog new' begins a session in this one")
	}
	shared := map[string]int{}
	for _, p := range list {
		if p.Repository != "" {
			shared[p.Repository]++
		}
	}
	a.page()
	for _, p := range list {
		if a.JSON {
			err = a.printJSON(projectObject(p))
		} else {
			err = printProject(a, p, shared[p.Repository] > 1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func printProject(a *App, p store.ProjectInfo, worktree bool) error {
	where := p.Cwd
	if where == "" {
		where = p.Name
	}
	count := fmt.Sprintf("%d %s", p.Sessions, plural(p.Sessions, "session", "sessions"))
	line := fmt.Sprintf("  %s  %s  %s", terminal.Pad(count, 14), terminal.Pad(dates.Relative(p.Newest, a.Now()), 14), view.Size(p.Size))
	if p.MovedTo != "" {
		line += "  moved to " + p.MovedTo
	}
	if worktree {
		line += "  worktree of " + p.Repository
	}
	return a.IO.Out.Println(terminal.Yellow.Paint(where), terminal.Line(line))
}

func projectObject(p store.ProjectInfo) *jsonout.Object {
	o := new(jsonout.Object).String("project", p.Name).Known("cwd", p.Cwd).Known("movedTo", p.MovedTo)
	return o.Int("sessions", int64(p.Sessions)).Time("newest", p.Newest).Int("size", p.Size).Known("repository", p.Repository)
}

func runProjectAlias(cmd commandContext, a *App, remove bool, args []string) error {
	st, err := a.store()
	if err != nil {
		return err
	}
	switch {
	case slices.Contains(args, ""): // an empty variable of a script would stand for the working folder
		return usagef("expected the path of a folder, got ''")
	case remove && len(args) != 1:
		return usagef("--remove takes the folder that was moved")
	case remove:
		alias, err := st.RemoveAlias(cmd.Context(), a.path(args[0]))
		if err != nil {
			return err
		}
		return printAlias(a, alias)
	case len(args) == 2:
		alias, err := st.Alias(cmd.Context(), a.path(args[0]), a.path(args[1]))
		if err != nil {
			return err
		}
		return printAlias(a, alias)
	case len(args) == 1:
		return usagef("expected the folder's old and its new place")
	}
	list, err := st.Aliases()
	if err != nil {
		return err
	}
	for _, alias := range list {
		if err := printAlias(a, alias); err != nil {
			return err
		}
	}
	return nil
}

func printAlias(a *App, alias store.Alias) error {
	if a.JSON {
		return a.printJSON(new(jsonout.Object).String("from", alias.From).String("to", alias.To))
	}
	return a.IO.Out.Printf("%s -> %s\n", alias.From, alias.To)
}
