package blobs

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestSumIsBlake3(t *testing.T) {
	for content, want := range map[string]string{
		"":    "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
		"abc": "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
	} {
		if got := Sum([]byte(content)).String(); got != want {
			t.Errorf("hash of %q is %s, expected %s", content, got, want)
		}
	}
}

func TestParseHash(t *testing.T) {
	good := Sum(nil).String()
	for name, s := range map[string]string{
		"empty":         "",
		"short":         good[1:],
		"long":          good + "0",
		"upper case":    strings.ToUpper(good),
		"a path":        strings.Repeat("../", 21) + "x",
		"a separator":   "ab/" + good[3:],
		"a line break":  good[:63] + "\n",
		"a NUL":         good[:63] + "\x00",
		"not ASCII":     good[:62] + "é",
		"with a prefix": "0x" + good[2:],
		"next to 0":     good[:63] + "/",
		"next to 9":     good[:63] + ":",
		"next to a":     good[:63] + "`",
		"next to f":     good[:63] + "g",
	} {
		if h, err := ParseHash(s); !errors.Is(err, ErrHash) || h != (Hash{}) {
			t.Errorf("%s: got %v, %v, expected ErrHash", name, h, err)
		}
	}
	if h, err := ParseHash(good); err != nil || h != Sum(nil) {
		t.Errorf("got %v, %v, expected %s", h, err, good)
	}
	if _, err := ParseHash(strings.Repeat("x", 1<<20)); len(err.Error()) > 300 {
		t.Errorf("the error has %d bytes", len(err.Error()))
	}
}

func FuzzParseHash(f *testing.F) {
	good := Sum(nil).String()
	for _, seed := range []string{"", good, good[:63], strings.ToUpper(good), "../" + good[3:], good[:2] + "/" + good[2:], good[:63] + "\n"} {
		f.Add(seed)
	}
	s := Open("/store/blobs")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseHash(text)
		if err != nil {
			if !errors.Is(err, ErrHash) || h != (Hash{}) {
				t.Fatalf("got %v, %v", h, err)
			}
			return
		}
		if h.String() != text {
			t.Fatalf("%q is read as %s", text, h)
		}
		path := s.Path(h)
		below, err := filepath.Rel(s.Dir(), path)
		if err != nil || !filepath.IsLocal(below) || filepath.Clean(path) != path || strings.Count(below, string(filepath.Separator)) != 1 {
			t.Fatalf("%q leads to %s", text, path)
		}
	})
}
