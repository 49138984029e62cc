package diff

import (
	"errors"
	"slices"

	"tlog/log"
	"tlog/refs"
)

// part is what is visible and not common of a path.
type part struct {
	reader  reader
	entries []int // records
	keys    []hash
	shapes  []uint32
	calls   bitSet  // of the entries
	symbols []int32 // of the keys
	starts  []int   // of the turns, in entries; one more for the end
	prompts bool    // the first turn begins with a prompt
}

// link says that the a-th of one side corresponds to the b-th of the other.
type link struct {
	a, b     int
	status   Status
	likeness float64
}

// align finds which turns and entries behind the common part correspond.
func (c *Comparison) align() error {
	a, b := newPart(c.A.History, c.OnlyA), newPart(c.B.History, c.OnlyB)
	if err := readBoth(a, b); err != nil {
		return err
	}
	c.A.Turns, c.B.Turns = a.turns(), b.turns()
	// What is alike in several ways is decided for one side first. Which that is depends on what they say and not on how they are named.
	swapped := slices.Compare(a.keys, b.keys) > 0
	x, y := a, b
	if swapped {
		x, y = b, a
	}
	al := newAligner(x, y)
	turns, err := al.turns()
	if err != nil {
		return err
	}
	done := link{a: 0, b: 0}
	for _, t := range append(turns, link{a: len(x.starts) - 1, b: len(y.starts) - 1, likeness: -1}) {
		inner, err := al.entries(t)
		if err != nil {
			return err
		}
		if swapped {
			t.a, t.b = t.b, t.a
			for i, l := range inner {
				inner[i].a, inner[i].b = l.b, l.a
			}
		}
		for ; done.a < t.a; done.a++ {
			c.Turns = append(c.Turns, TurnPair{A: done.a, B: None, Status: OnlyA, Entries: alone(c.A.Turns[done.a], OnlyA)})
		}
		for ; done.b < t.b; done.b++ {
			c.Turns = append(c.Turns, TurnPair{A: None, B: done.b, Status: OnlyB, Entries: alone(c.B.Turns[done.b], OnlyB)})
		}
		if t.likeness >= 0 {
			c.Turns = append(c.Turns, pairTurns(a, b, t, inner))
			done = link{a: t.a + 1, b: t.b + 1}
		}
	}
	return nil
}

func newPart(h *refs.History, only []int) *part {
	p := &part{reader: reader{log: h.Log()}}
	for _, i := range only {
		if h.Log().Record(i).Visible() && h.SkippedBy(i) == log.None {
			p.entries = append(p.entries, i)
		}
	}
	return p
}

// readBoth reads what the entries of both say, at the same time if they are of two logs.
func readBoth(a, b *part) error {
	if a.reader.log == b.reader.log {
		return errors.Join(a.read(), b.read())
	}
	done := make(chan error)
	go func() { done <- b.read() }()
	return errors.Join(a.read(), <-done)
}

func (p *part) read() error {
	p.keys, p.shapes = make([]hash, len(p.entries)), make([]uint32, len(p.entries))
	p.calls = newBitSet(len(p.entries))
	for n, i := range p.entries {
		said, err := p.reader.read(i)
		if err != nil {
			return err
		}
		p.keys[n], p.shapes[n] = said.key, said.shape
		if said.calls {
			p.calls.add(n)
		}
		if said.prompt || n == 0 {
			p.starts = append(p.starts, n)
			p.prompts = p.prompts || n == 0 && said.prompt
		}
	}
	p.starts = append(p.starts, len(p.entries))
	return nil
}

func (p *part) turns() []refs.Turn {
	var turns []refs.Turn
	for n := range len(p.starts) - 1 {
		t := refs.Turn{Prompt: log.None, Entries: p.entries[p.starts[n]:p.starts[n+1]]}
		if n > 0 || p.prompts {
			t.Prompt = t.Entries[0]
		}
		turns = append(turns, t)
	}
	return turns
}

func alone(t refs.Turn, status Status) []EntryPair {
	pairs := make([]EntryPair, len(t.Entries))
	for n, i := range t.Entries {
		pairs[n] = EntryPair{i, None, status}
		if status == OnlyB {
			pairs[n] = EntryPair{None, i, status}
		}
	}
	return pairs
}

