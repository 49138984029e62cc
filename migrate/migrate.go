// Package migrate turns files of older format versions into version 4, a line at a time.
//
// It knows lines, not files: package log reads and writes them. Each step from
// one version to the next is its own function; they run in order, and each is
// idempotent: what already has an id or a parent keeps it. Bytes of the payload are spliced,
// never decoded and encoded again, and everything that a step makes up is derived from
// the session's id and the line's number, so that migrating twice gives the same bytes.
package migrate

import "tlog/objects"

// Detect tells the format version of a file from its first line that is a JSON object.
// 0 for a bare message (a string "role" and no "type" that makes it an entry), the header's version for a header; a
// header's version above [objects.Version] is returned as it is. The error wraps
// objects.ErrInvalid if the line begins no session, and says what it looks like.
func Detect(object []byte) (version int, err error) { panic("todo") }

// A Step brings lines from one version to the next.
type Step struct {
	From  int    // version of the lines that it takes
	Title string // what it changes, for people
}

// Steps are those that a file of the given version needs, in order. None for version 4.
func Steps(version int) []Step { panic("todo") }

// A Migrator takes the lines of one file in order and gives them back in version 4.
type Migrator struct {
	version int
	session objects.ID
}

// New makes a Migrator for a file of the given version (0 to 4). session is the
// id that entries without one are derived from.
func New(version int, session objects.ID) *Migrator { panic("todo") }

// Entry migrates the object of one entry line. line is its number in the file, from 1.
// Every line of the file that is a JSON object must pass through here in order, the header through Header.
// The result is object itself if nothing changes.
func (m *Migrator) Entry(object []byte, line int) []byte { panic("todo") }

// Header tells the Migrator of the file's header line, which counts in
// firstKeptEntryIndex (index 0), and notes the header's id for parents that name it.
func (m *Migrator) Header(h objects.Header) { panic("todo") }
