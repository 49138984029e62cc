package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/checkout"
	"tlog/store"
)

// TestSourceState changes a source in all ways and looks what is told of it.
func TestSourceState(t *testing.T) {
	body := func(n int) string {
		var b strings.Builder
		b.WriteString(piHeader("s", "/w") + "\n")
		parent := ""
		for i := range n {
			id := string(rune('a' + i))
			b.WriteString(piMessage(id, parent, strings.Repeat("mark "+id+" ", 200)) + "\n")
			parent = id
		}
		return b.String()
	}
	for _, size := range []int{1, 3, 12} { // less than a block, about one, many
		whole := body(size)
		for name, test := range map[string]struct {
			now  string
			want store.SourceState
		}{
			"as it was":          {whole, store.SourceCurrent},
			"more":               {whole + piMessage("z", "", "more") + "\n", store.SourceGrown},
			"more, not complete": {whole + `{"type":"mess`, store.SourceGrown},
			"cut":                {whole[:len(whole)-5], store.SourceShrunk},
			"empty":              {"", store.SourceShrunk},
			"another head":       {strings.Replace(whole, `"s"`, `"t"`, 1), store.SourceRewritten},
			"another end":        {whole[:len(whole)-20] + strings.ToUpper(whole[len(whole)-20:]), store.SourceRewritten},
			"another, longer":    {body(size + 1)[:len(whole)-30] + strings.Repeat("x", 60), store.SourceRewritten},
			"gone":               {"", store.SourceGone},
		} {
			src := newSource(t)
			got := src.putBytes([]byte(whole))
			mark, err := store.SourceOf(src.session(got))
			if err != nil {
				t.Fatal(err)
			}
			if test.want == store.SourceGone {
				err = os.Remove(mark.Path)
			} else {
				err = os.WriteFile(mark.Path, []byte(test.now), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if state, err := store.StateOf(mark); err != nil || state != test.want {
				t.Errorf("%d lines, %s: %q, %v, expected %q", size, name, state, err, test.want)
			}
		}
	}
}

// TestSourceTornEnd imports a source whose last line is not complete: what is noted ends before it.
func TestSourceTornEnd(t *testing.T) {
	src := newSource(t)
	got := src.putBytes([]byte(piHeader("s", "/w") + "\n" + piMessage("a", "", "1") + "\n" + `{"type":"mess`))
	mark, err := store.SourceOf(src.session(got))
	if err != nil {
		t.Fatal(err)
	}
	if state, err := store.StateOf(mark); err != nil || state != store.SourceGrown {
		t.Errorf("%q, %v", state, err)
	}
}

// TestImportNeverShrinks imports what is left of a source again and again: every entry that was ever seen stays.
func TestImportNeverShrinks(t *testing.T) {
	one, two, three := piMessage("a", "", "mark-01"), piMessage("b", "a", "mark-02"), piMessage("c", "b", "mark-03")
	nine := piMessage("n", "", "mark-09")
	for name, test := range map[string]struct {
		after           []string
		missing, stands int
		state           store.SourceState
	}{
		"cut short":                      {[]string{one}, 2, 3, store.SourceShrunk},
		"the middle is out":              {[]string{one, three}, 1, 3, store.SourceShrunk},
		"another session of the same id": {[]string{piMessage("n", "", strings.Repeat("mark-09 ", 200))}, 3, 4, store.SourceRewritten},
		"compacted away":                 {[]string{nine, piMessage("m", "n", "mark-08")}, 3, 5, store.SourceShrunk},
		"nothing but a header":           {nil, 3, 3, store.SourceShrunk},
	} {
		src := newSource(t)
		src.put(one, two, three)
		after := lines(append([]string{piHeader("sess-1", src.cwd)}, test.after...)...)
		got := importFile(t, src.s, writeFile(t, src.path, after), src.cwd)
		if got.Missing != test.missing || got.Entries != test.stands || got.State != test.state {
			t.Errorf("%s: %d missing, %d entries, %q, expected %d, %d, %q", name, got.Missing, got.Entries, got.State, test.missing, test.stands, test.state)
		}
		text := string(readFile(t, got.File))
		for _, mark := range []string{"mark-01", "mark-02", "mark-03"} {
			if !strings.Contains(text, mark) {
				t.Errorf("%s: %s is lost", name, mark)
			}
		}
		if again := importFile(t, src.s, src.path, src.cwd); again.New != 0 || again.Entries != test.stands {
			t.Errorf("%s, again: %+v", name, again)
		}
	}
}

// TestImportGone imports a path at which nothing is any more.
func TestImportGone(t *testing.T) {
	src := newSource(t)
	first := src.put(piMessage("a", "", "1"))
	mark, err := store.SourceOf(src.session(first))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(mark.Path); err != nil {
		t.Fatal(err)
	}
	s := src.s
	got := importFile(t, s, mark.Path, "/w")
	if got.State != store.SourceGone || got.Session != first.Session || got.Entries != 1 || got.New != 0 {
		t.Errorf("%+v", got)
	}
	if _, err := s.Import(t.Context(), filepath.Join(t.TempDir(), "never"), "/w", options(1)); err == nil {
		t.Error("a file that never was is imported")
	}
}

// TestUnknownSource is what is told of an import that noted nothing.
func TestUnknownSource(t *testing.T) {
	file := writeFile(t, filepath.Join(t.TempDir(), "x"), []byte("x"))
	for _, test := range []struct {
		mark checkout.SourceMark
		want store.SourceState
	}{
		{checkout.SourceMark{}, store.SourceUnknown},
		{checkout.SourceMark{Path: file}, store.SourceUnknown},
		{checkout.SourceMark{Path: file + "/not/there"}, store.SourceGone},
		{checkout.SourceMark{Path: file + "-gone"}, store.SourceGone},
	} {
		if got, err := store.StateOf(test.mark); err != nil || got != test.want {
			t.Errorf("%+v: %q, %v, expected %q", test.mark, got, err, test.want)
		}
	}
}
