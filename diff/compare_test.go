package diff

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/log"
	"tlog/refs"
)

// openLog writes and opens a log of these lines behind a header.
func openLog(t testing.TB, lines []string) *refs.State {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	header := `{"type":"session","version":4,"id":"s","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}`
	if err := os.WriteFile(path, []byte(header+"\n"+strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := log.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	state, err := refs.Fold(l)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// line is an entry; an empty parent is null.
func line(kind, id, parent, payload string) string {
	quoted := "null"
	if parent != "" {
		quoted = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%s,"timestamp":"2026-11-30T10:00:00.000Z",%s}`, kind, id, quoted, payload)
}

func user(text string) string {
	return fmt.Sprintf(`"message":{"role":"user","content":%q}`, text)
}

func reply(text string) string {
	return fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"text","text":%q}]}`, text)
}

func call(name, arguments string) string {
	return fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":%q,"arguments":%s}]}`, name, arguments)
}

func result(text string, failed bool) string {
	return fmt.Sprintf(`"message":{"role":"toolResult","toolCallId":"c1","toolName":"t","content":[{"type":"text","text":%q}],"isError":%v}`, text, failed)
}

// chain are entries one behind the other, called by a prefix and their number.
func chain(prefix, parent string, payloads ...string) (lines []string) {
	for i, p := range payloads {
		id := fmt.Sprintf("%s%d", prefix, i+1)
		lines = append(lines, line("message", id, parent, p))
		parent = id
	}
	return lines
}

func at(t testing.TB, s *refs.State, id string) Side {
	t.Helper()
	for i := range s.Log().Len() {
		if string(s.Log().Record(i).ID) == id {
			return Side{s, i}
		}
	}
	t.Fatalf("no entry %s", id)
	return Side{}
}

func compare(t testing.TB, a, b Side) *Comparison {
	t.Helper()
	c, err := Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// drawing is a comparison as text: for each turn its status, and its entries by id.
func drawing(c *Comparison) string {
	var sb strings.Builder
	id := func(p *Path, i int) string {
		if i == None {
			return "-"
		}
		return string(p.History.Log().Record(i).ID)
	}
	for _, e := range c.Undone {
		fmt.Fprintf(&sb, "undone %c%s/%s\n", "=!<>"[e.Status], id(c.A, e.A), id(c.B, e.B))
	}
	for _, turn := range c.Turns {
		fmt.Fprintf(&sb, "%c", "=!<>"[turn.Status])
		for _, e := range turn.Entries {
			fmt.Fprintf(&sb, " %c%s/%s", "=!<>"[e.Status], id(c.A, e.A), id(c.B, e.B))
		}
		sb.WriteString("\n")
	}
	return sb.String()
}

func TestCompare(t *testing.T) {
	long := "the parser fails on an empty line so let us look at how it reads"
	tests := []struct {
		name string
		a, b []string // what the sides say behind a common prompt
		want string
	}{
		{"nothing", nil, nil, ""},
		{"the same", []string{reply("a"), user("b")}, []string{reply("a"), user("b")}, "= =a1/b1\n= =a2/b2\n"},
		{"only one goes on", []string{reply("a"), user("b")}, nil, "< <a1/-\n< <a2/-\n"},
		{"another reply", []string{reply("yes")}, []string{reply("no")}, "! <a1/- >-/b1\n"},
		{"a reply like it", []string{reply(long + " lines")}, []string{reply(long + " files")}, "! !a1/b1\n"},
		{"a step more", []string{reply("a"), call("sh", `{"c":"ls"}`), reply("z")}, []string{reply("a"), reply("z")}, "! =a1/b1 <a2/- =a3/b2\n"},
		{
			"turns in another order", []string{user("one"), reply("1"), user("two"), reply("2"), user("three")},
			[]string{user("two"), reply("2"), user("one"), reply("1"), user("three")},
			"< <a1/- <a2/-\n= =a3/b1 =a4/b2\n> >-/b3 >-/b4\n= =a5/b5\n",
		},
		{
			"a prompt in other words", []string{user("please fix the parser now"), reply("done")},
			[]string{user("please fix the lexer now"), reply("done")}, "! !a1/b1 =a2/b2\n",
		},
		{
			"another prompt", []string{user("fix the parser"), reply("done")},
			[]string{user("write a poem"), reply("done")}, "< <a1/- <a2/-\n> >-/b1 >-/b2\n",
		},
		{
			"another prompt with the same calls", []string{user("go"), call("sh", `{"c":"ls"}`), call("sh", `{"c":"make"}`)},
			[]string{user("onward"), call("sh", `{"c":"ls"}`), call("sh", `{"c":"make"}`)},
			"! <a1/- >-/b1 =a2/b2 =a3/b3\n",
		},
		{"another tool", []string{call("sh", `{"c":"make all"}`)}, []string{call("bash", `{"c":"make all"}`)}, "! <a1/- >-/b1\n"},
		{"other arguments", []string{call("sh", `{"c":"make all"}`)}, []string{call("sh", `{"c":"make test all"}`)}, "! !a1/b1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := openLog(t, slices.Concat([]string{line("message", "p", "", user("begin"))}, chain("a", "p", tt.a...), chain("b", "p", tt.b...)))
			last := func(prefix string, n int) Side {
				if n == 0 {
					return at(t, s, "p")
				}
				return at(t, s, fmt.Sprintf("%s%d", prefix, n))
			}
			a, b := last("a", len(tt.a)), last("b", len(tt.b))
			c := checkCompare(t, a, b)
			if diff := cmp.Diff(tt.want, drawing(c)); diff != "" {
				t.Error(diff)
			}
			if c.Relation != ByGraph || len(c.CommonA) != 1 {
				t.Errorf("relation %d, common %v", c.Relation, c.CommonA)
			}
		})
	}
}

func TestSayTheSame(t *testing.T) {
	text := func(role string, more string) string {
		return fmt.Sprintf(`"message":{"role":%q,"content":[{"type":"text","text":"x"}]%s}`, role, more)
	}
	tests := []struct {
		name string
		a, b string
		same bool
	}{
		{"model and tokens", text("assistant", `,"model":"m1","usage":{"input":1}`), text("assistant", `,"model":"m2"`), true},
		{"a string as content", user("x"), text("user", ""), true},
		{"role", text("user", ""), text("assistant", ""), false},
		{"thinking", `"message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"x"}]}`, text("assistant", ""), true},
		{"order of keys", call("t", `{"a":1,"b":[true,null]}`), call("t", `{ "b" : [ true , null ] , "a" : 1 }`), true},
		{"escapes", call("t", `{"a":"\u0041/"}`), call("t", `{"\u0061":"A\/"}`), true},
		{"order of elements", call("t", `[1,2]`), call("t", `[2,1]`), false},
		{"string and number", call("t", `{"a":"1"}`), call("t", `{"a":1}`), false},
		{"duplicate keys", call("t", `{"a":1,"a":2}`), call("t", `{"a":2}`), true},
		{"nesting", call("t", `{"a":{"b":1}}`), call("t", `{"a":{},"b":1}`), false},
		{"arguments as a string", call("t", `"{\"a\":1}"`), call("t", `{"a": 1}`), true},
		{"id of the call", call("t", `{}`), strings.Replace(call("t", `{}`), "c1", "c2", 1), true},
		{"result", result("x", false), result("y", false), false},
		{"failure", result("x", false), result("x", true), false},
		{"texts run together", `"message":{"role":"user","content":[{"type":"text","text":"ab"},{"type":"text","text":"c"}]}`,
			`"message":{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"bc"}]}`, false},
		{"picture", `"message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]}`,
			`"message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"AAAB"}]}`, false},
		{"deep", call("t", strings.Repeat("[", 1_000_000)+strings.Repeat("]", 1_000_000)), call("t", strings.Repeat("[", 1_000_000)+strings.Repeat("]", 1_000_000)), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := openLog(t, slices.Concat([]string{line("message", "p", "", user("begin"))}, chain("a", "p", tt.a), chain("b", "p", tt.b)))
			if got := compare(t, at(t, s, "a1"), at(t, s, "b1")).Empty(); got != tt.same {
				t.Errorf("same: %v, expected %v", got, tt.same)
			}
		})
	}
}

func TestCompareUndone(t *testing.T) {
	s := openLog(t, slices.Concat(chain("p", "", user("begin"), reply("one"), user("two")), []string{
		line("skip", "s1", "p3", `"targetIds":["p2"],"reason":""`), line("label", "l1", "p3", `"targetId":"p1","label":"x"`),
	}))
	c := checkCompare(t, at(t, s, "s1"), at(t, s, "l1"))
	if got := drawing(c); got != "undone >p2/p2\n" || c.Empty() {
		t.Errorf("got %q, empty: %v", got, c.Empty())
	}
	c = checkCompare(t, at(t, s, "p3"), at(t, s, "l1"))
	if got := drawing(c); got != "" || !c.Empty() {
		t.Errorf("got %q, empty: %v", got, c.Empty())
	}
}

// TestCompareByContent compares talks that agents divided into entries each in its own way.
func TestCompareByContent(t *testing.T) {
	both := `"message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"look"},{"type":"toolCall","id":"c1","name":"sh","arguments":{"c":"ls"}}]}`
	a := openLog(t, chain("a", "", user("begin"), both, result("x", false), reply("done"), user("next")))
	b := openLog(t, chain("b", "", user("begin"), reply("look"), call("sh", `{"c": "ls"}`), result("x", false), reply("ready"), user("next")))
	c := checkCompare(t, at(t, a, "a5"), at(t, b, "b6"))
	if c.Relation != ByContent || len(c.CommonA) != 3 || len(c.CommonB) != 4 || c.BaseA != 2 || c.BaseB != 3 {
		t.Errorf("got relation %d, common %v and %v, bases %d, %d", c.Relation, c.CommonA, c.CommonB, c.BaseA, c.BaseB)
	}
	if diff := cmp.Diff("! <a4/- >-/b5\n= =a5/b6\n", drawing(c)); diff != "" {
		t.Error(diff)
	}
	// An entry is common as a whole or not at all.
	c = checkCompare(t, at(t, a, "a2"), at(t, b, "b2"))
	if len(c.CommonA) != 1 || len(c.CommonB) != 1 {
		t.Errorf("common %v and %v, expected the prompt alone", c.CommonA, c.CommonB)
	}
	other := openLog(t, chain("c", "", user("something else")))
	if c = checkCompare(t, at(t, a, "a5"), at(t, other, "c1")); c.Relation != Unrelated || c.BaseA != None || c.BaseB != None {
		t.Errorf("relation %d", c.Relation)
	}
	unborn := Side{other, None}
	if c = checkCompare(t, at(t, a, "a5"), unborn); c.Relation != Unrelated || len(c.OnlyA) != 5 || c.Empty() {
		t.Errorf("against nothing: %+v", c)
	}
	if !checkCompare(t, unborn, unborn).Empty() {
		t.Error("nothing differs from nothing")
	}
}

// randomSession are lines of a session with branches, undone entries and what no log shows.
func randomSession(rng *rand.Rand, prefix string, n int) (lines, ids []string) {
	for i := range n {
		id, parent := fmt.Sprintf("%s%d", prefix, i), ""
		if i > 0 && rng.IntN(50) > 0 {
			if parent = ids[i-1]; rng.IntN(6) == 0 {
				parent = ids[rng.IntN(i)]
			}
		}
		kind, payload := randomPayload(rng, ids)
		lines, ids = append(lines, line(kind, id, parent, payload)), append(ids, id)
	}
	return lines, ids
}

func randomPayload(rng *rand.Rand, ids []string) (kind, payload string) {
	words := strings.Fields("the parser reads a line of text and fails on two empty ones so we fix it")
	text := strings.Join(words[rng.IntN(6):6+rng.IntN(len(words)-6)], " ")
	switch k := rng.IntN(20); {
	case k < 4:
		return "message", user(text)
	case k < 9:
		return "message", reply(text)
	case k < 13:
		return "message", call([]string{"sh", "edit"}[rng.IntN(2)], fmt.Sprintf(`{"c":%q,"n":%d}`, text, rng.IntN(2)))
	case k < 17:
		return "message", result(text, rng.IntN(4) == 0)
	case k == 17:
		return "model_change", `"provider":"p","modelId":"m"`
	case len(ids) > 0 && k == 18:
		return []string{"skip", "unskip"}[rng.IntN(3)/2], fmt.Sprintf(`"targetIds":[%q]`, ids[rng.IntN(len(ids))])
	}
	return "branch_summary", fmt.Sprintf(`"fromId":"x","summary":%q`, text)
}

func TestCompareRandomSessions(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 150 {
		lines, ids := randomSession(rng, "e", 1+rng.IntN(120))
		s := openLog(t, lines)
		for range 8 {
			a, b := at(t, s, ids[rng.IntN(len(ids))]), at(t, s, ids[rng.IntN(len(ids))])
			checkCompare(t, a, b)
			if !compare(t, a, a).Empty() {
				t.Errorf("%s differs from itself", s.Log().Record(a.At).ID)
			}
		}
	}
}

// TestCompareForks compares sessions that share ids: the second has some lines of the first, and others.
func TestCompareForks(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 150 {
		lines, ids := randomSession(rng, "e", 20+rng.IntN(80))
		kept := rng.IntN(len(lines))
		more, moreIDs := randomSession(rng, "f", 1+rng.IntN(30))
		more[0] = strings.Replace(more[0], `"parentId":null`, fmt.Sprintf(`"parentId":%q`, ids[kept]), 1)
		a := openLog(t, lines)
		b := openLog(t, append(slices.Clone(lines[:kept+1]), more...))
		all := append(slices.Clone(ids[:kept+1]), moreIDs...)
		for range 8 {
			sideA, sideB := at(t, a, ids[rng.IntN(len(ids))]), at(t, b, all[rng.IntN(len(all))])
			checkCompare(t, sideA, sideB)
		}
		if same := at(t, b, ids[kept]); !checkCompare(t, at(t, a, ids[kept]), same).Empty() {
			t.Error("a copy differs from its origin")
		}
	}
}

// TestCompareCopies compares a session with one that says the same with other ids.
func TestCompareCopies(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 150 {
		n := 1 + rng.IntN(40)
		var payloads []string
		for len(payloads) < n {
			if kind, payload := randomPayload(rng, nil); kind == "message" {
				payloads = append(payloads, payload)
			}
		}
		a, b := openLog(t, chain("a", "", payloads...)), openLog(t, chain("b", "", append(payloads, user("more"))...))
		c := checkCompare(t, at(t, a, fmt.Sprintf("a%d", n)), at(t, b, fmt.Sprintf("b%d", n)))
		if !c.Empty() || c.Relation != ByContent || len(c.CommonA) != n {
			t.Errorf("a copy of %d entries: relation %d, %d common", n, c.Relation, len(c.CommonA))
		}
		c = checkCompare(t, at(t, a, fmt.Sprintf("a%d", n)), at(t, b, fmt.Sprintf("b%d", n+1)))
		if c.Empty() || len(c.CommonA) != n || len(c.OnlyB) != 1 {
			t.Errorf("a copy that went on: %d common, %d only in it", len(c.CommonA), len(c.OnlyB))
		}
	}
}

// checkCompare compares two sides, and checks all that holds of any comparison.
func checkCompare(t testing.TB, a, b Side) *Comparison {
	t.Helper()
	c := compare(t, a, b)
	checkParts(t, c)
	checkPairs(t, c)
	checkStatuses(t, c)
	checkMirrored(t, c)
	return c
}

// checkMirrored checks that the same is said when the sides are exchanged.
func checkMirrored(t testing.TB, c *Comparison) {
	t.Helper()
	back := compare(t, c.B.Side, c.A.Side)
	if diff := cmp.Diff(drawing(c), drawing(mirrored(back))); diff != "" {
		t.Errorf("the other way round:\n%s", diff)
	}
	if !slices.Equal(c.CommonA, back.CommonB) || !slices.Equal(c.OnlyA, back.OnlyB) || c.BaseA != back.BaseB || c.Relation != back.Relation {
		t.Error("the other way round the parts are others")
	}
}

// What the tests over other packages check as well.
var (
	CheckParts    = checkParts
	CheckPairs    = checkPairs
	CheckMirrored = checkMirrored
)

// checkParts checks the common part against arithmetic on sets of ids.
func checkParts(t testing.TB, c *Comparison) {
	t.Helper()
	ids := func(p *Path, entries []int) (out []string) {
		for _, i := range entries {
			out = append(out, string(p.History.Log().Record(i).ID))
		}
		return out
	}
	pathA, pathB := ids(c.A, c.A.History.Path()), ids(c.B, c.B.History.Path())
	common, onlyA := divided(pathA, pathB)
	_, onlyB := divided(pathB, pathA)
	if foreign(c.A) != foreign(c.B) { // one was written from the other
		common = nil
	}
	baseA, baseB, ok := MergeBase(c.A.Side, c.B.Side)
	if ok != (len(common) > 0) {
		t.Errorf("a merge base: %v, expected %v", ok, len(common) > 0)
	}
	if len(common) == 0 {
		if c.Relation != ByContent && len(c.CommonA)+len(c.CommonB) > 0 {
			t.Errorf("relation %d has a common part: %v, %v", c.Relation, c.CommonA, c.CommonB)
		}
		joinedA, joinedB := append(ids(c.A, c.CommonA), ids(c.A, c.OnlyA)...), append(ids(c.B, c.CommonB), ids(c.B, c.OnlyB)...)
		if !slices.Equal(joinedA, pathA) || !slices.Equal(joinedB, pathB) {
			t.Errorf("the parts are not the paths")
		}
		return
	}
	if baseA != c.BaseA || baseB != c.BaseB || ids(c.A, []int{baseA})[0] != common[len(common)-1] {
		t.Errorf("merge base %d, %d; compared by %d, %d; expected %s", baseA, baseB, c.BaseA, c.BaseB, common[len(common)-1])
	}
	for _, part := range []struct {
		name      string
		got, want []string
	}{
		{"common of a", ids(c.A, c.CommonA), common}, {"common of b", ids(c.B, c.CommonB), common},
		{"only a", ids(c.A, c.OnlyA), onlyA}, {"only b", ids(c.B, c.OnlyB), onlyB},
	} {
		if !slices.Equal(part.got, part.want) {
			t.Errorf("%s: got %v, expected %v", part.name, part.got, part.want)
		}
	}
}

// divided are the ids that are among others, and those that are not.
func divided(ids, others []string) (in, out []string) {
	known := map[string]bool{}
	for _, id := range others {
		known[id] = true
	}
	for _, id := range ids {
		if known[id] {
			in = append(in, id)
		} else {
			out = append(out, id)
		}
	}
	return in, out
}

// foreign reports whether a path is of lines of an agent.
func foreign(p *Path) bool {
	path := p.History.Path()
	return len(path) > 0 && p.History.Log().Record(path[0]).Foreign
}

// checkStatuses checks that pairs are the same that say the same.
func checkStatuses(t testing.TB, c *Comparison) {
	t.Helper()
	for _, turn := range c.Turns {
		for _, e := range turn.Entries {
			if e.A != None && e.B != None && (e.Status == Same) != (says(t, c.A, e.A) == says(t, c.B, e.B)) {
				t.Errorf("pair %+v: %s against %s", e, says(t, c.A, e.A), says(t, c.B, e.B))
			}
		}
	}
}

// checkPairs checks that each visible entry that is not common stands in one pair, in the order of its side.
func checkPairs(t testing.TB, c *Comparison) {
	t.Helper()
	var gotA, gotB []int
	for _, turn := range c.Turns {
		allSame := true
		for _, e := range turn.Entries {
			allSame = allSame && e.Status == Same
			if e.A != None {
				gotA = append(gotA, e.A)
			}
			if e.B != None {
				gotB = append(gotB, e.B)
			}
			if (e.Status == OnlyA) != (e.B == None) || (e.Status == OnlyB) != (e.A == None) {
				t.Errorf("pair %+v", e)
			}
		}
		if (turn.Status == Same) != allSame || (turn.Status == Same) != (turn.Likeness == 1) || turn.Likeness < 0 || turn.Likeness > 1 {
			t.Errorf("turn %+v", turn)
		}
	}
	for _, side := range []struct {
		path *Path
		only []int
		got  []int
	}{{c.A, c.OnlyA, gotA}, {c.B, c.OnlyB, gotB}} {
		want := slices.DeleteFunc(slices.Clone(side.only), func(i int) bool {
			return !side.path.History.Log().Record(i).Visible() || side.path.History.SkippedBy(i) != log.None
		})
		if !slices.Equal(side.got, want) {
			t.Errorf("the pairs have %v, expected %v", side.got, want)
		}
		var turns []int
		for _, turn := range side.path.Turns {
			turns = append(turns, turn.Entries...)
		}
		if !slices.Equal(turns, want) {
			t.Errorf("the turns have %v, expected %v", turns, want)
		}
	}
}

// says is what an entry says, by another way: its message decoded and encoded again without what is not compared.
func says(t testing.TB, p *Path, i int) string {
	t.Helper()
	e, err := p.History.Log().Entry(i)
	if err != nil {
		t.Fatal(err)
	}
	var entry struct {
		Type, Summary string
		Message       struct {
			Role    string
			IsError bool
			Content any
		}
	}
	if err := json.Unmarshal(e.Raw, &entry); err != nil {
		t.Fatal(err)
	}
	content := entry.Message.Content
	if text, ok := content.(string); ok {
		content = []any{map[string]any{"type": "text", "text": text}}
	}
	if blocks, ok := content.([]any); ok {
		content = slices.DeleteFunc(slices.Clone(blocks), func(b any) bool { return b.(map[string]any)["type"] == "thinking" })
	}
	entry.Message.Content = content
	out, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// mirrored is a comparison with the sides exchanged, and what is only in a before what is only in b again.
func mirrored(c *Comparison) *Comparison {
	flip := func(s Status) Status {
		switch s {
		case OnlyA:
			return OnlyB
		case OnlyB:
			return OnlyA
		}
		return s
	}
	out := &Comparison{A: c.B, B: c.A}
	pairs := func(entries []EntryPair) (out []EntryPair) {
		for _, e := range entries {
			out = append(out, EntryPair{e.B, e.A, flip(e.Status)})
		}
		return ordered(out, func(e EntryPair) Status { return e.Status })
	}
	for _, e := range c.Undone {
		out.Undone = append(out.Undone, EntryPair{e.B, e.A, flip(e.Status)})
	}
	for _, turn := range c.Turns {
		out.Turns = append(out.Turns, TurnPair{turn.B, turn.A, flip(turn.Status), pairs(turn.Entries), turn.Likeness})
	}
	out.Turns = ordered(out.Turns, func(turn TurnPair) Status { return turn.Status })
	return out
}

// ordered puts OnlyA before OnlyB in each run of both.
func ordered[T any](items []T, status func(T) Status) []T {
	for i := 0; i < len(items); {
		j := i
		for j < len(items) && (status(items[j]) == OnlyA || status(items[j]) == OnlyB) {
			j++
		}
		slices.SortStableFunc(items[i:j], func(a, b T) int { return int(status(a)) - int(status(b)) })
		i = max(j, i+1)
	}
	return items
}
