package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/objects"
	"tlog/store"
)

// notCounted stands for the number of a session's entries where that was not read, since all of the source is in the store.
const notCounted = -1

// importSummary counts what a run did.
type importSummary struct {
	sessions, created, grown, unchanged int
	empty, gone, leftOut, failed        int
	damagedLines                        int
	damaged                             []objects.ID // the sessions that these are in
	rooted                              []objects.ID // sessions that were changed and have more roots than one
}

// add counts one import, the sessions that came in with it included.
func (sum *importSummary) add(done store.Imported) {
	if done.Session == "" {
		sum.empty++
		return
	}
	sum.sessions++
	switch {
	case done.State == store.SourceGone:
		sum.gone++
	case done.Created:
		sum.created++
	case news(done):
		sum.grown++
	default:
		sum.unchanged++
	}
	if done.Damaged > 0 {
		sum.damagedLines += done.Damaged
		sum.damaged = append(sum.damaged, done.Session)
	}
	if done.Roots > 1 && (done.Created || news(done)) {
		sum.rooted = append(sum.rooted, done.Session)
	}
	for _, child := range done.Children {
		sum.add(child)
	}
}

// foretell counts what an import would do.
func (sum *importSummary) foretell(seen store.Surveyed) {
	sum.sessions++
	switch {
	case seen.State == store.SourceNew:
		sum.created++
	case isStored(seen.State):
		sum.unchanged++
	default:
		sum.grown++
	}
}

// news reports whether an import brought something in.
func news(done store.Imported) bool {
	return done.New > 0 || done.SideFiles > 0 || done.Lines > 0 && done.State == store.SourceGrown
}

// tell prints the counts in a line.
func (sum *importSummary) tell(a *App, foretold bool) {
	verb := func(n int, now, then string) string {
		if foretold {
			return fmt.Sprintf("%d %s", n, then)
		}
		return fmt.Sprintf("%d %s", n, now)
	}
	parts := []string{verb(sum.created, "new", "to be imported"), verb(sum.grown, "grown", "to be continued"), fmt.Sprintf("%d unchanged", sum.unchanged)}
	for _, more := range []struct {
		n    int
		text string
	}{
		{sum.gone, "%d gone from where they were"}, {sum.empty, "%d empty"}, {sum.leftOut, "%d left out"}, {sum.failed, "%d not imported"},
	} {
		if more.n > 0 {
			parts = append(parts, fmt.Sprintf(more.text, more.n))
		}
	}
	if sum.damagedLines > 0 {
		parts = append(parts, fmt.Sprintf("%d damaged %s in %d (%s)", sum.damagedLines, plural(sum.damagedLines, "line", "lines"), len(sum.damaged), firstOf(sum.damaged)))
	}
	if n := len(sum.rooted); n > 0 {
		parts = append(parts, fmt.Sprintf("%d with more than one root (%s)", n, firstOf(sum.rooted)))
	}
	a.note("%d %s: %s", sum.sessions, plural(sum.sessions, "session", "sessions"), strings.Join(parts, ", "))
}

// maxInSum is how many sessions a summary names of each kind.
const maxInSum = 3

// firstOf names sessions, the first ones of many.
func firstOf(sessions []objects.ID) string {
	var names []string
	for i, id := range sessions {
		if i == maxInSum {
			names = append(names, fmt.Sprintf("and %d more", len(sessions)-i))
			break
		}
		names = append(names, string(id))
	}
	return strings.Join(names, ", ")
}

// report tells of one import.
func (run *importRun) report(file importFile, done store.Imported) error {
	run.sum.add(done)
	run.progress.clear()
	switch {
	case run.app.JSON:
		if run.watching && !done.Created && !news(done) && done.State != store.SourceGone {
			return nil
		}
		return run.app.printJSON(importObject(done, file.path))
	case done.Session == "":
		if file.named && !run.watching {
			run.app.note("'%s': no entries, nothing to import", file.shown)
		}
		return nil
	}
	run.tellSource(file, done)
	run.tellLeftOut(file, done)
	run.tellBase(file, done)
	if !file.named || run.watching {
		return run.printNews(done)
	}
	run.tellContent(file, done)
	if err := run.app.IO.Out.Printf("%s  %s\n", done.Session, importCounts(done)); err != nil {
		return err
	}
	if done.Created {
		run.app.noteProject(done)
		run.app.notePinned(done.Session, done.File)
		run.noteNewer(done)
	}
	return run.tellRoots(file, done)
}

// printNews prints a line for each session that something came into.
func (run *importRun) printNews(done store.Imported) error {
	if !done.Created && !news(done) {
		changed := false
		for _, child := range done.Children {
			changed = changed || child.Created || news(child)
		}
		if !changed {
			return nil
		}
	}
	return run.app.IO.Out.Printf("%s  %s\n", done.Session, importCounts(done))
}

// importCounts is what an import brought, in words.
func importCounts(done store.Imported) string {
	text := fmt.Sprintf("%d new of %d entries", done.New, done.Entries)
	if n := len(done.Children); n > 0 {
		more := 0
		for _, child := range done.Children {
			more += child.New
		}
		text += fmt.Sprintf(", %d new in %d %s", more, n, plural(n, "subagent", "subagents"))
	}
	if done.SideFiles > 0 {
		text += fmt.Sprintf(", %d %s", done.SideFiles, plural(done.SideFiles, "side file", "side files"))
	}
	return text
}

