package checkout_test

import (
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
)

func TestUndoRules(t *testing.T) {
	l := newLab(t, 21)
	_, err := l.Undo(ctx, 1, "")
	l.fails(err, objects.ErrNotFound, "nothing to undo")
	_, err = l.Redo(ctx, "")
	l.fails(err, objects.ErrNotFound, "nothing to redo")
	_, err = l.Undo(ctx, 0, "")
	l.fails(err, objects.ErrInvalid)
	_, err = l.UndoTurns(ctx, -1, "")
	l.fails(err, objects.ErrInvalid)
	_, err = l.UndoEntries(ctx, nil, "")
	l.fails(err, objects.ErrInvalid)

	a := l.find(l.add(say("a")))
	l.add(say("b"))
	note := l.find(l.add(`{"type":"custom","customType":"note"}`))
	u, err := l.Undo(ctx, 1, "undo 1")
	l.ok(err)
	if l.texts(u.Targets) != "b" || len(u.Closure) != 0 || u.Pending != 0 {
		t.Errorf("undone: %+v", u)
	}
	e := l.entry(u.Entry)
	if got := string(e.Body()); !strings.Contains(got, `,"targetIds":["`+string(l.Log.Record(u.Targets[0]).ID)+`"],"reason":"undo 1"}`) {
		t.Errorf("skip: %s", got)
	}
	_, err = l.UndoEntries(ctx, []int{u.Targets[0]}, "")
	l.fails(err, objects.ErrRefused, "already", string(u.Entry))
	_, err = l.UndoEntries(ctx, []int{l.find(u.Entry)}, "")
	l.fails(err, objects.ErrRefused, "redo")
	_, err = l.UndoEntries(ctx, []int{99}, "")
	l.fails(err, objects.ErrNotFound)
	_, err = l.UndoEntries(ctx, []int{note, a}, "")
	l.ok(err)
	l.wantVisible("")
	_, err = l.Undo(ctx, 1, "")
	l.fails(err, objects.ErrNotFound)
	l.inspect()

	// Redo goes back through the undos, the newest first, and says what came back.
	u, err = l.Redo(ctx, "redo")
	l.ok(err)
	if len(u.Targets) != 2 || u.Targets[0] != a || u.Targets[1] != note {
		t.Errorf("redone: %+v", u)
	}
	u, err = l.Redo(ctx, "")
	l.ok(err)
	if got := string(l.entry(u.Entry).Body()); strings.Contains(got, "reason") {
		t.Errorf("an empty reason was written: %s", got)
	}
	l.wantVisible("a b")
	_, err = l.Redo(ctx, "")
	l.fails(err, objects.ErrNotFound)
	u, err = l.Undo(ctx, 5, "")
	l.ok(err)
	if l.texts(u.Targets) != "a b" {
		t.Errorf("undone: %+v", u)
	}
	l.inspect()
	// An entry of another branch cannot be undone here.
	l.ok(l.SwitchOrphan(ctx, "other"))
	l.add(say("c"))
	_, err = l.UndoEntries(ctx, []int{a}, "")
	l.fails(err, objects.ErrRefused, "not on the current branch")
}

