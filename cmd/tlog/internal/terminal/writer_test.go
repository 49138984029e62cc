package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

const hostile = "\x1b[2J\u202eevil\r\nx"

func TestPlainWritesAreSanitised(t *testing.T) {
	s, out, _ := Test(nil)
	fmt.Fprintf(s.Out, "<%s>", hostile)
	io.WriteString(s.Out, "\x9b")
	s.Out.Write([]byte("\x07"))
	if got, want := out.String(), "<^[[2J<U+202E>evil^M\nx><9B>^G"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A character that is split over writes stays whole, and one that never ends is
// shown as damaged where it stands.
func TestSplitCharacters(t *testing.T) {
	s, out, _ := Test(nil)
	for _, b := range []byte("日e\u0301👩‍👧\u009b!\xe6") {
		s.Out.Write([]byte{b})
	}
	s.Out.Print(Line("."))
	s.Out.Write([]byte{0xe6})
	s.Out.Flush()
	if got, want := out.String(), "日e\u0301👩‍👧<U+009B>!�.�"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStyles(t *testing.T) {
	for _, test := range []struct {
		text        Text
		color, mono string
	}{
		{Text{}, "", ""},
		{Red.Paint(""), "", ""},
		{Plain.Paint("a"), "a", "a"},
		{Red.Paint("a"), "\x1b[31ma\x1b[m", "a"},
		{(Red | Bold).Paint("a"), "\x1b[1;31ma\x1b[m", "a"},
		{(Bold | Dim | Underline | Reverse).Paint("a"), "\x1b[1;2;4;7ma\x1b[m", "a"},
		{Black.Paint("a"), "\x1b[30ma\x1b[m", "a"},
		{White.Paint("a"), "\x1b[37ma\x1b[m", "a"},
		{BrightBlack.Paint("a"), "\x1b[90ma\x1b[m", "a"},
		{BrightWhite.Paint("a"), "\x1b[97ma\x1b[m", "a"},
		{Style(200).Paint("a"), "a\x1b[m", "a"},
		{Red.Paint("a\nb\x1bm"), "\x1b[31ma↵b^[m\x1b[m", "a↵b^[m"},
		{Red.PaintBlock("a\n\nb\n"), "\x1b[31ma\x1b[m\n\n\x1b[31mb\x1b[m\n", "a\n\nb\n"},
		{Concat(Green.Paint("a"), Line(" "), Block("b\n")), "\x1b[32ma\x1b[m b\n", "a b\n"},
	} {
		for _, color := range []bool{true, false} {
			s, out, _ := Test(nil)
			want := test.mono
			if color {
				want = test.color
				s.SetColor(ColorAlways)
			}
			s.Out.Print(test.text)
			if got := out.String(); got != want {
				t.Errorf("colour %v: got %q, want %q", color, got, want)
			}
		}
		if got := test.text.String(); got != test.mono {
			t.Errorf("String() = %q, want %q", got, test.mono)
		}
		if got, want := test.text.Width(), Width(test.mono); got != want {
			t.Errorf("width of %q = %d, want %d", test.mono, got, want)
		}
	}
}

type stringer struct{}

func (stringer) String() string { return hostile }

func TestPrintf(t *testing.T) {
	const harmless = "^[[2J<U+202E>evil↵x"
	for _, test := range []struct {
		format string
		args   []any
		want   string
	}{
		{"%s|%v|%s|%s", []any{hostile, stringer{}, errors.New(hostile), []byte(hostile)},
			harmless + "|" + harmless + "|" + harmless + "|" + harmless},
		{"%s", []any{[]string{"a\nb", "\x1b"}}, "[a↵b ^[]"},
		{"%c%c", []any{0x1b, rune(0x9b)}, "^[<U+009B>"},
		{"a\n\t%d%%\x1b\n", []any{5}, "a\n\t5%^[\n"},
		{"%5d|%-5d|%05d|%x|%+d|%*d", []any{7, 7, int64(7), uint8(255), 7, 4, 7}, "    7|7    |00007|ff|+7|   7"},
		{"%6.2f|%t|%q", []any{1.234, true, "a\n"}, `  1.23|true|"a\n"`},
		{"%-4s|%4s|%.2s|%-4.3s|", []any{"日", "日", "abc", "日本語"}, "日  |  日|a…|日… |"},
		{"%-4s|%4v|", []any{Red.Paint("日"), Red.Paint("日")}, "\x1b[31m日\x1b[m  |  \x1b[31m日\x1b[m|"},
		{"%s", []any{Block("a\nb")}, "a\nb"},
		{"%v %v", []any{nil, "x"}, "<nil> x"},
		{"%s", nil, "%!s(MISSING)"},
	} {
		s, out, _ := Test(nil)
		s.SetColor(ColorAlways)
		s.Out.Printf(test.format, test.args...)
		if got := out.String(); got != test.want {
			t.Errorf("Printf(%q)\n got %q\nwant %q", test.format, got, test.want)
		}
	}
}

func TestRaw(t *testing.T) {
	s, out, _ := Test(nil)
	io.WriteString(s.Out, "é\xc3")
	io.WriteString(s.Out.Raw(), "\xa9\x1b[31m\xff")
	if got, want := out.String(), "é�\xa9\x1b[31m\xff"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

type failing struct {
	err   error
	calls int
}

func (f *failing) Write(p []byte) (int, error) {
	f.calls++
	return 0, f.err
}

func TestErrorsStick(t *testing.T) {
	for _, test := range []struct {
		err    error
		closed bool
	}{
		{&os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}, true},
		{io.ErrClosedPipe, true},
		{syscall.ENOSPC, false},
	} {
		dst := &failing{err: test.err}
		w := newWriter(dst)
		if err := w.Println(Line("a")); err != nil {
			t.Errorf("a buffered write failed: %v", err)
		}
		first := w.Flush()
		if !errors.Is(first, test.err) || errors.Is(first, ErrClosedPipe) != test.closed || errors.Is(first, ErrPagerQuit) {
			t.Errorf("Flush after %v = %v", test.err, first)
		}
		_, second := w.WriteString("b")
		for _, err := range []error{second, w.Print(Line("c")), w.Printf("d"), w.Flush(), w.Err()} {
			if !errors.Is(err, test.err) {
				t.Errorf("after %v: %v", test.err, err)
			}
		}
		if n, err := w.Raw().Write([]byte("e")); n != 0 || err == nil {
			t.Errorf("raw write after %v: %d, %v", test.err, n, err)
		}
		if dst.calls != 1 {
			t.Errorf("%d writes after %v, want 1", dst.calls, test.err)
		}
	}
}

func TestLongOutputStopsEarly(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	out := newWriter(w)
	line := strings.Repeat("x", 100)
	n := 0
	for ; n < 1e6; n++ {
		if out.Println(Line(line)) != nil {
			break
		}
	}
	if n > 1000 || !errors.Is(out.Err(), ErrClosedPipe) {
		t.Errorf("stopped after %d lines with %v", n, out.Err())
	}
}

func BenchmarkPrintf(b *testing.B) {
	w := newWriter(io.Discard)
	w.color = true
	id := Yellow.Paint("0197f3a2abcd")
	b.ReportAllocs()
	for b.Loop() {
		w.Printf("%s %-10s %s\n", id, "assistant", "a line of text, and more of it")
	}
}

func BenchmarkPrintln(b *testing.B) {
	w := newWriter(io.Discard)
	w.color = true
	b.ReportAllocs()
	for b.Loop() {
		w.Println(Yellow.Paint("0197f3a2abcd"), Line(" "), Line("a line of text, and more of it"))
	}
}
