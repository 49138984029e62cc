package objects_test

import (
	"bytes"
	"testing"

	"tlog/objects"
)

// TestEnvelope holds that a line comes out of its envelope as it went in, whatever it is.
func TestEnvelope(t *testing.T) {
	for name, test := range map[string]struct {
		line, object string
		base64       bool
	}{
		"object":        {`{"type":"user","n":1.0}`, `{"type":"user","n":1.0}`, false},
		"carriage":      {"{\"a\":1}\r", `{"a":1}`, true},
		"mark":          {"\xEF\xBB\xBF{\"a\":1}", `{"a":1}`, true},
		"zeros":         {"{\"a\":1}\x00\x00", `{"a":1}`, true},
		"only zeros":    {"\x00\x00", "", true},
		"blank":         {"", "", true},
		"space":         {` {"a":1}`, `{"a":1}`, true},
		"torn":          {`{"a":`, "", true},
		"array":         {`[1]`, "", true},
		"two":           {`{"a":1}{"b":2}`, "", true},
		"bad utf8":      {"{\"a\":\"\xff\"}", "{\"a\":\"\xff\"}", true},
		"surrogate":     {`{"a":"\ud83d"}`, `{"a":"\ud83d"}`, false},
		"line feed":     {"{\"a\":\n1}", "{\"a\":\n1}", true},
		"like envelope": {`{"agent":"claude","raw":{}}`, `{"agent":"claude","raw":{}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := objects.Envelope{
				Type: objects.TypeMessage, ID: "a1", ParentID: "a0", Timestamp: "2026-01-01T00:00:00.000Z",
				Agent: "claude", Gap: "a9", Hidden: true, Joined: true, Line: []byte(test.line),
			}
			e, err := objects.ParseEntry(v.Bytes())
			if err != nil {
				t.Fatalf("%s: %v", v.Bytes(), err)
			}
			if !e.Foreign() || e.Agent != "claude" || e.Gap != "a9" || !e.Hidden || e.ParentID != "a0" {
				t.Errorf("envelope read as %+v", e)
			}
			line, ok := e.SourceLine()
			if !ok || string(line) != test.line {
				t.Errorf("line %q, %t, want %q", line, ok, test.line)
			}
			if got := e.SourceObject(); string(got) != test.object {
				t.Errorf("object %q, want %q", got, test.object)
			}
			if got := bytes.Contains(v.Bytes(), []byte("rawBase64")); got != test.base64 {
				t.Errorf("base64 %t, want %t", got, test.base64)
			}
		})
	}
}

// TestFirstKept: what a compaction keeps stands where those of tlog's own have it.
func TestFirstKept(t *testing.T) {
	v := objects.Envelope{Type: objects.TypeCompaction, ID: "c", ParentID: "b", Agent: "opencode", FirstKept: "a", Line: []byte(`{"x":1}`)}
	e, err := objects.ParseEntry(v.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if kept, _ := e.Text("firstKeptEntryId"); kept != "a" || string(e.SourceObject()) != `{"x":1}` {
		t.Errorf("%s keeps '%s'", e.Raw, kept)
	}
}

// TestNotForeign holds that an entry of tlog's own with some of the keys of an envelope is none.
func TestNotForeign(t *testing.T) {
	for _, line := range []string{
		`{"type":"custom","id":"a","agent":"claude"}`,
		`{"type":"custom","id":"a","raw":{}}`,
		`{"type":"custom","id":"a","agent":"claude","raw":"x"}`,
		`{"type":"custom_message","id":"a","display":false}`,
	} {
		e, err := objects.ParseEntry([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if e.Foreign() || e.Hidden {
			t.Errorf("%s is taken for a foreign line", line)
		}
	}
}
