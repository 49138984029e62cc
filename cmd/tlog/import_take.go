package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tlog/agents"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/store"
)

// bringIn imports a file and tells of it. A file that was found and is in the store as it is is not read. Of a session of which only
// something that belongs to it could not be read both is told: what came in, and the error.
func (run *importRun) bringIn(ctx context.Context, file importFile) error {
	if file.current() && !file.named {
		done := store.Imported{Session: file.seen.Session, File: file.seen.File, State: file.seen.State}
		done.Entries, done.Agent = notCounted, file.agent
		return run.report(file, done)
	}
	opt := run.app.options()
	opt.LeaveOpenLine = run.watching
	done, err := run.store.Import(ctx, file.path, run.home(file), opt)
	if len(done.Children) > 0 {
		run.cover(file.path, done.Agent)
	}
	if err == nil || done.Session != "" {
		err = errors.Join(err, run.report(file, done))
	}
	return err
}

// home is the project of a file that names no working folder: the one at hand for what the user names. What an agent keeps has nothing to do
// with that, so it gets a project of its own folder.
func (run *importRun) home(file importFile) string {
	if file.agent != "" {
		return filepath.Dir(file.path)
	}
	return run.app.Cwd
}

// cover notes that the subagents of a session came in with it.
func (run *importRun) cover(path, name string) {
	agent, ok := agents.LookupForeign(name)
	if !ok {
		return
	}
	paths, _ := agent.Subagents(path) // the import has told what cannot be read
	for _, path := range paths {
		run.covered[path] = true
	}
}

// foretell says what an import of a file would do.
func (run *importRun) foretell(file importFile) error {
	seen := file.seen
	if seen.Path == "" { // the store does not know what it is; the import itself would say why
		seen = store.Surveyed{Path: file.path, State: store.SourceNew}
		if _, err := os.Stat(file.path); err != nil {
			return fmt.Errorf("import: %w", err)
		}
	}
	run.sum.foretell(seen)
	run.progress.clear()
	if run.app.JSON {
		o := new(jsonout.Object).ID("session", seen.Session).Known("file", seen.File).String("source", file.path)
		return run.app.printJSON(o.Known("state", string(seen.State)).Bool("subagent", seen.Subagent).Int("size", seen.Size))
	}
	if file.current() && !file.named {
		return nil
	}
	state := string(seen.State)
	if state == "" {
		state = "unknown"
	}
	return run.app.IO.Out.Printf("%s  %s  %s\n", terminal.Pad(state, 9), terminal.PadLeft(view.Size(seen.Size), 8), file.shown)
}