// tellSource tells what became of a source since it was imported, as far as somebody may miss something.
func (run *importRun) tellSource(file importFile, done store.Imported) {
	a := run.app
	switch done.State {
	case store.SourceCopy:
		return // what it does not have stands where it was imported from
	case store.SourceGone:
		a.note("'%s' is gone; the %d %s imported from it %s kept", file.shown, done.Entries,
			plural(done.Entries, "entry", "entries"), plural(done.Entries, "is", "are"))
		return
	case store.SourceShrunk:
		a.note("'%s' is shorter than what was imported before; that is kept", file.shown)
	case store.SourceRewritten:
		a.note("'%s' was rewritten since it was imported; what was imported is kept", file.shown)
	}
	if done.Missing > 0 {
		a.note("'%s': %d %s known from before %s not in the file any more; kept", file.shown, done.Missing,
			plural(done.Missing, "entry", "entries"), plural(done.Missing, "is", "are"))
	}
}

// tellLeftOut tells in one note of what lies beside a transcript, or those of its subagents, and did not come in.
func (run *importRun) tellLeftOut(file importFile, done store.Imported) {
	errs := done.SideErrors
	for _, child := range done.Children {
		errs = slices.Concat(errs, child.SideErrors)
	}
	switch {
	case len(errs) == 0 || run.watching && !done.Created && !news(done):
	case len(errs) == 1:
		run.app.note("'%s': a side file was left out: %v", file.shown, errs[0])
	default:
		run.app.note("'%s': %d side files were left out, the first of them %v", file.shown, len(errs), errs[0])
	}
}

// tellBase tells of what a source goes on from by reference and that is not in the session, where that is news or was asked for.
func (run *importRun) tellBase(file importFile, done store.Imported) {
	switch a := run.app; {
	case !done.Created && (!file.named || run.watching):
	case done.MissingBase != "":
		a.note("'%s' goes on from %s, which is nowhere; what was said there is not in the session", file.shown, done.MissingBase)
	case done.LateBase != "":
		a.note("'%s' goes on from '%s', which was not there when the session was made; a session only grows at its end, so that what was said there stays out of it", file.shown, done.LateBase)
		a.note("'tlog -s %s log' shows the whole history as it is now, and 'tlog -s %s export' makes a session of it; 'tlog import %s' takes in what was missing as a session of its own",
			shellWord(file.path), shellWord(file.path), shellWord(done.LateBase))
	}
}

// tellContent tells what is uncommon about the content of a source.
func (run *importRun) tellContent(file importFile, done store.Imported) {
	a := run.app
	if done.Damaged > 0 {
		a.note("'%s': %d damaged %s kept; 'tlog fsck -s %s' tells more", file.shown, done.Damaged, plural(done.Damaged, "line was", "lines were"), done.Session)
	}
	if done.Repeats > 0 {
		a.note("'%s': %d identical %s left out of the history", file.shown, done.Repeats, plural(done.Repeats, "repeat was", "repeats were"))
	}
	if done.Bridged > 0 {
		a.note("'%s': %d %s a parent that is not in the file and %s at the row before; 'tlog fsck -s %s' tells more", file.shown,
			done.Bridged, plural(done.Bridged, "entry names", "entries name"), plural(done.Bridged, "hangs", "hang"), done.Session)
	}
}

// noteProject says how to reach a session that went into the project of its own working folder.
func (a *App) noteProject(done store.Imported) {
	here, _, err := store.Project(a.Cwd)
	if err == nil && filepath.Base(filepath.Dir(done.File)) != here {
		a.note("session %s belongs to another folder's project; 'tlog -s %s log' shows it", done.Session, done.Session)
	}
}

// noteNewer says how to reach a session of this project that is not the one that commands take, since another one was touched later.
func (run *importRun) noteNewer(done store.Imported) {
	a := run.app
	if !run.finder.single || done.Subagent != "" || !run.store.InProject(a.Cwd, done.File) || a.sessionName() != "" {
		return
	}
	if pinned, err := run.store.Pinned(a.Cwd); err != nil || pinned != "" {
		return
	}
	if newest, err := run.store.Newest(a.Cwd); err == nil && newest.ID != done.Session {
		a.note("session %s was touched later and is this project's newest; 'tlog -s %s log' shows this one", newest.ID, done.Session)
	}
}

// importObject is an import of the file at source as --json prints it.
func importObject(done store.Imported, source string) *jsonout.Object {
	o := new(jsonout.Object).ID("session", done.Session).Known("file", done.File)
	if done.Entries == notCounted {
		o.Raw("entries", nil)
	} else {
		o.Int("entries", int64(done.Entries))
	}
	o.Int("new", int64(done.New)).Int("damaged", int64(done.Damaged))
	o.ID("parentSession", done.ParentSession).ID("parentEntry", done.ParentEntry)
	o.Known("source", source).Known("branch", done.Tracking).Int("missing", int64(done.Missing))
	o.Bool("created", done.Created).Bool("followed", done.Followed).Known("state", string(done.State))
	o.Known("agent", done.Agent).Known("subagent", done.Subagent)
	for _, count := range []struct {
		key string
		n   int
	}{
		{"lines", done.Lines}, {"repeats", done.Repeats}, {"bridged", done.Bridged},
		{"roots", done.Roots}, {"leaves", done.Leaves}, {"sideFiles", done.SideFiles},
	} {
		if done.Agent == "" || done.Entries == notCounted {
			o.Raw(count.key, nil) // counted of foreign transcripts only
		} else {
			o.Int(count.key, int64(count.n))
		}
	}
	o.ID("missingBase", done.MissingBase).Known("lateBase", done.LateBase)
	leftOut := make([]string, len(done.SideErrors))
	for i, err := range done.SideErrors {
		leftOut[i] = err.Error()
	}
	o.Strings("sideErrors", leftOut)
	var children jsonout.Array
	for _, child := range done.Children {
		children.Object(importObject(child, ""))
	}
	return o.Array("children", children)
}
