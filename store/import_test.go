package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/store"
)

// piHeader is the header of a pi session in the folder cwd.
func piHeader(id, cwd string) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2025-03-01T09:00:00.000Z","cwd":%q}`, id, cwd)
}

// piMessage is an entry of a pi session; no parent is null.
func piMessage(id, parent, text string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"2025-03-01T09:00:01.000Z","message":{"role":"user","content":%q}}`, id, p, text)
}

// source is a pi session that grows.
type source struct {
	t    *testing.T
	s    *store.Store
	cwd  string
	path string
}

func newSource(t *testing.T) *source {
	s, cwd := newStore(t)
	return &source{t: t, s: s, cwd: cwd, path: filepath.Join(t.TempDir(), "s.jsonl")}
}

// put writes the source's lines behind its header and imports it.
func (src *source) put(texts ...string) store.Imported {
	src.t.Helper()
	return src.putBytes(lines(append([]string{piHeader("sess-1", src.cwd)}, texts...)...))
}

func (src *source) putBytes(data []byte) store.Imported {
	src.t.Helper()
	writeFile(src.t, src.path, data)
	got := importFile(src.t, src.s, src.path, src.cwd)
	if kept := original(src.t, src.s, got); !bytes.Equal(kept, data) {
		src.t.Errorf("original:\n%s\nwant:\n%s", kept, data)
	}
	return got
}

// session opens the imported session.
func (src *source) session(got store.Imported) *checkout.Session {
	s := open(src.t, got.File)
	checkDescends(src.t, s)
	return s
}

// wantTips checks branches against "name=id" in the order of names.
func wantTips(t *testing.T, s *checkout.Session, want ...string) {
	t.Helper()
	var have []string
	for name, id := range tips(s) {
		have = append(have, name+"="+string(id))
	}
	slices.Sort(have)
	if !slices.Equal(have, want) {
		t.Errorf("branches %v, want %v", have, want)
	}
}

func TestImportFollows(t *testing.T) {
	src := newSource(t)
	a, b, c := piMessage("a", "", "one"), piMessage("b", "a", "two"), piMessage("c", "b", "three")
	got := src.put(a)
	if got.New != 1 || !got.Created || !got.Followed || got.Session != "sess-1" || got.Original != "" {
		t.Errorf("%+v", got)
	}
	wantTips(t, src.session(got), "main=a", "pi=a")
	got = src.put(a, b)
	if got.New != 1 || got.Created || !got.Followed || got.Entries != 2 {
		t.Errorf("%+v", got)
	}
	wantTips(t, src.session(got), "main=b", "pi=b")

	// What the user writes keeps main where it is from then on.
	s := src.session(got)
	mine, err := s.Append(t.Context(), [][]byte{[]byte(`{"role":"user","content":"mine"}`)}, checkout.AppendOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got = src.put(a, b, c)
	if got.New != 1 || got.Followed || got.Entries != 4 {
		t.Errorf("%+v", got)
	}
	s = src.session(got)
	wantTips(t, s, "main="+string(mine[0]), "pi=c")
	if head := s.Refs.Head(); head.Branch != "main" {
		t.Errorf("HEAD %+v", head)
	}
	before := readFile(t, got.File)
	if got = src.put(a, b, c); got.New != 0 || !bytes.Equal(before, readFile(t, got.File)) {
		t.Errorf("again: %+v", got)
	}
}

// TestImportLeavesHead imports while HEAD is elsewhere.
func TestImportLeavesHead(t *testing.T) {
	a, b, c := piMessage("a", "", "one"), piMessage("b", "a", "two"), piMessage("c", "b", "three")
	find := func(s *checkout.Session, id objects.ID) int {
		i, _ := s.Log.Find(id)
		return i
	}
	for _, test := range []struct {
		name string
		move func(s *checkout.Session) error
		want []string
		head string // branch, or id where HEAD is detached
	}{
		{"other branch", func(s *checkout.Session) error { return s.SwitchNew(t.Context(), "side", find(s, "a"), false) },
			[]string{"main=c", "pi=c", "side=a"}, "side"},
		{"detached", func(s *checkout.Session) error { return s.Detach(t.Context(), find(s, "a")) },
			[]string{"main=c", "pi=c"}, "a"},
		{"on the tracking branch", func(s *checkout.Session) error { return s.Switch(t.Context(), "pi") },
			[]string{"main=c", "pi=c"}, "b"},
		{"on the tracking branch, as older versions let it be", func(s *checkout.Session) error {
			appendBytes(t, s.Log.Path(), `{"type":"head","id":"h1","parentId":"b","name":"pi"}`+"\n")
			return nil
		}, []string{"main=c", "pi=c"}, "pi"},
		{"main gone", func(s *checkout.Session) error { return s.RenameBranch(t.Context(), "main", "trunk", false) },
			[]string{"pi=c", "trunk=b"}, "trunk"},
		{"undone", func(s *checkout.Session) error { _, err := s.Undo(t.Context(), 1, ""); return err },
			nil, "main"},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := newSource(t)
			src.t = t
			s := src.session(src.put(a, b))
			if err := test.move(s); err != nil {
				t.Fatal(err)
			}
			s = src.session(src.put(a, b, c))
			if test.want != nil {
				wantTips(t, s, test.want...)
			} else if at := tips(s); at["main"] == at["pi"] {
				t.Errorf("main followed: %v", at)
			}
			head := s.Refs.Head()
			if head.Branch != test.head && (!head.Detached() || string(s.Log.Record(head.At).ID) != test.head) {
				t.Errorf("HEAD %+v", head)
			}
		})
	}
}

// TestImportMerges imports sources that do not continue what was imported.
func TestImportMerges(t *testing.T) {
	a, b, c := piMessage("a", "", "one"), piMessage("b", "a", "two"), piMessage("c", "b", "three")
	changed := piMessage("b", "a", "two, said better")
	damaged, other := `{"type":"mess`, `{"type":"message","id":`
	for _, test := range []struct {
		name          string
		before, after []string
		added, gone   int
		at            string // of both branches
	}{
		{"the same", []string{a, b}, []string{a, b}, 0, 0, "b"},
		{"an older copy", []string{a, b, c}, []string{a}, 0, 2, "c"},
		{"an entry changed", []string{a, b, c}, []string{a, changed, c}, 1, 1, "c"},
		{"the last changed", []string{a, b}, []string{a, changed}, 1, 1, "b"},
		{"one is gone", []string{a, b, c}, []string{a, c}, 0, 1, "c"},
		{"another leaf", []string{a, b, c}, []string{a, c, b}, 0, 0, "b"},
		{"all new", []string{a}, []string{piMessage("x", "", "else"), piMessage("y", "x", "more")}, 2, 1, "y"},
		{"a repeat", []string{a, b}, []string{a, b, a}, 0, 0, "a"},
		{"damage", []string{a, damaged, b}, []string{a, damaged, b, other, c}, 1, 0, "c"},
		{"damage in front of all", []string{damaged, a}, []string{damaged, a, b}, 1, 0, "b"},
		{"damage mended", []string{a, damaged, c}, []string{a, b, c}, 1, 0, "c"},
		{"damage at the end", []string{a, damaged}, []string{a, damaged, b}, 1, 0, "b"},
		{"blank lines", []string{a, "", " ", b}, []string{a, "", " ", b, "", c}, 1, 0, "c"},
		{"another header", []string{a, piHeader("z", "/z")}, []string{a, piHeader("z", "/z"), b}, 1, 0, "b"},
		{"no id", []string{a, `{"type":"message","message":{"role":"user","content":"x"}}`},
			[]string{a, `{"type":"message","message":{"role":"user","content":"x"}}`, b}, 1, 0, "b"},
		{"empty at first", nil, []string{a}, 1, 0, "a"},
		{"only damage at first", []string{damaged}, []string{damaged, a}, 1, 0, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := newSource(t)
			src.put(test.before...)
			var got store.Imported
			if test.name == "an older copy" {
				writeFile(t, src.path, lines(append([]string{piHeader("sess-1", src.cwd)}, test.after...)...))
				got = importFile(t, src.s, src.path, src.cwd)
			} else {
				got = src.put(test.after...)
			}
			if got.New != test.added || got.Missing != test.gone {
				t.Errorf("expected %d new and %d missing, got %+v", test.added, test.gone, got)
			}
			wantTips(t, src.session(got), "main="+test.at, "pi="+test.at)
			before := readFile(t, got.File)
			if got = importFile(t, src.s, src.path, src.cwd); got.New != 0 || !bytes.Equal(before, readFile(t, got.File)) {
				t.Errorf("again: %+v", got)
			}
		})
	}
}

