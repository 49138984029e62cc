package main

import (
	"fmt"
	"slices"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/diff"
	"tlog/log"
	"tlog/objects"
)

// Of what a compaction no longer keeps, so many entries are named, for people and for programs.
const (
	maxDroppedLines = 8
	maxDroppedIDs   = 100
)

// dropped is what the compaction before one kept, and this one does not: it is in no context from there on but as a summary may tell of it.
type dropped struct {
	count   int
	entries []int // the first ones
}

// keeping finds what the compactions of a path keep.
type keeping struct {
	side
	place       []int32 // of a record on the path, from 1; 0 if it is not there
	seen        []int32 // entries that log shows before each place
	compactions []int   // places, oldest first
}

func newKeeping(s side) *keeping {
	path := s.path.History.Path()
	k := &keeping{side: s, place: make([]int32, s.log.Len()), seen: make([]int32, len(path)+1)}
	for n, at := range path {
		k.place[at] = int32(n) + 1
		k.seen[n+1] = k.seen[n]
		if !k.shown(at) {
			continue
		}
		k.seen[n+1]++
		if s.log.Record(at).Type == objects.TypeCompaction {
			k.compactions = append(k.compactions, n)
		}
	}
	return k
}

func (k *keeping) shown(at int) bool {
	return k.log.Record(at).Visible() && k.path.History.SkippedBy(at) == log.None
}

// find is the place of an entry; ok is false if it is not on the path.
func (k *keeping) find(id objects.ID) (place int, ok bool) {
	at, ok := k.log.Find(id)
	if !ok || k.place[at] == 0 {
		return 0, false
	}
	return int(k.place[at]) - 1, true
}

// kept are the places that the compaction at a place keeps: all from first on, or those of a list. Without either first is that of the compaction.
func (k *keeping) kept(place int) (first int, list []int, err error) {
	e, err := k.log.Entry(k.path.History.Path()[place])
	if err != nil {
		return 0, nil, err
	}
	says, _ := k.log.Compaction(e)
	if at, ok := k.find(says.FirstKept); ok && says.FirstKept != "" && at < place {
		return at, nil, nil
	}
	for _, id := range says.Kept {
		if at, ok := k.find(id); ok && at < place && k.shown(k.path.History.Path()[at]) {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return place, slices.Compact(list), nil
}

// dropped is what the compaction in record at does not keep of what the one before it on the path kept.
func (k *keeping) dropped(at int) (dropped, error) {
	place := int(k.place[at]) - 1
	n, ok := slices.BinarySearch(k.compactions, place)
	if !ok || n == 0 {
		return dropped{}, nil
	}
	before := k.compactions[n-1]
	first, list, err := k.kept(place)
	if err != nil {
		return dropped{}, err
	}
	oldFirst, old, err := k.kept(before)
	if err != nil {
		return dropped{}, err
	}
	var d dropped
	keeps := func(place int) bool {
		_, listed := slices.BinarySearch(list, place)
		return listed || place >= first
	}
	for _, place := range old {
		if !keeps(place) {
			d.count++
			d.name(k.path.History.Path()[place])
		}
	}
	end := min(before, first)
	if oldFirst >= end {
		return d, nil
	}
	d.count += int(k.seen[end] - k.seen[oldFirst])
	for _, place := range list {
		if place >= oldFirst && place < end {
			d.count--
		}
	}
	for place := oldFirst; place < end && len(d.entries) < min(d.count, maxDroppedIDs); place++ {
		if at := k.path.History.Path()[place]; k.shown(at) && !keeps(place) {
			d.name(at)
		}
	}
	return d, nil
}

func (d *dropped) name(at int) {
	if len(d.entries) < maxDroppedIDs {
		d.entries = append(d.entries, at)
	}
}

// droppedOf is what the compactions of a pair no longer keep; ok is false if it has none.
func (d *comparison) droppedOf(pair diff.EntryPair) (both [2]dropped, ok bool, err error) {
	if d.opt.text || d.opt.tools {
		return both, false, nil
	}
	for i, s := range []struct {
		side
		at int
	}{{d.a, pair.A}, {d.b, pair.B}} {
		if s.at == diff.None || s.log.Record(s.at).Type != objects.TypeCompaction {
			continue
		}
		if d.keeping[i] == nil {
			d.keeping[i] = newKeeping(s.side)
		}
		if both[i], err = d.keeping[i].dropped(s.at); err != nil {
			return both, false, err
		}
		ok = true
	}
	return both, ok, nil
}

// printDropped names, below a compaction, what it no longer keeps.
func (d *comparison) printDropped(pair diff.EntryPair) error {
	both, ok, err := d.droppedOf(pair)
	if err != nil || !ok {
		return err
	}
	out := d.app.IO.Out
	for i, s := range []side{d.a, d.b} {
		status := [...]diff.Status{diff.OnlyA, diff.OnlyB}[i]
		mark := statusStyles[status].Paint(statusMarks[status] + " no longer kept ")
		named := both[i].entries[:min(len(both[i].entries), maxDroppedLines)]
		for _, at := range named {
			v, err := s.reader.Read(at, false)
			if err != nil {
				return err
			}
			head := terminal.Concat(terminal.Line("    "), mark, terminal.Yellow.Paint(v.Short), terminal.Line(" "))
			out.Println(head, v.Subject(out.Width()-head.Width()))
		}
		if left := both[i].count - len(named); left > 0 {
			out.Println(terminal.Line("    "), mark, terminal.Dim.Paint(fmt.Sprintf("… +%d %s", left, plural(left, "entry", "entries"))))
		}
	}
	return out.Err()
}

// droppedObject is what the compactions of a pair no longer keep; nil if it has none.
func (d *comparison) droppedObject(pair diff.EntryPair) (*jsonout.Object, error) {
	both, ok, err := d.droppedOf(pair)
	if err != nil || !ok {
		return nil, err
	}
	o := new(jsonout.Object)
	for i, s := range []side{d.a, d.b} {
		ids := make([]string, len(both[i].entries))
		for n, at := range both[i].entries {
			ids[n] = string(idAt(s.log, at))
		}
		o.Object([...]string{"a", "b"}[i], new(jsonout.Object).Int("count", int64(both[i].count)).Strings("ids", ids))
	}
	return o, nil
}
