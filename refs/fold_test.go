package refs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
)

func TestFold(t *testing.T) {
	const user = objects.RoleUser
	tests := []struct {
		name     string
		lines    []string
		head     string
		branches string
	}{
		{"nothing", nil, "main -", ""},
		{"one entry", []string{say("a", "", user, "x")}, "main a", "main=a"},
		{"a checkout of a new branch moves nothing else", []string{
			say("a", "", user, "x"), say("b", "a", user, "x"),
			ref("r1", "b", "side", "a", ""), attach("h1", "a", "side", ""), say("c", "a", user, "x"),
		}, "side c", "main=b side=c"},
		{"detached", []string{
			say("a", "", user, "x"), say("b", "a", user, "x"), detach("h1", "a", "a", ""),
		}, " a", "main=b"},
		{"a detached HEAD moves with what is appended", []string{
			say("a", "", user, "x"), detach("h1", "a", "a", ""), say("b", "a", user, "x"),
		}, " b", "main=a"},
		{"attached again", []string{
			say("a", "", user, "x"), detach("h1", "a", "a", ""), say("b", "a", user, "x"), attach("h2", "a", "main", ""),
		}, "main a", "main=a"},
		{"an entry with ref moves that branch alone", []string{
			say("a", "", user, "x"), say("b", "a", user, "x", text("ref", "side")), attach("h1", "a", "main", ""),
		}, "main a", "main=a side=b"},
		{"ref of HEAD's own branch", []string{say("a", "", user, "x", text("ref", "main"))}, "main a", "main=a"},
		{"ref with a detached HEAD", []string{
			say("a", "", user, "x"), detach("h1", "a", "a", ""), say("b", "a", user, "x", text("ref", "main")),
		}, " a", "main=b"},
		{"a deleted branch", []string{
			say("a", "", user, "x"), ref("r1", "a", "side", "a", ""), ref("r2", "a", "side", "", ""),
		}, "main a", "main=a"},
		{"HEAD's branch deleted", []string{say("a", "", user, "x"), ref("r1", "", "main", "", "")}, "main -", ""},
		{"an orphan", []string{say("a", "", user, "x"), attach("h1", "", "new", "")}, "new -", "main=a"},
		{"a moved HEAD branch", []string{
			say("a", "", user, "x"), say("b", "a", user, "x"), ref("r1", "a", "main", "a", ""),
		}, "main a", "main=a"},
		{"unknown targets are ignored", []string{
			say("a", "", user, "x"), ref("r1", "a", "side", "nope", ""), detach("h1", "a", "nope", ""),
		}, "main a", "main=a"},
		{"journal entries are no targets", []string{
			say("a", "", user, "x"), ref("r1", "a", "side", "a", ""), ref("r2", "a", "other", "r1", ""), detach("h1", "a", "r1", ""),
		}, "main a", "main=a side=a"},
		{"bad names are ignored", []string{
			say("a", "", user, "x"), ref("r1", "a", "a..b", "a", ""), attach("h1", "a", "HEAD", ""), attach("h2", "a", "", ""),
		}, "main a", "main=a"},
		{"lines without name or target are ignored", []string{
			say("a", "", user, "x"), line(objects.TypeRef, "r1", "a", text("name", "x")), line(objects.TypeHead, "h1", "a"),
			line(objects.TypeRef, "r2", "a", text("name", "y"), raw("targetId", "7")), line(objects.TypeHead, "h2", "a", raw("targetId", "null")),
		}, "main a", "main=a"},
		{"a ref that is no name belongs to the payload", []string{
			say("a", "", user, "x", text("ref", "see ~/x")),
		}, "main a", "main=a"},
		{"meta moves nothing", []string{say("a", "", user, "x"), line(objects.TypeMeta, "m1", "a")}, "main a", "main=a"},
		{"other entries move", []string{
			say("a", "", user, "x"), label("b", "a", "a", "l"), line("strange", "c", "b"),
		}, "main c", "main=c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := foldLines(t, tt.lines...)
			check(t, "HEAD", headOf(s), tt.head)
			check(t, "branches", branchesOf(s), tt.branches)
		})
	}
}

