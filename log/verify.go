package log

import (
	"cmp"
	"fmt"
	"slices"

	"tlog/objects"
)

// Verified is what the chain of a log proves.
type Verified struct {
	// Root is the last chain: whoever writes it down can prove later that the log still holds what it held. Empty if no line has one.
	Root    string
	Chained int // lines with a chain
	// Behind are the lines behind the last chained one, which nothing proves.
	Behind int
	// Line is the line whose chain is the root that was asked for; 0 if there is none, or before it the chain is broken.
	Line   int
	Broken []Finding // lines that do not fit what stands before them
}

// Verify computes the chain of the whole file again (docs/reliability.md "What cannot be seen"). root is a chain that was written down, empty for none. The error is one of
// reading, or wraps objects.ErrVersion for a file of a version without chains.
func (l *Log) Verify(root string) (Verified, error) {
	if l.header.Version < objects.Version {
		return Verified{}, fmt.Errorf("verify %s: %w %d: lines have chains from version %d on", l.path, objects.ErrVersion, l.header.Version, objects.Version)
	}
	var v Verified
	for f := range l.Check() {
		if f.Code == ChainBroken {
			v.Broken = append(v.Broken, f)
		}
	}
	for raw, err := range l.Lines(0) {
		if err != nil {
			return Verified{}, err
		}
		v.Behind++
		p := parseLine(raw.Bytes, raw.Ended)
		if p.kind != lineObject || p.entry.Chain == "" {
			continue
		}
		v.Chained, v.Behind, v.Root = v.Chained+1, 0, p.entry.Chain
		if root != "" && p.entry.Chain == root {
			v.Line = raw.Line
		}
	}
	slices.SortStableFunc(v.Broken, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	if len(v.Broken) > 0 && v.Broken[0].Line <= v.Line {
		v.Line = 0
	}
	return v, nil
}
