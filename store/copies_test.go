package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/store"
)

// say appends a message to HEAD's branch.
func say(t *testing.T, s *checkout.Session, text string) objects.ID {
	t.Helper()
	got, err := s.Append(t.Context(), [][]byte{fmt.Appendf(nil, `{"role":"user","content":%q}`, text)}, checkout.AppendOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return got[0]
}

// newLog is a session in a store of its own, as on another machine.
func newLog(t *testing.T, cwd string) *checkout.Session {
	t.Helper()
	elsewhere, _ := newStore(t)
	seeds++
	s, err := elsewhere.Create(cwd, "named", options(seeds))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestImportLog copies a log of tlog's own and keeps the copy up to date.
func TestImportLog(t *testing.T) {
	s, cwd := newStore(t)
	theirs := newLog(t, cwd)
	say(t, theirs, "one")
	got := importFile(t, s, theirs.Log.Path(), cwd)
	if !got.Created || got.New != 1 || got.Session != theirs.Log.Header().ID {
		t.Errorf("%+v", got)
	}
	say(t, theirs, "two")
	if _, err := theirs.Undo(t.Context(), 1, ""); err != nil {
		t.Fatal(err)
	}
	// Another program writes without a chain.
	appendBytes(t, theirs.Log.Path(), piMessage("foreign", string(tips(theirs)["main"]), "x")+"\n")
	say(t, open(t, theirs.Log.Path()), "three")
	got = importFile(t, s, theirs.Log.Path(), cwd)
	if got.New != 4 || got.Created || !bytes.Equal(readFile(t, got.File), readFile(t, theirs.Log.Path())) {
		t.Errorf("grown: %+v", got)
	}
	// Torn by a writer in the midst of its work: the whole lines come.
	whole := readFile(t, theirs.Log.Path())
	appendBytes(t, theirs.Log.Path(), `{"type":"mess`)
	if got = importFile(t, s, theirs.Log.Path(), cwd); got.New != 0 || !bytes.Equal(readFile(t, got.File), whole) {
		t.Errorf("torn: %+v", got)
	}
	ours := open(t, got.File)
	for f := range ours.Log.Check() {
		if f.Code == log.ChainBroken {
			t.Errorf("%+v", f)
		}
	}
	older := writeFile(t, filepath.Join(t.TempDir(), "older"), whole[:len(whole)/2])
	if got = importFile(t, s, older, cwd); got.New != 0 || !bytes.Equal(readFile(t, got.File), whole) {
		t.Errorf("an older copy: %+v", got)
	}
	say(t, open(t, got.File), "goes on") // the chain goes on behind copied lines
	for f := range open(t, got.File).Log.Check() {
		if f.Code == log.ChainBroken {
			t.Errorf("%+v", f)
		}
	}
}

// TestImportLogMerges brings two copies together that went apart.
func TestImportLogMerges(t *testing.T) {
	s, cwd := newStore(t)
	theirs := newLog(t, cwd)
	a := say(t, theirs, "one")
	got := importFile(t, s, theirs.Log.Path(), cwd)
	ours := open(t, got.File)
	mine := say(t, ours, "mine")
	// The first entry behind a checkout may hang under the line of the checkout.
	if err := theirs.SwitchNew(t.Context(), "side", 0, false); err != nil {
		t.Fatal(err)
	}
	head := theirs.Log.Record(theirs.Log.Last()).ID
	appendBytes(t, theirs.Log.Path(), piMessage("under-head", string(head), "x")+"\n")
	theirs = open(t, theirs.Log.Path())
	yours := say(t, theirs, "yours")
	got = importFile(t, s, theirs.Log.Path(), cwd)
	if got.New != 2 || got.Followed || got.Tracking != "tlog" {
		t.Errorf("%+v", got)
	}
	ours = open(t, got.File)
	checkDescends(t, ours)
	wantTips(t, ours, "main="+string(mine), "tlog="+string(yours))
	i, _ := ours.Log.Find("under-head")
	if p := ours.Log.Record(i).Parent; p < 0 || ours.Log.Record(p).ID != a {
		t.Errorf("the parent of an entry under a journal line is %d", p)
	}
	before := readFile(t, got.File)
	if got = importFile(t, s, theirs.Log.Path(), cwd); got.New != 0 || !bytes.Equal(before, readFile(t, got.File)) {
		t.Errorf("again: %+v", got)
	}
	again := say(t, theirs, "yours again")
	if got = importFile(t, s, theirs.Log.Path(), cwd); got.New != 1 {
		t.Errorf("grown: %+v", got)
	}
	wantTips(t, open(t, got.File), "main="+string(mine), "tlog="+string(again))
}

// FuzzImport imports any bytes, then grown ones: no panic, and the original is given back.
func FuzzImport(f *testing.F) {
	a, b := piMessage("a", "", "one"), piMessage("b", "a", "two")
	h := piHeader("sess-1", "/srv/demo")
	for _, seed := range [][]byte{
		lines(h, a, b), lines(h, a, a, `{"x`, "", b), []byte(h + "\n" + a), lines("garbage", h, a, b),
		lines(`{"type":"session","id":"v1"}`, `{"type":"message","message":{"role":"user","content":"x"}}`),
		lines(`{"role":"user","content":"x"}`, `{"role":"user","content":"y"}`),
		lines(h, a, `{"type":"head","id":"h","parentId":"a","targetId":"a"}`, `{"type":"ref","id":"r","parentId":"a","name":"pi","targetId":null}`),
		lines(h, "\x00"+a+"\x00", `{}`, `{ }`, `{"ref":"pi","chain":"`+string(bytes.Repeat([]byte("0"), 64))+`"}`),
		lines(`{"type":"session","version":4,"id":"v4","cwd":"/x"}`, a, b),
	} {
		f.Add(seed, uint16(len(seed)/2))
	}
	f.Fuzz(func(t *testing.T, data []byte, cut uint16) {
		s, cwd := newStore(t)
		path := filepath.Join(t.TempDir(), "s.jsonl")
		part := data[:min(int(cut), len(data))]
		for _, now := range [][]byte{part, data, data} {
			writeFile(t, path, now)
			seeds++
			got, err := s.Import(t.Context(), path, cwd, options(seeds))
			if err != nil || got.Session == "" {
				continue
			}
			checkFuzzed(t, s, got, now)
		}
	})
}

// checkFuzzed checks what holds of any import.
func checkFuzzed(t *testing.T, s *store.Store, got store.Imported, data []byte) {
	session := open(t, got.File)
	if session.Log.Header().Source != nil && got.Missing == 0 {
		if kept := original(t, s, got); !bytes.Equal(kept, data) {
			t.Errorf("original %q, want %q", kept, data)
		}
	}
	if got.New > 0 && got.Tracking != "tlog" {
		checkDescends(t, session)
	}
	for f := range session.Log.Check() {
		if f.Code == log.ChainBroken && got.Tracking != "tlog" {
			t.Errorf("%+v", f)
		}
	}
	before := readFile(t, got.File)
	path := writeFile(t, filepath.Join(t.TempDir(), "again"), data)
	seeds++
	if again, err := s.Import(t.Context(), path, "/", options(seeds)); err == nil && again.File == got.File {
		if again.New != 0 || !bytes.Equal(before, readFile(t, got.File)) {
			t.Errorf("again: %+v", again)
		}
	}
}

// BenchmarkImport imports a long session, then one line more.
func BenchmarkImport(b *testing.B) {
	const entries = 100_000
	var data bytes.Buffer
	data.WriteString(piHeader("long", "/srv/demo") + "\n")
	parent := ""
	r := rand.New(rand.NewPCG(1, 2))
	for i := range entries {
		id := fmt.Sprintf("%08x", i)
		data.WriteString(piMessage(id, parent, fmt.Sprintf("message %d %x", i, r.Uint64())) + "\n")
		parent = id
	}
	path := writeFile(b, filepath.Join(b.TempDir(), "s.jsonl"), data.Bytes())
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			s, cwd := newStore(b)
			importFile(b, s, path, cwd)
		}
	})
	b.Run("again", func(b *testing.B) {
		s, cwd := newStore(b)
		importFile(b, s, path, cwd)
		for b.Loop() {
			importFile(b, s, path, cwd)
		}
	})
}
