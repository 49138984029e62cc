package checkout

import (
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// drop finds the entries that a flattened fork leaves out: what is undone, skip
// and unskip, and edits and labels of what is left out.
func (f *forker) drop(h *refs.History) error {
	f.dropped = map[int]bool{}
	about := map[int][]int{} // the edits and labels of an entry
	var gone []int
	for _, i := range f.path {
		t := f.s.Log.Record(i).Type
		if h.SkippedBy(i) != log.None || t == objects.TypeSkip || t == objects.TypeUnskip {
			gone = append(gone, i)
			continue
		}
		target, err := f.targetOf(i)
		if err != nil {
			return err
		}
		if target != log.None {
			about[target] = append(about[target], i)
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

// targetOf is the entry that a label or context_edit is about.
func (f *forker) targetOf(i int) (int, error) {
	t := f.s.Log.Record(i).Type
	if t != objects.TypeContextEdit && t != objects.TypeLabel {
		return log.None, nil
	}
	entry, err := f.s.Log.Entry(i)
	if err != nil {
		return log.None, err
	}
	target, _ := entry.Text("targetId")
	if at, ok := f.s.Log.Find(objects.ID(target)); ok {
		return at, nil
	}
	return log.None, nil
}

// moveFirstKept replaces the firstKeptEntryId of a compaction that is left out by
// the next entry before the compaction, or by the compaction's own id,
// which keeps nothing.
func (f *forker) moveFirstKept(line []byte, entry objects.Entry, compaction int) []byte {
	first, _ := entry.Text("firstKeptEntryId")
	at, ok := f.s.Log.Find(objects.ID(first))
	if !ok || !f.dropped[at] {
		return line
	}
	to := compaction
	for n := f.place[at] + 1; n < f.place[compaction]; n++ {
		if !f.dropped[f.path[n]] {
			to = f.path[n]
			break
		}
	}
	return objects.ReplaceValue(line, "firstKeptEntryId", objects.AppendQuote(nil, string(f.s.Log.Record(to).ID)))
}
