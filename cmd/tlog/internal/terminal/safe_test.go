package terminal

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// safeTests holds each rule of Safe and SafeLine. An empty line form means that
// it is the same as the block form.
var safeTests = []struct{ name, in, block, line string }{
	{"plain", "hello, world ~", "hello, world ~", ""},
	{"empty", "", "", ""},
	{"newline and tab", "a\n\tb", "a\n\tb", "a↵ b"},
	{"crlf", "a\r\nb", "a^M\nb", "a↵b"},
	{"carriage return", "safe\rrm -rf", "safe^Mrm -rf", "safe↵rm -rf"},
	{"carriage return last", "a\r", "a^M", "a↵"},
	{"escape", "\x1b[31mred\x1b[0m", "^[[31mred^[[0m", ""},
	{"title", "\x1b]0;owned\x07", "^[]0;owned^G", ""},
	{"clipboard", "\x1b]52;c;cm0=\x1b\\", "^[]52;c;cm0=^[\\", ""},
	{"nul, backspace, delete", "\x00\b\x7f", "^@^H^?", ""},
	{"vertical tab, form feed", "\v\f", "^K^L", ""},
	{"c1 csi", "\u009b31m", "<U+009B>31m", ""},
	{"c1 nel", "a\u0085b", "a<U+0085>b", "a↵b"},
	{"raw c1", "\x9b31m\x9d", "<9B>31m<9D>", ""},
	{"raw other", "\xff\xa0\xc3", "���", ""},
	{"overlong escape", "\xc0\x9b", "�<9B>", ""},
	{"surrogate", "\xed\xa0\x80", "��<80>", ""},
	{"truncated", "日\xe6\x97", "日�<97>", ""},
	{"separators", "a\u2028b\u2029c", "a<U+2028>b<U+2029>c", "a↵b↵c"},
	{"bidi", "\u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c",
		"<U+202E>evil<U+202C> <U+2066>x<U+2069> <U+200E><U+200F><U+061C>", ""},
	{"zero width", "pass\u200bword\ufeff\u2060\u00ad", "pass<U+200B>word<U+FEFF><U+2060><U+00AD>", ""},
	{"tags", "hi\U000e0041\U000e007f", "hi<U+E0041><U+E007F>", ""},
	{"fillers", "\u3164\uffa0\u115f\u034f", "<U+3164><U+FFA0><U+115F><U+034F>", ""},
	{"noncharacter", "\ufffe\U0010ffff\ufdd0", "<U+FFFE><U+10FFFF><U+FDD0>", ""},
	{"latin, han, kana", "é ü 日本 カ", "é ü 日本 カ", ""},
	{"combining", "e\u0301", "e\u0301", ""},
	{"combining without base", "\u0301a", "<U+0301>a", ""},
	{"combining after newline", "\n\u0301", "\n<U+0301>", "↵<U+0301>"},
	{"combining after control", "\x1b\u0301", "^[<U+0301>", ""},
	{"stacked", "a" + strings.Repeat("\u0301", 10), "a" + strings.Repeat("\u0301", 8) + "<U+0301><U+0301>", ""},
	{"emoji family", "👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦", ""},
	{"emoji skin and heart", "👩🏽‍❤️‍👨🏿", "👩🏽‍❤️‍👨🏿", ""},
	{"keycap", "1️⃣", "1️⃣", ""},
	{"persian", "می\u200cخواهم", "می\u200cخواهم", ""},
	{"bengali", "র\u200d্য", "র\u200d্য", ""},
	{"joiner in latin", "a\u200db\u200c", "a<U+200D>b<U+200C>", ""},
	{"joiner twice", "👩\u200d\u200d👩", "👩<U+200D><U+200D>👩", ""},
	{"joiner before hidden letter", "م\u200d\u061c", "م<U+200D><U+061C>", ""},
	{"selector smuggling", "a\ufe0f😀\ufe0f\ufe0f\U000e0101", "a<U+FE0F>😀\ufe0f<U+FE0F><U+E0101>", ""},
	{"ideographic variant", "葛\U000e0100", "葛\U000e0100", ""},
	{"arabic number sign", "\u0600١٢", "\u0600١٢", ""},
	{"private use", "\ue0b0", "\ue0b0", ""},
}