// pairTurns is the pair of two turns whose entries are linked so. What is only in a stands before what is only in b.
func pairTurns(a, b *part, t link, links []link) TurnPair {
	endA, endB := a.starts[t.a+1], b.starts[t.b+1]
	atA, atB := a.starts[t.a], b.starts[t.b]
	pair := TurnPair{A: t.a, B: t.b, Status: Same, Likeness: 1}
	all, same := float64(endA-atA+endB-atB), 0.0
	for _, l := range append(links, link{a: endA, b: endB, likeness: -1}) {
		for ; atA < l.a; atA++ {
			pair.Entries = append(pair.Entries, EntryPair{a.entries[atA], None, OnlyA})
		}
		for ; atB < l.b; atB++ {
			pair.Entries = append(pair.Entries, EntryPair{None, b.entries[atB], OnlyB})
		}
		if l.likeness >= 0 {
			pair.Entries = append(pair.Entries, EntryPair{a.entries[l.a], b.entries[l.b], l.status})
			same += 2 * l.likeness
			atA, atB = l.a+1, l.b+1
		}
	}
	if slices.ContainsFunc(pair.Entries, func(e EntryPair) bool { return e.Status != Same }) {
		pair.Status, pair.Likeness = Changed, same/all
	}
	return pair
}

// aligner aligns two parts.
type aligner struct {
	x, y    *part
	matcher *matcher
}

func newAligner(x, y *part) *aligner {
	names := map[hash]int32{}
	x.symbols, y.symbols = symbolsOf(names, x.keys), symbolsOf(names, y.keys)
	return &aligner{x: x, y: y, matcher: newMatcher(x.symbols, y.symbols, len(names))}
}

func symbolsOf[K comparable](names map[K]int32, keys []K) []int32 {
	symbols := make([]int32, len(keys))
	for i, k := range keys {
		name, ok := names[k]
		if !ok {
			name = int32(len(names))
			names[k] = name
		}
		symbols[i] = name
	}
	return symbols
}

// turns links the turns that correspond: the first pieces without a prompt, those whose prompts say the same, and neighbours between these that are alike.
func (al *aligner) turns() ([]link, error) {
	g := gap{0, len(al.x.starts) - 1, 0, len(al.y.starts) - 1}
	if g.empty() {
		return nil, nil
	}
	var links []link
	if !al.x.prompts {
		g.a0++
	}
	if !al.y.prompts {
		g.b0++
	}
	if !al.x.prompts && !al.y.prompts {
		links = append(links, link{likeness: 1})
	}
	x, y := promptSymbols(al.x), promptSymbols(al.y)
	m := newMatcher(x, y, al.matcher.symbolCount())
	return al.fill(links, g, m.match(g), al.alikeTurns)
}

func promptSymbols(p *part) []int32 {
	symbols := make([]int32, len(p.starts)-1)
	for n := range symbols {
		symbols[n] = p.symbols[p.starts[n]]
	}
	return symbols
}

// entries links the entries of two turns that correspond; a and b of the links count from the start of the parts.
func (al *aligner) entries(t link) ([]link, error) {
	if t.likeness < 0 {
		return nil, nil
	}
	g := gap{al.x.starts[t.a], al.x.starts[t.a+1], al.y.starts[t.b], al.y.starts[t.b+1]}
	return al.fill(nil, g, al.matcher.match(g), al.alikeEntries)
}

// fill appends the links of the runs that say the same, and those of what is alike in the gaps between them.
func (al *aligner) fill(links []link, g gap, runs []run, alike func(gap) ([]link, error)) ([]link, error) {
	for _, r := range append(runs, run{g.a1, g.b1, 0}) {
		if between := (gap{g.a0, r.a, g.b0, r.b}); !between.empty() {
			found, err := alike(between)
			if err != nil {
				return nil, err
			}
			links = append(links, found...)
		}
		for k := range r.n {
			links = append(links, link{r.a + k, r.b + k, Same, 1})
		}
		g.a0, g.b0 = r.a+r.n, r.b+r.n
	}
	return links, nil
}