func TestFoldRepeat(t *testing.T) {
	a, b := say("a", "", objects.RoleUser, "x"), say("b", "a", objects.RoleUser, "y")
	s := foldLines(t, a, b, a)
	check(t, "HEAD", headOf(s), "main a")

	// What tlog adds is no part of a line's body.
	s = foldLines(t, a, b, strings.TrimSuffix(a, "}")+`,"ref":"pi"}`)
	check(t, "HEAD", headOf(s), "main b")
	check(t, "branches", branchesOf(s), "main=b pi=a")
	moves, err := Reflog(s.log, "pi")
	if err != nil || len(moves) != 1 || moves[0].At != 0 || moves[0].By != 2 {
		t.Errorf("reflog: got %v, %v", moves, err)
	}
}

func TestLabels(t *testing.T) {
	s := foldLines(t,
		say("a", "", objects.RoleUser, "x"), say("b", "a", objects.RoleUser, "x"), say("c", "b", objects.RoleUser, "x"),
		label("l1", "c", "b", "one"), label("l2", "l1", "b", "\t\ufeff\u00a0two\n\u2028"),
		label("l3", "l2", "a", "two"), label("l4", "l3", "c", "gone"), label("l5", "l4", "c", " "),
		label("l6", "l5", "l1", "on a label"), label("l7", "l6", "nope", "lost"),
		line(objects.TypeLabel, "l8", "l7", text("targetId", "l1")),
		label("l9", "l8", "r1", "on a ref"), ref("r1", "l9", "x", "a", ""),
	)
	l := s.log
	check(t, "labelled entries", idsOf(l, s.Labels()), "a b")
	check(t, "labelled two", idsOf(l, s.Labelled("two")), "a b")
	check(t, "labelled one", idsOf(l, s.Labelled("one")), "")
	check(t, "label of b", s.Label(at(t, l, "b")), "two")
	check(t, "label of c", s.Label(at(t, l, "c")), "")
	check(t, "label of a ref line", s.Label(at(t, l, "r1")), "")
	check(t, "label of nothing", s.Label(log.None), "")
}

func TestName(t *testing.T) {
	named := strings.TrimSuffix(testHeader, "}") + `,"name":" of the header "}`
	info := func(id, name string) string { return line(objects.TypeSessionInfo, id, "", text("name", name)) }
	for _, tt := range []struct {
		header string
		lines  []string
		want   string
	}{
		{testHeader, nil, ""},
		{named, nil, "of the header"},
		{named, []string{info("i1", " one ")}, "one"},
		{named, []string{info("i1", "one"), info("i2", "two")}, "two"},
		{named, []string{info("i1", "one"), info("i2", " ")}, ""},
		{testHeader, []string{info("i1", "one"), line(objects.TypeSessionInfo, "i2", "i1")}, ""},
	} {
		check(t, fmt.Sprint(tt.lines), foldLog(t, openUnder(t, tt.header, tt.lines...)).Name(), tt.want)
	}
}

func TestNamesAndLeaves(t *testing.T) {
	s := foldLines(t,
		say("a", "", objects.RoleUser, "x"), say("b", "a", objects.RoleUser, "x"), detach("h1", "a", "a", ""),
		say("c", "a", objects.RoleUser, "x"), detach("h2", "a", "a", ""), say("d", "a", objects.RoleUser, "x"),
		ref("r1", "d", "zeta", "b", ""), ref("r2", "d", "alpha", "b", ""),
	)
	l := s.log
	check(t, "unnamed leaves", idsOf(l, s.UnnamedLeaves()), "c")
	check(t, "names of b", strings.Join(s.Names(at(t, l, "b")), " "), "alpha main zeta")
	check(t, "names of d", strings.Join(s.Names(at(t, l, "d")), " "), "HEAD")
	check(t, "names of a", strings.Join(s.Names(at(t, l, "a")), " "), "")
	check(t, "names of nothing", strings.Join(s.Names(log.None), " "), "")

	s = foldLines(t, say("a", "", objects.RoleUser, "x"))
	check(t, "names", strings.Join(s.Names(0), " "), "HEAD main")
	s = foldLines(t)
	check(t, "names of nothing while HEAD is unborn", strings.Join(s.Names(log.None), " "), "")
}