func TestUndoToolPairs(t *testing.T) {
	anthropic := `{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"x","input":{}},{"type":"tool_use","id":"2","name":"x","input":{}}]}`
	both := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"both"},{"type":"tool_result","tool_use_id":"2","content":""}]}`
	openai := `{"role":"assistant","content":"call","tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":"{}"}}]}`
	tool := `{"role":"tool","tool_call_id":"1","content":"tool"}`
	tests := []struct {
		name   string
		lines  []string
		undo   []int // these lines, from 0; or
		newest int
		want   string // what stays
		close  int
	}{
		{name: "a result takes its call", lines: []string{say("a"), use("1"), result("1")}, newest: 1, want: "a", close: 1},
		{name: "both asked for", lines: []string{say("a"), use("1"), result("1")}, newest: 2, want: "a", close: 0},
		{name: "a call takes its result", lines: []string{say("a"), use("1"), result("1"), say("b")}, undo: []int{1}, want: "a b", close: 1},
		{name: "one of parallel results takes all", lines: []string{use("1", "2"), result("1"), result("2"), say("b")}, undo: []int{1}, want: "b", close: 2},
		{name: "a prompt takes nothing", lines: []string{say("a"), use("1"), result("1")}, undo: []int{0}, want: "c-1 r-1"},
		{name: "a call without result", lines: []string{say("a"), use("1")}, newest: 1, want: "a"},
		{name: "a result without call", lines: []string{say("a"), result("1")}, newest: 1, want: "a"},
		{name: "of two results of a call one", lines: []string{use("1"), result("1"), say("b"), result("1")}, newest: 1, want: "c-1 r-1 b"},
		{name: "of two results of a call both", lines: []string{use("1"), result("1"), result("1")}, newest: 2, want: "", close: 1},
		{name: "an id that is used again", lines: []string{use("1"), result("1"), say("a"), use("1"), result("1")}, newest: 1, want: "c-1 r-1 a", close: 1},
		{name: "an id that is used again, the older", lines: []string{use("1"), result("1"), say("a"), use("1"), result("1")}, undo: []int{0}, want: "a c-1 r-1", close: 1},
		{name: "Anthropic's blocks", lines: []string{say("a"), anthropic, both, say("b")}, undo: []int{2}, want: "a b", close: 1},
		{name: "OpenAI's tool role", lines: []string{say("a"), openai, tool}, newest: 1, want: "a", close: 1},
		{name: "a chain of links", lines: []string{use("1"), use("2"), both, say("a")}, undo: []int{0}, want: "a", close: 2},
		{name: "results far behind", lines: []string{use("1"), say("a"), say("b"), result("1"), say("c")}, undo: []int{3}, want: "a b c", close: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, 22)
			l.add(tt.lines...)
			before := l.visible(l.Refs.Head().At)
			u, err := l.Undo(ctx, max(tt.newest, 1), "")
			if tt.undo != nil {
				l.ok(err)
				_, err = l.Redo(ctx, "")
				l.ok(err)
				u, err = l.UndoEntries(ctx, tt.undo, "")
			}
			l.ok(err)
			l.wantVisible(tt.want)
			if len(u.Closure) != tt.close {
				t.Errorf("closure: %s, want %d", l.texts(u.Closure), tt.close)
			}
			_, err = l.Redo(ctx, "")
			l.ok(err)
			l.wantVisible(before)
			l.inspect()
		})
	}
}

func TestUndoOfWhatIsPartlyUndone(t *testing.T) {
	l := newLab(t, 23)
	l.add(use("1", "2"), result("1"), result("2"), say("a"))
	// Another program may have undone one result alone.
	l.add(`{"type":"skip","targetIds":["` + string(l.Log.Record(1).ID) + `"]}`)
	u, err := l.UndoEntries(ctx, []int{2}, "")
	l.ok(err)
	if got := l.texts(u.Targets); got != "c-1c-2 r-2" {
		t.Errorf("undone: %s", got)
	}
	l.wantVisible("a")
	l.inspect()
}

func TestUndoTurns(t *testing.T) {
	l := newLab(t, 24)
	l.add(`{"role":"assistant","content":"hello"}`, say("a"), use("1"), result("1"), `{"type":"custom"}`, say("b"), say("c"))
	tests := []struct {
		n    int
		want string
	}{{1, "hello a c-1 r-1 b"}, {2, "hello a c-1 r-1"}, {3, "hello"}, {4, ""}, {9, ""}}
	for _, tt := range tests {
		_, err := l.UndoTurns(ctx, tt.n, "undo turns")
		l.ok(err)
		l.wantVisible(tt.want)
		_, err = l.Redo(ctx, "")
		l.ok(err)
		l.wantVisible("hello a c-1 r-1 b c")
	}
	_, err := l.UndoTurns(ctx, 1, "")
	l.ok(err)
	_, err = l.UndoTurns(ctx, 1, "")
	l.ok(err)
	l.wantVisible("hello a c-1 r-1")
	l.inspect()
}

// The story that undo has to get right: three steps back, two forth, a branch, a step back there.
func TestUndoRedoBranch(t *testing.T) {
	l := newLab(t, 25)
	l.add(say("a"), say("b"), say("c"), say("d"))
	fork := l.Refs.Head().At
	for range 3 {
		_, err := l.Undo(ctx, 1, "undo 1")
		l.ok(err)
	}
	l.wantVisible("a")
	for range 2 {
		_, err := l.Redo(ctx, "redo")
		l.ok(err)
	}
	l.wantVisible("a b c")
	l.ok(l.SwitchNew(ctx, "side", l.Refs.Head().At, false))
	l.add(say("e"))
	_, err := l.Undo(ctx, 2, "undo 2")
	l.ok(err)
	l.inspect()
	l.reopen()
	l.wantVisible("a b")
	side, _ := l.Refs.Branch("side")
	main, _ := l.Refs.Branch("main")
	for _, tt := range []struct {
		at   int
		want string
	}{{side.At, "a b"}, {main.At, "a b c"}, {fork, "a b c d"}} {
		if got := l.visible(tt.at); got != tt.want {
			t.Errorf("visible at %d: %q, want %q", tt.at, got, tt.want)
		}
		c, err := l.Context(tt.at)
		l.ok(err)
		var in []int
		for _, m := range c.Messages {
			in = append(in, m.At)
		}
		if got := l.texts(in); got != tt.want {
			t.Errorf("context at %d: %q, want %q", tt.at, got, tt.want)
		}
	}
	want := "redo; redo; undo; undo; undo; append: message; append: message; append: message; append: message"
	if got := l.reasons("main"); got != want {
		t.Errorf("reflog of main: %s", got)
	}
	want = "undo; append: message; branch: created from " + l.Log.Short(main.At)
	if got := l.reasons("side"); got != want {
		t.Errorf("reflog of side: %s", got)
	}
	// What the branch took over can be redone there too, newest first.
	for _, want := range []string{"a b c e", "a b c d e"} {
		_, err := l.Redo(ctx, "redo")
		l.ok(err)
		l.wantVisible(want)
	}
	_, err = l.Redo(ctx, "redo")
	l.fails(err, objects.ErrNotFound)
	l.ok(l.Switch(ctx, "main"))
	l.wantVisible("a b c")
	l.inspect()
}

// An undo of the newest entry must not read a long path's messages.
func TestUndoOnALongPath(t *testing.T) {
	l := newLab(t, 26)
	lines := make([]string, 20000)
	for i := range lines {
		lines[i] = say("x")
	}
	l.add(append(lines, use("1"), result("1"))...)
	u, err := l.Undo(ctx, 1, "")
	l.ok(err)
	if len(u.Targets) != 2 || l.Refs.Head().At == log.None {
		t.Errorf("undone: %+v", u)
	}
}
