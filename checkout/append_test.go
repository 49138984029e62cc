package checkout_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"tlog/checkout"
	"tlog/objects"
)

var ctx = context.Background()

// line gives the bytes of an entry's line without what tlog adds at its end.
func (l *lab) body(id objects.ID) string {
	l.tb.Helper()
	return string(l.entry(id).Body())
}

func TestAppendCompletesLines(t *testing.T) {
	l := newLab(t, 1)
	first := l.add(say("a"))
	tests := []struct {
		name, line, want string // <id>, <tip>, <now> stand for what was made
	}{
		{"bare message", ` {"role":"user","id":7,"content":"\u00e9\/","n":1.0}` + "\r\n",
			`{"type":"message","id":"<id>","parentId":"<tip>","timestamp":"<now>","message":{"role":"user","id":7,"content":"\u00e9\/","n":1.0}}`},
		{"bare message of OpenAI", `{"role":"tool","tool_call_id":"c","content":"x","ref":"nowhere"}`,
			`{"type":"message","id":"<id>","parentId":"<tip>","timestamp":"<now>","message":{"role":"tool","tool_call_id":"c","content":"x","ref":"nowhere"}}`},
		{"nothing but a type", `{"type":"probe"}`,
			`{"type":"probe","id":"<id>","parentId":"<tip>","timestamp":"<now>"}`},
		{"type last, spaces, odd numbers", `{ "n" : 1e400, "s":"\ud83d" , "type" : "custom" }`,
			`{ "n" : 1e400, "s":"\ud83d" , "type" : "custom","id":"<id>","parentId":"<tip>","timestamp":"<now>" }`},
		{"an id", `{"type":"custom","id":"x:1","data":1}`,
			`{"type":"custom","parentId":"<tip>","timestamp":"<now>","id":"x:1","data":1}`},
		{"a timestamp", `{"timestamp":"2020","type":"custom"}`,
			`{"timestamp":"2020","type":"custom","id":"<id>","parentId":"<tip>"}`},
		{"a parent", `{"type":"custom","parentId":"<tip>"}`,
			`{"type":"custom","id":"<id>","timestamp":"<now>","parentId":"<tip>"}`},
		{"a line of Claude Code's kind", `{"type":"user","message":{"role":"user","content":"x"}}`,
			`{"type":"user","id":"<id>","parentId":"<tip>","timestamp":"<now>","message":{"role":"user","content":"x"}}`},
		{"duplicate keys", `{"type":"custom","a":1,"a":2}`,
			`{"type":"custom","id":"<id>","parentId":"<tip>","timestamp":"<now>","a":1,"a":2}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := *l
			l.tb = t
			tip := string(l.tip(""))
			id := l.add(strings.ReplaceAll(tt.line, "<tip>", tip))
			want := strings.NewReplacer("<tip>", tip, "<id>", string(id), "<now>", l.entry(id).Timestamp).Replace(tt.want)
			if got := l.body(id); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if got := l.entry(id).ParentID; string(got) != tip {
				t.Errorf("parent %s, want %s", got, tip)
			}
			l.inspect()
		})
	}
	if e := l.entry(first); e.HasParent == false || e.ParentID != "" {
		t.Errorf("the first entry is no root: %s", e.Raw)
	}
}

func TestAppendRefusesLines(t *testing.T) {
	l := newLab(t, 2)
	known := l.add(say("a"), `{"type":"custom","id":"known"}`)
	skip := l.add(fmt.Sprintf(`{"type":"skip","targetIds":[%q]}`, known))
	label := l.add(`{"type":"label","targetId":"known","label":"x"}`)
	tests := []struct {
		name, line string
		class      error
		says       string
	}{
		{"nothing", "  ", objects.ErrInvalid, "unexpected end"},
		{"no object", "[1]", objects.ErrInvalid, "instead of '{'"},
		{"torn", `{"type":"custom"`, objects.ErrInvalid, "unexpected end"},
		{"two objects", `{"type":"custom"}{"type":"custom"}`, objects.ErrInvalid, "behind"},
		{"not UTF-8", "{\"type\":\"custom\",\"a\":\"\xff\"}", objects.ErrInvalid, "UTF-8"},
		{"a line break inside", "{\"type\":\"custom\",\n\"a\":1}", objects.ErrInvalid, "line break"},
		{"neither type nor role", `{"content":"x"}`, objects.ErrInvalid, "neither"},
		{"a role that is no string", `{"role":1}`, objects.ErrInvalid, "neither"},
		{"a type that is no string", `{"type":1,"role":"user"}`, objects.ErrInvalid, "string as type"},
		{"an empty type", `{"type":""}`, objects.ErrInvalid, "string as type"},
		{"a header", `{"type":"session","id":"x"}`, objects.ErrInvalid, "session"},
		{"ref", `{"type":"ref","name":"x","targetId":null}`, objects.ErrInvalid, "ref lines"},
		{"head", `{"type":"head","name":"x"}`, objects.ErrInvalid, "head lines"},
		{"meta", `{"type":"meta"}`, objects.ErrInvalid, "meta lines"},
		{"a chain", `{"type":"custom","chain":"x"}`, objects.ErrInvalid, "chain"},
		{"id null", `{"type":"custom","id":null}`, objects.ErrInvalid, "id"},
		{"id a number", `{"type":"custom","id":1}`, objects.ErrInvalid, "id"},
		{"id with a space", `{"type":"custom","id":"a b"}`, objects.ErrInvalid, "id"},
		{"id known", `{"type":"custom","id":"known"}`, objects.ErrInvalid, "known"},
		{"parent a number", `{"type":"custom","parentId":1}`, objects.ErrInvalid, "parentId"},
		{"parent null", `{"type":"custom","parentId":null}`, objects.ErrRefused, "parent null is not the tip of 'main', which is now at " + string(label)},
		{"parent stale", `{"type":"custom","parentId":"known"}`, objects.ErrRefused, "parent 'known' is not the tip of 'main', which is now at " + string(label)},
		{"parent nowhere", `{"type":"custom","parentId":"none"}`, objects.ErrRefused, "'none'"},
		{"a branch that is not there", `{"type":"custom","ref":"none"}`, objects.ErrNotFound, "'none'"},
		{"a label without target", `{"type":"label","label":"x"}`, objects.ErrInvalid, "targetId"},
		{"a label of nothing", `{"type":"label","targetId":"none","label":"x"}`, objects.ErrNotFound, "'none'"},
		{"a skip of nothing", `{"type":"skip","targetIds":["known","none"]}`, objects.ErrNotFound, "'none'"},
		{"a skip of a skip", fmt.Sprintf(`{"type":"skip","targetIds":[%q]}`, skip), objects.ErrInvalid, "skip"},
		{"a skip without targets", `{"type":"skip","targetIds":[]}`, objects.ErrInvalid, "list of ids"},
		{"a skip with a number", `{"type":"unskip","targetIds":["known",1]}`, objects.ErrInvalid, "list of ids"},
		{"an edit of a label", fmt.Sprintf(`{"type":"context_edit","targetId":%q,"replacement":null}`, label), objects.ErrInvalid, "no content"},
		{"an edit without replacement", `{"type":"context_edit","targetId":"known"}`, objects.ErrInvalid, "replacement"},
		{"an edit to a number", `{"type":"context_edit","targetId":"known","replacement":{"content":1}}`, objects.ErrInvalid, "replacement"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := *l
			l.tb = t
			size := l.Log.Size()
			_, err := l.tryAdd("", say("goes with it"), tt.line)
			if strings.HasPrefix(tt.name, "parent ") {
				_, err = l.tryAdd("", tt.line)
			}
			l.fails(err, tt.class, tt.says)
			if l.Log.Size() != size {
				t.Error("something was written")
			}
			l.inspect()
		})
	}
}

func TestAppendParents(t *testing.T) {
	l := newLab(t, 3)
	tip := l.add(say("a"))
	l.add(fmt.Sprintf(`{"type":"custom","id":"p","parentId":%q}`, tip), `{"type":"custom","id":"q","parentId":"p"}`, `{"type":"custom","id":"r","parentId":"p"}`)
	if got := l.tip(""); got != "r" {
		t.Errorf("HEAD at %s, want r", got)
	}
	// Of two programs that go on from one tip, the second is told so.
	l.add(`{"type":"custom","id":"s","parentId":"r"}`)
	_, err := l.tryAdd("", `{"type":"custom","parentId":"r"}`)
	l.fails(err, objects.ErrRefused, "parent 'r' is not the tip of 'main', which is now at s")
	// The line of a checkout stands for the entry that it goes to.
	l.ok(l.Detach(ctx, l.find("p")))
	head := l.Log.Record(l.Log.Last()).ID
	l.add(fmt.Sprintf(`{"type":"custom","id":"t","parentId":%q}`, head))
	if parent := l.Log.Record(l.find("t")).Parent; parent != l.find("p") {
		t.Errorf("parent of t is record %d", parent)
	}
	l.inspect()
}

func TestAppendResultsSideBySide(t *testing.T) {
	l := newLab(t, 4)
	caller := l.add(say("a"), use("1", "2", "3"))
	under := func(line string, parent objects.ID) string {
		return fmt.Sprintf(`{"type":"message","parentId":%q,"message":%s}`, parent, line)
	}
	l.add(under(result("1"), caller))
	second := l.add(under(result("2"), caller))
	_, err := l.tryAdd("", under(result("9"), caller))
	l.fails(err, objects.ErrRefused, string(second))
	_, err = l.tryAdd("", under(say("x"), caller))
	l.fails(err, objects.ErrRefused)
	l.add(say("between"))
	_, err = l.tryAdd("", under(result("3"), caller))
	l.fails(err, objects.ErrRefused)
	// An undo takes all of the results with the call.
	l.add(`{"type":"custom"}`)
	u, err := l.Undo(ctx, 2, "undo 2")
	l.ok(err)
	if got := l.texts(u.Targets); got != "c-1c-2c-3 r-1 r-2 between" {
		t.Errorf("undone: %s", got)
	}
	l.wantVisible("a")
	u, err = l.Redo(ctx, "redo")
	l.ok(err)
	if got := l.texts(u.Targets); got != "c-1c-2c-3 r-1 r-2 between" {
		t.Errorf("redone: %s", got)
	}
	l.inspect()
}

func TestAppendToBranch(t *testing.T) {
	l := newLab(t, 5)
	_, err := l.tryAdd("side", say("x"))
	l.fails(err, objects.ErrNotFound, "'side'")
	main := l.addTo("main", say("a"))
	l.ok(l.CreateBranch(ctx, "side", l.find(main), false))
	side := l.addTo("side", say("b"), say("c"))
	if l.tip("") != main || l.tip("side") != side {
		t.Errorf("HEAD at %s, side at %s", l.tip(""), l.tip("side"))
	}
	if e := l.entry(side); e.Ref != "side" || !strings.Contains(string(e.Raw), `"ref":"side","chain"`) {
		t.Errorf("ref is not where tlog adds it: %s", e.Raw)
	}
	l.inspect()
	l.reopen()
	if l.tip("") != main || l.tip("side") != side {
		t.Errorf("reopened: HEAD at %s, side at %s", l.tip(""), l.tip("side"))
	}
	// Lines name branches themselves, each goes on top of its own.
	last := l.add(`{"type":"custom","id":"s1","ref":"side"}`, say("d"), `{"type":"custom","id":"s2","ref":"side"}`, say("e"))
	if l.tip("") != last || l.tip("side") != "s2" || l.entry("s2").ParentID != "s1" || l.entry("s1").ParentID != side {
		t.Errorf("HEAD at %s, side at %s", l.tip(""), l.tip("side"))
	}
	l.wantVisible("a d e")
	l.inspect()
	l.ok(l.Detach(ctx, l.find(main)))
	l.addTo("side", say("f"))
	if l.tip("") != main || !l.Refs.Head().Detached() {
		t.Errorf("detached HEAD moved to %s", l.tip(""))
	}
	l.inspect()
}

func TestAppendAtOnce(t *testing.T) {
	l := newLab(t, 6)
	l.add(say("a"))
	const writers, each = 4, 40
	var wg sync.WaitGroup
	errs := make(chan error, writers)
	for w := range writers {
		wg.Go(func() { errs <- appendMany(l.path, w, each) })
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		l.ok(err)
	}
	l.reopen()
	l.inspect()
	if got := len(strings.Fields(l.visible(l.Refs.Head().At))); got != writers*each+1 {
		t.Errorf("%d entries in one line on main, want %d", got, writers*each+1)
	}
}

func appendMany(path string, w, n int) error {
	s, err := checkout.Open(path, labOptions(uint64(100+w)))
	if err != nil {
		return err
	}
	defer s.Close()
	for i := range n {
		if _, err := s.Append(ctx, [][]byte{[]byte(say(fmt.Sprintf("w%d-%d", w, i)))}, checkout.AppendOptions{}); err != nil {
			return err
		}
	}
	return nil
}
