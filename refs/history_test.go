package refs

import (
	"errors"
	"testing"

	"tlog/log"
	"tlog/objects"
)

func historyOf(t testing.TB, l *log.Log, id string) *History {
	t.Helper()
	i := log.None
	if id != "" {
		i = at(t, l, id)
	}
	h, err := NewHistory(l, i)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHistory(t *testing.T) {
	l := openLog(t,
		say("a", "", objects.RoleUser, "x"), say("b", "a", objects.RoleAssistant, "x"), say("c", "b", objects.RoleUser, "x"),
		undo(objects.TypeSkip, "s1", "c", "c", "b", "c", "nope"),
		say("d", "s1", objects.RoleUser, "x"),
		undo(objects.TypeSkip, "s2", "d", "d", "b", "z"),
		undo(objects.TypeUnskip, "u1", "s2", "c"),
		line(objects.TypeModelChange, "m", "u1", text("modelId", "x")),
		say("z", "a", objects.RoleUser, "x", text("ref", "side")),
	)
	tests := []struct {
		at, path, skipped, visible, newest, held string
	}{
		{"", "", "", "", "-", ""},
		{"a", "a", "", "a", "-", ""},
		{"c", "a b c", "", "a b c", "-", ""},
		{"s1", "a b c s1", "b c", "a", "s1", "c b"},
		{"d", "a b c s1 d", "b c", "a d", "s1", "c b"},
		{"s2", "a b c s1 d s2", "b c d", "a", "s2", "d b z"},
		{"m", "a b c s1 d s2 u1 m", "b d", "a c", "s2", "d b z"},
		{"z", "a z", "", "a z", "-", ""},
	}
	for _, tt := range tests {
		h := historyOf(t, l, tt.at)
		check(t, tt.at+": path", idsOf(l, h.Path()), tt.path)
		check(t, tt.at+": skipped", idsOf(l, h.Skipped()), tt.skipped)
		check(t, tt.at+": visible", idsOf(l, h.Visible()), tt.visible)
		check(t, tt.at+": newest skip", idOf(l, h.NewestSkip()), tt.newest)
		check(t, tt.at+": held", idsOf(l, h.Held(h.NewestSkip())), tt.held)
		visible := h.Visible()
		for n := range visible {
			if i, ok := h.Back(n); !ok || i != visible[len(visible)-1-n] {
				t.Errorf("%s: Back(%d): got %d, %v", tt.at, n, i, ok)
			}
		}
		if i, ok := h.Back(len(visible)); ok || i != log.None {
			t.Errorf("%s: Back(%d): got %d, %v", tt.at, len(visible), i, ok)
		}
		on := map[int]bool{}
		for _, i := range h.Path() {
			on[i] = true
		}
		for i := log.None; i < l.Len()+100; i++ {
			if h.Contains(i) != on[i] {
				t.Errorf("%s: Contains(%d): got %v", tt.at, i, !on[i])
			}
		}
	}
	// An entry that two undos name belongs to the newer one.
	h := historyOf(t, l, "m")
	check(t, "holder of b", idOf(l, h.SkippedBy(at(t, l, "b"))), "s2")
	check(t, "holder of c", idOf(l, h.SkippedBy(at(t, l, "c"))), "-")
	check(t, "held by s1", idsOf(l, h.Held(at(t, l, "s1"))), "")
}

func TestHistoryOfNoEntry(t *testing.T) {
	l := openLog(t, say("a", "", objects.RoleUser, "x"), ref("r1", "a", "x", "a", ""))
	for _, i := range []int{1, 2, -2} {
		if _, err := NewHistory(l, i); !errors.Is(err, objects.ErrInvalid) {
			t.Errorf("NewHistory(%d): got %v, want one that wraps ErrInvalid", i, err)
		}
	}
}

func TestTurns(t *testing.T) {
	const result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}`
	l := openLog(t,
		say("sys", "", objects.RoleSystem, "be kind"),
		say("p1", "sys", objects.RoleUser, "one"), say("a1", "p1", objects.RoleAssistant, "x"),
		line(objects.TypeMessage, "res", "a1", raw("message", result)),
		line(objects.TypeCustomMessage, "cm", "res", text("customType", "note"), text("content", "hi")),
		say("p2", "cm", objects.RoleUser, "two"), say("a2", "p2", objects.RoleAssistant, "x"),
		label("l1", "a2", "p1", "start"), say("p3", "l1", objects.RoleUser, "three"),
		undo(objects.TypeSkip, "s1", "p3", "p2", "a2"),
	)
	turnsOf := func(id string) string {
		turns, err := historyOf(t, l, id).Turns()
		if err != nil {
			t.Fatal(err)
		}
		out := ""
		for _, turn := range turns {
			out += "[" + idOf(l, turn.Prompt) + ": " + idsOf(l, turn.Entries) + "]"
		}
		return out
	}
	check(t, "before the undo", turnsOf("p3"), "[-: sys][p1: p1 a1 res cm][p2: p2 a2][p3: p3]")
	check(t, "after it", turnsOf("s1"), "[-: sys][p1: p1 a1 res cm][p3: p3]")
	check(t, "of nothing", turnsOf(""), "")
}
