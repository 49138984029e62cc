package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tlog/agents"
	"tlog/store"
)

// importOptions are the flags of import.
type importOptions struct {
	agent    string
	all      bool
	watch    bool
	interval time.Duration
	dryRun   bool
}

func newImportCommand(a *App) *cobra.Command {
	var opt importOptions
	cmd := &cobra.Command{
		Use:   "import <file-or-folder>... | --agent <agent> [--all] | --all",
		Short: "Bring transcripts into the store",
		Long: "Bring transcripts into the store: of Claude Code, with those of its subagents and what it keeps beside them; of Codex, with\n" +
			"what they go on from; of pi; bare message logs; tlog logs. What was imported before adds only what is new in it. The files\n" +
			"are only read.\n\n" +
			"Of a folder all *.jsonl and *.jsonl.zst in it and below are taken. --agent takes what an agent keeps of this working folder,\n" +
			"--all of all folders, and of all agents if none is named. Files that cannot be imported are reported and the others go on.\n\n" +
			"--watch goes on to import what changes and what comes up, until it is interrupted once. A last line that is still being written waits.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitCorrupt, exitRefused, exitVersion, exitIO, exitInterrupted),
		Example: "  tlog import --agent claude\n  tlog import --all --watch\n  tlog import ~/.pi/agent/sessions/--home-ada-shop--/*.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opt.check(cmd, args); err != nil {
				return err
			}
			return runImport(cmd, a, opt, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opt.agent, "agent", "", "what this `agent` keeps: "+agentNames())
	flags.BoolVar(&opt.all, "all", false, "of all working folders; without --agent of all agents")
	flags.BoolVar(&opt.watch, "watch", false, "go on with what changes, until interrupted")
	flags.DurationVar(&opt.interval, "interval", time.Second, "how often --watch looks")
	flags.BoolVar(&opt.dryRun, "dry-run", false, "only say what would be imported")
	return cmd
}

func (opt importOptions) check(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) > 0 && (opt.agent != "" || opt.all):
		return usagef("import: files cannot go with --agent or --all")
	case len(args) == 0 && opt.agent == "" && !opt.all:
		return operands(1, -1)(cmd, args)
	case opt.watch && opt.dryRun:
		return usagef("--watch cannot go with --dry-run")
	case opt.interval <= 0:
		return usagef("--interval %s: expected a time above 0", opt.interval)
	}
	_, err := agentsNamed(opt.agent)
	return err
}

func runImport(cmd commandContext, a *App, opt importOptions, args []string) error {
	if err := a.configure(); err != nil {
		return err
	}
	st, err := a.store()
	if err != nil {
		return err
	}
	finder, err := newImportFinder(a, st, opt, args)
	if err != nil {
		return err
	}
	run := &importRun{app: a, store: st, opt: opt, finder: finder, covered: map[string]bool{}}
	if opt.watch {
		return newWatch(run).run(cmd.Context())
	}
	files, err := finder.find(cmd.Context(), opt.dryRun)
	if err != nil {
		run.fail(err)
	}
	if err := run.importAll(cmd.Context(), files); err != nil {
		return err
	}
	return run.end(len(files))
}

// importRun imports files, one after the other, and tells of each.
type importRun struct {
	app    *App
	store  *store.Store
	opt    importOptions
	finder *importFinder
	// watching: what is imported is told in a line each, and a last line that is not complete waits.
	watching bool
	// covered are the transcripts of subagents that came in with the session that began them.
	covered map[string]bool

	sum      importSummary
	failed   []error
	progress *progress
}

// importAll imports files until the context ends, which is the error then.
func (run *importRun) importAll(ctx context.Context, files []importFile) error {
	run.progress = newProgress(run.app, "importing", len(files))
	defer run.progress.clear()
	var bytes int64
	for i, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		run.progress.step(i, bytes, file.shown)
		bytes += file.seen.Size
		if run.covered[file.path] {
			continue
		}
		failed, err := run.importOne(ctx, file)
		if err != nil {
			return err
		}
		if failed != nil {
			run.fail(failed)
		}
	}
	return nil
}

// importOne imports one file and tells of it. failed is why it was not imported; err ends the run: nobody reads any more, or
// the context has ended.
func (run *importRun) importOne(ctx context.Context, file importFile) (failed, err error) {
	if run.opt.dryRun {
		failed = run.foretell(file)
	} else {
		failed = run.bringIn(ctx, file)
	}
	switch {
	case failed == nil:
		return nil, nil
	case ctx.Err() != nil, errors.Is(failed, errPipe):
		return nil, failed
	case file.leftOut(failed):
		run.sum.leftOut++
		run.note("'%s': no transcript, left out", file.shown)
		return nil, nil
	}
	run.sum.failed++
	return failed, nil
}

// note is App.note in the middle of a run.
func (run *importRun) note(format string, args ...any) {
	run.progress.clear()
	run.app.note(format, args...)
}

// fail notes that a file was not imported. Where there is but one, the run ends with its error, which is told then.
func (run *importRun) fail(err error) {
	run.failed = append(run.failed, err)
	if !run.finder.single {
		run.progress.clear()
		run.app.report(err)
	}
}

// end sums up a run over so many files.
func (run *importRun) end(files int) error {
	if run.finder.single {
		return errors.Join(run.failed...)
	}
	run.tellNothing(files)
	if run.finder.looks || run.opt.dryRun {
		run.sum.tell(run.app, run.opt.dryRun)
	}
	if len(run.failed) > 0 {
		return notImported{len(run.failed), max(files, len(run.failed)), run.failed[0]}
	}
	return nil
}

// tellNothing says why an import of what agents keep may have found nothing.
func (run *importRun) tellNothing(files int) {
	if files > 0 || len(run.finder.agents) == 0 {
		return
	}
	located := false
	for _, agent := range run.finder.agents {
		folder := agent.Folder(run.app.env)
		here := folder != "" && isFolder(folder)
		if !here {
			run.app.note("%s is not here: no folder '%s'", agent.Name(), folder)
		}
		exporting, ok := agent.(agents.Exporting)
		if located = located || !ok; ok && (here || len(run.finder.agents) == 1) {
			run.app.note("%s", exporting.HowTo())
		}
	}
	if run.finder.here != nil && located {
		run.app.note("no transcripts of this working folder; --all takes those of all")
	}
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
