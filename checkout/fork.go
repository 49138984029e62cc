package checkout

import (
	"tlog/log"
	"tlog/objects"
)

// ForkOptions are how to fork.
type ForkOptions struct {
	Flatten bool       // leave out what is undone, and every skip and unskip
	Cwd     string     // of the new session; empty for that of this one
	Name    string     // of the new session
	ID      objects.ID // of the new session; empty for a new one
}

// Fork is a session to be written: the path to an entry.
type Fork struct {
	Header  objects.Header
	Lines   []log.Line
	Entries int // copied entries
}

// Fork prepares a fork of the path to an entry. Entries keep their ids and their bytes; labels and the name that
// lie off the path are written again at the end. With Flatten parents, firstKeptEntryId and targets of what is left out are spliced.
// Write it with log.WriteFile.
func (s *Session) Fork(at int, opt ForkOptions) (Fork, error) { panic("todo") }
