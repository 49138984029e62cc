package transcript

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tlog/objects"
)

// hasP says that an object with a member p is a record.
func hasP(object []byte) bool { return objects.Entry{Raw: object}.Get("p") != nil }

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		``:                              {""},
		`{"p":1}`:                       {`{"p":1}`},
		"  {\"p\":1}\r":                 {`{"p":1}`},
		"\x00\x00{\"p\":1}\x00":         {`{"p":1}`},
		"\xef\xbb\xbf{}":                {`{}`},
		`{"p":1}{"p":2}`:                {`{"p":1}`, `{"p":2}`},
		`{} {}`:                         {`{}`, `{}`},
		`{"p":{"p":"cu{"p":2}`:          {"", `{"p":2}`},
		`{"p":"cu{"p":2}{"p":3}`:        {"", `{"p":2}`, `{"p":3}`},
		`{"p":{"q":2}`:                  {""},
		`{"p":{"p":2} tail`:             {""},
		`no json`:                       {""},
		`no json {"p":1}`:               {"", `{"p":1}`},
		`no json {"q":1}`:               {""},
		`{"p":1} tail`:                  {`{"p":1}`, ""},
		`{"p":1}]{"p":2}`:               {`{"p":1}`, "", `{"p":2}`},
		"{\"p\":1}\x00\x00 {\"p\":2}\r": {`{"p":1}`, `{"p":2}`},
	} {
		records := Split(nil, []byte(line), hasP)
		var got []string
		for i, r := range records {
			got = append(got, string(r.Object))
			if r.Joined != (i < len(records)-1) {
				t.Errorf("%q: record %d is joined: %v", line, i, r.Joined)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has %q, expected %q", line, got, want)
		}
		if damaged := Damaged(records); damaged != (len(want) > 1 || strings.Trim(line, " \r") != want[0]) {
			t.Errorf("%q: damaged %v", line, damaged)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte(`{"p":{"p":"cu{"p":2}{"p":3}`))
	f.Add([]byte("\x00{\"p\":[{}]}\r"))
	f.Fuzz(func(t *testing.T, line []byte) {
		var all []byte
		for _, r := range Split(nil, line, hasP) {
			all = append(all, r.Line...)
			if r.Object != nil && !objects.Valid(r.Object) {
				t.Fatalf("%q is no object", r.Object)
			}
		}
		if !bytes.Equal(all, line) {
			t.Fatalf("%q, expected %q", all, line)
		}
	})
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Repeat("a line\n", 5000))
	packed := w.EncodeAll(text, nil)
	for name, content := range map[string][]byte{
		"plain": text, "packed": packed, "in parts": append(w.EncodeAll(text[:700], nil), w.EncodeAll(text[700:], nil)...), "empty": {}, "short": []byte("\x28\xb5"),
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		want := content
		isPacked := name == "packed" || name == "in parts"
		if isPacked {
			want = text
		}
		f, info, err := Open(file)
		if err != nil {
			t.Fatal(name, err)
		}
		got := make([]byte, info.Size())
		if n, err := f.ReadAt(got, 0); n != len(want) || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, expected %d (%v)", name, n, len(want), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if p, err := Packed(file); err != nil || p != isPacked {
			t.Errorf("%s is packed: %v, %v", name, p, err)
		}
	}
	for name, content := range map[string][]byte{"torn": packed[:len(packed)-3], "damaged": append(packed[:8:8], "xxxxxxxxxxxxxxxxxx"...)} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Open(file); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	if _, _, err := Open(dir); err == nil {
		t.Error("a folder was opened")
	}
}