// TestImportKeepsOriginal imports what the log's lines alone could not give back.
func TestImportKeepsOriginal(t *testing.T) {
	a, b := piMessage("a", "", "one"), piMessage("b", "a", "two")
	hostile := `{"type":"message","id":"h","parentId":"a","message":{"role":"user","content":"x"},"ref":"other","chain":"` + strings.Repeat("0a", 32) + `"}`
	for _, test := range []struct {
		name string
		data func(header string) []byte
		kept bool
	}{
		{"plain", func(h string) []byte { return lines(h, a, b) }, false},
		{"no line feed at the end", func(h string) []byte { return []byte(h + "\n" + a + "\n" + b) }, true},
		{"a torn end", func(h string) []byte { return []byte(h + "\n" + a + "\n" + b[:20]) }, true},
		{"a byte order mark", func(h string) []byte { return append([]byte("\xEF\xBB\xBF"), lines(h, a)...) }, true},
		{"CRLF", func(h string) []byte { return bytes.ReplaceAll(lines(h, a, b), []byte("\n"), []byte("\r\n")) }, true},
		{"CRLF behind the header", func(h string) []byte { return lines(h, a+"\r", "\r", b+" ") }, false},
		{"garbage above", func(h string) []byte { return lines("garbage", "", h, a) }, true},
		{"NULs", func(h string) []byte { return lines(h, "\x00\x00"+a+"\x00", "\x00\x00", b) }, false},
		{"a mark on a line", func(h string) []byte { return lines(h, "\xEF\xBB\xBF"+a, b) }, false},
		{"bytes that are no text", func(h string) []byte { return lines(h, strings.Replace(a, "one", "\xff\xfe", 1)) }, false},
		{"glued lines", func(h string) []byte { return lines(h, a+b, "["+b+"]", b) }, false},
		{"ref and chain of its own", func(h string) []byte { return lines(h, a, hostile) }, false},
		{"odd objects", func(h string) []byte { return lines(h, "{}", "{ }", ` { "type" : "x" } `, "null", "7", `"x"`) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := newSource(t)
			got := src.putBytes(test.data(piHeader("sess-1", src.cwd)))
			if (got.Original != "") != test.kept {
				t.Errorf("kept %q, want %t", got.Original, test.kept)
			}
			for f := range src.session(got).Log.Check() {
				if f.Code == log.ChainBroken {
					t.Errorf("%+v", f)
				}
			}
			// It goes on as any other.
			grown := append(test.data(piHeader("sess-1", src.cwd)), lines("", piMessage("g", "a", "grown"))...)
			got = src.putBytes(grown)
			if at := tips(src.session(got)); at["main"] != "g" || at["pi"] != "g" {
				t.Errorf("branches %v", at)
			}
		})
	}
}

