package refs

import (
	"fmt"
	"slices"

	"tlog/log"
	"tlog/objects"
)

// History is the path to an entry, with what is undone on it. It is of the log
// as it was when the History was made. Slices that it gives are shared: do not change them.
type History struct {
	log    *log.Log
	path   []int
	skips  []int         // the skip entries on the path, oldest first
	names  map[int][]int // the entries that a skip entry names, each once
	held   map[int]int   // each undone entry to the skip entry that holds it
	onPath []uint64      // a bit a record; nil until Contains asks for it
}

// NewHistory reads the path to the entry at (log.None: an empty path). It reads only
// the skip and unskip entries on it. Targets that are no entries are passed over. The
// error wraps objects.ErrInvalid if at is no tree entry.
func NewHistory(l *log.Log, at int) (*History, error) {
	h := &History{log: l}
	if at == log.None {
		return h, nil
	}
	if !isEntry(l, at) {
		return nil, invalid("history of record %d: expected a tree entry", at)
	}
	h.path = l.Ancestry(at)
	for _, i := range h.path {
		if err := h.step(i); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// step takes what entry i says about undoing. An entry belongs to the newest
// skip that names it.
func (h *History) step(i int) error {
	t := h.log.Record(i).Type
	if t != objects.TypeSkip && t != objects.TypeUnskip {
		return nil
	}
	e, err := h.log.Entry(i)
	if err != nil {
		return fmt.Errorf("read %s entry %s: %w", t, h.log.Short(i), err)
	}
	targets := h.targets(e)
	if t == objects.TypeUnskip {
		for _, target := range targets {
			delete(h.held, target)
		}
		return nil
	}
	if h.held == nil {
		h.held, h.names = map[int]int{}, map[int][]int{}
	}
	for _, target := range targets {
		h.held[target] = i
	}
	h.skips = append(h.skips, i)
	h.names[i] = targets
	return nil
}

// targets are the entries that a skip or unskip entry names, each once.
func (h *History) targets(e objects.Entry) []int {
	ids := e.TargetIDs()
	targets := make([]int, 0, len(ids))
	seen := make(map[int]bool, len(ids))
	for _, id := range ids {
		if i := findEntry(h.log, id); i != log.None && !seen[i] {
			seen[i] = true
			targets = append(targets, i)
		}
	}
	return targets
}

// Log is the log that the path lies in.
func (h *History) Log() *log.Log { return h.log }

// Path are the tree entries from a root to the entry, oldest first, undone ones included.
func (h *History) Path() []int { return h.path }

// Contains reports whether entry i is on the path.
func (h *History) Contains(i int) bool {
	if h.onPath == nil {
		h.onPath = make([]uint64, h.log.Len()/64+1)
		for _, p := range h.path {
			h.onPath[p/64] |= 1 << (p % 64)
		}
	}
	return i >= 0 && i/64 < len(h.onPath) && h.onPath[i/64]&(1<<(i%64)) != 0
}

// SkippedBy is the skip entry that holds entry i undone, or log.None.
func (h *History) SkippedBy(i int) int {
	if skip, ok := h.held[i]; ok {
		return skip
	}
	return log.None
}

// Skipped are the undone entries on the path, oldest first.
func (h *History) Skipped() []int {
	if len(h.held) == 0 {
		return nil
	}
	var skipped []int
	for _, i := range h.path {
		if h.SkippedBy(i) != log.None {
			skipped = append(skipped, i)
		}
	}
	return skipped
}

// Held are the entries that the skip entry still holds undone, in the order it names them, also
// such that are not on the path.
func (h *History) Held(skip int) []int {
	var held []int
	for _, i := range h.names[skip] {
		if h.SkippedBy(i) == skip {
			held = append(held, i)
		}
	}
	return held
}

// NewestSkip is the newest skip entry on the path that still holds something, or log.None.
func (h *History) NewestSkip() int {
	for _, skip := range slices.Backward(h.skips) {
		for _, i := range h.names[skip] {
			if h.SkippedBy(i) == skip {
				return skip
			}
		}
	}
	return log.None
}

// visible reports whether log shows entry i of the path by default.
func (h *History) visible(i int) bool {
	return h.log.Record(i).Visible() && h.SkippedBy(i) == log.None
}

// Visible are the entries that log shows by default: of a visible type and not undone; oldest first.
func (h *History) Visible() []int {
	var visible []int
	for _, i := range h.path {
		if h.visible(i) {
			visible = append(visible, i)
		}
	}
	return visible
}

// Back is the n-th visible entry counted back from the end of the path; 0 is the newest. False if there are fewer.
func (h *History) Back(n int) (int, bool) {
	for _, i := range slices.Backward(h.path) {
		if !h.visible(i) {
			continue
		}
		if n == 0 {
			return i, true
		}
		n--
	}
	return log.None, false
}
