package main

import (
	"context"
	"os"
	"time"
)

// watch imports what changes, until its context ends. A file is looked at again when its size or time has changed.
type watch struct {
	importRun
	seen map[string]fileStamp
	// told are the errors that were reported last, by what failed, so that one that lasts is told once.
	told map[string]string
}

// fileStamp is what a file is known to have changed by.
type fileStamp struct {
	size     int64
	modified time.Time
}

func newWatch(run *importRun) *watch {
	run.watching = true
	return &watch{importRun: *run, seen: map[string]fileStamp{}, told: map[string]string{}}
}

// run imports all files, and from then on what changes and what comes up. The end of the context ends it without an error, after the
// import in hand.
func (w *watch) run(ctx context.Context) error {
	files, err := w.finder.find(ctx, false)
	if ctx.Err() == nil {
		w.tell("", err)
	}
	if err := w.pass(ctx, files); err != nil {
		return err
	}
	if ctx.Err() == nil {
		w.sum.tell(w.app, false)
		w.app.note("watching; interrupt to end")
	}
	ticker := time.NewTicker(w.opt.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return w.app.IO.Out.Flush()
		case <-ticker.C:
			files, err := w.finder.again(ctx)
			if ctx.Err() == nil {
				w.tell("", err)
			}
			if err := w.pass(ctx, files); err != nil {
				return err
			}
		}
	}
}

// pass imports what has changed since the last one. The error is that of the output.
func (w *watch) pass(ctx context.Context, files []importFile) error {
	changed, stamps := w.changed(files)
	w.progress = newProgress(w.app, "importing", len(changed))
	defer w.progress.clear()
	var bytes int64
	for i, file := range changed {
		if ctx.Err() != nil {
			return nil
		}
		stamp := stamps[i]
		bytes += stamp.size
		w.progress.step(i, bytes, file.shown)
		if !w.covered[file.path] {
			failed, err := w.importOne(context.WithoutCancel(ctx), file)
			if err != nil {
				return err
			}
			w.tell(file.path, failed)
			if failed != nil && classify(failed).retryable {
				continue
			}
		}
		w.seen[file.path] = stamp
	}
	clear(w.covered)
	return w.app.IO.Out.Flush()
}

// changed are the files that are not as they were seen last, and their stamps from before they are read. What is
// gone is forgotten.
func (w *watch) changed(files []importFile) (changed []importFile, stamps []fileStamp) {
	there := make(map[string]bool, len(files))
	for _, file := range files {
		if there[file.path] {
			continue
		}
		var stamp fileStamp // of one that cannot be looked at: reading it says why
		if info, err := os.Stat(file.path); err == nil {
			stamp = fileStamp{info.Size(), info.ModTime()}
		}
		there[file.path] = true
		if last, ok := w.seen[file.path]; !ok || last.size != stamp.size || !last.modified.Equal(stamp.modified) {
			changed, stamps = append(changed, file), append(stamps, stamp)
		}
	}
	for path := range w.seen {
		if !there[path] {
			delete(w.seen, path)
		}
	}
	return changed, stamps
}

// tell reports an error of something unless it was the last one told of that.
func (w *watch) tell(what string, err error) {
	if err == nil {
		delete(w.told, what)
		return
	}
	if text := err.Error(); w.told[what] != text {
		w.told[what] = text
		w.progress.clear()
		w.app.report(err)
	}
}
