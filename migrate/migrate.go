// Package migrate turns files of older format versions into version 4, a line at a time.
//
// It knows lines, not files: package log reads and writes them. Each step from
// one version to the next is its own function; they run in order, and each is
// idempotent: what already has an id or a parent keeps it. Bytes of the payload are spliced,
// never decoded and encoded again, and everything that a step makes up is derived from
// the session's id and the line's number, so that migrating twice gives the same bytes.
package migrate

import "tlog/objects"

// A Step brings lines from one version to the next.
type Step struct {
	From  int    // version of the lines that it takes
	Title string // what it changes, for people
}

// steps are all steps, in order, each at the index of the version that it takes.
var steps = []struct {
	Step
	apply func(m *Migrator, object []byte, line int) []byte // nil if lines stay as they are
}{
	{Step{0, "put each message into an entry, below a header"}, (*Migrator).wrap},
	{Step{1, "give each entry an id and a parent, name the first kept entry of a compaction by its id"}, (*Migrator).connect},
	{Step{2, "rename role hookMessage to custom and model to modelId, make entries below the header roots"}, (*Migrator).rename},
	{Step{3, "header of version 4, branches and HEAD, a chain of hashes"}, nil},
}

// Steps are those that a file of the given version needs, in order. None for version 4.
func Steps(version int) []Step {
	var needed []Step
	for _, s := range steps {
		if s.From >= version {
			needed = append(needed, s.Step)
		}
	}
	return needed
}

// A Migrator takes the lines of one file in order and gives them back in version 4.
type Migrator struct {
	version int
	session objects.ID
	header  objects.ID   // the id that the file's header names; empty in version 0
	prev    objects.ID   // the entry before the next one
	ids     []objects.ID // of the lines so far, by their index; only up to version 1
}

// New makes a Migrator for a file of the given version (0 to 4). session is the
// id that entries without one are derived from.
func New(version int, session objects.ID) *Migrator {
	// Index 0 is the header's, also in version 0, whose first step puts one there.
	return &Migrator{version: max(version, 0), session: session, ids: make([]objects.ID, 1)}
}

// Header tells the Migrator of the file's header line, which counts in
// firstKeptEntryIndex (index 0), and notes the header's id for parents that name it.
func (m *Migrator) Header(h objects.Header) { m.header = h.ID }

// Entry migrates the object of one entry line. line is its number in the file, from 1.
// Every line of the file that is a JSON object must pass through here in order, the header through Header.
// Further header lines stay as they are. The result is object itself if nothing changes.
func (m *Migrator) Entry(object []byte, line int) []byte {
	if m.version >= 3 {
		return object
	}
	for _, s := range steps[m.version:] {
		if s.apply != nil {
			object = s.apply(m, object, line)
		}
	}
	return object
}

// text is the string in value; "" if it holds none.
func text(value []byte) string {
	s, _ := objects.Unquote(value)
	return s
}
