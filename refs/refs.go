// Package refs says what names mean: HEAD, branches, labels, reflogs, what is
// undone on a path, and the revision grammar. All of it is a fold of the log.
package refs

import (
	"tlog/log"
	"tlog/objects"
)

// DefaultBranch is the branch that HEAD is attached to when a log begins.
const DefaultBranch = "main"

// Head is where HEAD is.
type Head struct {
	Branch string // the branch that HEAD is attached to; empty if detached
	At     int    // the entry that HEAD stands at; log.None if the branch is unborn
}

// Detached reports whether HEAD is on no branch.
func (h Head) Detached() bool { return h.Branch == "" }

// Branch is a named ref.
type Branch struct {
	Name string
	At   int // its tip
}

// State is the fold of a log's lines up to some line.
type State struct {
	log  *log.Log
	next int // the first record that is not folded in yet
}

// Fold reads the refs of a log.
func Fold(l *log.Log) (*State, error) { panic("todo") }

// Advance folds in the records that the log has read since.
func (s *State) Advance() error { panic("todo") }

// Log is the log that was folded.
func (s *State) Log() *log.Log { return s.log }

// Head is where HEAD is.
func (s *State) Head() Head { panic("todo") }

// Branches are the branches with a tip, by name. An unborn branch is none of them.
func (s *State) Branches() []Branch { panic("todo") }

// Branch looks a branch up.
func (s *State) Branch(name string) (Branch, bool) { panic("todo") }

// UnnamedLeaves are the leaves of the graph that no branch and not HEAD stands at, in file order.
func (s *State) UnnamedLeaves() []int { panic("todo") }

// Label is the label of entry i, empty if it has none. The session's last word counts.
func (s *State) Label(i int) string { panic("todo") }

// Labelled are the entries that carry the label, in file order.
func (s *State) Labelled(label string) []int { panic("todo") }

// Labels are all labelled entries, in file order.
func (s *State) Labels() []int { panic("todo") }

// Name is the session's name: its last session_info, else the header's; empty if it has none.
func (s *State) Name() string { panic("todo") }

// Names are the names that stand at entry i for a decoration: "HEAD" if HEAD is there, then branches by name.
func (s *State) Names(i int) []string { panic("todo") }

// Move is one line of a reflog.
type Move struct {
	At     int    // where the ref stood afterwards; log.None if it was removed or unborn
	By     int    // the record that moved it
	Reason string // of ref and head lines as written ("checkout: moving from main to x"), else "append", "undo", "redo" ...
}

// Reflog is the history of a branch, or of HEAD, newest first. It folds the log again. The error
// wraps objects.ErrNotFound if there was never a ref of that name.
func Reflog(l *log.Log, name string) ([]Move, error) { panic("todo") }

// CheckName tells whether name may name a branch or label: git's rules for ref names (no component that begins with "." or ends
// with ".lock", no "..", "@{", control characters, space, ~^:?*[\, no leading "-", no slash at either end or doubled, no trailing ".", not "@" or "HEAD"), at most 255 bytes, valid UTF-8. The error wraps objects.ErrInvalid.
func CheckName(name string) error { panic("todo") }

// Check yields what is wrong with refs: lines whose target is no entry.
func (s *State) Check() []log.Finding { panic("todo") }

var _ objects.ID
