package checkout_test

import (
	"fmt"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// reasons are the reasons in a reflog, newest first.
func (l *lab) reasons(name string) string {
	l.tb.Helper()
	moves, err := refs.Reflog(l.Log, name)
	l.ok(err)
	var reasons []string
	for _, m := range moves {
		reasons = append(reasons, m.Reason)
	}
	return strings.Join(reasons, "; ")
}

func TestCheckout(t *testing.T) {
	l := newLab(t, 11)
	a := l.find(l.add(say("a")))
	b := l.find(l.add(say("b")))
	short := l.Log.Short(a)

	l.ok(l.SwitchNew(ctx, "side", a, false))
	l.inspect()
	if h := l.Refs.Head(); h.Branch != "side" || h.At != a {
		t.Fatalf("HEAD: %+v", h)
	}
	for i := l.Log.Last() - 1; i <= l.Log.Last(); i++ {
		if r := l.Log.Record(i); !r.Type.Journal() || r.Parent != a {
			t.Errorf("line %d, a %s, hangs under %d, want %d", r.Line, r.Type, r.Parent, a)
		}
	}
	l.add(say("c"))
	l.ok(l.Switch(ctx, "main"))
	l.inspect()
	if h := l.Refs.Head(); h.Branch != "main" || h.At != b {
		t.Fatalf("HEAD: %+v", h)
	}
	size := l.Log.Size()
	l.ok(l.Switch(ctx, "main"))
	l.ok(l.Detach(ctx, a))
	l.inspect()
	if l.Log.Size() == size {
		t.Error("a checkout of an entry wrote nothing")
	}
	size = l.Log.Size()
	l.ok(l.Detach(ctx, a))
	if l.Log.Size() != size {
		t.Error("a checkout of where HEAD is wrote something")
	}
	l.reopen()
	if h := l.Refs.Head(); !h.Detached() || h.At != a {
		t.Fatalf("HEAD: %+v", h)
	}
	l.add(say("d"))
	l.wantVisible("a d")
	l.ok(l.SwitchOrphan(ctx, "fresh"))
	l.inspect()
	l.reopen()
	if h := l.Refs.Head(); h.Branch != "fresh" || h.At != log.None {
		t.Fatalf("HEAD: %+v", h)
	}
	l.add(say("e"))
	l.wantVisible("e")
	l.inspect()
	want := fmt.Sprintf("append: message; checkout: moving from %s to fresh; append: message; checkout: moving from main to %s; "+
		"checkout: moving from side to main; append: message; checkout: moving from main to side; append: message; append: message",
		l.Log.Short(l.Log.Len()-3), short)
	if got := l.reasons("HEAD"); got != want {
		t.Errorf("reflog of HEAD:\ngot  %s\nwant %s", got, want)
	}
	if got := l.reasons("side"); got != "append: message; branch: created from "+short {
		t.Errorf("reflog of side: %s", got)
	}
}

func TestCheckoutRefuses(t *testing.T) {
	l := newLab(t, 12)
	l.fails(l.Switch(ctx, "main "), objects.ErrNotFound)
	l.fails(l.CreateBranch(ctx, "x", log.None, false), objects.ErrNotFound)
	l.ok(l.Switch(ctx, "main"))
	a := l.find(l.add(say("a")))
	l.ok(l.CreateBranch(ctx, "side", a, false))
	journal := l.Log.Last()
	l.fails(l.Switch(ctx, "none"), objects.ErrNotFound, "'none'")
	l.fails(l.Switch(ctx, ""), objects.ErrNotFound)
	l.fails(l.Detach(ctx, journal), objects.ErrInvalid, "ref")
	l.fails(l.Detach(ctx, 99), objects.ErrNotFound)
	l.fails(l.SwitchNew(ctx, "side", a, false), objects.ErrInvalid, "exists already")
	l.fails(l.SwitchNew(ctx, "a b", a, false), objects.ErrInvalid)
	l.fails(l.SwitchOrphan(ctx, "side"), objects.ErrInvalid, "exists already")
	l.fails(l.SwitchOrphan(ctx, "main"), objects.ErrInvalid, "exists already")
	l.inspect()
}

func TestBranches(t *testing.T) {
	l := newLab(t, 13)
	a := l.add(say("a"))
	at := l.find(a)
	b := l.find(l.add(say("b")))
	short := l.Log.Short(at)
	l.ok(l.CreateBranch(ctx, "side", at, false))
	l.fails(l.CreateBranch(ctx, "side", b, false), objects.ErrInvalid, "'side' exists already")
	l.fails(l.CreateBranch(ctx, "main", at, false), objects.ErrInvalid, "exists already")
	l.fails(l.CreateBranch(ctx, "main", at, true), objects.ErrRefused, "checked out")
	for _, name := range []string{string(a), string(a[:7]), strings.ToUpper(string(a[:20])), a.Tail(), a.Tail()[:7]} {
		l.fails(l.CreateBranch(ctx, name, at, false), objects.ErrRefused, "hide")
	}
	for _, name := range []string{string(a[:5]), a.Tail()[:3]} { // short ones win over ids
		l.ok(l.CreateBranch(ctx, name, at, false))
		l.ok(l.DeleteBranch(ctx, name))
	}
	l.ok(l.CreateBranch(ctx, "side", b, true))
	l.inspect()
	if l.tip("side") != l.tip("main") {
		t.Error("side was not moved")
	}
	l.ok(l.RenameBranch(ctx, "side", "other", false))
	l.ok(l.RenameBranch(ctx, "main", "trunk", false))
	l.inspect()
	if h := l.Refs.Head(); h.Branch != "trunk" || h.At != b {
		t.Errorf("HEAD: %+v", h)
	}
	l.ok(l.CreateBranch(ctx, "third", at, false))
	l.fails(l.RenameBranch(ctx, "third", "other", false), objects.ErrInvalid, "exists already")
	l.fails(l.RenameBranch(ctx, "third", "trunk", true), objects.ErrRefused)
	l.fails(l.RenameBranch(ctx, "none", "x", false), objects.ErrNotFound)
	l.fails(l.RenameBranch(ctx, "", "x", false), objects.ErrNotFound)
	l.ok(l.RenameBranch(ctx, "third", "other", true))
	l.ok(l.RenameBranch(ctx, "other", "other", false))
	if l.tip("other") != a {
		t.Errorf("other at %s", l.tip("other"))
	}
	l.fails(l.DeleteBranch(ctx, "trunk"), objects.ErrRefused, "checked out")
	l.fails(l.DeleteBranch(ctx, "none"), objects.ErrNotFound)
	l.fails(l.DeleteBranch(ctx, ""), objects.ErrNotFound)
	l.ok(l.DeleteBranch(ctx, "other"))
	l.inspect()
	l.reopen()
	if got := fmt.Sprint(l.Refs.Branches()); got != fmt.Sprintf("[{trunk %d}]", b) {
		t.Errorf("branches: %s", got)
	}
	want := "branch: deleted; branch: renamed third to other; branch: renamed side to other"
	if got := l.reasons("other"); got != want {
		t.Errorf("reflog of other: %s", got)
	}
	if got := l.reasons("side"); got != "branch: renamed side to other; branch: reset to "+l.Log.Short(b)+"; branch: created from "+short {
		t.Errorf("reflog of side: %s", got)
	}
	// checkout -B moves even the branch that is checked out.
	l.ok(l.SwitchNew(ctx, "trunk", at, true))
	l.wantVisible("a")
	l.inspect()
}

func TestUnbornBranches(t *testing.T) {
	l := newLab(t, 14)
	l.ok(l.RenameBranch(ctx, "main", "trunk", false))
	if h := l.Refs.Head(); h.Branch != "trunk" || h.At != log.None {
		t.Errorf("HEAD: %+v", h)
	}
	l.ok(l.SwitchNew(ctx, "start", log.None, false))
	l.fails(l.Switch(ctx, "trunk"), objects.ErrNotFound)
	a := l.find(l.add(say("a")))
	l.ok(l.SwitchOrphan(ctx, "late"))
	l.ok(l.CreateBranch(ctx, "late", a, false))
	l.inspect()
	l.wantVisible("a")
	l.fails(l.CreateBranch(ctx, "late", a, true), objects.ErrRefused)
}

func TestLabelsAndName(t *testing.T) {
	l := newLab(t, 15)
	a := l.find(l.add(say("a")))
	_, err := l.SetLabel(ctx, a, "start")
	l.ok(err)
	_, err = l.SetLabel(ctx, a, "no good")
	l.fails(err, objects.ErrInvalid)
	_, err = l.SetLabel(ctx, a, string(l.tip("")))
	l.fails(err, objects.ErrRefused, "hide")
	_, err = l.SetLabel(ctx, 77, "x")
	l.fails(err, objects.ErrNotFound)
	id, err := l.SetName(ctx, "  a day ")
	l.ok(err)
	l.inspect()
	l.reopen()
	if l.Refs.Label(a) != "start" || l.Refs.Name() != "a day" || l.tip("") != id {
		t.Errorf("label %q, name %q, HEAD at %s", l.Refs.Label(a), l.Refs.Name(), l.tip(""))
	}
	_, err = l.SetLabel(ctx, a, "")
	l.ok(err)
	if l.Refs.Label(a) != "" {
		t.Errorf("label %q", l.Refs.Label(a))
	}
	l.wantVisible("a")
	l.inspect()
}
