// Package checkout holds what changes a session: append, checkout, branch,
// label, undo, redo, fork, import. Each operation is one write to the log.
package checkout

import (
	"context"
	"io"
	"time"

	"tlog/log"
	"tlog/objects"
	"tlog/projection"
	"tlog/refs"
)

// Options are what a session takes from outside.
type Options struct {
	Now    func() time.Time // the clock for timestamps and ids
	Random io.Reader        // randomness for ids
	Write  log.WriteOptions
}

// Session is a log that can be changed. Its methods are not safe for use by several goroutines at
// once; several processes may change one file.
type Session struct {
	Log  *log.Log
	Refs *refs.State
	opt  Options
}

// Open opens the log at path. Opening never writes.
func Open(path string, opt Options) (*Session, error) { panic("todo") }

// Create makes a new log at path; id and timestamp are set where header leaves them empty.
func Create(path string, header objects.Header, opt Options) (*Session, error) { panic("todo") }

// Close frees the file.
func (s *Session) Close() error { panic("todo") }

// NewID makes an id.
func (s *Session) NewID() (objects.ID, error) { panic("todo") }

// AppendOptions say where to append.
type AppendOptions struct {
	Branch string // the branch to append to; empty for HEAD
}

// Append appends entries in one write and returns their ids. Each line is a whole entry (an object with a
// "type") or a bare message (an object with "role" and no "type"); its bytes are kept, what it lacks of id, parentId and timestamp is added.
// An entry without parentId goes on top of the one before it, the first one on top of the branch.
//
// An entry that names its parent must go on top: its parent must be the tip, an entry of the same call, or, for a tool
// result, the entry with its call if only results of that entry lie between. So of two programs that go on from one stale tip
// the second is refused (objects.ErrRefused) with the tip named; checkout says that a new line is meant.
// Journal entries, a header and lines with chain are refused (objects.ErrInvalid). Targets of label, context_edit, skip and unskip must be entries,
// that of a context_edit a message on the branch with content that can be edited.
func (s *Session) Append(ctx context.Context, lines [][]byte, opt AppendOptions) ([]objects.ID, error) {
	panic("todo")
}

// Switch attaches HEAD to a branch that is there.
func (s *Session) Switch(ctx context.Context, branch string) error { panic("todo") }

// Detach detaches HEAD at an entry.
func (s *Session) Detach(ctx context.Context, at int) error { panic("todo") }

// SwitchNew makes a branch at an entry and attaches HEAD to it, in one write. reset allows a branch of that name to be moved.
func (s *Session) SwitchNew(ctx context.Context, branch string, at int, reset bool) error {
	panic("todo")
}

// SwitchOrphan attaches HEAD to a branch that has no entry yet: what is appended next is a root.
func (s *Session) SwitchOrphan(ctx context.Context, branch string) error { panic("todo") }

// CreateBranch makes a branch at an entry. force moves one that is there.
// A name that begins the id of an entry is refused, it would hide the entry.
func (s *Session) CreateBranch(ctx context.Context, branch string, at int, force bool) error {
	panic("todo")
}

// DeleteBranch removes a branch; its entries stay. The branch that HEAD is attached to is refused.
func (s *Session) DeleteBranch(ctx context.Context, branch string) error { panic("todo") }

// RenameBranch renames a branch, HEAD with it.
func (s *Session) RenameBranch(ctx context.Context, from, to string, force bool) error {
	panic("todo")
}

// SetLabel labels an entry; an empty label clears.
func (s *Session) SetLabel(ctx context.Context, at int, label string) (objects.ID, error) {
	panic("todo")
}

// SetName names the session.
func (s *Session) SetName(ctx context.Context, name string) (objects.ID, error) { panic("todo") }

// Undone says what an undo or redo did.
type Undone struct {
	Entry   objects.ID // the skip or unskip entry; empty if nothing was written
	Targets []int      // what is undone (or back) now, oldest first
	Closure []int      // those of Targets that were not asked for but belong to a tool pair
	Pending int        // entries that were taken out of a Stream's pending buffer
}

// Undo undoes the n newest visible entries of HEAD's path.
func (s *Session) Undo(ctx context.Context, n int, reason string) (Undone, error) { panic("todo") }

// UndoTurns undoes the n newest turns.
func (s *Session) UndoTurns(ctx context.Context, n int, reason string) (Undone, error) { panic("todo") }

// UndoEntries undoes the given entries of HEAD's path. An entry that is not on it, or undone
// already, or a skip, is refused.
func (s *Session) UndoEntries(ctx context.Context, entries []int, reason string) (Undone, error) {
	panic("todo")
}

// Redo takes back the newest undo on the path that still holds something. objects.ErrNotFound if there is none.
func (s *Session) Redo(ctx context.Context, reason string) (Undone, error) { panic("todo") }

// EditContext replaces (content is a JSON string or array) or, with nil, leaves out an entry of HEAD's path in what the model is sent.
func (s *Session) EditContext(ctx context.Context, at int, content []byte) (objects.ID, error) {
	panic("todo")
}

// Compact appends a compaction. firstKept is log.None to keep nothing. The system
// messages of the context are folded into the entry's systemMessage (formats/pi.md section 2).
func (s *Session) Compact(ctx context.Context, summary string, firstKept int, tokensBefore int64) (objects.ID, error) {
	panic("todo")
}

// BranchSummary goes back to an entry (log.None: before the first) and appends a summary of the path that was left.
func (s *Session) BranchSummary(ctx context.Context, at int, summary string) (objects.ID, error) {
	panic("todo")
}

// Context is the projection of the path to an entry.
func (s *Session) Context(at int) (*projection.Context, error) { panic("todo") }
