package checkout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tlog/checkout"
	"tlog/objects"
)

// stage stages lines and gives their ids.
func (l *lab) stage(st *checkout.Stream, lines ...string) []objects.ID {
	l.tb.Helper()
	var ids []objects.ID
	for _, line := range lines {
		id, err := st.Stage([]byte(line))
		l.ok(err)
		ids = append(ids, id)
	}
	return ids
}

func (l *lab) flush(st *checkout.Stream) []objects.ID {
	l.tb.Helper()
	ids, err := st.Flush(ctx)
	l.ok(err)
	return ids
}

func TestStream(t *testing.T) {
	l := newLab(t, 31)
	st := l.NewStream(checkout.AppendOptions{})
	if ids := l.flush(st); ids != nil {
		t.Errorf("flushed %v", ids)
	}
	buffer := []byte(say("a"))
	first, err := st.Stage(buffer)
	l.ok(err)
	for i := range buffer {
		buffer[i] = 'x'
	}
	staged := append([]objects.ID{first}, l.stage(st, say("b"), fmt.Sprintf(`{"type":"label","targetId":%q,"label":"start"}`, first))...)
	if st.Pending() != 3 || l.Log.Len() != 0 {
		t.Errorf("%d pending, %d records", st.Pending(), l.Log.Len())
	}
	_, err = st.Stage([]byte(`{"type":"label","targetId":"none","label":"x"}`))
	l.fails(err, objects.ErrNotFound)
	_, err = st.Stage([]byte(fmt.Sprintf(`{"type":"custom","id":%q}`, first)))
	l.fails(err, objects.ErrInvalid)
	_, err = st.Stage([]byte(`{"type":"custom","parentId":null}`))
	l.fails(err, objects.ErrRefused, string(staged[2]))
	if ids := l.flush(st); !slices.Equal(ids, staged) || st.Pending() != 0 {
		t.Errorf("flushed %v, staged %v", ids, staged)
	}
	l.wantVisible("a b")
	l.ok(st.Close(ctx))
	l.inspect()
	if got := l.Refs.Label(l.find(first)); got != "start" {
		t.Errorf("label %q", got)
	}
}

func TestStreamMeetsOthers(t *testing.T) {
	l := newLab(t, 32)
	l.add(say("a"))
	other, err := checkout.Open(l.path, labOptions(99))
	l.ok(err)
	defer other.Close()
	st := l.NewStream(checkout.AppendOptions{})
	l.stage(st, say("b"))
	_, err = other.Append(ctx, [][]byte{[]byte(say("o"))}, checkout.AppendOptions{})
	l.ok(err)
	l.flush(st)
	l.wantVisible("a o b")
	// Entries that name a parent do not go on top of what they have not seen.
	l.stage(st, fmt.Sprintf(`{"type":"message","id":"c","parentId":%q,"message":%s}`, l.tip(""), say("c")), say("d"))
	_, err = other.Append(ctx, [][]byte{[]byte(say("p"))}, checkout.AppendOptions{})
	l.ok(err)
	_, err = st.Flush(ctx)
	l.fails(err, objects.ErrRefused, "pending entry c")
	if st.Pending() != 2 {
		t.Errorf("%d pending after a refused flush", st.Pending())
	}
	_, removed, err := st.Undo(ctx, 2)
	l.ok(err)
	if len(removed) != 2 || st.Pending() != 0 {
		t.Errorf("removed %v", removed)
	}
	l.wantVisible("a o b p")
	// The session itself may append between.
	l.stage(st, say("e"))
	l.add(say("f"))
	l.stage(st, say("g"))
	l.flush(st)
	l.wantVisible("a o b p f e g")
	l.stage(st, fmt.Sprintf(`{"type":"custom","id":"h","parentId":%q}`, l.tip("")))
	l.add(say("i"))
	_, err = st.Stage([]byte(say("j")))
	l.fails(err, objects.ErrRefused, "pending entry h")
	l.inspect()
}

