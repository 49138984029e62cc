// Package diff compares two approaches: two paths of one session, of two that share entries, or of two that only have the same words.
package diff

import "tlog/refs"

// None stands for no entry, and no turn.
const None = -1

// Side is one of two paths: that to the entry At in the log of State.
type Side struct {
	State *refs.State
	At    int // log.None for an unborn branch: an empty path
}

// Relation says by what the common part of two paths was found.
type Relation uint8

// The relations.
const (
	Unrelated Relation = iota // nothing is common
	ByContent                 // no id is common; the first entries say the same
	ByID                      // two sessions share entries, as a fork with its parent
	ByGraph                   // one session: the newest common ancestor
)

// Status says what a pair is.
type Status uint8

// The statuses.
const (
	Same    Status = iota // both say the same
	Changed               // they correspond, and differ
	OnlyA
	OnlyB
)

// Comparison is what is common to two paths and what is not.
type Comparison struct {
	A, B     *Path
	Relation Relation
	// Base is the newest common entry on each side, as a record; None if nothing is common.
	BaseA, BaseB int
	// Common are the tree entries of the common part on each side, Only the others, oldest first. But for the relation ByContent the n-th of CommonA and the
	// n-th of CommonB are one entry.
	CommonA, CommonB []int
	OnlyA, OnlyB     []int
	// Turns correspond to each other behind the common part, in an order that keeps that of both sides.
	Turns []TurnPair
	// Undone are visible entries of the common part that are undone on one side alone: the status is OnlyA if a shows it still. None of the relation ByContent:
	// there, what is undone says nothing.
	Undone []EntryPair
}

// Path is one side.
type Path struct {
	Side
	History *refs.History
	// Turns are those of what is visible and not common. The first goes on with the turn of the common part where no prompt stands between.
	Turns []refs.Turn
}

// TurnPair is a turn of one side with that of the other.
type TurnPair struct {
	A, B    int // indexes into Path.Turns; None
	Status  Status
	Entries []EntryPair // in an order that keeps that of both sides
	// Likeness is how much of it is the same, from 0 to 1; 1 for Same.
	Likeness float64
}

// EntryPair is an entry of one side with that of the other.
type EntryPair struct {
	A, B   int // records; None
	Status Status
}

// Compare compares two paths. Results depend on nothing but the two, and the sides are treated alike. Errors are those of reading the logs. A blob that is missing
// is none: what stands in its place is compared.
func Compare(a, b Side) (*Comparison, error) {
	c := &Comparison{BaseA: None, BaseB: None}
	var err error
	if c.A, err = newPath(a); err != nil {
		return nil, err
	}
	if c.B, err = newPath(b); err != nil {
		return nil, err
	}
	if !c.shareGraph() && !c.shareIDs() {
		if err := c.shareWords(); err != nil {
			return nil, err
		}
	}
	c.findUndone()
	return c, c.align()
}

func newPath(side Side) (*Path, error) {
	h, err := refs.NewHistory(side.State.Log(), side.At)
	if err != nil {
		return nil, err
	}
	return &Path{Side: side, History: h}, nil
}

// Empty reports whether both sides say the same: every entry corresponds to one that says the same, and the same are undone.
func (c *Comparison) Empty() bool {
	for _, t := range c.Turns {
		if t.Status != Same {
			return false
		}
	}
	return len(c.Undone) == 0
}
