package refs

import (
	"slices"
	"strings"

	"tlog/log"
	"tlog/objects"
)

// Range is a..b, a...b or a single revision.
type Range struct {
	From      Rev // At is log.None for a single revision
	To        Rev
	HasFrom   bool
	Symmetric bool // a...b; From is as written, Base the common ancestor
	Base      int  // of a..b and a...b: the newest common ancestor or log.None
}

// ResolveRange resolves a..b, a...b (an omitted side is HEAD) or a single revision.
// The sides of a range are tree entries; a single revision may be unborn. The sides of a..b may lie in
// two sessions, Base is log.None then. Errors are those of Resolve.
func (r *Resolver) ResolveRange(spec string) (Range, error) {
	rg, err := r.resolveRange(spec, r.side)
	if err == nil && rg.Symmetric && rg.From.State.log != rg.To.State.log {
		return Range{}, invalid("invalid range '%s': both sides of '...' must lie in one session", shorten(spec))
	}
	return rg, err
}

// ResolveSides is ResolveRange for who compares the two sides: those of a...b may lie in two sessions as well, Base is log.None then, and the branch that HEAD is on
// may be unborn.
func (r *Resolver) ResolveSides(spec string) (Range, error) {
	return r.resolveRange(spec, r.sideOrUnborn)
}

func (r *Resolver) resolveRange(spec string, side func(string) (Rev, error)) (Range, error) {
	if whole, ok, err := r.wholeSpec(spec); ok {
		return Range{From: Rev{At: log.None}, To: whole, Base: log.None}, err
	}
	var first error
	for _, c := range cuts(spec) {
		rg, err := cutRange(spec, c, side)
		if err == nil {
			return rg, nil
		}
		if first == nil {
			first = err
		}
	}
	return Range{}, first
}

// wholeSpec resolves a spec that is a single revision; ok is false if it is a range.
// Dots may be part of an id, a label, a path (../x.jsonl:HEAD) or the text of a search.
func (r *Resolver) wholeSpec(spec string) (found Rev, ok bool, err error) {
	found, err = Rev{}, nil
	dots := strings.Contains(spec, "..")
	if dots && !strings.HasPrefix(spec, ":/") && !r.mayBeWhole(spec) {
		return Rev{}, false, nil
	}
	if found, err = r.Resolve(spec); err != nil {
		return Rev{}, !dots || strings.HasPrefix(spec, ":/"), err
	}
	if found.At != log.None {
		err = found.wantTree()
	}
	return found, true, err
}

// mayBeWhole reports whether a spec with ".." in it is worth a try as one revision.
func (r *Resolver) mayBeWhole(spec string) bool {
	if strings.Contains(spec, ":") || len(r.State.Labelled(spec)) > 0 {
		return true
	}
	_, ok := r.State.log.Find(objects.ID(spec))
	return ok
}

// cut is a place where a range may be cut in two.
type cut struct {
	at   int // offset of the dots
	size int // 2 or 3 dots
}

// maxCuts is how many places are tried.
const maxCuts = 8

// cuts are the places where spec may be cut, in the order to try them: three dots
// before two, the first before later ones, and those before a slash, where the dots
// are rather a part of a path, last.
func cuts(spec string) []cut {
	var three, two, path []cut
	for i := 0; i+1 < len(spec) && len(three)+len(two)+len(path) < maxCuts; i++ {
		if spec[i:i+2] != ".." {
			continue
		}
		switch {
		case strings.HasPrefix(spec[i+2:], "/"):
			path = append(path, cut{i, 2})
			continue
		case strings.HasPrefix(spec[i+2:], "."):
			three = append(three, cut{i, 3})
		}
		two = append(two, cut{i, 2})
	}
	return slices.Concat(three, two, path)
}

func cutRange(spec string, c cut, side func(string) (Rev, error)) (Range, error) {
	from, err := side(spec[:c.at])
	if err != nil {
		return Range{}, err
	}
	to, err := side(spec[c.at+c.size:])
	if err != nil {
		return Range{}, err
	}
	rg := Range{From: from, To: to, HasFrom: true, Symmetric: c.size == 3, Base: log.None}
	if from.State.log == to.State.log {
		rg.Base = to.State.log.CommonAncestor(from.At, to.At)
	}
	return rg, nil
}

// side resolves a side of a range.
func (r *Resolver) side(rev string) (Rev, error) {
	if rev == "" {
		rev = headName
	}
	return r.ResolveTree(rev)
}

// sideOrUnborn is side, where the branch that HEAD is on may be unborn.
func (r *Resolver) sideOrUnborn(rev string) (Rev, error) {
	if rev == "" {
		rev = headName
	}
	if found, err := r.Resolve(rev); err != nil || found.At == log.None {
		return found, err
	}
	return r.side(rev)
}

// Select gives the entries of a range, oldest first: of a single revision its whole path,
// of a..b what is on the path to b and not on that to a, of a...b what is on one
// of the paths alone, in file order. Undone entries are included. The entries of a..b are those of b's log; where a lies
// in another session, entries are the same if their ids are.
func (r *Resolver) Select(rg Range) []int {
	l := rg.To.State.log
	switch {
	case !rg.HasFrom:
		return l.Ancestry(rg.To.At)
	case rg.From.State.log != l:
		return selectAcross(rg)
	case !rg.Symmetric:
		return since(l, rg.Base, rg.To.At)
	}
	both := append(since(l, rg.Base, rg.From.At), since(l, rg.Base, rg.To.At)...)
	slices.Sort(both)
	return both
}

// since are the entries after base on the path to an entry, oldest first.
func since(l *log.Log, base, to int) []int {
	var entries []int
	for i := to; i != base && i != log.None; i = l.Record(i).Parent {
		entries = append(entries, i)
	}
	slices.Reverse(entries)
	return entries
}

// selectAcross is a..b over two sessions.
func selectAcross(rg Range) []int {
	from, to := rg.From.State.log, rg.To.State.log
	known := map[objects.ID]bool{}
	for _, i := range from.Ancestry(rg.From.At) {
		known[from.Record(i).ID] = true
	}
	return slices.DeleteFunc(to.Ancestry(rg.To.At), func(i int) bool {
		return known[to.Record(i).ID]
	})
}