func TestStreamToBranch(t *testing.T) {
	l := newLab(t, 33)
	a := l.add(say("a"))
	none := l.NewStream(checkout.AppendOptions{Branch: "none"})
	_, err := none.Stage([]byte(say("x")))
	l.fails(err, objects.ErrNotFound)
	l.ok(l.CreateBranch(ctx, "side", l.find(a), false))
	st := l.NewStream(checkout.AppendOptions{Branch: "side"})
	l.stage(st, say("b"))
	l.flush(st)
	l.stage(st, say("c"), say("d"))
	l.flush(st)
	records := l.Log.Len()
	l.ok(st.Close(ctx))
	l.inspect()
	if l.Log.Len() != records+1 || l.tip("") != a {
		t.Errorf("%d new records, HEAD at %s", l.Log.Len()-records, l.tip(""))
	}
	l.ok(st.Close(ctx))
	if l.Log.Len() != records+1 {
		t.Error("a second close wrote something")
	}
	side, _ := l.Refs.Branch("side")
	if got := l.visible(side.At); got != "a b c d" {
		t.Errorf("side: %s", got)
	}
	// An undo of what is flushed ends with the line that says where HEAD is.
	l.stage(st, say("e"))
	u, removed, err := st.Undo(ctx, 3)
	l.ok(err)
	if u.Pending != 1 || len(removed) != 1 || l.texts(u.Targets) != "c d" {
		t.Errorf("undone: %+v, removed %v", u, removed)
	}
	l.inspect()
	side, _ = l.Refs.Branch("side")
	if got := l.visible(side.At); got != "a b" || l.tip("") != a {
		t.Errorf("side: %s, HEAD at %s", got, l.tip(""))
	}
	// Nothing is to be said at the end if others have said it.
	l.stage(st, say("f"))
	l.flush(st)
	l.add(say("g"))
	records = l.Log.Len()
	l.ok(st.Close(ctx))
	if l.Log.Len() != records {
		t.Error("close wrote a line that nobody needs")
	}
	l.inspect()
}

func TestStreamUndo(t *testing.T) {
	tests := []struct {
		name            string
		flushed, staged []string
		n               int
		want            string // visible after the flush
		removed         int
		undone, closure string // in the log
	}{
		{"pending alone", []string{say("a")}, []string{say("b"), say("c")}, 1, "a b", 1, "", ""},
		{"more than pending", []string{say("a"), say("b")}, []string{say("c")}, 2, "a", 1, "b", ""},
		{"all there is", []string{say("a")}, []string{say("b")}, 9, "", 1, "a", ""},
		{"a pair in the buffer", nil, []string{say("a"), use("1"), result("1")}, 1, "a", 2, "", ""},
		{"a pair across", []string{say("a"), use("1")}, []string{result("1")}, 1, "a", 1, "c-1", "c-1"},
		{"parallel results across", []string{say("a"), use("1", "2"), result("1")}, []string{result("2"), say("b")}, 2, "a", 2, "c-1c-2 r-1", "c-1c-2 r-1"},
		{"an entry between stays", nil, []string{say("a"), use("1"), say("b"), result("1")}, 1, "a b", 2, "", ""},
		{"what is not visible stays", []string{say("a")}, []string{say("b"), `{"type":"custom"}`}, 1, "a", 1, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, 34)
			if tt.flushed != nil {
				l.add(tt.flushed...)
			}
			st := l.NewStream(checkout.AppendOptions{})
			staged := l.stage(st, tt.staged...)
			u, removed, err := st.Undo(ctx, tt.n)
			l.ok(err)
			if len(removed) != tt.removed || u.Pending != tt.removed {
				t.Errorf("removed %v, want %d", removed, tt.removed)
			}
			if got := l.texts(u.Targets); got != tt.undone || l.texts(u.Closure) != tt.closure {
				t.Errorf("undone %q, closure %q", got, l.texts(u.Closure))
			}
			if (u.Entry != "") != (tt.undone != "") {
				t.Errorf("entry %q", u.Entry)
			}
			if want := len(staged) - tt.removed; u.Entry == "" && st.Pending() != want {
				t.Errorf("%d pending, want %d", st.Pending(), want)
			}
			l.flush(st)
			l.wantVisible(tt.want)
			for _, id := range removed {
				if _, ok := l.Log.Find(id); ok {
					t.Errorf("%s was taken out and is in the log", id)
				}
			}
			l.inspect()
		})
	}
}

