package tally

import (
	"maps"
	"path"
	"slices"

	"tlog/objects"
	"tlog/projection/files"
)

// FileChanges counts what some entries did to files as package files replays it: by their states, under their whole paths, and with what commands did to
// them. Its Add is to be the Each of files.Options.
type FileChanges struct {
	entries map[int]bool
	counts  fileCounts
}

// NewFileChanges is a count of what the calls in these entries do.
func NewFileChanges(entries []int) *FileChanges {
	f := &FileChanges{entries: make(map[int]bool, len(entries)), counts: fileCounts{}}
	for _, at := range entries {
		f.entries[at] = true
	}
	return f
}

// Add counts an operation. What a call without a result may have done is not counted.
func (f *FileChanges) Add(c files.Change) error {
	if c.Result < 0 || !f.entries[c.Entry] || !f.entries[c.Result] {
		return nil
	}
	op := c.Op
	op.Added, op.Removed, op.Counted = c.Added, c.Removed, c.Counted
	op.Created = op.Created || c.Before.Sure() && !c.Before.Exists && c.After.Exists
	// A command that failed may have changed files before; one that never ran left them as they were.
	failed := c.Failed && (c.Command == "" || op.Kind == objects.FileRead || c.Before == c.After)
	to := c.Op.To
	if op.Kind == objects.FileMove && c.After.Path != "" {
		to = c.After.Path
	}
	f.counts.add(c.Path, to, op, failed)
	return nil
}

// fileCounts are counts by path.
type fileCounts map[string]*FileCount

func (f fileCounts) of(path string) *FileCount {
	if f[path] == nil {
		f[path] = &FileCount{Path: path, Counted: true}
	}
	return f[path]
}

// add counts an operation. The lines of a move are those of the file in its new place.
func (f fileCounts) add(path, to string, op objects.FileOp, failed bool) {
	c := f.of(path)
	switch {
	case failed:
		c.Failed++
		return
	case op.Kind == objects.FileRead:
		c.Reads++
		return
	case op.Kind == objects.FileMove && to != "" && to != path:
		c.Changes++
		c.Deleted = true
		if c = f.of(to); !op.Counted && len(op.Hunks)+len(op.Edits) == 0 {
			op.Counted = true // nothing but the name was changed
		}
	}
	c.Changes++
	c.Added += op.Added
	c.Removed += op.Removed
	c.Counted = c.Counted && op.Counted
	c.Created = c.Created || op.Created
	c.Deleted = op.Kind == objects.FileDelete
}

// sorted are the counts by path, with the grades of the states at the end of the path.
func (f fileCounts) sorted(replay *files.Replay) (counts []FileCount) {
	for _, path := range slices.Sorted(maps.Keys(f)) {
		c := *f[path]
		if replay != nil {
			if state, ok := replay.State(path); ok {
				c.Grade, c.Graded = state.Grade, true
			}
		}
		counts = append(counts, c)
	}
	return counts
}

// within is a path in a folder that may itself be in another one.
func within(folders ...string) (p string) {
	for _, next := range folders {
		switch {
		case path.IsAbs(next):
			p = path.Clean(next)
		case next != "":
			p = path.Join(p, next)
		}
	}
	return p
}
