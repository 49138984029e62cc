package main

import (
	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/jsonout"
)

func newNewCommand(a *App) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:     "new [--name <name>]",
		Short:   "Begin a session and print its id",
		Long:    "Begin a session for this project and print its id.\n\n" + exitStatus(exitOK, exitUsage, exitIO),
		Example: "  tlog new --name 'fix the parser'",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return runNew(a, name) },
	}
	cmd.Flags().StringVar(&name, "name", "", "what the session is called")
	return cmd
}

func runNew(a *App, name string) error {
	if err := a.configure(); err != nil {
		return err
	}
	st, err := a.store()
	if err != nil {
		return err
	}
	s, err := st.Create(a.Cwd, name, a.options())
	if err != nil {
		return err
	}
	defer s.Close()
	id, file := s.Log.Header().ID, s.Log.Path()
	a.notePinned(id, file)
	if a.JSON {
		return a.printJSON(new(jsonout.Object).ID("session", id).String("file", file))
	}
	return a.IO.Out.Printf("%s\n", id)
}
