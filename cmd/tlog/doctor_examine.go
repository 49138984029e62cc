package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tlog/agents"
	"tlog/store"
)

const (
	// maxFaults is how many faults of a file are listed.
	maxFaults = 10
	// settled is how long a transcript has to rest before a last line that is not complete counts as torn.
	settled = time.Minute
)

// examine finds out about an agent. kept are the sessions of the store. The error is the context's.
func examine(ctx context.Context, a *App, st *store.Store, agent agents.Agent, kept []store.Info, quick bool) (*examination, error) {
	x := &examination{agent: agent, folder: agent.Folder(a.env), quick: quick, unread: map[string]bool{}}
	x.here = x.folder != "" && isFolder(x.folder)
	if !x.here {
		x.findGone(kept, nil)
		return x, nil
	}
	foreign, cleans := agent.(agents.Foreign)
	if cleans {
		var err error
		if x.cleanUp, err = foreign.CleanUp(a.env); err != nil {
			x.errs = append(x.errs, err)
		}
	}
	var all []store.Surveyed
	moved := map[string]bool{} // logs whose transcripts are there, wherever the agent has put them
	for seen, err := range st.Survey(ctx, agent, a.env) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err != nil {
			x.failed(seen.Path, err)
		}
		moved[seen.File] = true
		if seen.Path != "" && seen.Size > 0 {
			x.count(seen, err)
			all = append(all, seen)
		}
	}
	x.findGone(kept, moved)
	x.findExpiring(all, a.Now())
	if quick {
		return x, nil
	}
	return x, x.readAll(ctx, a, all)
}

// count counts a transcript; err is what kept from looking at it.
func (x *examination) count(seen store.Surveyed, err error) {
	x.size += seen.Size
	if seen.Subagent {
		x.subagents++
	} else {
		x.sessions++
	}
	switch {
	case err != nil:
	case seen.State == store.SourceCurrent:
		x.stored++
	case seen.State == store.SourceCopy:
		x.copies = append(x.copies, seen)
	case seen.State == store.SourceNew:
		x.missing = append(x.missing, seen)
	default:
		x.changed = append(x.changed, seen)
	}
}

// findGone finds the sessions of the store whose transcripts the agent had and has no more. there are the logs of those that it has.
func (x *examination) findGone(kept []store.Info, there map[string]bool) {
	if x.folder == "" {
		return
	}
	for _, info := range kept {
		if info.Agent != x.agent.Name() || there[info.File] || !strings.HasPrefix(info.Source.Path, filepath.Clean(x.folder)+string(filepath.Separator)) {
			continue
		}
		if _, err := os.Lstat(info.Source.Path); os.IsNotExist(err) {
			x.gone = append(x.gone, info)
		}
	}
}

// findExpiring finds the sessions that the agent deletes soon, those first that are not in the store as they are. A subagent's
// transcript goes with its session.
func (x *examination) findExpiring(all []store.Surveyed, now time.Time) {
	if x.cleanUp.Days == 0 && !x.cleanUp.AtStart {
		return
	}
	for _, seen := range all {
		if seen.Subagent {
			continue
		}
		var at time.Time
		if !x.cleanUp.AtStart {
			if at = seen.ModTime.AddDate(0, 0, x.cleanUp.Days); at.Sub(now) > soon {
				continue
			}
		}
		x.expiring = append(x.expiring, expiry{seen, at})
	}
	slices.SortStableFunc(x.expiring, func(a, b expiry) int {
		return cmp.Or(cmp.Compare(a.safety(), b.safety()), a.at.Compare(b.at), strings.Compare(a.Path, b.Path))
	})
}

// safety orders what is about to be deleted: 0 for what is not in the store, 1 for what has gone on since, 2 for what is kept.
func (e expiry) safety() int {
	switch {
	case e.State == store.SourceNew:
		return 0
	case isStored(e.State):
		return 2
	}
	return 1
}

// failed notes what kept from looking at a transcript, of each once.
func (x *examination) failed(path string, err error) {
	if path == "" || !x.unread[path] {
		x.errs = append(x.errs, err)
	}
	x.unread[path] = true
}

// readAll reads the transcripts through and finds those that are damaged or do not hang together.
func (x *examination) readAll(ctx context.Context, a *App, all []store.Surveyed) error {
	bar := newProgress(a, "checking "+x.agent.Name(), len(all))
	defer bar.clear()
	var bytes int64
	for i, seen := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		bar.step(i, bytes, seen.Path)
		bytes += seen.Size
		faults, broken, err := readThrough(x.agent, seen, a.Now())
		if err != nil {
			x.failed(seen.Path, err)
		}
		if faults.total > 0 {
			x.damaged = append(x.damaged, faults)
		}
		if broken != (breaks{}) {
			x.broken = append(x.broken, brokenFile{seen.Path, broken})
		}
	}
	return nil
}
