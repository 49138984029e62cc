package checkout

import (
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// drop finds the entries that a fork leaves out: labels of entries that it has not. A
// flattened one leaves out what is undone, skip and unskip, and edits and labels of all that.
func (f *forker) drop(h *refs.History) error {
	f.dropped = map[int]bool{}
	about := map[int][]int{} // the edits and labels of an entry
	var gone []int
	for _, i := range f.path {
		t := f.s.Log.Record(i).Type
		leave, err := f.leaves(i, t, h.SkippedBy(i) != log.None)
		if err != nil {
			return err
		}
		if leave {
			gone = append(gone, i)
			continue
		}
		if t != objects.TypeContextEdit && t != objects.TypeLabel {
			continue
		}
		target, err := f.targetOf(i)
		if err != nil {
			return err
		}
		if _, onPath := f.place[target]; onPath {
			about[target] = append(about[target], i)
		} else if t == objects.TypeLabel {
			gone = append(gone, i)
		}
	}
	// A label may have a label itself, so what goes takes others with it.
	for len(gone) > 0 {
		i := gone[len(gone)-1]
		gone = gone[:len(gone)-1]
		if !f.dropped[i] {
			f.dropped[i] = true
			gone = append(gone, about[i]...)
		}
	}
	return nil
}

// targetOf is the entry that a label or context_edit is about, log.None if there is no such entry.
func (f *forker) targetOf(i int) (int, error) {
	entry, err := f.s.Log.Entry(i)
	if err != nil {
		return log.None, err
	}
	target, _ := entry.Text("targetId")
	at, ok := f.s.Log.Find(objects.ID(target))
	if !ok {
		return log.None, nil
	}
	return at, nil
}

// moveFirstKept replaces the firstKeptEntryId of a compaction that is not copied (it is left out, or a
// journal entry) by the next entry before the compaction that is, or by the compaction's own id,
// which keeps nothing.
func (f *forker) moveFirstKept(line []byte, entry objects.Entry, compaction int) []byte {
	first, _ := entry.Text("firstKeptEntryId")
	at, ok := f.s.Log.Find(objects.ID(first))
	if !ok {
		return line
	}
	from, onPath := f.place[at]
	if r := f.s.Log.Record(at); r.Type.Journal() {
		// A program that takes journal lines for entries keeps what hangs below the line.
		if from, onPath = 0, r.Parent == log.None; !onPath {
			from, onPath = f.place[r.Parent]
			from++
		}
		onPath = onPath && from < f.place[compaction] && f.s.Log.HangsBelow(f.path[from], at)
	} else if !f.dropped[at] && r.ID == objects.ID(first) {
		return line
	}
	if !onPath {
		return line // it keeps nothing, here as there
	}
	to := compaction
	for n := from; n < f.place[compaction]; n++ {
		if !f.dropped[f.path[n]] {
			to = f.path[n]
			break
		}
	}
	return objects.ReplaceValue(line, "firstKeptEntryId", objects.AppendQuote(nil, string(f.s.Log.Record(to).ID)))
}
