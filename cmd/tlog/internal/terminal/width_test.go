package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "👩‍👩‍👧": 2, "…": 1, "↵": 1, "カ": 2, "ｶ": 1, "🇩🇪": 2, "a日": 3,
	} {
		if got := Width(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, test := range []struct {
		in    string
		cells int
		want  string
	}{
		{"", 5, ""}, {"", 0, ""}, {"abc", 0, ""}, {"abc", -1, ""},
		{"abc", 1, "…"}, {"a", 1, "a"}, {"abc", 2, "a…"}, {"abc", 3, "abc"}, {"abc", Unlimited, "abc"},
		{"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"日本語", 3, "日…"}, {"日本語", 2, "…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"}, {"e\u0301e\u0301", 2, "e\u0301e\u0301"},
		{"👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"}, {"a\xffb", 3, "a�b"}, {"\xff\xff\xff", 2, "�…"},
		{"ab\u0301", 2, "ab\u0301"},
	} {
		if got := Truncate(test.in, test.cells); got != test.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", test.in, test.cells, got, test.want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, test := range []struct {
		in    string
		cells int
		want  string
	}{
		{"a\nb", 10, "a↵b"}, {"a\x1b[31m", 4, "a^[…"}, {"a\nb", Unlimited, "a↵b"}, {"abc", 0, ""},
		{strings.Repeat("x", 1<<20), 4, "xxx…"}, {strings.Repeat("日", 1<<20), 4, "日…"},
		{strings.Repeat("\u0301", 1000), 4, "<U+…"},
	} {
		if got := Fit(test.in, test.cells); got != test.want {
			t.Errorf("Fit(%.20q, %d) = %q, want %q", test.in, test.cells, got, test.want)
		}
	}
}

func TestPad(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{Pad("日", 4), "日  "}, {PadLeft("日", 4), "  日"}, {Pad("abc", 2), "abc"}, {PadLeft("abc", 3), "abc"}, {Pad("", -1), ""},
		{Red.Paint("日").Pad(4).String(), "日  "},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add("日本\u0301語 abc 👩‍👩‍👧", 5)
	f.Add("\xff\x1b[31m\u200d", 2)
	f.Fuzz(func(t *testing.T, in string, cells int) {
		cells %= 100
		for name, got := range map[string]string{"Truncate": Truncate(SafeLine(in), cells), "Fit": Fit(in, cells)} {
			if w := Width(got); w > max(cells, 0) {
				t.Errorf("%s(%q, %d) = %q takes %d cells", name, in, cells, got, w)
			}
			if !utf8.ValidString(got) {
				t.Errorf("%s(%q, %d) = %q is not UTF-8", name, in, cells, got)
			}
			if head, cut := strings.CutSuffix(got, ellipsis); !cut || name == "Truncate" && got == SafeLine(in) {
				continue
			} else if name == "Truncate" && !strings.HasPrefix(SafeLine(in), head) {
				t.Errorf("%s(%q, %d) = %q is not its beginning", name, in, cells, got)
			}
		}
		if got := Truncate(in, cells); !utf8.ValidString(got) {
			t.Errorf("Truncate(%q, %d) = %q is not UTF-8", in, cells, got)
		}
	})
}

func BenchmarkFit(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("a line of text\n", 10000),
		"han":   strings.Repeat("日本語のテキスト\n", 10000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Fit(s, 80)
			}
		})
	}
}

func TestFitLong(t *testing.T) {
	long := strings.Repeat("é", 10_000)
	got := FitLong(long, Unlimited)
	if want := strings.Repeat("é", 500) + "… (19000 bytes more)"; got != want {
		t.Errorf("got %q", got)
	}
	if got := FitLong(long, 10); got != strings.Repeat("é", 9)+"…" {
		t.Errorf("in ten cells: %q", got)
	}
	if short := strings.Repeat("x", longLine); FitLong(short, Unlimited) != short {
		t.Error("a line that is not too long was cut")
	}
}
