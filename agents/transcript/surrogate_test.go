package transcript

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReplaceSurrogates(t *testing.T) {
	for _, test := range []struct {
		in, out string
		n       int
	}{
		{`"plain"`, `"plain"`, 0},
		{`"\ud83d\ude00 \\ud83d \u00e9"`, `"\ud83d\ude00 \\ud83d \u00e9"`, 0},
		{`"\ud83d"`, `"\ufffd"`, 1},
		{`"\uDE00x"`, `"\ufffdx"`, 1},
		{`"\ud83d\ud83d\ude00\ude00"`, `"\ufffd\ud83d\ude00\ufffd"`, 2},
		{`"\ud83d\n\ude00"`, `"\ufffd\n\ufffd"`, 2},
		{`"\\\ud83d"`, `"\\\ufffd"`, 1},
	} {
		in := []byte(test.in)
		out, n := ReplaceSurrogates(in)
		if string(out) != test.out || n != test.n {
			t.Errorf("%s becomes %s with %d, expected %s with %d", test.in, out, n, test.out, test.n)
		}
		if string(in) != test.in {
			t.Errorf("%s was changed in place", test.in)
		}
	}
	long := `"` + strings.Repeat(`\ud83dé`, 100_000) + `"`
	if out, n := ReplaceSurrogates([]byte(long)); n != 100_000 || !utf8.Valid(out) {
		t.Errorf("%d of many", n)
	}
}
