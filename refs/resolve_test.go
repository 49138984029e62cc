package refs

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
)

// errorClasses are what tests call the classes of errors.
var errorClasses = map[string]error{
	"not found": objects.ErrNotFound,
	"ambiguous": objects.ErrAmbiguous,
	"invalid":   objects.ErrInvalid,
}

// grove is a log with something for every rule of the grammar.
//
//	p1 - a1 - p2 - a2 - lab1..lab3 - skip(a2)    main, HEAD
//	      \- x1 - x2                             topic/x
func grove(t testing.TB) *State {
	t.Helper()
	return foldLines(t,
		say("p1", "", objects.RoleUser, "plan a trip"),
		say("a1", "p1", objects.RoleAssistant, "where to?"),
		say("p2", "a1", objects.RoleUser, "mountains, please"),
		say("a2", "p2", objects.RoleAssistant, "the Tatras"),
		label("lab1", "a2", "a1", "question"),
		label("lab2", "lab1", "a2", "twice"),
		label("lab3", "lab2", "p2", "twice"),
		undo(objects.TypeSkip, "undo1", "lab3", "a2"),
		ref("r1", "a1", "topic/x", "a1", "branch"),
		attach("h1", "a1", "topic/x", "checkout"),
		say("x1", "a1", objects.RoleUser, "seaside"),
		line(objects.TypeCompaction, "x2", "x1", text("summary", "off to Gdynia")),
		label("lab4", "x2", "p1", "odd ~1 label"),
		attach("h2", "undo1", "main", "checkout"),
		detach("h3", "a1", "a1", "look"),
		attach("h4", "undo1", "main", "checkout"),
		ref("r2", "undo1", "old", "p1", "branch"),
		ref("r3", "undo1", "old", "", "branch: deleted"),
		say("e0000002.3", "x2", objects.RoleUser, "dots", text("ref", "dotty")),
		say("call:7", "x2", objects.RoleUser, "colon", text("ref", "colon")),
		say("0190a1b2-c3d4-7e5f-8a6b-1234567890ab", "x2", objects.RoleUser, "v7", text("ref", "seven")),
		say("0190a1b2-c3d4-7e5f-8a6b-abc4567890ff", "x2", objects.RoleUser, "v7", text("ref", "seven")),
		say("MiXed", "x2", objects.RoleUser, "case", text("ref", "mixed")),
		say("mixeder", "x2", objects.RoleUser, "case", text("ref", "mixed")),
	)
}

