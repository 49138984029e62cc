package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
)

func newRepairCommand(a *App) *cobra.Command {
	return &cobra.Command{
		Use:   "repair",
		Short: "Write what is whole of a damaged session as a new one",
		Long: "Copy every entry that can be read to a new session, with branches, undos and labels, and say each thing that was done: damaged\n" +
			"lines are left out, entries without a parent become roots, ids that two entries have are told apart. The damaged session stays as it is.\n" +
			"'tlog fsck' says what is wrong without writing anything.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt, exitVersion),
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			s, err := a.session()
			if err != nil {
				return err
			}
			defer s.Close()
			if err := runRepair(a, s); err != nil {
				return fmt.Errorf("repair: %w", err)
			}
			return nil
		},
	}
}

func runRepair(a *App, s *checkout.Session) error {
	copied, done, err := s.Repair()
	if err != nil {
		return err
	}
	if err := a.configure(); err != nil {
		return err
	}
	st, err := a.store()
	if err != nil {
		return err
	}
	file, err := st.WriteFork(copied, forkFolder(a, copied), a.options().Write)
	if err != nil {
		return err
	}
	if a.JSON {
		var list jsonout.Array
		for _, r := range done {
			list.Object(new(jsonout.Object).Int("line", int64(r.Line)).String("code", string(r.Code)).String("message", r.What))
		}
		o := new(jsonout.Object).ID("session", copied.Header.ID).String("file", file).Int("entries", int64(copied.Entries))
		return a.printJSON(o.Array("repairs", list))
	}
	for _, r := range done {
		a.note("line %d: %s: %s", r.Line, r.Code, r.What)
	}
	if len(done) == 0 {
		a.note("nothing was damaged: the new session is a copy")
	}
	return a.IO.Out.Println(terminal.Line(string(copied.Header.ID)))
}
