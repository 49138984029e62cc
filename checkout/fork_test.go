package checkout_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/objects/sharedtest"
	"tlog/refs"
)

// writeFork writes a fork and opens it.
func writeFork(t *testing.T, s *checkout.Session, at int, opt checkout.ForkOptions) *checkout.Session {
	t.Helper()
	fork, err := s.Fork(at, opt)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fork.jsonl")
	if err := log.WriteFile(file, fork.Header, fork.Lines, log.WriteOptions{Durability: log.DurabilityOS}); err != nil {
		t.Fatal(err)
	}
	f, err := checkout.Open(file, labOptions(77))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	for finding := range f.Log.Check() {
		if finding.Code != log.TimeBackwards { // the lab gives the lines of other programs a time of theirs
			t.Errorf("fork: %+v", finding)
		}
	}
	for _, finding := range f.Refs.Check() {
		t.Errorf("fork: %+v", finding)
	}
	return f
}

// bodies are the entries on the path to HEAD, without what a log adds.
func bodies(t *testing.T, s *checkout.Session, at int) []string {
	t.Helper()
	h, err := refs.NewHistory(s.Log, at)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range h.Path() {
		e, err := s.Log.Entry(i)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(e.Body()))
	}
	return out
}

func TestFork(t *testing.T) {
	l := newLab(t, 1)
	a := l.add(`{"role":"user","content":"a","odd":1.0,"big":1e400,"half":"\ud83d\/"}`)
	l.add(say("b"))
	l.ok(l.SwitchNew(t.Context(), "side", l.find(a), false))
	c := l.add(say("c"))
	_, err := l.SetLabel(t.Context(), l.find(c), "here")
	l.ok(err)
	l.ok(l.Switch(t.Context(), "main"))
	_, err = l.SetLabel(t.Context(), l.find(a), "start") // on main, about an entry of both
	l.ok(err)
	_, err = l.SetName(t.Context(), "named on main")
	l.ok(err)
	side, _ := l.Refs.Branch("side")

	f := writeFork(t, l.Session, side.At, checkout.ForkOptions{Cwd: "/srv/other"})
	header := f.Log.Header()
	if header.ParentSession != string(l.Log.Header().ID) || header.ParentEntry != l.Log.Record(side.At).ID ||
		header.Cwd != "/srv/other" || header.Version != objects.Version || header.ID == l.Log.Header().ID || header.Timestamp == "" {
		t.Errorf("header %s", header.Raw)
	}
	want := bodies(t, l.Session, side.At)
	if got := bodies(t, f, f.Refs.Head().At); len(got) != len(want)+2 || !slices.Equal(got[:len(want)], want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for id, label := range map[objects.ID]string{a: "start", c: "here"} {
		if i, _ := f.Log.Find(id); f.Refs.Label(i) != label {
			t.Errorf("label of %s is %q, want %q", id, f.Refs.Label(i), label)
		}
	}
	if f.Refs.Name() != "named on main" {
		t.Errorf("name %q", f.Refs.Name())
	}
	if f = writeFork(t, l.Session, side.At, checkout.ForkOptions{Name: "another"}); f.Refs.Name() != "another" {
		t.Errorf("name %q", f.Refs.Name())
	}
}

// TestForkLines copies lines that cannot be copied as they stand.
func TestForkLines(t *testing.T) {
	const header = `{"type":"session","version":3,"id":"s","timestamp":"2025-03-01T09:00:00.000Z","cwd":"/srv/demo"}`
	chain := strings.Repeat("0a", 32)
	for _, test := range []struct{ name, in, want string }{
		{"a missing parent", `{"type":"x","id":"a","parentId":"gone"}`, `{"type":"x","id":"a","parentId":null}`},
		{"no parent", `{"type":"x","id":"a"}`, `{"type":"x","id":"a"}`},
		{"no id", `{"type":"x","parentId":null,"v":1.0}`,
			`{"type":"x","id":"` + string(objects.DerivedID("s", 2)) + `","parentId":null,"v":1.0}`},
		{"an id that breaks the rule", `{"type":"x","id":"a b","parentId":null}`,
			`{"type":"x","id":"` + string(objects.DerivedID("s", 2)) + `","parentId":null}`},
		{"an id that is a number", `{"type":"x","id":7}`, `{"type":"x","id":"` + string(objects.DerivedID("s", 2)) + `"}`},
		{"a ref of its own", `{"type":"x","id":"a","parentId":null,"ref":"b"}`, `{"type":"x","id":"a","parentId":null,"ref":"b"}`},
		{"a chain of its own", `{"type":"x","id":"a","parentId":null,"chain":"` + chain + `"}`, `{"type":"x","id":"a","parentId":null,"chain":"` + chain + `"}`},
		{"no type", `{"id":"a","parentId":null,"v":1}`, `{"id":"a","parentId":null,"v":1}`},
		{"a type that is a number", `{"type":7,"id":"a","parentId":null}`, `{"type":7,"id":"a","parentId":null}`},
		{"neither type nor id", `{"v":1}`, `{"id":"` + string(objects.DerivedID("s", 2)) + `","v":1}`},
		{"duplicate keys", `{"type":"x","id":"b","id":"a","parentId":"q","parentId":null}`, `{"type":"x","id":"b","id":"a","parentId":"q","parentId":null}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := openText(t, header+"\n"+test.in+"\n")
			f := writeFork(t, s, 0, checkout.ForkOptions{})
			if head := f.Refs.Head(); head.Branch != refs.DefaultBranch || head.At != 0 {
				t.Errorf("HEAD %+v", head)
			}
			line, err := f.Log.Line(0)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(line, []byte(test.want[:len(test.want)-1])) {
				t.Errorf("got  %s\nwant %s", line, test.want)
			}
		})
	}
	// The earlier of two lines with one id goes by another, in the fork too.
	s := openText(t, header+"\n"+`{"type":"x","id":"a","parentId":null,"v":1}`+"\n"+`{"type":"x","id":"a","parentId":null,"v":2}`+"\n")
	f := writeFork(t, s, 0, checkout.ForkOptions{})
	if id := f.Log.Record(0).ID; id != "a.2" {
		t.Errorf("id %s, want a.2", id)
	}
}

// TestForkBadIDs keeps what names an entry by an id that breaks the rule.
func TestForkBadIDs(t *testing.T) {
	s := openText(t, strings.Join([]string{
		`{"type":"session","version":3,"id":"s","timestamp":"2025-03-01T09:00:00.000Z","cwd":"/srv/demo"}`,
		`{"type":"message","id":"x","parentId":null,"message":` + say("x") + `}`,
		`{"type":"message","id":"a b","parentId":"x","message":` + say("a") + `}`,
		`{"type":"message","id":"c","parentId":"a b","message":` + say("c") + `}`,
		`{"type":"label","id":"l","parentId":"c","targetId":"a b","label":"here"}`,
		`{"type":"context_edit","id":"e","parentId":"l","targetId":"a b","replacement":{"content":"edited"}}`,
		`{"type":"compaction","id":"k","parentId":"e","summary":"s","firstKeptEntryId":"a b","tokensBefore":1}`,
	}, "\n")+"\n")
	at := s.Refs.Head().At
	want := contextOf(t, s, at)
	if !strings.Contains(want, "edited") {
		t.Fatalf("context %s", want)
	}
	for _, flatten := range []bool{false, true} {
		f := writeFork(t, s, at, checkout.ForkOptions{Flatten: flatten})
		if got := contextOf(t, f, f.Refs.Head().At); got != want {
			t.Errorf("flatten %t: got %s, want %s", flatten, got, want)
		}
		if got := f.Refs.Label(1); got != "here" || f.Log.Len() != 6 {
			t.Errorf("flatten %t: label %q, %d entries", flatten, got, f.Log.Len())
		}
	}
}

// TestForkKeepsWhatHasNoType: such an entry is on the path, and so is what stands before it.
func TestForkKeepsWhatHasNoType(t *testing.T) {
	s := openText(t, strings.Join([]string{
		`{"type":"session","version":3,"id":"s","timestamp":"2025-03-01T09:00:00.000Z","cwd":"/srv/demo"}`,
		`{"type":"message","id":"a","parentId":null,"message":` + say("a") + `}`,
		`{"types":"message","id":"b","parentId":"a","message":` + say("b") + `}`,
		`{"type":"message","id":"c","parentId":"b","message":` + say("c") + `}`,
	}, "\n")+"\n")
	at := s.Refs.Head().At
	f := writeFork(t, s, at, checkout.ForkOptions{})
	if got, want := bodies(t, f, f.Refs.Head().At), bodies(t, s, at); len(got) != 3 || !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := contextOf(t, f, f.Refs.Head().At), contextOf(t, s, at); got != want {
		t.Errorf("context %s, want %s", got, want)
	}
}

// openText opens a file with the text.
func openText(t *testing.T, text string) *checkout.Session {
	t.Helper()
	file := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := checkout.Open(file, labOptions(5))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestForkRefuses(t *testing.T) {
	l := newLab(t, 1)
	_, err := l.Fork(log.None, checkout.ForkOptions{})
	l.fails(err, objects.ErrNotFound)
	l.add(say("a"))
	_, err = l.Undo(t.Context(), 1, "")
	l.ok(err)
	_, err = l.Fork(l.Refs.Head().At, checkout.ForkOptions{Flatten: true})
	l.fails(err, objects.ErrNotFound, "undone")
	_, err = l.Fork(l.Log.Len(), checkout.ForkOptions{})
	l.fails(err, objects.ErrNotFound)
}

func TestForkFlatten(t *testing.T) {
	l := newLab(t, 1)
	a := l.add(say("a"))
	b := l.add(say("b"))
	_, err := l.SetLabel(t.Context(), l.find(b), "gone")
	l.ok(err)
	c := l.add(say("c"))
	_, err = l.EditContext(t.Context(), l.find(b), nil)
	l.ok(err)
	_, err = l.EditContext(t.Context(), l.find(c), []byte(`"c, edited"`))
	l.ok(err)
	_, err = l.Compact(t.Context(), "sum", l.find(b), 10)
	l.ok(err)
	_, err = l.UndoEntries(t.Context(), []int{l.find(b)}, "")
	l.ok(err)
	d := l.add(say("d"))
	f := writeFork(t, l.Session, l.find(d), checkout.ForkOptions{Flatten: true})
	var types []string
	for i := range f.Log.Len() {
		types = append(types, string(f.Log.Record(i).Type))
	}
	if got, want := strings.Join(types, " "), "message message context_edit compaction message"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	e, err := f.Log.Entry(3)
	l.ok(err)
	if kept, _ := e.Text("firstKeptEntryId"); kept != string(c) {
		t.Errorf("the compaction keeps from %s, want %s", kept, c)
	}
	if f.Log.Record(1).ParentID != a {
		t.Errorf("the parent of c is %s, want %s", f.Log.Record(1).ParentID, a)
	}
	if got := f.Log.Header().ParentEntry; got != d {
		t.Errorf("parentEntry %s", got)
	}
}

// contextOf is what a model would see, to be compared.
func contextOf(t *testing.T, s *checkout.Session, at int) string {
	t.Helper()
	c, err := s.Context(at)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range c.Messages {
		fmt.Fprintf(&b, "%s %s\n", m.Role, m.JSON)
	}
	fmt.Fprintf(&b, "model %s, level %s, queue %q, repairs", c.Model, c.ThinkingLevel, c.Queue)
	for _, r := range c.Repairs {
		fmt.Fprintf(&b, " %s %s", r.Kind, r.CallID)
	}
	return b.String()
}

// TestForkKeepsContext forks random sessions at random entries: the model sees the same, flattened or not.
func TestForkKeepsContext(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := newLab(t, seed)
		for range 40 {
			randomStep(t, l, r)
		}
		for range 6 {
			at := r.IntN(l.Log.Len())
			if !l.Log.Record(at).Tree() {
				continue
			}
			for _, flatten := range []bool{false, true} {
				_, err := l.Fork(at, checkout.ForkOptions{Flatten: flatten})
				if flatten && errors.Is(err, objects.ErrNotFound) {
					continue
				}
				f := writeFork(t, l.Session, at, checkout.ForkOptions{Flatten: flatten})
				want, got := contextOf(t, l.Session, at), contextOf(t, f, f.Refs.Head().At)
				if got != want {
					data, _ := os.ReadFile(l.path)
					t.Fatalf("seed %d, fork at line %d, flatten %t:\ngot  %s\nwant %s\nof\n%s", seed, l.Log.Record(at).Line, flatten, got, want, data)
				}
				if f.Refs.Name() != l.Refs.Name() {
					t.Errorf("seed %d: name %q, want %q", seed, f.Refs.Name(), l.Refs.Name())
				}
				for i := range f.Log.Len() {
					if j, ok := l.Log.Find(f.Log.Record(i).ID); ok && f.Refs.Label(i) != l.Refs.Label(j) {
						t.Errorf("seed %d: label %q, want %q", seed, f.Refs.Label(i), l.Refs.Label(j))
					}
				}
			}
		}
	}
}

// randomStep does one operation that a context may depend on. Those that are refused change nothing.
func randomStep(t *testing.T, l *lab, r *rand.Rand) {
	ctx := t.Context()
	at := func() int {
		if l.Log.Len() == 0 {
			return log.None
		}
		return r.IntN(l.Log.Len())
	}
	id := func() objects.ID {
		if i := at(); i != log.None {
			return l.Log.Record(i).ID
		}
		return "none"
	}
	n := r.IntN(1000)
	var err error
	switch r.IntN(14) {
	case 0, 1, 2:
		l.add(say(fmt.Sprintf("m%d", n)))
	case 3:
		l.add(use(fmt.Sprintf("c%d", n)), result(fmt.Sprintf("c%d", n)))
	case 4:
		_, err = l.Undo(ctx, 1+r.IntN(2), "")
	case 5:
		_, err = l.Redo(ctx, "")
	case 6:
		_, err = l.EditContext(ctx, at(), []byte(fmt.Sprintf(`"edit %d"`, n)))
	case 7:
		l.add(fmt.Sprintf(`{"type":"compaction","summary":"s%d","firstKeptEntryId":%q,"tokensBefore":1}`, n, id()))
	case 8:
		_, err = l.SetLabel(ctx, at(), fmt.Sprintf("l%d", n%5))
	case 9:
		l.add(fmt.Sprintf(`{"type":"model_change","provider":"p","modelId":"m%d"}`, n))
	case 10:
		if i := at(); i != log.None && l.Log.Record(i).Tree() {
			err = l.SwitchNew(ctx, fmt.Sprintf("b%d", n%3), i, true)
		}
	case 11:
		_, err = l.SetName(ctx, fmt.Sprintf("n%d", n))
	case 12:
		l.add(fmt.Sprintf(`{"type":"queue","operation":"enqueue","content":"q%d"}`, n))
	case 13: // another program goes on under the last line, whatever that is
		if last := l.Log.Last(); last != log.None {
			line := fmt.Sprintf(`{"type":"message","id":"foreign-%d-%d","parentId":%q,"timestamp":"2025-03-01T09:00:00.000Z","message":%s}`,
				l.Log.Len(), n, l.Log.Record(last).ID, say("foreign"))
			appendForeign(t, l, line)
		}
	}
	_ = err
}

// appendForeign appends a line as a program that knows nothing of tlog does.
func appendForeign(t *testing.T, l *lab, line string) {
	t.Helper()
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	l.reopen()
}

// TestForkLikePi compares forks with those that pi's session manager makes of the same files.
func TestForkLikePi(t *testing.T) {
	cases := sharedtest.Dir(t, "cases", "pi")
	for _, test := range []struct {
		name string
		// differs says where tlog deliberately does something else; empty where nothing else differs than
		// for all forks: labels stay in their place, with the bytes of all entries, where pi
		// takes them out and hangs their children elsewhere; parentSession is an id and no path.
		differs string
	}{
		{"extract-kept-is-label", ""},
		{"extract-labels", ""},
		{"extract-missing", "an entry that is not there is refused when its name is resolved"},
		{"extract-no-conversation", "a fork without user or assistant message is written at once: the user asked for it"},
		{"fork-v1", "the entries are migrated, so that each can be reached; pi's copy has no ids"},
	} {
		t.Run(test.name, func(t *testing.T) { checkPiFork(t, filepath.Join(cases, test.name+".json")) })
	}
}

func checkPiFork(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Input    []string
		Ops      [][]string
		Expected struct {
			Steps     []struct{ Error string }
			FileLines []json.RawMessage
		}
	}
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	s := openText(t, strings.Join(c.Input, "\n")+"\n")
	at, opt := s.Refs.Head().At, checkout.ForkOptions{}
	if op := c.Ops[0]; op[0] == "createBranchedSession" {
		var ok bool
		if at, ok = s.Log.Find(objects.ID(op[1])); !ok {
			if c.Expected.Steps[0].Error == "" {
				t.Fatalf("no entry %s", op[1])
			}
			return
		}
	} else {
		opt.Cwd = op[1]
	}
	f := writeFork(t, s, at, opt)
	if opt.Cwd != "" && f.Log.Header().Cwd != opt.Cwd {
		t.Errorf("cwd %s, want %s", f.Log.Header().Cwd, opt.Cwd)
	}
	if len(c.Expected.FileLines) == 0 {
		return
	}
	var want, got []string
	labels := map[string]string{}
	for _, line := range c.Expected.FileLines[1:] {
		e, err := objects.ParseEntry(line)
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == objects.TypeLabel {
			target, _ := e.Text("targetId")
			labels[target], _ = e.Text("label")
			continue
		}
		want = append(want, plainEntry(t, e))
	}
	for i := range f.Log.Len() {
		e, err := f.Log.Entry(i)
		if err != nil {
			t.Fatal(err)
		}
		if e.Type != objects.TypeLabel {
			got = append(got, plainEntry(t, e))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	have := map[string]string{}
	for _, i := range f.Refs.Labels() {
		have[string(f.Log.Record(i).ID)] = f.Refs.Label(i)
	}
	if fmt.Sprint(have) != fmt.Sprint(labels) {
		t.Errorf("labels %v, want %v", have, labels)
	}
	if got, want := contextOf(t, f, f.Refs.Head().At), contextOf(t, s, at); got != want {
		t.Errorf("context:\n%s\nwant:\n%s", got, want)
	}
}

// plainEntry is an entry without its place in the graph, in one form.
func plainEntry(t *testing.T, e objects.Entry) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(e.Raw, &m); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"parentId", "chain", "firstKeptEntryId"} {
		delete(m, key)
	}
	if strings.HasPrefix(string(e.ID), "#") || len(string(e.ID)) == 36 {
		delete(m, "id")
	}
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
