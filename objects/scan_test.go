package objects

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/quick"
)

func TestScanMembers(t *testing.T) {
	const object = " {\"a\" : 1 , \"\\u0062\":[1,{\"x\":2}],\n\"c\":\"\\\"}\",\"a\":null,\"\":{}}\r\n"
	want := []struct{ key, value string }{
		{"a", "1"}, {`\u0062`, `[1,{"x":2}]`}, {"c", `"\"}"`}, {"a", "null"}, {"", "{}"},
	}
	n := 0
	err := Scan([]byte(object), func(m Member) {
		if n >= len(want) || string(m.Key) != want[n].key || string(m.Value) != want[n].value {
			t.Fatalf("member %d is %q: %q", n, m.Key, m.Value)
		}
		if object[m.Start] != '"' || !strings.HasSuffix(object[m.Start:m.End], want[n].value) {
			t.Errorf("member %d stands at %q", n, object[m.Start:m.End])
		}
		n++
	})
	if err != nil || n != len(want) {
		t.Errorf("%d members and error %v, want %d and none", n, err, len(want))
	}
}

func TestMemberIs(t *testing.T) {
	for _, tt := range []struct {
		key, name string
		want      bool
	}{
		{"type", "type", true},
		{`ty\u0070e`, "type", true},
		{`\u0074\u0079\u0070\u0065`, "type", true},
		{`a\/b`, "a/b", true},
		{"Type", "type", false},
		{"typ", "type", false},
		{`ty\\u0070e`, "type", false},
		{"", "", true},
	} {
		if got := (Member{Key: []byte(tt.key)}).Is(tt.name); got != tt.want {
			t.Errorf("key %q is %q: %v", tt.key, tt.name, got)
		}
	}
}

// goodValues are JSON values that JSON.parse accepts.
func goodValues() []string {
	return []string{
		"null", "true", "false", "0", "-0", "1", "10", "-1.5e+10", "1E5", "0.0", "1e400", "9223372036854775808",
		`""`, `"a"`, `"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, `"\ud83d"`, "\"\u2028\x7f\"", "\"\xff\xc0\x80\"",
		"[]", "[ ]", "[1]", "[[],[{}]]", "{}", `{"a":[{"b":{}}]}`, `{"":0}`, " \t\r\n1 \t\r\n",
		`"1234567"`, `"12345678"`, `"123456789"`, `"1234567\n"`, `"12345678\"23456789"`,
	}
}

// badValues are byte strings that JSON.parse rejects, with the offset of the fault.
func badValues() map[string]int {
	return map[string]int{
		"": 0, " ": 1, "nul": 0, "True": 0, "nulll": 4, "+1": 0, ".5": 0, "01": 1, "1.": 2, "1.e5": 2, "1e": 2, "1e+": 3,
		"-": 1, "-a": 1, "0x10": 1, "NaN": 0, "1 2": 2, `"`: 1, `"a`: 2, `'a'`: 0, `"\x41"`: 1, `"\u12"`: 1, `"\u12g4"`: 1,
		`"\`: 1, `"\"`: 3, "\"\n\"": 1, "\"\x00\"": 1, "\"1234567\x1f\"": 8, "[": 1, "]": 0, "[1": 2, "[1,": 3, "[1,]": 3, "[,1]": 1, "[1 2]": 3,
		"[}": 1, "{": 1, "}": 0, "{]": 1, `{"a"}`: 4, `{"a":}`: 5, `{"a":1`: 6, `{"a":1,`: 7, `{"a":1,}`: 7, `{,}`: 1, `{a:1}`: 1,
		`{1:1}`: 1, `{"a" 1}`: 5, `{"a":1]`: 6, `[1}`: 2, `{"a":1}}`: 7, "[]]": 2, "\ufeff1": 0, "\v1": 0, "\u00a01": 0, "\x00": 0, "1\x00": 1,
		"//": 0, "[1]/**/": 3,
	}
}

func TestValid(t *testing.T) {
	for _, s := range goodValues() {
		if !Valid([]byte(s)) {
			t.Errorf("Valid(%q) = false", s)
		}
	}
	for s := range badValues() {
		if Valid([]byte(s)) {
			t.Errorf("Valid(%q) = true", s)
		}
	}
}

func TestFaultOffsets(t *testing.T) {
	for s, want := range badValues() {
		got, reason := skipValue([]byte(s), 0)
		if reason == "" {
			got = skipSpace([]byte(s), got) // the value is good, what follows is the fault
		}
		if got != want {
			t.Errorf("%q: fault %q at %d, want it at %d", s, reason, got, want)
		}
	}
}

func TestScanWantsOneObject(t *testing.T) {
	for s, offset := range map[string]int{
		"": 0, "  ": 2, "[]": 0, "1": 0, `"a"`: 0, "null": 0, "{}{}": 2, "{} x": 3, "{}\x00": 2, "\x00{}": 0, "\ufeff{}": 0,
		`{"a":1,"a"`: 10, `{"a":1 "b":2}`: 7, `{"a":1,"b\x":2}`: 9, "{\"a\": ": 6,
	} {
		var syntax *SyntaxError
		if err := Scan([]byte(s), nil); !errors.As(err, &syntax) || syntax.Offset != offset {
			t.Errorf("Scan(%q) = %v, want a fault at byte %d", s, err, offset)
		}
	}
}