func TestSafe(t *testing.T) {
	for _, test := range safeTests {
		t.Run(test.name, func(t *testing.T) {
			line := test.line
			if line == "" {
				line = test.block
			}
			if got := Safe(test.in); got != test.block {
				t.Errorf("Safe(%q)\n got %q\nwant %q", test.in, got, test.block)
			}
			if got := SafeLine(test.in); got != line {
				t.Errorf("SafeLine(%q)\n got %q\nwant %q", test.in, got, line)
			}
			if got := string(AppendSafe([]byte("é"), test.in)); got != "é"+test.block {
				t.Errorf("AppendSafe(%q) = %q", test.in, got)
			}
			if got := string(AppendSafeLine([]byte("x"), test.in)); got != "x"+line {
				t.Errorf("AppendSafeLine(%q) = %q", test.in, got)
			}
		})
	}
}

// Every character alone comes out harmless, in both forms.
func TestSafeEveryRune(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r == 0x20000 { // ideographs, then nothing up to the tags
			r = 0xdfff0
		}
		if r == 0xf0010 { // private use
			r = 0x10fff0
		}
		checkSafe(t, "x"+string(r)+"y")
	}
	for b := range 256 {
		checkSafe(t, "x"+string([]byte{byte(b)})+"y")
	}
}

// What becomes of a character depends on its neighbours, so put all kinds beside
// one another, in one piece and in two.
func TestSafeNeighbours(t *testing.T) {
	pieces := []string{
		"a", "1", " ", "\n", "\r", "\t", "\x1b", "\u200d", "\u200c", "\ufe0f", "\ufe00", "\U000e0100", "\u0301", "\u20e3",
		"👩", "🏽", "❤", "↔", "م", "ب", "\u064b", "\u061c", "क", "\u094d", "ᠠ", "\u180b", "葛", "\u2028", "\u202e", "\xff", "\x9b", "\xe6\x97", "�",
	}
	r := rand.New(rand.NewPCG(3, 5))
	for range 30000 {
		var in string
		for range 1 + r.IntN(14) {
			in += pieces[r.IntN(len(pieces))]
		}
		checkSafe(t, in)
		checkSplit(t, in, r.IntN(len(in)+1))
	}
}

func checkSplit(t *testing.T, in string, at int) {
	t.Helper()
	s, out, _ := Test(nil)
	s.Out.WriteString(in[:at])
	s.Out.Write([]byte(in[at:]))
	s.Out.Flush()
	if got, want := out.String(), Safe(in); got != want {
		t.Errorf("%q split at %d: wrote %q, want %q", in, at, got, want)
	}
}

func checkSafe(t *testing.T, in string) {
	t.Helper()
	block, line := Safe(in), SafeLine(in)
	for _, out := range []string{block, line} {
		if !utf8.ValidString(out) {
			t.Errorf("Safe(%q) = %q is not UTF-8", in, out)
		}
		for _, r := range out {
			switch {
			case (r == '\n' || r == '\t') && in != "" && out == block:
			case r < 0x20, r >= 0x7f && r < 0xa0,
				r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c,
				r == 0x2028, r == 0x2029, r >= 0xe0000 && r <= 0xe007f, r == 0x200b, r == 0xfeff:
				t.Errorf("Safe(%q) = %q lets %U through", in, out, r)
			}
		}
	}
	if strings.ContainsAny(line, "\n\t") {
		t.Errorf("SafeLine(%q) = %q has several lines", in, line)
	}
	if again := Safe(block); again != block {
		t.Errorf("Safe(%q) = %q, and again %q", in, block, again)
	}
	if again := SafeLine(line); again != line {
		t.Errorf("SafeLine(%q) = %q, and again %q", in, line, again)
	}
}

func FuzzSafe(f *testing.F) {
	for _, test := range safeTests {
		f.Add(test.in, 3)
	}
	f.Fuzz(func(t *testing.T, in string, split int) {
		checkSafe(t, in)
		checkSplit(t, in, max(0, min(split, len(in))))
	})
}

func BenchmarkSafe(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("func main() { run() }\n", 1000),
		"han":   strings.Repeat("日本語のテキスト\n", 1000),
		"emoji": strings.Repeat("👩‍👩‍👧 ok é\n", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			var dst []byte
			for b.Loop() {
				dst = AppendSafe(dst[:0], s)
			}
		})
	}
}