func TestResolve(t *testing.T) {
	s := grove(t)
	tests := []struct {
		rev  string
		want string // id, or the class of the error
		name string
	}{
		{"HEAD", "undo1", "HEAD"},
		{"@", "undo1", "HEAD"},
		{"main", "undo1", "main"},
		{"topic/x", "lab4", "topic/x"},
		{"question", "a1", "question"},
		{"p2", "p2", ""},
		{"e0000002.3", "e0000002.3", ""},
		{"e0000002", "e0000002.3", ""},
		{"call:7", "call:7", ""},
		{"call:", "call:7", ""},
		{"CALL:7", "call:7", ""},
		{"call:7~0", "call:7", ""},
		{"1234567", "0190a1b2-c3d4-7e5f-8a6b-1234567890ab", ""},
		{"ABC4", "0190a1b2-c3d4-7e5f-8a6b-abc4567890ff", ""},
		{"0190a1b2-c3d4-7e5f-8a6b-1", "0190a1b2-c3d4-7e5f-8a6b-1234567890ab", ""},
		{"0190a", "ambiguous", ""},
		{"MiXed", "MiXed", ""},
		{"mixed", "mixeder", "mixed"},
		{"MIXED", "MiXed", ""},
		{"mixe", "ambiguous", ""},
		{"mixede", "mixeder", ""},
		{"r1", "r1", ""},
		{"twice", "ambiguous", ""},
		{"lab", "ambiguous", ""},

		{"HEAD~0", "p2", ""}, // undo1 and the labels do not count, a2 is undone
		{"HEAD~", "a1", ""},
		{"HEAD~1", "a1", ""},
		{"@~1", "a1", ""},
		{"HEAD~2", "p1", ""},
		{"HEAD~3", "not found", ""},
		{"HEAD~99999999999999999999999999", "not found", ""},
		{"HEAD~~", "p1", ""},
		{"HEAD~0~1", "a1", ""},
		{"HEAD~1~1", "p1", ""},
		{"a2~0", "a2", ""}, // it is undone later, not on its own path
		{"a2~1", "p2", ""},
		{"lab4~0", "x2", ""},
		{"topic/x~2", "a1", ""},

		{"HEAD^", "lab3", ""},
		{"HEAD^^", "lab2", ""},
		{"HEAD^1^1", "lab2", ""},
		{"HEAD^0", "undo1", ""},
		{"HEAD^{}", "undo1", ""},
		{"p1^", "not found", ""},
		{"HEAD^2", "invalid", ""},
		{"HEAD^{tree}", "invalid", ""},
		{"HEAD^{turn", "invalid", ""},
		{"a2^{turn}", "p2", ""},
		{"HEAD^{turn}", "p2", ""},
		{"a1^{turn}", "p1", ""},
		{"p1^{turn}", "p1", ""},
		{"HEAD~1^{turn}", "p1", ""},
		{"HEAD~1^{turn}^", "not found", ""},
		{"p2^{turn}^{turn}", "p2", ""},
		{"p2^{turn}^", "a1", ""},
		{"topic/x~1^", "a1", ""},

		{"HEAD@{0}", "undo1", ""},
		{"HEAD@{1}", "a1", ""},
		{"@@{1}", "a1", ""},
		{"HEAD@{2}", "undo1", ""},
		{"HEAD@{3}", "lab4", ""},
		{"@{0}", "undo1", ""},
		{"@{1}", "lab3", ""},
		{"main@{1}", "lab3", ""},
		{"main@{1}~1", "p2", ""},
		{"main@{99}", "not found", ""},
		{"topic/x@{3}", "a1", ""},
		{"topic/x@{4}", "not found", ""},
		{"old@{0}", "not found", ""},
		{"old@{1}", "p1", ""},
		{"nope@{0}", "not found", ""},
		{"p1@{0}", "invalid", ""},
		{"question@{0}", "invalid", ""},
		{"HEAD~1@{1}", "invalid", ""},
		{"HEAD@{x}", "invalid", ""},
		{"HEAD@{}", "invalid", ""},
		{"HEAD@{1", "invalid", ""},
		{"@{-1}", "a1", ""},
		{"@{-2}", "undo1", "main"},
		{"@{-3}", "lab4", "topic/x"},
		{"@{-4}", "undo1", "main"},
		{"@{-5}", "not found", ""},
		{"@{-3}~0", "x2", ""},
		{"@{-0}", "invalid", ""},
		{"main@{-1}", "invalid", ""},

		{":/plan", "p1", ""},
		{":/t", "p2", ""}, // not "where to?", not the undone "the Tatras"
		{":/where", "a1", ""},
		{":/Tatras", "not found", ""},
		{":/PLAN", "not found", ""},
		{":/", "invalid", ""},
		{"odd ~1 label", "p1", "odd ~1 label"},

		{"", "invalid", ""},
		{"~1", "invalid", ""},
		{"^", "invalid", ""},
		{"HEAD~1x", "invalid", ""},
		{"old", "not found", ""},
		{"nope", "not found", ""},
		{"nope~1", "not found", ""},
		{"r1^", "invalid", ""},
		{"r1~0", "invalid", ""},
		{"r1^{}", "invalid", ""},
		{"\x00", "not found", ""},
		{":", "not found", ""},
		{"x:y", "not found", ""},
	}
	r := &Resolver{State: s}
	for _, tt := range tests {
		rev, err := r.Resolve(tt.rev)
		if class, ok := errorClasses[tt.want]; ok {
			if !errors.Is(err, class) {
				t.Errorf("%q: got %v, %v, want %s", tt.rev, rev.At, err, tt.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v, want %s", tt.rev, err, tt.want)
			continue
		}
		check(t, tt.rev, string(rev.ID()), tt.want)
		check(t, tt.rev+": name", rev.Name, tt.name)
	}
}

func TestResolveUnborn(t *testing.T) {
	r := &Resolver{State: foldLines(t)}
	for _, rev := range []string{"HEAD", "@", "main"} {
		got, err := r.Resolve(rev)
		if err != nil || got.At != log.None || got.ID() != "" {
			t.Errorf("%s: got %v, %v", rev, got.At, err)
		}
	}
	for _, rev := range []string{"HEAD", "main", "main~0", "HEAD^", "HEAD^{turn}", "@{0}", "main@{0}"} {
		_, err := r.ResolveTree(rev)
		if !errors.Is(err, objects.ErrNotFound) || err.Error() != "branch 'main' has no entry yet" {
			t.Errorf("%s: got %v", rev, err)
		}
	}
	for _, rev := range []string{"HEAD@{0}", ":/x", "@{-1}", "other"} {
		if _, err := r.Resolve(rev); !errors.Is(err, objects.ErrNotFound) {
			t.Errorf("%s: got %v", rev, err)
		}
	}
}

func TestResolveTurnUndone(t *testing.T) {
	r := &Resolver{State: foldLines(t,
		say("p1", "", objects.RoleUser, "x"), say("p2", "p1", objects.RoleUser, "x"), undo(objects.TypeSkip, "s1", "p2", "p2"),
	)}
	for rev, want := range map[string]string{"HEAD^{turn}": "p1", "p2^{turn}": "p2", "HEAD~0^{turn}": "p1"} {
		got, err := r.ResolveTree(rev)
		if err != nil {
			t.Fatal(err)
		}
		check(t, rev, string(got.ID()), want)
	}
}

func TestSuggestShortNames(t *testing.T) {
	s := foldLines(t, say("a", "", objects.RoleUser, "x"), ref("r1", "a", "q", "a", ""), ref("r2", "a", "abc", "a", ""))
	for typed, want := range map[string]string{"x": "", "qq": "q", "zz": "", "abd": "abc", "ad": "", "axy": "abc", "ayz": "abc"} {
		check(t, typed, s.suggest(typed), want)
	}
}

func TestResolveTree(t *testing.T) {
	r := &Resolver{State: grove(t)}
	_, err := r.ResolveTree("r1")
	if !errors.Is(err, objects.ErrInvalid) || !strings.Contains(err.Error(), "'r1' is a ref line") {
		t.Errorf("r1: got %v", err)
	}
	if rev, err := r.ResolveTree("undo1"); err != nil || rev.ID() != "undo1" {
		t.Errorf("undo1: got %v, %v", rev, err)
	}
}

func TestResolveErrors(t *testing.T) {
	r := &Resolver{State: grove(t)}
	for _, tt := range []struct{ rev, suggestion, text string }{
		{"mian", "main", "unknown revision 'mian'; did you mean 'main'?"},
		{"Main", "main", "unknown revision 'Main'; did you mean 'main'?"},
		{"head", "HEAD", "unknown revision 'head'; did you mean 'HEAD'?"},
		{"questions", "question", "unknown revision 'questions'; did you mean 'question'?"},
		{"topic-x~2", "topic/x", "unknown revision 'topic-x'; did you mean 'topic/x'?"},
		{"zz", "", "unknown revision 'zz'"},
		{"entirely else", "", "unknown revision 'entirely else'"},
	} {
		_, err := r.Resolve(tt.rev)
		var unknown *NotFoundError
		if !errors.As(err, &unknown) {
			t.Errorf("%s: got %v, want a NotFoundError", tt.rev, err)
			continue
		}
		check(t, tt.rev+": suggestion", unknown.Suggestion, tt.suggestion)
		check(t, tt.rev, err.Error(), tt.text)
	}

	_, err := r.Resolve("twice")
	var ambiguous *AmbiguousError
	if !errors.As(err, &ambiguous) || ambiguous.More || idsOf(r.State.log, ambiguous.Candidates) != "p2 a2" {
		t.Fatalf("twice: got %v", err)
	}
	check(t, "twice", err.Error(), "ambiguous revision 'twice': p2 (message), a2 (message)")

	long := strings.Repeat("é", 5000)
	if _, err := r.Resolve(long); err == nil || len(err.Error()) > 300 {
		t.Errorf("long revision: got %d bytes of error", len(err.Error()))
	}
}

func TestResolveManyCandidates(t *testing.T) {
	lines := make([]string, 25)
	for i := range lines {
		lines[i] = say(fmt.Sprintf("aa%02d", i), "", objects.RoleUser, "x")
	}
	r := &Resolver{State: foldLines(t, lines...)}
	_, err := r.Resolve("aa")
	var ambiguous *AmbiguousError
	if !errors.As(err, &ambiguous) || !ambiguous.More || len(ambiguous.Candidates) != 10 || !strings.HasSuffix(err.Error(), " and more") {
		t.Errorf("got %v", err)
	}
	_, err = r.Resolve("aa0")
	if !errors.As(err, &ambiguous) || ambiguous.More || len(ambiguous.Candidates) != 10 {
		t.Errorf("got %v", err)
	}
}

// opener opens the sessions "other", "agent:other", "../s.jsonl" and "~/a^b~1.jsonl".
func opener(other *State) func(string) (*State, error) {
	return func(session string) (*State, error) {
		switch session {
		case "other", "agent:other", "../s.jsonl", "~/a^b~1.jsonl":
			return other, nil
		case "broken":
			return nil, fmt.Errorf("session 'broken': %w", objects.ErrCorrupt)
		}
		return nil, fmt.Errorf("no session '%s': %w", session, objects.ErrNotFound)
	}
}

func TestResolveAcross(t *testing.T) {
	other := foldLines(t, say("o1", "", objects.RoleUser, "hello"), say("o2", "o1", objects.RoleUser, "x"), ref("r9", "o2", "p1", "o1", ""))
	r := &Resolver{State: grove(t), Open: opener(other)}
	for _, tt := range []struct{ rev, want string }{
		{"other:", "o2"},
		{"other:HEAD~1", "o1"},
		{"other:@{1}", "o1"},
		{"other:p1", "o1"},
		{"other::/hell", "o1"},
		{"agent:other:main", "o2"},
		{"../s.jsonl:main", "o2"},
		{"~/a^b~1.jsonl:main^", "o1"},
		{"other:nope", "not found"},
		{"other:nope~1", "not found"},
		{"nowhere:HEAD", "not found"},
		{"other:other:HEAD", "not found"},
		{":HEAD", "not found"},
		{"a:b:c:d:e:f:other:HEAD", "not found"},
	} {
		rev, err := r.Resolve(tt.rev)
		if class, ok := errorClasses[tt.want]; ok {
			if !errors.Is(err, class) {
				t.Errorf("%q: got %v, want %s", tt.rev, err, tt.want)
			}
			continue
		}
		if err != nil || rev.State != other {
			t.Errorf("%q: got %v, want an entry of the other session", tt.rev, err)
			continue
		}
		check(t, tt.rev, string(rev.ID()), tt.want)
	}
	if _, err := r.Resolve("broken:HEAD"); !errors.Is(err, objects.ErrCorrupt) {
		t.Errorf("broken: got %v, want one that wraps ErrCorrupt", err)
	}
}
