package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/store"
)

func newImportCommand(a *App) *cobra.Command {
	return &cobra.Command{
		Use:   "import <file>...",
		Short: "Bring transcripts into the store",
		Long: "Bring transcripts into the store: pi sessions, bare message logs, tlog logs. A file that was imported before adds only\n" +
			"what is new in it. The files are only read. Files that cannot be imported are reported and the others go on.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitCorrupt, exitRefused, exitVersion),
		Example: "  tlog import ~/.pi/agent/sessions/--home-ada-shop--/*.jsonl",
		Args:    operands(1, -1),
		RunE:    func(cmd *cobra.Command, args []string) error { return runImport(cmd, a, args) },
	}
}

func runImport(cmd commandContext, a *App, files []string) error {
	if err := a.configure(); err != nil {
		return err
	}
	st, err := a.store()
	if err != nil {
		return err
	}
	var failed []error
	for _, file := range files {
		done, err := st.Import(cmd.Context(), a.path(file), a.Cwd, a.options())
		if err == nil {
			err = reportImport(a, file, done)
		}
		if cmd.Context().Err() != nil || errors.Is(err, errPipe) {
			return err
		}
		if err != nil && len(files) > 1 {
			a.report(err)
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	if len(failed) > 0 && len(files) > 1 {
		return notImported{len(failed), len(files), failed[0]}
	}
	return errors.Join(failed...)
}

// notImported sums up a run of which some files failed. Its exit code is that of the first; what was wrong
// with each has been told.
type notImported struct {
	failed, files int
	first         error
}

func (e notImported) Error() string {
	return fmt.Sprintf("%d of %d files were not imported", e.failed, e.files)
}
func (e notImported) Unwrap() error { return e.first }

// noteProject says how to reach a session that went into the project of its own working folder.
func (a *App) noteProject(done store.Imported) {
	here, _, err := store.Project(a.Cwd)
	if err == nil && filepath.Base(filepath.Dir(done.File)) != here {
		a.note("session %s belongs to another folder's project; 'tlog -s %s log' shows it", done.Session, done.Session)
	}
}

func reportImport(a *App, file string, done store.Imported) error {
	if a.JSON {
		o := new(jsonout.Object).ID("session", done.Session).Known("file", done.File)
		o.Int("entries", int64(done.Entries)).Int("new", int64(done.New)).Int("damaged", int64(done.Damaged))
		o.ID("parentSession", done.ParentSession).ID("parentEntry", done.ParentEntry)
		o.String("source", a.path(file)).Known("branch", done.Tracking).Int("missing", int64(done.Missing))
		return a.printJSON(o.Bool("created", done.Created).Bool("followed", done.Followed).Known("state", string(done.State)))
	}
	if done.Session == "" {
		a.note("'%s': no entries, nothing to import", file)
		return nil
	}
	if done.State == store.SourceGone {
		a.note("'%s' is gone; the %d %s imported from it %s kept", file, done.Entries,
			plural(done.Entries, "entry", "entries"), plural(done.Entries, "is", "are"))
		return a.IO.Out.Printf("%s  %d new of %d entries\n", done.Session, done.New, done.Entries)
	}
	switch done.State {
	case store.SourceShrunk:
		a.note("'%s' is shorter than what was imported before; that is kept", file)
	case store.SourceRewritten:
		a.note("'%s' was rewritten since it was imported; what was imported is kept", file)
	}
	if done.Damaged > 0 {
		a.note("'%s': %d damaged %s kept; 'tlog fsck -s %s' tells more", file, done.Damaged, plural(done.Damaged, "line was", "lines were"), done.Session)
	}
	if done.Missing > 0 {
		a.note("'%s': %d %s known from before %s not in the file any more; kept", file, done.Missing,
			plural(done.Missing, "entry", "entries"), plural(done.Missing, "is", "are"))
	}
	if err := a.IO.Out.Printf("%s  %d new of %d entries\n", done.Session, done.New, done.Entries); err != nil {
		return err
	}
	if done.Created {
		a.noteProject(done)
		a.notePinned(done.Session, done.File)
	}
	return nil
}