// TestImportTornEnd leaves a line alone that an agent is writing.
func TestImportTornEnd(t *testing.T) {
	src := newSource(t)
	whole := lines(piHeader("sess-1", src.cwd), piMessage("a", "", "one"), piMessage("b", "a", "two"))
	for cut := bytes.IndexByte(whole, '\n') + 1; cut <= len(whole); cut++ {
		src.putBytes(whole[:cut])
	}
	got := src.putBytes(whole)
	s := src.session(got)
	wantTips(t, s, "main=b", "pi=b")
	if got.Entries != 2 || len(s.Log.Damaged()) != 0 {
		t.Errorf("%+v, damage %v", got, s.Log.Damaged())
	}
}

// TestImportAmongOthersLines finds a source again although others wrote to its log and its branch.
func TestImportAmongOthersLines(t *testing.T) {
	src := newSource(t)
	a, b, c := piMessage("a", "", "one"), piMessage("b", "a", "two"), piMessage("c", "b", "three")
	got := src.put(a, b)
	appendBytes(t, got.File, `{"type":"message","id":"x","parentId":"b","message":{"role":"user","content":"to the tracking branch"},"ref":"pi"}`+"\n")
	appendBytes(t, got.File, `{"type":"message","id":"torn`) // a write of tlog's that broke off
	if kept := original(t, src.s, got); !bytes.Equal(kept, readFile(t, src.path)) {
		t.Errorf("original with lines of others:\n%s", kept)
	}
	got = src.put(a, b, c)
	if got.New != 1 || got.Missing != 0 {
		t.Errorf("%+v", got)
	}
	if s := src.session(got); tips(s)["pi"] != "c" {
		t.Errorf("branches %v", tips(s))
	}
	before := readFile(t, got.File)
	if got = src.put(a, b, c); got.New != 0 || !bytes.Equal(before, readFile(t, got.File)) {
		t.Errorf("again: %+v", got)
	}
}