// What a pending skip or unskip says counts already.
func TestStreamUndoSeesPendingUndo(t *testing.T) {
	l := newLab(t, 37)
	l.add(say("a"), say("b"), say("c"))
	b, c := l.Log.Record(1).ID, l.Log.Record(2).ID
	_, err := l.UndoEntries(ctx, []int{1}, "")
	l.ok(err)
	st := l.NewStream(checkout.AppendOptions{})
	l.stage(st, fmt.Sprintf(`{"type":"skip","targetIds":[%q]}`, c), fmt.Sprintf(`{"type":"unskip","targetIds":[%q]}`, b))
	u, _, err := st.Undo(ctx, 1)
	l.ok(err)
	if got := l.texts(u.Targets); got != "b" {
		t.Errorf("undone: %s", got)
	}
	l.wantVisible("a")
	l.inspect()
}

func TestStreamUndoMendsTheBuffer(t *testing.T) {
	l := newLab(t, 35)
	a := l.add(say("a"))
	st := l.NewStream(checkout.AppendOptions{})
	message := func(id, parent, text string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"message":%s}`, id, parent, say(text))
	}
	l.stage(st,
		message("b", string(a), "b"),
		message("c", "b", "c"),
		`{"type":"custom","id":"n","parentId":"c"}`,
		`{"type":"label","id":"l","targetId":"c","label":"gone"}`,
		`{"type":"context_edit","id":"e","targetId":"b","replacement":{"content":"B"}}`,
		`{"type":"skip","id":"s","targetIds":["b","c"]}`,
	)
	// b and c are undone by what is pending already: a is the newest visible one.
	u, removed, err := st.Undo(ctx, 1)
	l.ok(err)
	if len(removed) != 0 || l.texts(u.Targets) != "a" {
		t.Errorf("undone %+v, removed %v", u, removed)
	}
	l.inspect()

	l = newLab(t, 36)
	a = l.add(say("a"))
	st = l.NewStream(checkout.AppendOptions{})
	l.stage(st,
		message("b", string(a), "b"),
		message("c", "b", "c"),
		`{"type":"custom","id":"n","parentId":"c"}`,
		`{"type":"label","id":"l","targetId":"c","label":"gone"}`,
		`{"type":"custom","id":"m","parentId":"l"}`,
		fmt.Sprintf(`{"type":"skip","id":"s","targetIds":[%q]}`, a),
		fmt.Sprintf(`{"type":"unskip","id":"us","targetIds":["c",%q]}`, a),
	)
	_, removed, err = st.Undo(ctx, 1)
	l.ok(err)
	if fmt.Sprint(removed) != "[c l]" {
		t.Errorf("removed %v", removed)
	}
	ids := l.flush(st)
	if fmt.Sprint(ids) != "[b n m s us]" {
		t.Errorf("flushed %v", ids)
	}
	for id, parent := range map[objects.ID]objects.ID{"b": a, "n": "b", "m": "n", "s": "m"} {
		if got := l.entry(id).ParentID; got != parent {
			t.Errorf("parent of %s is %s, want %s", id, got, parent)
		}
	}
	if got := l.entry("us").TargetIDs(); !slices.Equal(got, []objects.ID{a}) {
		t.Errorf("unskip names %v", got)
	}
	l.wantVisible("a b")
	_, _, err = st.Undo(ctx, 3)
	l.ok(err)
	_, _, err = st.Undo(ctx, 3)
	l.fails(err, objects.ErrNotFound)
	_, _, err = st.Undo(ctx, 0)
	l.fails(err, objects.ErrInvalid)
	l.inspect()
	if !strings.Contains(l.body("n"), `"parentId":"b"`) {
		t.Errorf("n: %s", l.body("n"))
	}
}