func TestDeepNesting(t *testing.T) {
	const depth = 1_000_000
	for _, tt := range []struct{ open, inner, shut string }{
		{"[", "", "]"},
		{`{"k":`, "1", "}"},
		{`[{"k":`, "[]", "}]"},
	} {
		deep := strings.Repeat(tt.open, depth) + tt.inner + strings.Repeat(tt.shut, depth)
		line := []byte(`{"type":"x","deep":` + deep + `,"id":"a"}`)
		e, err := ParseEntry(line)
		if err != nil || e.ID != "a" || len(e.Get("deep")) != len(deep) {
			t.Errorf("%q nested %d deep: id %q, error %v", tt.open, depth, e.ID, err)
		}
		if Scan(line[:len(line)-10], nil) == nil {
			t.Errorf("%q nested %d deep, one bracket short, is accepted", tt.open, depth)
		}
	}
}

// TestNesting holds the stack of bits against one of bools.
func TestNesting(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var n nesting
	var model []bool
	for i := range 200_000 {
		climb := i/500%2 == 0 // now up, now down, so that many depths are crossed both ways
		if len(model) == 0 || (rng.IntN(10) < 7) == climb {
			object := rng.IntN(2) == 0
			n.push(object)
			model = append(model, object)
		} else {
			n.pop()
			model = model[:len(model)-1]
		}
		if n.depth != len(model) || len(model) > 0 && n.inObject() != model[len(model)-1] {
			t.Fatalf("step %d: depth %d and object %v, want %v", i, n.depth, n.inObject(), model)
		}
	}
}

// TestScanLikeJSON breaks good objects at random and asks encoding/json what is left.
func TestScanLikeJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		b := randomObject(rng, 3)
		for range rng.IntN(3) {
			i := rng.IntN(len(b))
			switch rng.IntN(3) {
			case 0:
				b[i] = "{}[]\",:0.eE-+\\untfals \n\x00"[rng.IntN(24)]
			case 1:
				b = append(b[:i], b[i+1:]...)
			default:
				b = b[:i]
			}
			if len(b) == 0 {
				break
			}
		}
		checkLikeJSON(t, b)
	}
}

func checkLikeJSON(t *testing.T, b []byte) {
	t.Helper()
	want := json.Valid(b)
	if got := Valid(b); got != want {
		t.Errorf("Valid(%q) = %v, want %v", b, got, want)
	}
	want = want && bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("{"))
	if err := Scan(b, func(Member) {}); (err == nil) != want {
		t.Errorf("Scan(%q) = %v, valid is %v", b, err, want)
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range append(goodValues(), hardObjects()...) {
		f.Add([]byte(s))
	}
	for s := range badValues() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		// encoding/json gives up at 10,000 levels, Scan does not.
		if bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) < 10_000 {
			checkLikeJSON(t, b)
		}
	})
}

func TestElements(t *testing.T) {
	for _, tt := range []struct {
		array string
		want  []string
		ok    bool
	}{
		{"[]", nil, true},
		{" [ ] ", nil, true},
		{`[1, "a,]" ,[2,3],{"b":[]} ]`, []string{"1", `"a,]"`, "[2,3]", `{"b":[]}`}, true},
		{"", nil, false},
		{"{}", nil, false},
		{"null", nil, false},
		{"[1,]", []string{"1"}, false},
		{"[1", []string{"1"}, false},
		{"[1 2]", []string{"1"}, false},
		{"[,]", nil, false},
		{"[] x", nil, false},
		{"[1]]", []string{"1"}, false},
	} {
		var got []string
		ok := Elements([]byte(tt.array), func(v []byte) { got = append(got, string(v)) })
		if ok != tt.ok || strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("Elements(%q) = %q, %v, want %q, %v", tt.array, got, ok, tt.want, tt.ok)
		}
	}
}

// TestSkipString holds the scan by words against that by bytes.
func TestSkipString(t *testing.T) {
	// Bytes next to those that mean something, which set false marks most easily.
	alphabet := []byte("\"\\\x00\x1f\x20\x21\x23\x5b\x5d\x7f\x80\xa0\xa2\xdc\xff nu/0a")
	property := func(picks []uint8, seldom uint8) bool {
		b := []byte{'"'}
		for i, p := range picks {
			if i%(int(seldom)+1) != 0 {
				p |= 4 // mostly plain bytes, so that words are filled
			}
			b = append(b, alphabet[int(p)%len(alphabet)])
		}
		end, reason := skipString(b, 0)
		wantEnd, wantReason := skipStringEnd(b, 1)
		return end == wantEnd && reason == wantReason
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 20_000}); err != nil {
		t.Error(err)
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	line := keysLine()
	members := 0
	if n := testing.AllocsPerRun(10, func() { _ = Scan(line, func(Member) { members++ }) }); n != 0 {
		t.Errorf("Scan made %v allocations, want none", n)
	}
}
