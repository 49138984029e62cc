package objects

import (
	"bytes"
	"strings"
	"testing"
)

// An object of a document is kept on one line if the document can be made of it again, whatever stands around it.
func TestEnvelopeOfDocument(t *testing.T) {
	for name, test := range map[string]struct {
		before, object, after string
		raw                   string // the member of the entry; empty for rawBase64
	}{
		"indented":        {",\n    ", "{\n      \"a\": [\n        1,\n        \"x\\u00e9 \\ud800\"\n      ]\n    }", "", `{"a":[1,"x\u00e9 \ud800"]}`},
		"with tabs":       {"[", "{\n\t\"a\": {},\n\t\"b\": []\n}", "]\n", `{"a":{},"b":[]}`},
		"on one line":     {",", `{"a": 1,  "b":2.50}`, "", `{"a": 1,  "b":2.50}`},
		"alone":           {"", "{\n  \"a\": 1\n}", "", `{"a":1}`},
		"carriage return": {"", "{\r\n  \"a\": 1\r\n}", "", ""},
		"odd white space": {"", "{\n  \"a\":1\n}", "", ""},
		"odd in a list":   {",\n  ", "{\n  \"a\":1\n}", " ", ""},
		"not indented":    {"", "{\n\"a\": 1\n}", "", ""},
		"broken":          {"", "{\n  \"a\": \n}", "", ""},
		"no UTF-8":        {"", "{\n  \"a\": \"\xff\"\n}", "", ""},
		"around no UTF-8": {"\xff", "{\n  \"a\": \"\"\n}", "", ""},
		"line separator":  {"", "{\n  \"a\": \"\u2028<&>\"\n}", "", "{\"a\":\"\u2028<&>\"}"},
		"too deep":        {"", "{\n  \"a\": " + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "\n}", "", ""},
		"far to the left": {"", "{\n" + strings.Repeat(" ", 1000) + "\"a\": 1\n" + strings.Repeat(" ", 998) + "}", "", ""},
	} {
		line := []byte(test.before + test.object + test.after)
		v := Envelope{
			Type: TypeMessage, ID: "m1", Agent: "other", Line: line, Document: true, Before: len(test.before), After: len(test.after), Joined: true,
		}
		e, err := ParseEntry(v.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := string(e.Get("raw")); got != test.raw {
			t.Errorf("%s: raw is %.200q, expected %.200q", name, got, test.raw)
		}
		if got, ok := e.SourceLine(); !ok || !bytes.Equal(got, line) {
			t.Errorf("%s: the line is %.200q, expected %.200q", name, got, line)
		}
		want := test.raw
		if want == "" && Scan([]byte(test.object), nil) == nil {
			want = test.object
		}
		if got := string(e.SourceObject()); got != want {
			t.Errorf("%s: the object is %.200q, expected %.200q", name, got, want)
		}
	}
}

func FuzzEnvelopeOfDocument(f *testing.F) {
	f.Add(",\n  ", "{\n    \"a\": [\n      {}\n    ]\n  }", "\n]")
	f.Add("", "{\"a\":1}", "")
	f.Add("[", "{\n \"a\": \"\u2028\"\n}", "\n")
	f.Fuzz(func(t *testing.T, before, object, after string) {
		v := Envelope{
			Type: TypeMessage, ID: "m1", Agent: "other", Line: []byte(before + object + after), Document: true, Before: len(before), After: len(after),
		}
		b := v.Bytes()
		if bytes.IndexByte(b, '\n') >= 0 {
			t.Fatalf("an entry of two lines: %q", b)
		}
		e, err := ParseEntry(b)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := e.SourceLine(); !ok || !bytes.Equal(got, v.Line) {
			t.Fatalf("the line is %q, expected %q", got, v.Line)
		}
	})
}
