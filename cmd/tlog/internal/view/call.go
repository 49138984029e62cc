package view

import (
	"slices"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
	"tlog/objects"
)

// call is what a result tells of the call that it answers.
type call struct {
	id, name string
	words    string // the argument that tells most, on one line
}

// Bounds of what is looked up for results.
const (
	maxCallSteps = 64      // how far above a result its call is looked for, in entries
	maxLooked    = 128     // how many entries are remembered; more than a lookup reads
	maxKept      = 1 << 16 // the bytes of a remembered entry; of a longer one only the calls are
	maxCallWords = 200     // the bytes of a remembered argument
	maxCallCells = 40      // what is shown of it
)

// looked is an entry as a Reader has read it, with placeholders.
type looked struct {
	entry   objects.Entry
	message objects.Message
	kept    bool // else only the calls are known
	calls   []call
}

// look reads entry at, or remembers it: a log shows a result and then the call that was read for it.
func (r *Reader) look(at int, callsOnly bool) (looked, error) {
	if known, ok := r.looked[at]; ok && (known.kept || callsOnly) {
		return known, nil
	}
	e, m, _, err := r.state.Log().MessageAt(at)
	if err != nil {
		return looked{}, err
	}
	found := looked{entry: e, message: m, kept: true, calls: callsOf(m)}
	if r.looked == nil {
		r.looked = make(map[int]looked, maxLooked)
	}
	if _, again := r.looked[at]; !again {
		if len(r.order) == maxLooked {
			delete(r.looked, r.order[0])
			r.order = slices.Delete(r.order, 0, 1)
		}
		r.order = append(r.order, at)
	}
	remembered := found
	if len(e.Raw) > maxKept {
		remembered = looked{calls: found.calls}
	}
	r.looked[at] = remembered
	return found, nil
}

func callsOf(m objects.Message) []call {
	var calls []call
	for _, b := range m.Blocks {
		if b.Kind == objects.BlockToolCall && b.CallID != "" {
			words := terminal.Fit(firstLine(mainArgument(b.Arguments)), maxCallWords)
			calls = append(calls, call{id: b.CallID, name: b.Name, words: words})
		}
	}
	return calls
}

// findCalls looks up, among the entries above it, the calls that the results in a message answer, and gives the results the
// names of their tools where only the calls have them.
func (r *Reader) findCalls(v *Entry) {
	l := r.state.Log()
	open := 0
	for _, b := range v.Message.Blocks {
		if b.Kind == objects.BlockToolResult && b.CallID != "" {
			open++
		}
	}
	if open == 0 {
		return
	}
	v.calls = make([]call, len(v.Message.Blocks))
	v.Message.Blocks = slices.Clone(v.Message.Blocks)
	open -= v.answer(callsOf(v.Message)) // a message may hold a call and its result
	at := v.Record.Parent
	for steps := 0; at != log.None && open > 0 && steps < maxCallSteps; steps++ {
		if l.Record(at).Type == objects.TypeMessage {
			if above, err := r.look(at, true); err == nil {
				open -= v.answer(above.calls)
			}
		}
		at = l.Record(at).Parent
	}
}

// answer joins results to calls that have not been found yet, and counts them.
func (v *Entry) answer(calls []call) (found int) {
	for i := range v.Message.Blocks {
		b := &v.Message.Blocks[i]
		if b.Kind != objects.BlockToolResult || b.CallID == "" || v.calls[i].id != "" {
			continue
		}
		if n := slices.IndexFunc(calls, func(c call) bool { return c.id == b.CallID }); n >= 0 {
			v.calls[i] = calls[n]
			if b.Name == "" {
				b.Name = calls[n].name
			}
			found++
		}
	}
	return found
}

// minCallCells is the least of an argument that is worth its place.
const minCallCells = 8

// callWords is what is shown of the argument of the call that the i-th block answers, if a third of the room is enough for that.
func (v Entry) callWords(i, cells int) string {
	if room := min(cells/3, maxCallCells); i < len(v.calls) && room >= minCallCells {
		return terminal.Fit(v.calls[i].words, room)
	}
	return ""
}
