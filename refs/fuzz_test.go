package refs

import (
	"errors"
	"testing"

	"tlog/objects"
)

// FuzzResolve: whatever is asked for, the answer is a record of the log or an
// error of a known class.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{
		"HEAD", "@", "main~2", "topic/x^{turn}^", "HEAD@{1}~1", "@{-1}", ":/plan", "other:main", "a1..x1", "main...topic/x",
		"..", "^", "@{", "~99999999999999999999", "HEAD^^^^~~~~", "../s.jsonl:main..", "a..b..c...d", "\xff", "e0000002.3", ":", "::", "@@{0}",
	} {
		f.Add(seed)
	}
	other := foldLines(f, say("o1", "", objects.RoleUser, "hello"))
	r := &Resolver{State: grove(f), Open: opener(other)}
	f.Fuzz(func(t *testing.T, rev string) {
		known := func(what string, err error) {
			for _, class := range []error{objects.ErrNotFound, objects.ErrAmbiguous, objects.ErrInvalid, objects.ErrCorrupt} {
				if errors.Is(err, class) {
					return
				}
			}
			t.Errorf("%s: error of no class: %v", what, err)
		}
		if found, err := r.Resolve(rev); err != nil {
			known("Resolve", err)
		} else if found.At >= found.State.log.Len() {
			t.Errorf("Resolve: record %d of %d", found.At, found.State.log.Len())
		}
		if found, err := r.ResolveTree(rev); err != nil {
			known("ResolveTree", err)
		} else if !isEntry(found.State.log, found.At) {
			t.Errorf("ResolveTree: record %d is no entry", found.At)
		}
		rg, err := r.ResolveRange(rev)
		if err != nil {
			known("ResolveRange", err)
			return
		}
		for _, i := range r.Select(rg) {
			if !rg.To.State.log.Record(i).Tree() {
				t.Errorf("Select: record %d is no entry", i)
			}
		}
	})
}

// FuzzCheckName: a name that is allowed means itself to the grammar, as a revision and in a range.
func FuzzCheckName(f *testing.F) {
	for _, seed := range []string{"main", "a/b", "a@b", "x.y", "ü", "-", "a..b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if err := CheckName(name); err != nil {
			if !errors.Is(err, objects.ErrInvalid) {
				t.Errorf("error of no class: %v", err)
			}
			return
		}
		if e, err := parse(name); err != nil || e.base != name || len(e.steps) != 0 {
			t.Errorf("parse(%q): got %+v, %v", name, e, err)
		}
		for _, c := range cuts(name + ".." + name) {
			if c.at == len(name) && c.size == 2 {
				return
			}
		}
		t.Errorf("cuts(%q): the range is not among them", name+".."+name)
	})
}