func TestAdvance(t *testing.T) {
	l := openLog(t,
		say("a", "", objects.RoleUser, "x"), label("l1", "a", "c", "early"), ref("r1", "l1", "side", "b", ""),
	)
	s := foldLog(t, l)
	check(t, "branches", branchesOf(s), "main=l1")
	check(t, "labels", idsOf(l, s.Labels()), "")
	check(t, "names", strings.Join(s.Names(at(t, l, "l1")), " "), "HEAD main")

	grow := func(lines ...string) {
		t.Helper()
		appendLines(t, l.Path(), lines...)
		if _, err := l.Refresh(); err != nil {
			t.Fatal(err)
		}
		if err := s.Advance(); err != nil {
			t.Fatal(err)
		}
	}
	grow(say("b", "a", objects.RoleUser, "x"))
	check(t, "branches with the early ref", branchesOf(s), "main=b side=b")
	check(t, "names", strings.Join(s.Names(at(t, l, "b")), " "), "HEAD main side")
	grow(say("c", "b", objects.RoleUser, "x"))
	check(t, "labels", idsOf(l, s.Labels()), "c")
	check(t, "HEAD", headOf(s), "main c")
	check(t, "names", strings.Join(s.Names(at(t, l, "c")), " "), "HEAD main")
	if found := s.Check(); len(found) != 0 {
		t.Errorf("findings: got %v, want none", found)
	}
	grow()
	check(t, "branches", branchesOf(s), "main=c side=b")
}

func TestCheck(t *testing.T) {
	s := foldLines(t,
		say("a", "", objects.RoleUser, "x"), ref("r1", "a", "side", "nope", ""), detach("h1", "a", "r1", ""),
		label("l1", "a", "nope", "x"), undo(objects.TypeSkip, "s1", "l1", "a", "nope", "nada"), undo(objects.TypeUnskip, "u1", "s1", "a"),
		ref("r2", "u1", "bad name", "a", ""), ref("r3", "u1", "gone", "", ""), attach("h2", "u1", "@", ""),
		label("l2", "u1", "a", "fine"),
	)
	var got []string
	for _, f := range s.Check() {
		if f.Code != log.DanglingRef {
			t.Errorf("code: got %s", f.Code)
		}
		if r := s.log.Record(at(t, s.log, f.ID)); f.Line != r.Line || f.Offset != r.Offset {
			t.Errorf("%s: got line %d, offset %d, want %d, %d", f.ID, f.Line, f.Offset, r.Line, r.Offset)
		}
		got = append(got, f.ID+" "+f.Message)
	}
	want := []string{
		"r1 ref: target 'nope' is no entry",
		"h1 head: target 'r1' is no entry",
		"l1 label: target 'nope' is no entry",
		"s1 skip: target 'nope' is no entry",
		"s1 skip: target 'nada' is no entry",
		"r2 ref: 'bad name' is no name of a branch",
		"h2 head: '@' is no name of a branch",
	}
	check(t, "findings", strings.Join(got, "\n"), strings.Join(want, "\n"))
}

// TestAdvanceAgain: lines that change what earlier ones stand for are folded as if
// all had been read at once.
func TestAdvanceAgain(t *testing.T) {
	source := strings.TrimSuffix(testHeader, "}") + `,"agent":"pi","source":{}}`
	first, second := say("a", "", objects.RoleUser, "first"), say("a", "", objects.RoleUser, "second")
	for _, tt := range []struct {
		name          string
		before, after string
	}{
		{"a later line takes over the id", strings.Join([]string{source, first, ref("r1", "a", "side", "a", ""), detach("h1", "a", "a", ""), ""}, "\n"), second + "\n"},
		{"an earlier line takes it back", strings.Join([]string{source, first, second, ref("r1", "a", "side", "a", ""), ""}, "\n"), first + "\n"},
		{"a last line has grown", testHeader + "\n" + first + "\n" + attach("h1", "a", "side", ""), second + "\n"},
		{"a last line has grown by white space", testHeader + "\n" + first + "\n" + attach("h1", "a", "side", ""), " \n" + say("b", "a", objects.RoleUser, "x") + "\n"},
		{"the log began without an entry", testHeader + "\n", first + "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			write := func(text string) {
				t.Helper()
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(tt.before)
			l, err := log.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			s := foldLog(t, l)
			s.Names(0)
			write(tt.before + tt.after)
			if _, err := l.Refresh(); err != nil {
				t.Fatal(err)
			}
			if err := s.Advance(); err != nil {
				t.Fatal(err)
			}
			whole := foldLog(t, l)
			check(t, "HEAD", headOf(s), headOf(whole))
			check(t, "branches", branchesOf(s), branchesOf(whole))
			check(t, "names", fmt.Sprint(s.Names(s.Head().At)), fmt.Sprint(whole.Names(whole.Head().At)))
		})
	}
}
