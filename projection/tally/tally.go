// Package tally counts what happened in entries: turns, tool calls, commands, tests, files, tokens, time.
package tally

import (
	"fmt"
	"time"

	"tlog/log"
	"tlog/projection"
	"tlog/projection/files"
	"tlog/refs"
)

// Tally is what happened in some entries of a path. What no entry records is told apart from 0: see the fields with a Recorded or Known beside them.
type Tally struct {
	Turns   int // user prompts
	Entries int // that log shows by default
	Words   int // of the user's prompts, as white space separates them
	Tools   []ToolCount
	// Commands are those that ran in a shell: of the model, and of the user where their end is recorded.
	Commands     int
	CommandsBad  int // of these, that ended with another status than 0 or were stopped
	CommandsOpen int // of these, without a result
	// Tests are what results of test runners said, summed over all runs; Runs is how many said so.
	Tests TestCount
	// Files, sorted by path.
	Files []FileCount
	Usage projection.Usage
	// Models by the order of their first reply, with the replies of each.
	Models      []ModelCount
	Compactions int
	// First and Last are the earliest and the latest time of an entry that log shows, zero if not recorded. Wall is what is between, Active that without the pauses
	// in which nothing ran for more than PauseAfter, and without the waiting for the user.
	First, Last time.Time
	Wall        time.Duration
	Active      time.Duration
	Timed       bool // there are two times at least
}

// PauseAfter is how long nothing may be recorded before the time counts as a pause.
const PauseAfter = 5 * time.Minute

// ToolCount are the calls of one tool.
type ToolCount struct {
	Name    string
	Calls   int
	Failed  int
	Pending int // without a result
}

// TestCount is what test runners said.
type TestCount struct {
	Runs, Passed, Failed, Skipped int
	// LastFailed and LastPassed are those of the last run.
	LastPassed, LastFailed int
}

// FileCount is what was done to one file.
type FileCount struct {
	Path           string
	Reads, Changes int
	Failed         int         // operations that failed
	Added, Removed int         // lines
	Counted        bool        // of all changes lines are known
	Grade          files.Grade // of its last state
	Deleted        bool
	Created        bool
	Graded         bool // Grade is known
}

// ModelCount are the replies of a model.
type ModelCount struct {
	Provider, Model string
	Replies         int
}

// Options say what is counted.
type Options struct {
	// Entries are the records of the path that are counted, in its order.
	Entries []int
	// Files are the states of the files on the path, by which they are graded; nil if they are not to be.
	Files *files.Replay
	// Changes are what these entries did to files, taken from that replay; nil to go by what the calls say of themselves.
	Changes *FileChanges
}

// Count counts entries of a path; undone ones are left out.
func Count(h *refs.History, opt Options) (Tally, error) {
	c := newCounter(h.Log())
	for _, at := range opt.Entries {
		if h.SkippedBy(at) != log.None {
			continue
		}
		if err := c.add(at); err != nil {
			return Tally{}, fmt.Errorf("count entry %s: %w", h.Log().Short(at), err)
		}
	}
	return c.finish(opt), nil
}
