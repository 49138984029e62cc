package agents

import (
	"time"

	"tlog/objects"
)

// NameTarget is a Target that keeps the names of its sessions outside of their transcripts, in a file to which it only ever appends lines.
type NameTarget interface {
	Target
	// NameLine is the line that names a session, without its end, and the file that it goes to the end of.
	NameLine(env func(string) string, session objects.ID, name string, now time.Time) (file string, line []byte)
}
