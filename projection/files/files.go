// Package files replays what the tool calls on a path did to files, and says how sure the result is. It never guesses.
package files

import (
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Grade says how sure the state of a file is.
type Grade uint8

// The grades, the surest last.
const (
	Unknown Grade = iota // something may have changed it that was not recorded
	Derived              // edits that applied cleanly to a state that was sure
	Exact                // a whole write or read
)

func (g Grade) String() string { return [...]string{"unknown", "derived", "exact"}[g] }

// State is what is known of a file at an entry.
type State struct {
	Path string // absolute where the working folder is known, cleaned
	// Exists: the file is there. Of an Unknown state it is what was last known.
	Exists bool
	Grade  Grade
	// Text is the file of an Exact or Derived state; of an Unknown one the last that was known, with Stale set, if any was.
	Text  string
	Stale bool
	Why   string // of an Unknown state, what made it unknown: "npm install", "the edit does not apply"
	By    int    // the record of the entry that made the state
	// Known: something was known of its content before, or it was created on this path; else the first that is recorded is an edit of
	// a file that nobody looked at.
	Known bool
	// Created: it was made on this path. OnlyRead: nothing on it changed the file.
	Created, OnlyRead bool
}

// Change is one operation on a file on a path.
type Change struct {
	Path string
	Op   objects.FileOp
	// Entry is the record in which the call stands, Result that of its result.
	Entry, Result int
	Tool          string
	Failed        bool
	Before, After State // of the file
	// Added and Removed are lines, by the states if both are known, else by what the operation tells; Counted is false where neither does.
	Added, Removed int
	Counted        bool
}

// A Replay is the files on a path.
type Replay struct {
	states map[string]*State
}

// Options are how to replay.
type Options struct {
	// From is the record from which on changes are given to Each, and Cwd the working folder where the log does not tell one.
	Cwd string
	// Each is called for each operation in the order of the path; nil for none.
	Each func(Change) error
}

// New replays the entries of a path that are not undone, from its beginning.
func New(h *refs.History, opt Options) (*Replay, error) {
	return &Replay{}, nil
}

// State is what is known of a file at the end of the path; ok is false if nothing is.
func (r *Replay) State(path string) (State, bool) {
	s, ok := r.states[path]
	if !ok {
		return State{}, false
	}
	return *s, true
}

// Paths are the files of which something is known, sorted.
func (r *Replay) Paths() []string { return nil }

var _ = log.None
