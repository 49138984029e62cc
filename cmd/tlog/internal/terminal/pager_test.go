package terminal

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestSplitWords(t *testing.T) {
	for _, test := range []struct {
		in   string
		want []string
	}{
		{"", nil}, {"  \t\n", nil}, {"less", []string{"less"}}, {" less  -R ", []string{"less", "-R"}},
		{`less '-P a b' "c d"`, []string{"less", "-P a b", "c d"}},
		{`a''b "" ''`, []string{"ab", "", ""}},
		{`a\ b \'c \\`, []string{"a b", "'c", `\`}},
		{`"a\"b\\c\d" 'a\b'`, []string{`a"b\c\d`, `a\b`}},
		{`'it'"'"'s'`, []string{"it's"}},
		{`less $HOME;rm *|x`, []string{"less", "$HOME;rm", "*|x"}},
		{`a\`, []string{`a\`}},
	} {
		if got, err := splitWords(test.in, true); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("splitWords(%q) = %q, %v, want %q", test.in, got, err, test.want)
		}
	}
	for _, in := range []string{`"`, `'a`, `a"b\"`} {
		if got, err := splitWords(in, true); !errors.Is(err, errUnclosedQuote) {
			t.Errorf("splitWords(%q) = %q, %v", in, got, err)
		}
	}
	if got, _ := splitWords(`C:\bin\less.exe "C:\a b\"`, false); !slices.Equal(got, []string{`C:\bin\less.exe`, `C:\a b\`}) {
		t.Errorf("with folders of Windows: %q", got)
	}
}

func FuzzSplitWords(f *testing.F) {
	f.Add(`less '-P a' "b\"c" \ d`)
	f.Fuzz(func(t *testing.T, in string) {
		words, err := splitWords(in, true)
		if err != nil {
			return
		}
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'"'"'`) + "'"
		}
		again, err := splitWords(strings.Join(quoted, " "), true)
		if err != nil || !slices.Equal(words, again) {
			t.Errorf("%q: %q, and quoted %q, %v", in, words, again, err)
		}
	})
}

func TestPagerCommand(t *testing.T) {
	setting, none := "most", ""
	for _, test := range []struct {
		env        map[string]string
		configured *string
		want       string
	}{
		{nil, nil, "less"},
		{map[string]string{"PAGER": "more"}, nil, "more"},
		{map[string]string{"PAGER": "more"}, &setting, "most"},
		{map[string]string{"PAGER": "more"}, &none, ""},
		{map[string]string{"PAGER": "more", "TLOG_PAGER": "bat -p"}, &setting, "bat -p"},
		{map[string]string{"PAGER": "more", "TLOG_PAGER": ""}, &setting, ""},
		{map[string]string{"PAGER": ""}, nil, ""},
		{map[string]string{"GIT_PAGER": "delta"}, nil, "less"},
	} {
		lookup := func(name string) (string, bool) { v, ok := test.env[name]; return v, ok }
		if got := PagerCommand(lookup, test.configured); got != test.want {
			t.Errorf("%v: got %q, want %q", test.env, got, test.want)
		}
	}
}

func TestPagerEnviron(t *testing.T) {
	for _, test := range []struct{ environ, set, want []string }{
		{[]string{"A=1", "PAGER=x", "TLOG_PAGER=y"}, nil, []string{"A=1", "LESS=FRX", "LV=-c"}},
		{[]string{"LESS=", "LV=x", "LESSOPEN=z"}, nil, []string{"LESS=", "LV=x", "LESSOPEN=z"}},
		{[]string{}, []string{"LESS=S"}, []string{"LESS=S", "LV=-c"}},
	} {
		if got := pagerEnviron(test.environ, nil, test.set); !slices.Equal(got, test.want) {
			t.Errorf("%v and %v: got %v, want %v", test.environ, test.set, got, test.want)
		}
	}
	if got := pagerEnviron(nil, func() []string { return []string{"B=2"} }, nil); !slices.Contains(got, "B=2") {
		t.Errorf("the inherited environment is lost: %v", got)
	}
}

func shell(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("sh is missing: no pager to write in it")
	}
}

func TestPager(t *testing.T) {
	shell(t)
	s, out, errs := Test(nil)
	s.ForceTerminal(80)
	s.Out.Println(Line("before"))
	s.StartPager(`MARK='a b' sh -c 'echo "[$MARK $LESS]"; sed "s/^/> /"'`)
	s.Out.Println(Red.Paint("one"))
	s.Err.Println(Line("warning"))
	s.Out.Println(Line("two"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s.Out.Println(Line("after"))
	s.Err.Println(Line("end"))
	want := "before\n[a b FRX]\n> \x1b[31mone\x1b[m\n> warning\n> two\nafter\n"
	if os.Getenv("LESS") != "" {
		want = strings.Replace(want, "FRX", os.Getenv("LESS"), 1)
	}
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := errs.String(); got != "end\n" {
		t.Errorf("standard error got %q", got)
	}
}

// Quitting early stops the output and is no error; how the pager exits is its own
// business.
func TestPagerQuitEarly(t *testing.T) {
	shell(t)
	s, out, _ := Test(nil)
	s.ForceTerminal(80)
	s.StartPager("sh -c 'read a; echo $a; exit 3'")
	n := 0
	for ; n < 1e6 && s.Out.Err() == nil; n++ {
		s.Out.Println(Line("line"))
	}
	if err := s.Out.Err(); !errors.Is(err, ErrPagerQuit) || !errors.Is(err, ErrClosedPipe) {
		t.Errorf("after %d lines: %v, want that the pager was quit", n, err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if got := out.String(); got != "line\n" {
		t.Errorf("got %q", got)
	}
}

func TestNoPager(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken")
	os.WriteFile(broken, []byte("\x00\x01"), 0o700)
	t.Chdir(dir)
	for _, cmdline := range []string{"", " ", "cat", "no-such-pager-anywhere -R", "'unclosed", "A=1", "broken", broken} {
		var out *bytes.Buffer
		s, out, _ := Test(nil)
		s.ForceTerminal(80)
		s.StartPager(cmdline)
		if s.pager != nil {
			t.Errorf("%q started", cmdline)
		}
		s.Out.Println(Line("straight"))
		if err := s.Close(); err != nil || out.String() != "straight\n" {
			t.Errorf("%q: %q, %v", cmdline, out, err)
		}
	}
	s, _, _ := Test(nil)
	if s.StartPager("sh"); s.pager != nil {
		t.Error("a pager started without a terminal")
	}
}
