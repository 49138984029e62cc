package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// TestImportRandom lets an agent and a user change one session at random, and imports in between.
func TestImportRandom(t *testing.T) {
	rounds := 80
	if testing.Short() {
		rounds = 15
	}
	for seed := range uint64(rounds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			src := newSource(t)
			a := &agent{r: rand.New(rand.NewPCG(seed, 7)), lines: []string{piHeader("sess-1", src.cwd)}}
			for range 12 {
				for range a.r.IntN(5) {
					a.step()
				}
				a.importAndCheck(src)
				if a.r.IntN(2) == 0 {
					a.user(src)
				}
			}
		})
	}
}

// agent writes a session as an agent that has its bad days.
type agent struct {
	r     *rand.Rand
	lines []string
	ids   []string
	n     int
	file  string // the session's log, once there is one
}

func (a *agent) id() string {
	if len(a.ids) == 0 {
		return ""
	}
	return a.ids[a.r.IntN(len(a.ids))]
}

// step changes the source.
func (a *agent) step() {
	a.n++
	at := 1 + a.r.IntN(len(a.lines)) // behind the header
	switch a.r.IntN(16) {
	default:
		id, parent := fmt.Sprintf("e%d", a.n), a.id()
		if a.r.IntN(4) > 0 && len(a.ids) > 0 {
			parent = a.ids[len(a.ids)-1]
		}
		a.lines = append(a.lines, piMessage(id, parent, fmt.Sprintf("text %d", a.n)))
		a.ids = append(a.ids, id)
	case 0:
		a.lines = append(a.lines, `{"type":"mess`, "", "\x00\x00")
	case 1:
		a.lines = append(a.lines, strings.Replace(piMessage(fmt.Sprintf("e%d", a.n), a.id(), "BYTE"), "BYTE", "\xff", 1)+"\r")
	case 2: // another line of a known id
		if id := a.id(); id != "" {
			a.lines = append(a.lines, piMessage(id, "", fmt.Sprintf("again %d", a.n)))
		}
	case 3: // the same line again
		if len(a.lines) > 1 {
			a.lines = append(a.lines, a.lines[1+a.r.IntN(len(a.lines)-1)])
		}
	case 4:
		a.lines = append(a.lines, `{"type":"message","message":{"role":"user","content":"no id"}}`, `{"type":"x","id":"bad id"}`)
	case 5:
		a.lines = slices.Insert(a.lines, at, piMessage(fmt.Sprintf("e%d", a.n), a.id(), "put in between"))
	case 6:
		if at < len(a.lines) {
			a.lines = slices.Delete(a.lines, at, at+1)
		}
	case 7:
		if at < len(a.lines) {
			a.lines[at] = strings.Replace(a.lines[at], "text", "changed text", 1)
		}
	}
}

// user changes the imported session.
func (a *agent) user(src *source) {
	if a.file == "" {
		return
	}
	s := open(src.t, a.file)
	at := -1
	if n := s.Log.Len(); n > 0 {
		at = a.r.IntN(n)
		if !s.Log.Record(at).Tree() {
			return
		}
	}
	say := [][]byte{[]byte(`{"role":"user","content":"by the user"}`)}
	// What is refused changes nothing.
	switch ctx := src.t.Context(); a.r.IntN(8) {
	case 0:
		_, _ = s.Append(ctx, say, checkout.AppendOptions{})
	case 1:
		_, _ = s.Append(ctx, say, checkout.AppendOptions{Branch: "pi"})
	case 2:
		_, _ = s.Undo(ctx, 1, "")
	case 3:
		_ = s.SwitchNew(ctx, "side", at, true)
	case 4:
		_ = s.Detach(ctx, at)
	case 5:
		_ = s.Switch(ctx, "main")
	case 6:
		_ = s.Switch(ctx, "pi")
	case 7:
		appendBytes(src.t, a.file, `{"type":"message","id":"torn"`)
	}
}

// importAndCheck imports the source as it is now.
func (a *agent) importAndCheck(src *source) {
	t := src.t
	data := lines(a.lines...)
	if a.r.IntN(4) == 0 && len(a.lines) > 1 {
		data = data[:len(data)-a.r.IntN(8)] // in the midst of a write
	}
	writeFile(t, src.path, data)
	var before []byte
	mainWas, piWas, followed := objects.ID(""), objects.ID(""), true
	if a.file != "" {
		before = readFile(t, a.file)
		was := tips(open(t, a.file))
		mainWas, piWas = was["main"], was["pi"]
		followed = mainWas == piWas && piWas != ""
	}
	got := importFile(t, src.s, src.path, src.cwd)
	a.file = got.File
	s := open(t, got.File)
	now := readFile(t, got.File)
	older := bytes.Equal(before, now)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf(format+"\n%+v\nsource\n%s\nlog\n%s", append(args, got, data, now)...)
	}
	if !bytes.HasPrefix(now, before) {
		fail("bytes of the log were changed")
	}
	if kept := original(t, src.s, got); !bytes.Equal(kept, data) && !(older && bytes.HasPrefix(kept, data)) {
		fail("original\n%s", kept)
	}
	if !older {
		checkDescends(t, s)
	}
	if at := tips(s); followed && piWas != "" && at["main"] != at["pi"] {
		fail("main did not follow: %v", at)
	} else if !followed && mainWas != "" && at["main"] != mainWas && piWas != "" {
		// HEAD may have been on main and main on pi's entries; what counts is that the import did not move it.
		fail("main was moved from %s: %v", mainWas, at)
	}
	a.checkEntries(t, src, s, got.New > 0, fail)
	again := importFile(t, src.s, src.path, src.cwd)
	if again.New != 0 || !bytes.Equal(now, readFile(t, got.File)) {
		fail("importing again: %+v", again)
	}
}

// checkEntries looks for each entry of the source in the log.
func (a *agent) checkEntries(t *testing.T, src *source, s *checkout.Session, moved bool, fail func(string, ...any)) {
	source, err := log.Open(src.path)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	have, bodies := map[string]bool{}, map[objects.ID]string{}
	for i := range s.Log.Len() {
		e, err := s.Log.Entry(i)
		if err != nil {
			t.Fatal(err)
		}
		have[string(e.Body())] = true // without the white space around it
		if s.Log.Record(i).Tree() {
			bodies[s.Log.Record(i).ID] = string(e.Body())
		}
	}
	leaf := ""
	for i := range source.Len() {
		e, err := source.Entry(i)
		if err != nil {
			t.Fatal(err)
		}
		if !have[string(e.Raw)] {
			fail("not in the log: %s", e.Raw)
		}
		leaf = string(e.Raw)
	}
	for f := range s.Log.Check() {
		if f.Code == log.ChainBroken {
			fail("%+v", f)
		}
	}
	if at := tips(s)["pi"]; moved && bodies[at] != leaf {
		fail("the tracking branch stands at %s, want %s", at, leaf)
	}
	if _, err := os.Stat(a.file); err != nil {
		t.Fatal(err)
	}
}
