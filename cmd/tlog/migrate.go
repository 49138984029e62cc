package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/migrate"
	"tlog/objects"
	"tlog/store"
)

func newMigrateCommand(a *App) *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "migrate [<file>] [--dry-run]",
		Short: "Turn an older file into the current format version",
		Long: "Rewrite a session of format version 0 to 3 as version 4. The original stays beside it.\n" +
			"Migrating again does nothing, and a newer version is left alone.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitCorrupt, exitVersion),
		Example: "  tlog migrate --dry-run old.jsonl\n  tlog migrate old.jsonl",
		Args:    operands(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := a.sessionName()
			if len(args) == 1 {
				name = a.path(args[0])
			}
			return runMigrate(cmd, a, name, dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be done")
	return cmd
}

func runMigrate(cmd commandContext, a *App, name string, dryRun bool) error {
	if err := a.configure(); err != nil {
		return err
	}
	s, err := a.open(name)
	if err != nil {
		return err
	}
	defer s.Close()
	if agent, ok := store.TranscriptOf(s.Log.Path()); ok {
		return withHint(fmt.Errorf("migrate '%s': %w: it is a transcript of %s's own", s.Log.Path(), objects.ErrRefused, agent.Name()),
			"'tlog import FILE' makes a session of it")
	}
	from := s.Log.Version()
	if from > objects.Version {
		return fmt.Errorf("'%s' has format version %d, this program writes %d: %w", s.Log.Path(), from, objects.Version, objects.ErrVersion)
	}
	kept := ""
	if !dryRun {
		if kept, err = s.Log.Rewrite(cmd.Context(), a.options().Write); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
	}
	return reportMigration(a, s, from, kept)
}

func reportMigration(a *App, s *checkout.Session, from int, kept string) error {
	steps := migrate.Steps(from)
	if a.JSON {
		titles := make([]string, 0, len(steps))
		for _, step := range steps {
			titles = append(titles, step.Title)
		}
		o := new(jsonout.Object).String("file", s.Log.Path()).Int("from", int64(from)).Int("to", objects.Version)
		return a.printJSON(o.Known("kept", kept).Strings("steps", titles))
	}
	if from == objects.Version {
		a.note("'%s' has version %d already", s.Log.Path(), from)
		return nil
	}
	for _, step := range steps {
		a.IO.Out.Printf("%d -> %d  %s\n", step.From, step.From+1, step.Title)
	}
	if kept != "" {
		a.IO.Out.Printf("the original is %s\n", kept)
	}
	return a.IO.Out.Err()
}
