package terminal

import (
	"io"
	"os"
	"strings"
	"testing"
)

func system(t *testing.T, opts Options, env ...string) (s *Streams, out, errs *os.File) {
	t.Helper()
	dir := t.TempDir()
	var files [3]*os.File
	for i, name := range []string{"in", "out", "err"} {
		f, err := os.Create(dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		files[i] = f
	}
	return System(environment(env...), files[0], files[1], files[2], opts), files[1], files[2]
}

func content(t *testing.T, f *os.File) string {
	t.Helper()
	data, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSystemFiles(t *testing.T) {
	s, out, errs := system(t, Options{}, "COLUMNS", "40")
	if s.Out.IsTerminal() || s.Err.IsTerminal() || s.InIsTerminal() || s.CanPrompt() || s.Out.Color() {
		t.Error("a file is taken for a terminal")
	}
	if s.Out.Width() != Unlimited {
		t.Errorf("width %d, want no limit", s.Out.Width())
	}
	s.Out.Println(Red.Paint("out"))
	s.Err.Println(Red.Paint("err"))
	if content(t, out) != "" || content(t, errs) != "err\n" {
		t.Errorf("before Close: out %q, err %q", content(t, out), content(t, errs))
	}
	if err := s.Close(); err != nil || content(t, out) != "out\n" {
		t.Errorf("Close: %v, %q", err, content(t, out))
	}
}

func TestSystemForced(t *testing.T) {
	for _, test := range []struct {
		value string
		tty   bool
		width int
	}{
		{"80", true, 80}, {"123", true, 123}, {"yes", true, 80}, {"-3", true, 80},
		{"0", false, Unlimited}, {"", false, Unlimited}, {"false", false, Unlimited},
	} {
		s, out, _ := system(t, Options{}, "TLOG_FORCE_TTY", test.value)
		if s.Out.IsTerminal() != test.tty || s.Out.Width() != test.width || s.Out.Color() != test.tty || s.Err.Color() != test.tty {
			t.Errorf("TLOG_FORCE_TTY=%q: terminal %v, width %d, colour %v",
				test.value, s.Out.IsTerminal(), s.Out.Width(), s.Out.Color())
		}
		if s.CanPrompt() {
			t.Errorf("TLOG_FORCE_TTY=%q lets a command ask questions", test.value)
		}
		s.Out.Print(Red.Paint("x"))
		s.Close()
		if got, want := strings.HasPrefix(content(t, out), "\x1b"), test.tty; got != want {
			t.Errorf("TLOG_FORCE_TTY=%q: wrote %q", test.value, content(t, out))
		}
	}
}

func TestSystemColor(t *testing.T) {
	s, _, _ := system(t, Options{Color: ColorAlways}, "NO_COLOR", "1")
	if !s.Out.Color() || !s.Err.Color() {
		t.Error("--color=always gives no colour")
	}
	if s.SetColor(ColorNever); s.Out.Color() {
		t.Error("--color=never gives colour")
	}
	s, _, _ = system(t, Options{}, "NO_COLOR", "1", "TLOG_FORCE_TTY", "80")
	if s.Out.Color() {
		t.Error("NO_COLOR gives colour on a terminal")
	}
}

// A forced terminal that is a file pages like a real one.
func TestSystemPager(t *testing.T) {
	shell(t)
	s, out, _ := system(t, Options{Environ: []string{"PATH=" + os.Getenv("PATH"), "LESS=none"}}, "TLOG_FORCE_TTY", "80")
	s.StartPager(`sh -c 'echo "$LESS$PAGER"; exec sed "s/^/> /"'`)
	s.Out.Println(Line("text"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, out); got != "none\n> text\n" {
		t.Errorf("got %q", got)
	}
}

func TestTestStreams(t *testing.T) {
	s, out, errs := Test(strings.NewReader("in"))
	io.Copy(s.Out, s.In)
	s.Err.WriteString("err")
	if out.String() != "in" || errs.String() != "err" {
		t.Errorf("out %q, err %q", out, errs)
	}
	if s.ForceTerminal(30); s.Out.Width() != 30 || !s.Out.Color() {
		t.Errorf("width %d, colour %v", s.Out.Width(), s.Out.Color())
	}
}
