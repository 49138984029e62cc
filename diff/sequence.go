package diff

import (
	"slices"
	"time"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// run is a run of symbols that both sequences have: n symbols from a and from b on.
type run struct{ a, b, n int }

const (
	// maxProduct is how large a gap between anchors may be, as the product of its two lengths, to be given to the algorithm that finds a
	// short edit.
	maxProduct = 4_000_000
	// maxWork is how large all such gaps together may be. What is beyond it is compared in blocks.
	maxWork = 400_000_000
	// maxAnchoring is how often anchors are looked for between anchors.
	maxAnchoring = 8
	// blockSize is the length of the blocks in which a gap is compared that is too large, and has no anchors.
	blockSize = 256
	// noClock is a time limit that is never reached: what is compared is small.
	noClock = time.Hour
)

// windows are the lengths of runs that serve as anchors where no single symbol does, the longest first.
var windows = [...]int{32, 8, 3}

// matcher finds what two sequences of symbols have in common. Symbols are small numbers from 0 on.
type matcher struct {
	a, b []int32
	// Of each symbol: how often it stands in the gap that is looked at, and where.
	countA, countB, placeA, placeB []int32
	work                           int
	dmp                            *diffmatchpatch.DiffMatchPatch
	runs                           []run
}

// gap is a part of both sequences: a[a0:a1] and b[b0:b1].
type gap struct{ a0, a1, b0, b1 int }

func (g gap) empty() bool { return g.a0 == g.a1 || g.b0 == g.b1 }

func newMatcher(a, b []int32, symbols int) *matcher {
	counts := make([]int32, 4*symbols)
	m := &matcher{a: a, b: b, dmp: diffmatchpatch.New()}
	m.dmp.DiffTimeout = noClock
	m.countA, m.countB = counts[:symbols], counts[symbols:2*symbols]
	m.placeA, m.placeB = counts[2*symbols:3*symbols], counts[3*symbols:]
	return m
}

// match gives the runs that both have in a gap, in the order of both. It is deterministic, and its work is linear but for gaps of bounded size.
func (m *matcher) match(g gap) []run {
	m.runs = m.runs[:0]
	m.solve(g, 0)
	return joined(m.runs)
}

// joined puts runs together that follow on each other.
func joined(runs []run) []run {
	out := runs[:0]
	for _, r := range runs {
		if n := len(out); n > 0 && out[n-1].a+out[n-1].n == r.a && out[n-1].b+out[n-1].n == r.b {
			out[n-1].n += r.n
			continue
		}
		out = append(out, r)
	}
	return out
}

func (m *matcher) emit(a, b, n int) {
	if n > 0 {
		m.runs = append(m.runs, run{a, b, n})
	}
}

// solve finds the runs of a gap: what stands at its ends, then what is between anchors.
func (m *matcher) solve(g gap, depth int) {
	head := m.commonPrefix(g)
	m.emit(g.a0, g.b0, head)
	g.a0, g.b0 = g.a0+head, g.b0+head
	tail := m.commonSuffix(g)
	g.a1, g.b1 = g.a1-tail, g.b1-tail
	if !g.empty() {
		m.solveInner(g, depth)
	}
	m.emit(g.a1, g.b1, tail)
}

func (m *matcher) solveInner(g gap, depth int) {
	if depth < maxAnchoring {
		if anchors := m.uniqueAnchors(g); len(anchors) > 0 {
			m.solveBetween(g, anchors, depth)
			return
		}
	}
	s := m.sieve(g)
	switch {
	case len(s.a) == 0 || len(s.b) == 0:
	case m.affords(len(s.a) * len(s.b)):
		m.shortest(s.a, s.b, s.placeA, s.placeB)
	case depth < maxAnchoring:
		for _, size := range windows {
			if anchors := s.windowAnchors(size); len(anchors) > 0 {
				m.solveBetween(g, anchors, depth)
				return
			}
		}
		m.blocks(s)
	default:
		m.blocks(s)
	}
}

// affords reports whether a gap of that size may be given to the algorithm that finds a short edit.
func (m *matcher) affords(product int) bool {
	if product > maxProduct || m.work+product > maxWork {
		return false
	}
	m.work += product
	return true
}

func (m *matcher) solveBetween(g gap, anchors []run, depth int) {
	a, b := g.a0, g.b0
	for _, r := range anchors {
		m.solve(gap{a, r.a, b, r.b}, depth+1)
		m.emit(r.a, r.b, r.n)
		a, b = r.a+r.n, r.b+r.n
	}
	m.solve(gap{a, g.a1, b, g.b1}, depth+1)
}

func (m *matcher) commonPrefix(g gap) int {
	n := 0
	for g.a0+n < g.a1 && g.b0+n < g.b1 && m.a[g.a0+n] == m.b[g.b0+n] {
		n++
	}
	return n
}

func (m *matcher) commonSuffix(g gap) int {
	n := 0
	for g.a1-n > g.a0 && g.b1-n > g.b0 && m.a[g.a1-n-1] == m.b[g.b1-n-1] {
		n++
	}
	return n
}

// uniqueAnchors are the symbols that stand once on both sides of a gap, as many as keep the order of both.
func (m *matcher) uniqueAnchors(g gap) []run {
	for i := g.a0; i < g.a1; i++ {
		m.countA[m.a[i]]++
		m.placeA[m.a[i]] = int32(i)
	}
	for i := g.b0; i < g.b1; i++ {
		m.countB[m.b[i]]++
		m.placeB[m.b[i]] = int32(i)
	}
	var candidates []run
	for i := g.a0; i < g.a1; i++ {
		if s := m.a[i]; m.countA[s] == 1 && m.countB[s] == 1 {
			candidates = append(candidates, run{i, int(m.placeB[s]), 1})
		}
	}
	m.clearCounts(g)
	return increasing(candidates)
}

func (m *matcher) clearCounts(g gap) {
	for _, s := range m.a[g.a0:g.a1] {
		m.countA[s] = 0
	}
	for _, s := range m.b[g.b0:g.b1] {
		m.countB[s] = 0
	}
}

// increasing is a longest subsequence of runs, which are in the order of a, that is in the order of b as well.
func increasing(runs []run) []run {
	if len(runs) < 2 {
		return runs
	}
	ends := make([]int32, 0, len(runs)) // of each length the run that ends it, with the least b
	before := make([]int32, len(runs))
	for i, r := range runs {
		n, _ := slices.BinarySearchFunc(ends, r.b, func(e int32, b int) int { return runs[e].b - b })
		before[i] = None
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, int32(i))
		} else {
			ends[n] = int32(i)
		}
	}
	out := make([]run, len(ends))
	at := ends[len(ends)-1]
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = runs[at]
		at = before[at]
	}
	return out
}

