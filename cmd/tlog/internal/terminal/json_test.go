package terminal

import (
	"encoding/json"
	"testing"
)

func TestEscapeJSON(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{"a":"plain ü 新 😀"}`, `{"a":"plain ü 新 😀"}`},
		{"{\"a\":\"\u009b31m\"}", `{"a":"\u009b31m"}`},
		{"{\"a\":\"\x7f\u202e\u2028\"}", `{"a":"\u007f\u202e\u2028"}`},
		{"{\"a\":\"\U000e0041\"}", `{"a":"\udb40\udc41"}`},
		{"{\"a\":\"\x9b\"}", `{"a":"�"}`},
	} {
		got := string(EscapeJSON([]byte(test.in)))
		if got != test.want {
			t.Errorf("EscapeJSON(%q) = %q, want %q", test.in, got, test.want)
		}
		var before, after map[string]string
		if json.Unmarshal([]byte(test.in), &before) == nil && json.Unmarshal([]byte(got), &after) == nil && before["a"] != after["a"] {
			t.Errorf("EscapeJSON(%q) changed the value", test.in)
		}
	}
}
