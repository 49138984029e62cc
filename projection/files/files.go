// Package files replays what the tool calls on a path did to files, and says how sure the result is. It never guesses (docs/files.md).
package files

import (
	"slices"

	"tlog/objects"
	"tlog/refs"
)

// Grade says how sure the state of a file is.
type Grade uint8

// The grades, the surest last.
const (
	Unknown Grade = iota // something may have changed it that was not recorded
	Derived              // edits that applied cleanly to a state that was sure, or one that leaves out what the agent does not record
	Exact                // a whole write or read, and nothing since that may have changed the file
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
	// Plain: the agent did not record line ends, nor a byte order mark. Text has "\n" where the file may have "\r\n".
	Plain bool
	Why   string // of an Unknown state, what made it unknown: "npm install", "the edit does not apply"
	By    int    // the record of the entry that made the state
	// Known: something was known of its content before, or it was created on this path; else the first that is recorded is an edit of
	// a file that nobody looked at.
	Known bool
}

// Sure reports whether it is known what is in the file, or that there is none.
func (s State) Sure() bool { return s.Grade > Unknown }

// Change is one operation on a file on a path.
type Change struct {
	Path string
	Op   objects.FileOp
	// Entry is the record in which the call stands, Result that of its result.
	Entry, Result int
	Tool          string
	Failed        bool
	// Command is the command that did it, where a shell did.
	Command string
	// Before and After are the file's states. Where the operation's record tells what was in the file before, Before is that.
	Before, After State
	// Added and Removed are lines, by the states if both are known, else by what the operation tells; Counted is false where neither does.
	Added, Removed int
	Counted        bool
	prior          State // what was known before the operation told what was in the file
}

// A Replay is the files on a path.
type Replay struct {
	opt    Options
	states map[string]*known
	// folders are the working folders, which are no files.
	folders map[string]bool
	seq     int // of the last event
	// fog is the last event after which any file may have changed, doubt the last after which one may have that is assumed not to.
	fog   event
	doubt int
}

// known is a state, with the event that made it.
type known struct {
	State
	seq int
}

// event is something that happened to files.
type event struct {
	seq int
	by  int // the record
	why string
}

// Options are how to replay.
type Options struct {
	// Cwd is the working folder where the log does not tell one.
	Cwd string
	// Each is called for each operation in the order of the path; nil for none.
	Each func(Change) error
}

// New replays the entries of a path that are not undone, from its beginning. The error is one of reading the log, or of Each.
func New(h *refs.History, opt Options) (*Replay, error) {
	r := &Replay{opt: opt, states: map[string]*known{}, folders: map[string]bool{}}
	w := walk{replay: r, log: h.Log(), open: map[string]*openCall{}, cwd: h.Log().Header().Cwd}
	if w.cwd == "" {
		w.cwd = opt.Cwd
	}
	for _, i := range h.Path() {
		if h.SkippedBy(i) >= 0 {
			continue
		}
		if err := w.entry(i); err != nil {
			return nil, err
		}
	}
	return r, w.unanswered()
}

// State is what is known of a file at the end of the path; ok is false if nothing is.
func (r *Replay) State(path string) (State, bool) {
	k, ok := r.states[path]
	if !ok {
		return State{}, false
	}
	return r.now(k), true
}

// Paths are the files of which something is known, sorted.
func (r *Replay) Paths() []string {
	paths := make([]string, 0, len(r.states))
	for p := range r.states {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// now is a state as it is at the last event.
func (r *Replay) now(k *known) State {
	s := k.State
	switch {
	case k.seq < r.fog.seq && s.Grade > Unknown:
		s.Grade, s.Stale, s.Why, s.By = Unknown, s.Exists, r.fog.why, r.fog.by
	case k.seq < r.doubt && s.Grade == Exact:
		s.Grade = Derived
	}
	return s
}

// at is the state of a file at the last event; one of which nothing is known is Unknown.
func (r *Replay) at(path string) State {
	if k, ok := r.states[path]; ok {
		return r.now(k)
	}
	return State{Path: path, Why: "nothing was recorded of it before", By: -1}
}

// set sets the state of a file.
func (r *Replay) set(path string, s State) {
	s.Path = path
	s.Known = s.Known || s.Grade > Unknown
	r.states[path] = &known{State: s, seq: r.seq}
}

// below are the files of which something is known that are path, or in the folder path, sorted.
func (r *Replay) below(path string) (files []string) {
	prefix := path + "/"
	if path == "/" {
		prefix = "/"
	}
	for p := range r.states {
		if p == path || len(p) > len(prefix) && p[:len(prefix)] == prefix {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	return files
}