// sieved is a gap without the symbols that only one side has.
type sieved struct {
	a, b           []int32
	placeA, placeB []int32 // in the sequences
}

func (m *matcher) sieve(g gap) sieved {
	for _, s := range m.a[g.a0:g.a1] {
		m.countA[s] = 1
	}
	for _, s := range m.b[g.b0:g.b1] {
		m.countB[s] = 1
	}
	var out sieved
	for i := g.a0; i < g.a1; i++ {
		if m.countB[m.a[i]] > 0 {
			out.a, out.placeA = append(out.a, m.a[i]), append(out.placeA, int32(i))
		}
	}
	for i := g.b0; i < g.b1; i++ {
		if m.countA[m.b[i]] > 0 {
			out.b, out.placeB = append(out.b, m.b[i]), append(out.placeB, int32(i))
		}
	}
	m.clearCounts(g)
	return out
}

// windowAnchors are runs of size symbols that stand once on both sides.
func (s sieved) windowAnchors(size int) []run {
	type places struct{ a, b int32 } // None: it is not there; twice: more than once
	const twice = -2
	seen := map[hash]places{}
	eachWindow(s.a, size, func(i int, h hash) {
		p, ok := seen[h]
		if p.a = int32(i); ok {
			p.a = twice
		}
		p.b = None
		seen[h] = p
	})
	eachWindow(s.b, size, func(i int, h hash) {
		if p, ok := seen[h]; ok {
			if p.b != None {
				p.b = twice
			} else {
				p.b = int32(i)
			}
			seen[h] = p
		}
	})
	var candidates []run
	eachWindow(s.a, size, func(i int, h hash) {
		if p := seen[h]; p.a >= 0 && p.b >= 0 && slices.Equal(s.a[i:i+size], s.b[p.b:int(p.b)+size]) {
			candidates = append(candidates, run{i, int(p.b), size})
		}
	})
	var anchors []run
	a, b := 0, 0 // what is not covered yet: windows overlap
	for _, r := range increasing(candidates) {
		for k := range size {
			if r.a+k >= a && r.b+k >= b {
				anchors = append(anchors, run{int(s.placeA[r.a+k]), int(s.placeB[r.b+k]), 1})
				a, b = r.a+k+1, r.b+k+1
			}
		}
	}
	return anchors
}

// eachWindow calls f with the place and the hash of each run of size symbols.
func eachWindow(symbols []int32, size int, f func(i int, h hash)) {
	const base = 0x9e3779b97f4a7c15
	h, top := uint64(0), uint64(1)
	for range size {
		top *= base
	}
	for i, s := range symbols {
		h = h*base + uint64(s) + 1
		if i >= size {
			h -= (uint64(symbols[i-size]) + 1) * top
		}
		if i >= size-1 {
			f(i-size+1, hash(h))
		}
	}
}

// blocks compares a gap that is too large block by block, the n-th of one side with the n-th of the other.
func (m *matcher) blocks(s sieved) {
	count := max(len(s.a), len(s.b))/blockSize + 1
	at := func(n, length int) int { return n * length / count }
	for n := range count {
		a0, a1 := at(n, len(s.a)), at(n+1, len(s.a))
		b0, b1 := at(n, len(s.b)), at(n+1, len(s.b))
		m.shortest(s.a[a0:a1], s.b[b0:b1], s.placeA[a0:a1], s.placeB[b0:b1])
	}
}

// shortest finds a short edit between a and b, whose symbols stand at the places.
func (m *matcher) shortest(a, b, placeA, placeB []int32) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	runesA, runesB := m.runesOf(a, b)
	i, j := 0, 0
	for _, d := range m.dmp.DiffMainRunes(runesA, runesB, false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			i += n
		case diffmatchpatch.DiffInsert:
			j += n
		default:
			for range n {
				m.emit(int(placeA[i]), int(placeB[j]), 1)
				i, j = i+1, j+1
			}
		}
	}
}

// runesOf names the symbols of a small gap by runes, from 1 on. Surrogates are passed over: a string cannot hold them.
func (m *matcher) runesOf(a, b []int32) (runesA, runesB []rune) {
	last := rune(0)
	name := func(symbols []int32) []rune {
		out := make([]rune, len(symbols))
		for i, s := range symbols {
			if m.countA[s] == 0 {
				if last++; last == 0xd800 {
					last = 0xe000
				}
				m.countA[s] = last
			}
			out[i] = m.countA[s]
		}
		return out
	}
	runesA, runesB = name(a), name(b)
	for _, s := range a {
		m.countA[s] = 0
	}
	for _, s := range b {
		m.countA[s] = 0
	}
	return runesA, runesB
}

// symbolCount is how many symbols there are.
func (m *matcher) symbolCount() int { return len(m.countA) }
