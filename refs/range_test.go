package refs

import (
	"errors"
	"testing"

	"tlog/log"
	"tlog/objects"
)

func TestRange(t *testing.T) {
	other := foldLines(t, say("p1", "", objects.RoleUser, "hello"), say("o2", "p1", objects.RoleUser, "x"))
	s := foldLines(t,
		say("p1", "", objects.RoleUser, "one..two"),
		say("p2", "p1", objects.RoleUser, "x"),
		say("q1", "p1", objects.RoleUser, "x", text("ref", "q")),
		say("p3", "p2", objects.RoleUser, "x"),
		say("q2", "q1", objects.RoleUser, "x", text("ref", "q")),
		say("e0000002.3", "p1", objects.RoleUser, "x", text("ref", "dot")),
		say("dots..in..it", "p1", objects.RoleUser, "x", text("ref", "dots")),
		say("end.", "p2", objects.RoleUser, "x", text("ref", "end")),
		say("z", "", objects.RoleUser, "x", text("ref", "root")),
		label("l1", "p3", "q1", "so ... what"),
		attach("h1", "l1", "main", ""),
	)
	r := &Resolver{State: s, Open: opener(other)}
	tests := []struct {
		spec string
		base string // "-" for none, or the class of the error
		want string
	}{
		{"main", "-", "p1 p2 p3 l1"},
		{"q", "-", "p1 q1 q2"},
		{"q..main", "p1", "p2 p3 l1"},
		{"main..q", "p1", "q1 q2"},
		{"p2..", "p2", "p3 l1"},
		{"..q", "p1", "q1 q2"},
		{"..", "l1", ""},
		{"...", "l1", ""},
		{"p1..p3", "p1", "p2 p3"},
		{"p3..p1", "p1", ""},
		{"q...main", "p1", "p2 q1 p3 q2 l1"},
		{"...q", "p1", "p2 q1 p3 q2 l1"},
		{"q...", "p1", "p2 q1 p3 q2 l1"},
		{"root..main", "-", "p1 p2 p3 l1"},
		{"root...p2", "-", "p1 p2 z"},
		{"HEAD~2..HEAD~0", "p1", "p2 p3"},
		{"p1..e0000002.3", "p1", "e0000002.3"},
		{"e0000002.3..p2", "p1", "p2"},
		{"e0000002..p2", "p1", "p2"},
		{"dots..in..it", "-", "p1 dots..in..it"},
		{"end...p3", "p2", "p3 end."}, // from "end", a prefix
		{"so ... what", "-", "p1 q1"},
		{":/one..two", "-", "p1"},
		{"p2..:/one", "p1", ""},
		{"other:main", "-", "p1 o2"},
		{"../s.jsonl:main", "-", "p1 o2"},
		{"other:p1..other:main", "p1", "o2"},
		{"../s.jsonl:p1..../s.jsonl:main", "p1", "o2"},
		{"p2..other:main", "-", "o2"},
		{"other:main..main", "-", "p2 p3 l1"},
		{"other:main...main", "invalid", ""},
		{"", "invalid", ""},
		{"nope..main", "not found", ""},
		{"main..nope", "not found", ""},
		{"main....q", "not found", ""},
		{"p..q", "ambiguous", ""},
		{"h1..main", "invalid", ""},
		{"h1", "invalid", ""},
		{":/nope..x", "not found", ""},
	}
	for _, tt := range tests {
		rg, err := r.ResolveRange(tt.spec)
		if class, ok := errorClasses[tt.base]; ok {
			if !errors.Is(err, class) {
				t.Errorf("%q: got %v, want %s", tt.spec, err, tt.base)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", tt.spec, err)
			continue
		}
		check(t, tt.spec+": base", idOf(rg.To.State.log, rg.Base), tt.base)
		check(t, tt.spec, idsOf(rg.To.State.log, r.Select(rg)), tt.want)
	}
}

func TestRangeUnborn(t *testing.T) {
	r := &Resolver{State: foldLines(t)}
	rg, err := r.ResolveRange("HEAD")
	if err != nil || rg.HasFrom || rg.From.At != log.None || rg.To.At != log.None || len(r.Select(rg)) != 0 {
		t.Errorf("HEAD: got %+v, %v", rg, err)
	}
	if _, err := r.ResolveRange(".."); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("..: got %v", err)
	}
}
