package objects

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"
)

func TestUnquote(t *testing.T) {
	for _, tt := range []struct {
		token, want string
		ok          bool
	}{
		{`""`, "", true},
		{`"a"`, "a", true},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", true},
		{`"\u0041\u00e9\u20AC"`, "Aé€", true},
		{`"\ud83d\ude00"`, "😀", true},
		{`"\ud83d"`, "\uFFFD", true},
		{`"\ude00\ud83d"`, "\uFFFD\uFFFD", true},
		{`"\ud83dx"`, "\uFFFDx", true},
		{`"\ud83d\u0041"`, "\uFFFDA", true},
		{`"\ud83d\ud83d\ude00"`, "\uFFFD😀", true},
		{`"\ud83d\n"`, "\uFFFD\n", true},
		{"\"a\xffb\"", "a\uFFFDb", true},
		{"\"\xe2\x80\"", "\uFFFD\uFFFD", true},
		{"\"\xe2\\u0041\x80\"", "\uFFFDA\uFFFD", true},
		{`"\u0000"`, "\x00", true},
		{``, "", false},
		{`a`, "", false},
		{`"`, "", false},
		{`"a`, "", false},
		{`"a" `, "", false},
		{` "a"`, "", false},
		{`"a"b"`, "", false},
		{`"\x"`, "", false},
		{`"\`, "", false},
		{`"\"`, "", false},
		{"\"\n\"", "", false},
		{`null`, "", false},
	} {
		if got, ok := Unquote([]byte(tt.token)); got != tt.want || ok != tt.ok {
			t.Errorf("Unquote(%q) = %q, %v, want %q, %v", tt.token, got, ok, tt.want, tt.ok)
		}
	}
}

func TestAppendQuote(t *testing.T) {
	for s, want := range map[string]string{
		"":                         `""`,
		"a/b<&>'\x7f":              `"a/b<&>'` + "\x7f" + `"`,
		"\"\\\b\f\n\r\t\x00\x1f":   `"\"\\\b\f\n\r\t\u0000\u001f"`,
		"ü€😀":                      `"ü€😀"`,
		"\u2027\u2028\u2029\u202a": "\"\u2027\\u2028\\u2029\u202a\"",
		"a\xffb\xe2\x80":           "\"a\uFFFDb\uFFFD\uFFFD\"",
		"\uFFFD":                   "\"\uFFFD\"",
	} {
		if got := string(AppendQuote(nil, s)); got != want {
			t.Errorf("AppendQuote(%q) = %s, want %s", s, got, want)
		}
	}
	if got := string(AppendQuote([]byte("x"), "y")); got != `x"y"` {
		t.Errorf("AppendQuote appends to %q", got)
	}
}

func TestQuoteRoundTrip(t *testing.T) {
	property := func(s string) bool {
		token := AppendQuote(nil, s)
		got, ok := Unquote(token)
		return ok && got == s && json.Valid(token)
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

func FuzzUnquote(f *testing.F) {
	for _, s := range []string{`""`, `"a\n"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83d\u12"`, "\"\xff\"", `"\/"`, "nope"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, ok := Unquote(b)
		var want string
		isToken := strings.HasPrefix(string(b), `"`) && strings.HasSuffix(string(b), `"`)
		if wantOK := isToken && json.Unmarshal(b, &want) == nil; ok != wantOK || ok && got != want {
			t.Errorf("Unquote(%q) = %q, %v, want %q, %v", b, got, ok, want, wantOK)
		}
		if !utf8.ValidString(got) {
			t.Errorf("Unquote(%q) = %q is not UTF-8", b, got)
		}
		token := AppendQuote(nil, string(b))
		back, ok := Unquote(token)
		if !ok || back != string([]rune(string(b))) {
			t.Errorf("%q comes back from %q as %q, %v", b, token, back, ok)
		}
	})
}
