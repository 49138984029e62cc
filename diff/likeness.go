package diff

import (
	"slices"

	"tlog/objects"
)

const (
	// maxGap is how many entries or turns a side a gap may have in which likeness is looked at.
	maxGap = 256
	// fullGap is up to how many every pair is looked at; in a larger gap those that lie near each other in proportion.
	fullGap = 64
	nearby  = 16

	turnLikeness  = 0.3
	entryLikeness = 0.5
	// mostLikeness is that of what has all words in common and is not the same, as in another order or with another picture.
	mostLikeness = 0.99

	// sketchSize is up to how many different words a text is compared by all of them. A longer one is compared by a sample, which depends on the words alone.
	sketchSize = 48
	// sketchedBytes is how much of a text is looked at.
	sketchedBytes = 16 << 10
)

// sketch are the smallest hashes of the words in a text, in order.
type sketch []uint32

// add takes in a word.
func (s sketch) add(h hash) sketch {
	v := uint32(h ^ h>>32)
	if len(s) == sketchSize && v >= s[len(s)-1] {
		return s
	}
	at, found := slices.BinarySearch(s, v)
	switch {
	case found:
		return s
	case len(s) < sketchSize:
		return slices.Insert(s, at, v)
	}
	copy(s[at+1:], s[at:len(s)-1])
	s[at] = v
	return s
}

// addWords takes in the words of a text.
func (s sketch) addWords(text string) sketch {
	text = text[:min(len(text), sketchedBytes)]
	for len(text) > 0 {
		n, kind := wordAt(text)
		if kind == wordRune || kind == wholeWord {
			s = s.add(hashSeed.addText(text[:n]))
		}
		text = text[n:]
	}
	return s
}

// likeness is how many of the words two texts have in common: twice the common ones by all, from 0 to 1.
func (s sketch) likeness(other sketch) float64 {
	i, j, seen, both := 0, 0, 0, 0
	for seen < sketchSize && (i < len(s) || j < len(other)) {
		seen++
		switch {
		case j == len(other) || i < len(s) && s[i] < other[j]:
			i++
		case i == len(s) || other[j] < s[i]:
			j++
		default:
			both++
			i, j = i+1, j+1
		}
	}
	if both == 0 {
		return 0
	}
	// both of seen are in the intersection of all.
	return 2 * float64(both) / float64(seen+both)
}

// sketchEntry is the sketch of what an entry says.
func (r *reader) sketchEntry(i int) (sketch, error) {
	e, m, _, err := r.message(i)
	if err != nil {
		return nil, err
	}
	var s sketch
	for _, b := range m.Blocks {
		switch b.Kind {
		case objects.BlockText, objects.BlockToolResult:
			s = s.addWords(b.Text)
		case objects.BlockToolCall:
			s = s.addWords(string(b.Arguments[:min(len(b.Arguments), sketchedBytes)]))
		}
	}
	switch e.Type {
	case objects.TypeCompaction:
		c, _ := r.log.Compaction(e)
		s = s.addWords(c.Summary)
	case objects.TypeBranchSummary:
		summary, _ := e.Text("summary")
		s = s.addWords(summary)
	}
	return s, nil
}

// sketchTurn is the sketch of the words in a turn's prompt and of its calls.
func (p *part) sketchTurn(n int) (sketch, error) {
	s, err := p.reader.sketchEntry(p.entries[p.starts[n]])
	if err != nil {
		return nil, err
	}
	for i := p.starts[n] + 1; i < p.starts[n+1]; i++ {
		if p.calls.has(i) {
			s = s.add(p.keys[i])
		}
	}
	return s, nil
}

// alikeTurns links the turns in a gap that are alike.
func (al *aligner) alikeTurns(g gap) ([]link, error) {
	return alike(g, turnLikeness, al.x.sketchTurn, al.y.sketchTurn, func(int, int) bool { return true })
}

// alikeEntries links the entries in a gap that are of one role and tools, and alike.
func (al *aligner) alikeEntries(g gap) ([]link, error) {
	return alike(g, entryLikeness, al.x.sketchPlace, al.y.sketchPlace, func(a, b int) bool { return al.x.shapes[a] == al.y.shapes[b] })
}

func (p *part) sketchPlace(n int) (sketch, error) { return p.reader.sketchEntry(p.entries[n]) }

// alike links what may correspond in a gap and is at least so alike, in the order of both sides, so that they are as much alike as can be all together.
func alike(g gap, least float64, sketchA, sketchB func(int) (sketch, error), may func(a, b int) bool) ([]link, error) {
	rows, columns := g.a1-g.a0, g.b1-g.b0
	if rows > maxGap || columns > maxGap {
		return nil, nil
	}
	candidates := make([][]link, rows)
	a, b := make([]sketch, rows), make([]sketch, columns)
	var err error
	read := func(sketches []sketch, n, at int, sketchOf func(int) (sketch, error)) sketch {
		if sketches[n] == nil && err == nil {
			if sketches[n], err = sketchOf(at); sketches[n] == nil {
				sketches[n] = sketch{}
			}
		}
		return sketches[n]
	}
	for i := range rows {
		from, to := near(i, rows, columns)
		for j := from; j < to; j++ {
			if !may(g.a0+i, g.b0+j) {
				continue
			}
			l := read(a, i, g.a0+i, sketchA).likeness(read(b, j, g.b0+j, sketchB))
			if l >= least {
				candidates[i] = append(candidates[i], link{a: i, b: j, status: Changed, likeness: min(l, mostLikeness)})
			}
		}
	}
	if err != nil {
		return nil, err
	}
	links := heaviest(candidates, columns)
	for i := range links {
		links[i].a, links[i].b = links[i].a+g.a0, links[i].b+g.b0
	}
	return links, nil
}

// near are the columns that the i-th row is compared with.
func near(i, rows, columns int) (from, to int) {
	if rows <= fullGap && columns <= fullGap {
		return 0, columns
	}
	middle := i * columns / rows
	return max(middle-nearby, 0), min(middle+nearby, columns)
}

// heaviest chooses links that keep the order of both sides and are most alike all together. The candidates are by row, and in it by column.
func heaviest(candidates [][]link, columns int) []link {
	rows := len(candidates)
	if !slices.ContainsFunc(candidates, func(c []link) bool { return len(c) > 0 }) {
		return nil
	}
	width := columns + 1
	best := make([]float64, (rows+1)*width) // of the first rows and columns
	at := func(i, j int) int { return i*width + j }
	for i, row := range candidates {
		next := 0
		for j := range columns {
			v := max(best[at(i, j+1)], best[at(i+1, j)])
			if next < len(row) && row[next].b == j {
				v = max(v, best[at(i, j)]+row[next].likeness)
				next++
			}
			best[at(i+1, j+1)] = v
		}
	}
	var links []link
	for i, j := rows, columns; i > 0 && j > 0; {
		switch v := best[at(i, j)]; {
		case v == best[at(i-1, j)]:
			i--
		case v == best[at(i, j-1)]:
			j--
		default:
			row := candidates[i-1]
			n := slices.IndexFunc(row, func(l link) bool { return l.b == j-1 })
			links = append(links, row[n])
			i, j = i-1, j-1
		}
	}
	slices.Reverse(links)
	return links
}
