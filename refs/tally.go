package refs

import (
	"tlog/log"
	"tlog/objects"
)

// Tally counts what log shows on the paths to many entries. It looks at each
// entry of the log once, however many paths go through it; only a path with an undo on it is read for itself.
type Tally struct {
	log     *log.Log
	visible []int32 // visible entries on the path to each entry, undone ones included; -1 is not known yet
	undoing []bool  // whether there is a skip on it
}

// NewTally makes a Tally of the log as it is now.
func NewTally(l *log.Log) *Tally {
	t := &Tally{log: l, visible: make([]int32, l.Len()), undoing: make([]bool, l.Len())}
	for i := range t.visible {
		t.visible[i] = -1
	}
	return t
}

// Shown is the number of entries that log shows of the path to at, and the newest of
// them; log.None if there are none.
func (t *Tally) Shown(at int) (count, newest int, err error) {
	if at == log.None {
		return 0, log.None, nil
	}
	t.count(at)
	if t.undoing[at] {
		h, err := NewHistory(t.log, at)
		if err != nil {
			return 0, log.None, err
		}
		newest, _ = h.Back(0)
		return len(h.Visible()), newest, nil
	}
	for newest = at; newest != log.None && !t.log.Record(newest).Visible(); {
		newest = t.log.Record(newest).Parent
	}
	return int(t.visible[at]), newest, nil
}

// count fills in the path to at, as far as it is not known.
func (t *Tally) count(at int) {
	var open []int
	for i := at; i != log.None && t.visible[i] < 0; i = t.log.Record(i).Parent {
		open = append(open, i)
	}
	for len(open) > 0 {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		r := t.log.Record(i)
		var n int32
		if r.Parent != log.None {
			n, t.undoing[i] = t.visible[r.Parent], t.undoing[r.Parent]
		}
		if r.Visible() {
			n++
		}
		t.visible[i] = n
		t.undoing[i] = t.undoing[i] || r.Type == objects.TypeSkip
	}
}
