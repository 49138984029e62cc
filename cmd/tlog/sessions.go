package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/dates"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/store"
)

func newSessionsCommand(a *App) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:     "sessions [--all]",
		Short:   "List the sessions of this project",
		Long:    "List the sessions of this project, or of all projects, newest first.\n\n" + exitStatus(exitOK, exitUsage, exitIO),
		Example: "  tlog sessions\n  tlog sessions --all --json",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return runSessions(a, all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "of all projects")
	return cmd
}

func runSessions(a *App, all bool) error {
	st, err := a.store()
	if err != nil {
		return err
	}
	cwd := a.Cwd
	if all {
		cwd = ""
	}
	list, err := st.Sessions(cwd, func(file string, err error) { a.note("not a session: '%s': %v", file, err) })
	if err != nil {
		return fmt.Errorf("sessions: %w", err)
	}
	if len(list) == 0 && !a.JSON {
		a.note("no sessions; 'tlog new' begins one, 'tlog import FILE' brings one in")
	}
	a.page()
	for _, info := range list {
		if a.JSON {
			err = a.printJSON(sessionObject(info))
		} else {
			err = printSession(a, info, all)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func printSession(a *App, info store.Info, all bool) error {
	out := a.IO.Out
	agent := info.Agent
	if agent == "" {
		agent = "tlog"
	}
	title := terminal.Concat(terminal.Yellow.Paint(string(info.ID)), terminal.Line(fmt.Sprintf("  %s  %s  %s  ",
		terminal.Pad(dates.Relative(info.Modified, a.Now()), 14), terminal.Pad(agent, 8), terminal.Pad(view.Size(info.Size), 10))))
	words := info.Name
	if words == "" {
		words = info.FirstPrompt
	}
	if all {
		words = strings.TrimSpace(info.Cwd + "  " + words)
	}
	room := max(out.Width()-title.Width(), 10)
	return out.Println(title, terminal.Line(terminal.Fit(words, room)))
}

func sessionObject(info store.Info) *jsonout.Object {
	o := new(jsonout.Object).ID("session", info.ID).String("file", info.File).Known("cwd", info.Cwd)
	o.Known("name", info.Name).Known("prompt", info.FirstPrompt).Known("agent", info.Agent).Int("version", int64(info.Version))
	o.ID("parentSession", info.ParentSession).Time("created", info.Created).Time("modified", info.Modified)
	return o.Int("size", info.Size)
}
