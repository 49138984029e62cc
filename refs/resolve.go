package refs

import (
	"tlog/log"
	"tlog/objects"
)

// Rev is a revision resolved.
type Rev struct {
	State *State // of the session that the revision lies in
	At    int    // the entry; log.None for HEAD or a branch that is unborn
	Name  string // the branch, label or "HEAD" that was named without suffix, else empty
}

// ID is the id of the entry, empty if unborn.
func (r Rev) ID() objects.ID { panic("todo") }

// Resolver turns the revisions of a session into entries; every command uses it. docs/revisions.md is its grammar.
type Resolver struct {
	State *State
	// Open opens another session for <session>:<rev> and <file>:<rev>. It may be nil.
	Open func(session string) (*State, error)
}

// Resolve resolves one revision:
//
//	<id>, a prefix of an id or of its tail; HEAD or @; a branch; a label
//	<rev>~<n>    the n-th visible entry before <rev>, ~0 the newest at or before it
//	<rev>^       the parent entry
//	<rev>^{turn} the user prompt that began its turn
//	<ref>@{<n>}  where the ref stood n moves ago; @{<n>} is of the branch that HEAD is attached to; @{-<n>} the n-th branch checked out before
//	:/<text>     the newest entry on HEAD's path whose text has it
//	<session>:<rev>, <file>:<rev>
//
// HEAD and @ come first, then a branch, a label, a full id, a prefix. The error wraps
// objects.ErrNotFound or objects.ErrAmbiguous (an *AmbiguousError that lists the candidates) or objects.ErrInvalid.
func (r *Resolver) Resolve(rev string) (Rev, error) { panic("todo") }

// AmbiguousError lists what a name may stand for.
type AmbiguousError struct {
	Name       string
	State      *State
	Candidates []int
	More       bool // there are more than Candidates
}

// Range is a..b, a...b or a single revision.
type Range struct {
	From      Rev // At is log.None for a single revision
	To        Rev
	HasFrom   bool
	Symmetric bool // a...b; From is as written, Base the common ancestor
	Base      int  // of a...b: the newest common ancestor or log.None
}

// ResolveRange resolves a..b, a...b (an omitted side is HEAD) or a single revision.
func (r *Resolver) ResolveRange(spec string) (Range, error) { panic("todo") }

var _ = log.None