func appendBytes(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestImportBrokenOff imports again after an import that was cut short while it was written.
func TestImportBrokenOff(t *testing.T) {
	src := newSource(t)
	all := []string{piMessage("a", "", "one"), piMessage("b", "a", "two"), piMessage("c", "b", "three"), `{"damaged`, piMessage("d", "c", "four")}
	got := src.put(all[0])
	short := readFile(t, got.File)
	got = src.put(all...)
	long := readFile(t, got.File)
	for cut := len(short); cut <= len(long); cut += 7 {
		writeFile(t, got.File, long[:cut])
		got = src.put(all...)
		s := src.session(got)
		if at := tips(s); at["pi"] != "d" || got.Entries != 4 {
			t.Fatalf("cut at %d: %v, %+v", cut, at, got)
		}
	}
}

// TestImportMessages imports bare message logs, which have no id.
func TestImportMessages(t *testing.T) {
	s, cwd := newStore(t)
	dir := t.TempDir()
	hi, ho, he := `{"role":"user","content":"hi"}`, `{"role":"assistant","content":"ho"}`, `{"role":"assistant","content":"he"}`
	one := writeFile(t, filepath.Join(dir, "1"), lines(hi, ho))
	two := writeFile(t, filepath.Join(dir, "2"), lines(hi, he))
	first, second := importFile(t, s, one, cwd), importFile(t, s, two, cwd)
	if first.Session == second.Session || !second.Created || first.Tracking != "messages" {
		t.Fatalf("%+v and %+v", first, second)
	}
	writeFile(t, one, lines(hi, ho, hi))
	got := importFile(t, s, one, cwd)
	if got.Session != first.Session || got.New != 1 || got.Created {
		t.Errorf("%+v", got)
	}
	if data := original(t, s, got); !bytes.Equal(data, readFile(t, one)) {
		t.Errorf("original %q", data)
	}
	if data := original(t, s, second); !bytes.Equal(data, readFile(t, two)) {
		t.Errorf("original of the other %q", data)
	}
	empty := writeFile(t, filepath.Join(dir, "3"), nil)
	if got := importFile(t, s, empty, cwd); got.Session != "" || got.File != "" {
		t.Errorf("empty: %+v", got)
	}
}

// TestImportParent names the parent session once it is in the store.
func TestImportParent(t *testing.T) {
	s, cwd := newStore(t)
	dir := t.TempDir()
	parent := writeFile(t, filepath.Join(dir, "2025_p-1.jsonl"), lines(piHeader("p-1", cwd), piMessage("a", "", "x")))
	header := strings.TrimSuffix(piHeader("c-1", cwd), "}") + fmt.Sprintf(`,"parentSession":%q}`, parent)
	child := writeFile(t, filepath.Join(dir, "2025_c-1.jsonl"), lines(header, piMessage("a", "", "x")))
	if got := importFile(t, s, child, cwd); got.ParentSession != "" {
		t.Errorf("before the parent: %+v", got)
	}
	importFile(t, s, parent, cwd)
	s2 := store.Open(s.Root())
	other := strings.Replace(string(readFile(t, child)), "c-1", "c-2", 1)
	got := importFile(t, s2, writeFile(t, filepath.Join(dir, "c2.jsonl"), []byte(other)), cwd)
	if got.ParentSession != "p-1" {
		t.Errorf("behind the parent: %+v", got)
	}
}

func TestImportRefuses(t *testing.T) {
	s, cwd := newStore(t)
	got := importFile(t, s, writeFile(t, filepath.Join(t.TempDir(), "s"), lines(piHeader("sess-1", cwd), piMessage("a", "", "x"))), cwd)
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(got.File, link); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, test := range []struct {
		name, path string
		want       error
	}{
		{"a session of the store", got.File, objects.ErrRefused},
		{"a link to one", link, objects.ErrRefused},
		{"a newer version", writeFile(t, filepath.Join(dir, "new"), lines(strings.Replace(piHeader("n", cwd), ":3", ":9", 1))), objects.ErrVersion},
		{"a folder", dir, objects.ErrInvalid},
		{"nothing there", filepath.Join(dir, "none"), os.ErrNotExist},
		{"no session", writeFile(t, filepath.Join(dir, "garbage"), []byte("garbage\n")), objects.ErrCorrupt},
	} {
		if _, err := s.Import(t.Context(), test.path, cwd, options(1)); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	bad := writeFile(t, filepath.Join(dir, "bad"), lines(piHeader("../../evil", cwd), piMessage("a", "", "x")))
	if got := importFile(t, s, bad, cwd); !s.Contains(got.File) || !got.Session.Valid() {
		t.Errorf("a hostile id: %+v", got)
	}
}
