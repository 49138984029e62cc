package log

import (
	"os"
	"path/filepath"
	"testing"

	"tlog/objects"
)

// TestReplaced: of the forms of a part of a document the last counts, and that is no damage; of lines of which an agent wrote two with one id it is.
func TestReplaced(t *testing.T) {
	entry := func(text string, document bool) objects.Envelope {
		return objects.Envelope{
			Type: objects.TypeMessage, ID: "a", Timestamp: "t", Agent: "opencode", Joined: true, Document: document, Line: []byte(`{"x":"` + text + `"}`),
		}
	}
	for _, test := range []struct {
		document bool
		forms    []string
		replaced []bool // of the records
		codes    []Code
	}{
		{true, []string{"1", "2"}, []bool{true, false}, []Code{ReplacedPart}},
		{true, []string{"1", "2", "3"}, []bool{true, true, false}, []Code{ReplacedPart, ReplacedPart}},
		{true, []string{"1", "2", "1"}, []bool{false, true, false}, []Code{ReplacedPart, RepeatedLine}},
		{false, []string{"1", "2"}, []bool{false, false}, []Code{DuplicateID}},
	} {
		data := []byte(`{"type":"session","version":4,"id":"s","timestamp":"t","cwd":"/","agent":"opencode","source":{}}` + "\n")
		for _, form := range test.forms {
			data = append(append(data, entry(form, test.document).Bytes()...), '\n')
		}
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range test.replaced {
			if l.Record(i).Replaced != want {
				t.Errorf("%v: record %d is replaced: %v", test.forms, i, !want)
			}
		}
		var codes []Code
		for f := range l.Check() {
			if f.Code == ReplacedPart || f.Code == RepeatedLine || f.Code == DuplicateID {
				codes = append(codes, f.Code)
			}
		}
		if len(codes) != len(test.codes) {
			t.Fatalf("%v: %v, expected %v", test.forms, codes, test.codes)
		}
		for i := range codes {
			if codes[i] != test.codes[i] {
				t.Errorf("%v: %v, expected %v", test.forms, codes, test.codes)
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
