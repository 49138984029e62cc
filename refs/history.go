package refs

import "tlog/log"

// History is the path to an entry, with what is undone on it.
type History struct {
	log  *log.Log
	path []int
}

// NewHistory reads the path to the entry at (log.None: an empty path). It reads only
// the skip and unskip entries on it.
func NewHistory(l *log.Log, at int) (*History, error) { panic("todo") }

// Log is the log that the path lies in.
func (h *History) Log() *log.Log { return h.log }

// Path are the tree entries from a root to the entry, oldest first, undone ones included.
func (h *History) Path() []int { return h.path }

// Contains reports whether entry i is on the path.
func (h *History) Contains(i int) bool { panic("todo") }

// SkippedBy is the skip entry that holds entry i undone, or log.None.
func (h *History) SkippedBy(i int) int { panic("todo") }

// Skipped are the undone entries on the path, oldest first.
func (h *History) Skipped() []int { panic("todo") }

// Held are the entries that the skip entry still holds undone, in the order it names them, also
// such that are not on the path.
func (h *History) Held(skip int) []int { panic("todo") }

// NewestSkip is the newest skip entry on the path that still holds something, or log.None.
func (h *History) NewestSkip() int { panic("todo") }

// Visible are the entries that log shows by default: of a visible type and not undone; oldest first.
func (h *History) Visible() []int { panic("todo") }

// Back is the n-th visible entry counted back from the end of the path; 0 is the newest. False if there are fewer.
func (h *History) Back(n int) (int, bool) { panic("todo") }

// Turn is a user prompt and what follows up to the next one.
type Turn struct {
	Prompt  int   // log.None for what stands before the first prompt
	Entries []int // visible entries, the prompt first
}

// Turns are the turns of the path's visible entries, oldest first. It reads the messages on the path.
func (h *History) Turns() ([]Turn, error) { panic("todo") }
