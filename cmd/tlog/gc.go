package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/dates"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/objects"
	"tlog/store"
)

type gcOptions struct {
	prune bool
	all   bool
	force bool
	grace string
}

// shortGrace is the age below which a blob may be one that a writer is about to name.
const shortGrace = 10 * time.Minute

// staleAfter is the age from which a temporary file is one that its writer has left.
const staleAfter = time.Hour

func newGCCommand(a *App) *cobra.Command {
	var opt gcOptions
	cmd := &cobra.Command{
		Use:   "gc [--prune] [--all] [--grace <age>]",
		Short: "Find blobs that nothing names, and remove them",
		Long: "Find the blobs that no file of this project names: no line of any log, be it undone, unreachable or damaged, and\n" +
			"no kept original. --prune removes them. Younger ones than --grace stay: a line that names them may be on its way,\n" +
			"so an age below ten minutes is safe only while nobody writes, and is refused without --force.\n\n" +
			exitStatus(exitOK, exitUsage, exitRefused, exitIO, exitInterrupted),
		Example: "  tlog gc\n  tlog gc --all --prune",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := runGC(cmd.Context(), a, opt); err != nil {
				return fmt.Errorf("gc: %w", err)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&opt.prune, "prune", false, "remove what is found")
	flags.BoolVar(&opt.all, "all", false, "in all projects")
	flags.BoolVarP(&opt.force, "force", "f", false, "also with a short --grace")
	flags.StringVar(&opt.grace, "grace", "2 weeks", "the `age` up to which blobs stay: '3 days', 12h, or a date")
	return cmd
}

// errNoGrace is an age that is not one.
var errNoGrace = errors.New("it lies in the future")

func runGC(ctx context.Context, a *App, opt gcOptions) error {
	now := a.Now()
	before, err := dates.Parse(opt.grace, now)
	if err == nil && before.After(now) {
		err = errNoGrace
	}
	if err != nil {
		return usagef("--grace '%s': %w", opt.grace, err)
	}
	if opt.prune && !opt.force && now.Sub(before) < shortGrace {
		return withHint(fmt.Errorf("blobs younger than %v may be about to be named by a writer: %w", shortGrace, objects.ErrRefused),
			"a longer --grace, or --force while nobody writes")
	}
	st, err := a.store()
	if err != nil {
		return err
	}
	projects, err := st.Folders(a.Cwd)
	if opt.all {
		projects, err = st.ProjectNames()
	}
	if err != nil {
		return err
	}
	var failed []error
	total := gcTotal{}
	for _, project := range projects {
		if err := gcProject(ctx, a, st, project, opt.prune, before, &total); err != nil {
			if ctx.Err() != nil || errors.Is(err, errPipe) {
				return err
			}
			failed = append(failed, err)
		}
	}
	if !a.JSON {
		total.note(a, opt.prune)
	}
	return errors.Join(failed...)
}

// gcTotal adds up what is found in all projects.
type gcTotal struct {
	blobs int
	size  int64
}

func (t gcTotal) note(a *App, prune bool) {
	count := fmt.Sprintf("%d %s, %s", t.blobs, plural(t.blobs, "file", "files"), view.Size(t.size))
	switch {
	case t.blobs == 0:
		a.note("nothing to remove")
	case prune:
		a.note("%s removed", count)
	default:
		a.note("%s; 'tlog gc --prune' removes them", count)
	}
}

func gcProject(ctx context.Context, a *App, st *store.Store, project string, prune bool, before time.Time, total *gcTotal) error {
	stale := a.Now().Add(-staleAfter)
	if stale.Before(before) {
		stale = before
	}
	g, err := st.Garbage(ctx, project, before, stale)
	if err != nil {
		return err
	}
	freed := int64(0)
	if prune {
		freed, err = g.Remove(ctx)
		total.size += freed
	} else {
		total.size += g.Size()
	}
	total.blobs += len(g.Blobs) + len(g.Leftovers) + len(g.Temporary)
	if a.JSON {
		return errors.Join(err, a.printJSON(garbageObject(&g, prune, freed)))
	}
	for _, blob := range g.Blobs {
		a.IO.Out.Println(terminal.Yellow.Paint(blob.Hash.String()),
			terminal.Line(fmt.Sprintf("  %s  %s", terminal.PadLeft(view.Size(blob.Size), 10), dates.Relative(blob.Modified, a.Now()))))
	}
	for _, path := range slices.Concat(g.Leftovers, g.Temporary) {
		a.IO.Out.Println(terminal.Line(path + "  left by a writer that died"))
	}
	return errors.Join(err, a.IO.Out.Err())
}

func garbageObject(g *store.Garbage, prune bool, freed int64) *jsonout.Object {
	var blobs jsonout.Array
	for _, blob := range g.Blobs {
		blobs.Object(new(jsonout.Object).String("hash", blob.Hash.String()).Int("size", blob.Size).Time("modified", blob.Modified))
	}
	o := new(jsonout.Object).String("project", g.Project).Array("blobs", blobs).Strings("leftovers", slices.Concat(g.Leftovers, g.Temporary))
	o.Int("size", g.Size()).Int("kept", int64(g.Kept)).Int("young", int64(g.Young))
	return o.Bool("pruned", prune).Int("freed", freed)
}
