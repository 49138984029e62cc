package refs

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
)

// movesOf writes a reflog as "id<-by reason".
func movesOf(t *testing.T, l *log.Log, name string) string {
	t.Helper()
	moves, err := Reflog(l, name)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(moves))
	for n, m := range moves {
		out[n] = idOf(l, m.At) + "<-" + idOf(l, m.By) + " " + m.Reason
	}
	return strings.Join(out, "\n")
}

// journey is a log in which HEAD has been about.
func journey() []string {
	return []string{
		say("a", "", objects.RoleUser, "x"),
		say("b", "a", objects.RoleAssistant, "x"),
		undo(objects.TypeSkip, "s", "b", "b"),
		undo(objects.TypeUnskip, "u", "s", "b"),
		ref("r1", "u", "side", "a", "branch: created"),
		attach("h1", "a", "side", "checkout: moving from main to side"),
		say("c", "a", objects.RoleUser, "x"),
		say("d", "u", objects.RoleUser, "x", text("ref", "main")),
		attach("h2", "c", "side", "back"),
		detach("h3", "a", "a", ""),
		attach("h4", "d", "main", "checkout"),
		ref("r2", "d", "side", "", "branch: deleted"),
		ref("r3", "d", "main", "d", "no move"),
	}
}

func TestReflog(t *testing.T) {
	l := openLog(t, journey()...)
	check(t, "HEAD", movesOf(t, l, "HEAD"), strings.Join([]string{
		"d<-h4 checkout",
		"a<-h3 checkout",
		"c<-c append: message",
		"a<-h1 checkout: moving from main to side",
		"u<-u redo",
		"s<-s undo",
		"b<-b append: message",
		"a<-a append: message",
	}, "\n"))
	check(t, "@", movesOf(t, l, "@"), movesOf(t, l, "HEAD"))
	check(t, "main", movesOf(t, l, "main"), strings.Join([]string{
		"d<-d append: message",
		"u<-u redo",
		"s<-s undo",
		"b<-b append: message",
		"a<-a append: message",
	}, "\n"))
	check(t, "side", movesOf(t, l, "side"), strings.Join([]string{
		"-<-r2 branch: deleted",
		"c<-c append: message",
		"a<-r1 branch: created",
	}, "\n"))
	if _, err := Reflog(l, "nope"); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("unknown branch: got %v, want one that wraps ErrNotFound", err)
	}
}

func TestReflogEmpty(t *testing.T) {
	l := openLog(t)
	if moves, err := Reflog(l, "HEAD"); err != nil || len(moves) != 0 {
		t.Errorf("HEAD: got %v, %v", moves, err)
	}
	if _, err := Reflog(l, "main"); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("main: got %v, want one that wraps ErrNotFound", err)
	}
}

func TestReflogImport(t *testing.T) {
	header := strings.TrimSuffix(testHeader, "}") + `,"agent":"pi","source":{}}`
	l := openUnder(t, header,
		say("a", "", objects.RoleUser, "x", text("ref", "pi")), ref("r1", "a", "main", "a", "import"), attach("h1", "a", "main", ""))
	check(t, "pi", movesOf(t, l, "pi"), "a<-a import: message")
	check(t, "main", movesOf(t, l, "main"), "a<-r1 import")
	check(t, "HEAD", movesOf(t, l, "HEAD"), "a<-r1 import")
}

func TestFormerHead(t *testing.T) {
	s := foldLines(t,
		say("a", "", objects.RoleUser, "x"), say("b", "a", objects.RoleUser, "x"),
		ref("r1", "b", "old", "a", ""), attach("h1", "a", "old", ""), say("c", "a", objects.RoleUser, "x"),
		// old is renamed to new
		ref("r2", "c", "new", "c", ""), attach("h2", "c", "new", ""), ref("r3", "c", "old", "", ""),
		attach("h3", "c", "new", "says again where HEAD is"),
		detach("h4", "a", "a", ""), detach("h5", "a", "a", "again"), detach("h6", "b", "b", ""),
		say("d", "b", objects.RoleUser, "moves, is no checkout"),
		attach("h7", "", "orphan", "never gets an entry"), attach("h8", "b", "main", ""),
	)
	for n, want := range []string{"", " d", " a", "new c", "main b"} {
		if n == 0 {
			continue
		}
		h, ok, err := s.formerHead(n)
		if err != nil || !ok {
			t.Errorf("%d: got %v, %v", n, ok, err)
			continue
		}
		check(t, fmt.Sprint(n), h.Branch+" "+idOf(s.log, h.At), want)
	}
	if h, ok, err := s.formerHead(5); ok || err != nil {
		t.Errorf("5: got %v, %v, %v", h, ok, err)
	}
}
