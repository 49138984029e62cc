package main

import (
	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/view"
	"tlog/diff"
	"tlog/log"
	"tlog/refs"
)

// namedSide is one of two paths with the words in which it was asked for.
type namedSide struct {
	diff.Side
	name string
}

// resolveSides finds the two sides that are to be compared.
func (a *App) resolveSides(s *checkout.Session, args []string) (first, second namedSide, err error) {
	resolver := a.resolver(s)
	if len(args) == 2 {
		if first, err = resolveSide(resolver, args[0]); err == nil {
			second, err = resolveSide(resolver, args[1])
		}
		return first, second, err
	}
	rg, err := resolver.ResolveSides(args[0])
	switch {
	case err != nil:
		return first, second, err
	case !rg.HasFrom:
		second, err = resolveSide(resolver, "HEAD")
		return namedSide{sideOf(rg.To), args[0]}, second, err
	}
	from, to := sideOf(rg.From), sideOf(rg.To)
	first, second = namedSide{from, nameOf(rg.From)}, namedSide{to, nameOf(rg.To)}
	if rg.Symmetric {
		base, err := commonAncestor(from, to)
		return namedSide{diff.Side{State: from.State, At: base}, "the common ancestor"}, second, err
	}
	return first, second, nil
}

// commonAncestor is the newest entry of a that b has too, of two talks without a common id the newest up to which both say the same; log.None if there is none.
func commonAncestor(a, b diff.Side) (int, error) {
	if base, _, ok := diff.MergeBase(a, b); ok {
		return base, nil
	}
	c, err := diff.Compare(a, b)
	if err != nil || c.BaseA == diff.None {
		return log.None, err
	}
	return c.BaseA, nil
}

func resolveSide(r *refs.Resolver, name string) (namedSide, error) {
	rev, err := r.Resolve(name)
	if err == nil && rev.At != log.None {
		rev, err = r.ResolveTree(name)
	}
	return namedSide{sideOf(rev), name}, err
}

func sideOf(rev refs.Rev) diff.Side { return diff.Side{State: rev.State, At: rev.At} }

// nameOf is how a side of a range is called.
func nameOf(rev refs.Rev) string {
	if rev.Name != "" || rev.At == log.None {
		return rev.Name
	}
	return rev.State.Log().Short(rev.At)
}

// side is one side as it is shown.
type side struct {
	namedSide
	path   *diff.Path
	log    *log.Log
	reader *view.Reader
}

func newSide(named namedSide, path *diff.Path) side {
	return side{namedSide: named, path: path, log: named.State.Log(), reader: view.NewReader(named.State)}
}

// short is the short id of the tip, or what says that there is none.
func (s side) short() string {
	if s.At == log.None {
		return "(empty)"
	}
	return s.log.Short(s.At)
}

func (s side) json() *jsonout.Object {
	o := new(jsonout.Object).String("name", s.name).ID("session", s.log.Header().ID)
	return o.ID("entry", idAt(s.log, s.At))
}
