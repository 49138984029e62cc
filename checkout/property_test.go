package checkout_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tlog/objects"
	"tlog/refs"
)

// walk does the same random things to a session and to the model.
type walk struct {
	*lab
	rng   *rand.Rand
	model *model
	ids   []objects.ID // of the model's entries
	calls int
	done  []string
}

// TestRandomOperations compares a session with the model after each of a
// random sequence of operations, across restarts.
func TestRandomOperations(t *testing.T) {
	runs, steps := 16, 120
	if testing.Short() {
		runs = 4
	}
	for seed := range uint64(runs) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := &walk{lab: newLab(t, 1000+seed), rng: rand.New(rand.NewPCG(seed, 1)), model: newModel()}
			defer func() {
				if t.Failed() {
					t.Logf("seed %d, operations:\n%s", seed, strings.Join(w.done, "\n"))
				}
			}()
			for range steps {
				w.step()
				w.inspect()
				w.compare()
				if t.Failed() {
					return
				}
			}
		})
	}
}

func (w *walk) step() {
	w.tb.Helper()
	operations := []func(){
		w.append, w.append, w.append, w.append, w.appendAway, w.switchTo, w.detach, w.switchNew, w.orphan, w.create, w.remove, w.rename,
		w.undo, w.undo, w.undo, w.undoTurns, w.undoEntries, w.redo, w.redo, w.label, w.summary, w.stream, w.stream,
		func() { w.did("reopen"); w.reopen() },
	}
	operations[w.rng.IntN(len(operations))]()
}

func (w *walk) did(format string, args ...any) { w.done = append(w.done, fmt.Sprintf(format, args...)) }

// expect compares an error with the class that the model wants.
func (w *walk) expect(err, class error) bool {
	w.tb.Helper()
	if class == nil && err != nil || !errors.Is(err, class) {
		w.tb.Fatalf("%s: got error %v, want %v", w.done[len(w.done)-1], err, class)
	}
	return err == nil
}

// made notes the id of the model's newest entry.
func (w *walk) made(id objects.ID) { w.ids = append(w.ids, id) }

// line makes a random line. What comes after may answer the calls of what stands at HEAD.
func (w *walk) line() (string, modelEntry) {
	e := modelEntry{kind: "message"}
	switch w.rng.IntN(6) {
	case 0, 1:
		e.prompt = true
		return say(fmt.Sprint("m", len(w.ids))), e
	case 2, 3:
		for range 1 + w.rng.IntN(3) {
			if w.calls == 0 || w.rng.IntN(6) > 0 {
				w.calls++
			}
			if id := fmt.Sprint("c", w.calls); !slices.Contains(e.calls, id) {
				e.calls = append(e.calls, id)
			}
		}
		return use(e.calls...), e
	case 4:
		if w.calls > 0 {
			e.results = []string{fmt.Sprint("c", max(1, w.calls-w.rng.IntN(3)))}
			return result(e.results[0]), e
		}
	}
	return `{"type":"custom"}`, modelEntry{kind: "custom"}
}

func (w *walk) lines() (lines []string, entries []modelEntry) {
	for range 1 + w.rng.IntN(4) {
		line, e := w.line()
		lines, entries = append(lines, line), append(entries, e)
	}
	return lines, entries
}

func (w *walk) idsOf(entries []int) []objects.ID {
	var ids []objects.ID
	for _, i := range entries {
		ids = append(ids, w.Log.Record(i).ID)
	}
	return ids
}

func (w *walk) modelIDs(entries []int) []objects.ID {
	var ids []objects.ID
	for _, i := range entries {
		ids = append(ids, w.ids[i])
	}
	return ids
}

// compare compares HEAD, branches, what is visible on each and what can be redone there, and labels.
func (w *walk) compare() {
	w.tb.Helper()
	m := w.model
	if h := w.Refs.Head(); h.Branch != m.attached || h.At != w.index(m.head()) {
		w.tb.Errorf("HEAD is %+v, want %q at %d", h, m.attached, w.index(m.head()))
	}
	got := map[string]int{}
	for _, b := range w.Refs.Branches() {
		got[b.Name] = b.At
	}
	want := map[string]int{}
	for name, at := range m.branches {
		want[name] = w.index(at)
	}
	if !maps.Equal(got, want) {
		w.tb.Errorf("branches are %v, want %v", got, want)
	}
	for at, label := range m.labels {
		if got := w.Refs.Label(w.index(at)); got != label {
			w.tb.Errorf("label of %d is %q, want %q", at, got, label)
		}
	}
	tips := map[int]bool{m.head(): true}
	for _, at := range m.branches {
		tips[at] = true
	}
	for at := range tips {
		w.comparePath(at)
	}
}

func (w *walk) comparePath(at int) {
	w.tb.Helper()
	h, err := refs.NewHistory(w.Log, w.index(at))
	w.ok(err)
	if got, want := w.idsOf(h.Path()), w.modelIDs(w.model.path(at)); !slices.Equal(got, want) {
		w.tb.Errorf("path to %d is %v, want %v", at, got, want)
	}
	if got, want := w.idsOf(h.Visible()), w.modelIDs(w.model.visible(at)); !slices.Equal(got, want) {
		w.tb.Errorf("visible at %d is %v, want %v", at, got, want)
	}
	var skips []int
	for _, i := range slices.Backward(h.Path()) {
		if w.Log.Record(i).Type == objects.TypeSkip && h.Held(i) != nil {
			skips = append(skips, i)
		}
	}
	want, held := w.model.redoStack(at)
	if got := w.idsOf(skips); !slices.Equal(got, w.modelIDs(want)) {
		w.tb.Fatalf("skips at %d are %v, want %v", at, got, w.modelIDs(want))
	}
	for n, i := range skips {
		if got, want := w.idsOf(h.Held(i)), w.modelIDs(held[n]); !slices.Equal(got, want) {
			w.tb.Errorf("skip %s holds %v, want %v", w.Log.Record(i).ID, got, want)
		}
	}
}
