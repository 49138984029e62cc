package objects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// hardObjects are valid objects that a decoder and encoder would change.
func hardObjects() []string {
	return []string{
		`{}`,
		`{ }`,
		"{\t\r\n}",
		`{"a":1}`,
		`{"a":1 }`,
		`{ "a" : 1 , "b" : [ ] }`,
		`{"timestamp":"t","type":"message","parentId":null,"id":"a"}`,
		`{"n":1.0,"big":1e400,"int":9223372036854775808,"neg":-0}`,
		`{"lone":"\ud83d","slash":"\/","u":"\u0041","sep":"` + "\u2028" + `"}`,
		`{"a":1,"a":2,"a":3}`,
		`{"ref":{"x":1}}`,
		`{"ref":null,"chain":null}`,
		`{"a":1,"chain":"` + strings.Repeat("0", 64) + `","b":1}`,
		`{"a":1,"chain":"short"}`,
		`{"a":"{","b":"}"}`,
		`{"":{}}`,
		"{\"bad\":\"\xff\xfe\"}",
		`{"deep":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`,
		`{"deep":` + strings.Repeat(`{"k":`, 1000) + `1` + strings.Repeat("}", 1000) + `}`,
	}
}

const testChain = `"chain":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"`

func TestBodyRestoresWhatWasAppendedTo(t *testing.T) {
	inputs := hardObjects()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		inputs = append(inputs, string(randomObject(rng, 3)))
	}
	for _, x := range inputs {
		for _, ref := range []string{"pi", `odd"name\`, "ümläut"} {
			member := appendMember(nil, "ref", AppendQuote(nil, ref))
			both := AppendMembers([]byte(x), member, []byte(testChain))
			checkAdded(t, x, both, ref, true)
			checkAdded(t, x, AppendMembers([]byte(x), member), ref, false)
		}
		added := AppendMembers([]byte(x), []byte(testChain))
		e, err := ParseEntry(added)
		if err != nil {
			t.Fatalf("ParseEntry(%q): %v", added, err)
		}
		if got := string(e.Unchained()); got != x {
			t.Errorf("Unchained of %q = %q, want %q", added, got, x)
		}
	}
}

func checkAdded(t *testing.T, x string, added []byte, ref string, chained bool) {
	t.Helper()
	e, err := ParseEntry(added)
	if err != nil {
		t.Fatalf("ParseEntry(%q): %v", added, err)
	}
	if got := string(e.Body()); got != x {
		t.Errorf("Body of %q = %q, want %q", added, got, x)
	}
	if e.Ref != ref || (e.Chain != "") != chained {
		t.Errorf("%q: ref %q and chain %q, want ref %q and a chain: %v", added, e.Ref, e.Chain, ref, chained)
	}
	if string(e.Raw) != string(added) {
		t.Errorf("Raw of %q = %q", added, e.Raw)
	}
}

// randomObject makes an object with white space, odd keys and odd values.
func randomObject(rng *rand.Rand, depth int) []byte {
	keys := []string{"a", "type", "id", "ref", "chain", `ty\u0070e`, "", "message", `\"`, "re\\u0066"}
	out := []byte{'{'}
	for i := range rng.IntN(5) {
		if i > 0 {
			out = append(randomSpace(rng, out), ',')
		}
		out = append(randomSpace(rng, out), '"')
		out = append(append(out, keys[rng.IntN(len(keys))]...), '"')
		out = append(randomSpace(rng, out), ':')
		out = randomValue(rng, randomSpace(rng, out), depth)
	}
	return append(randomSpace(rng, out), '}')
}

func randomValue(rng *rand.Rand, out []byte, depth int) []byte {
	scalars := []string{"1.0", "-1e400", "null", "true", "false", `""`, `"x"`, `"\ud83d"`, `"\\"`, `"\/}"`, "[]", "{}", `"pi"`, testChain[8:]}
	n := rng.IntN(len(scalars) + 4)
	switch {
	case n < len(scalars) || depth == 0:
		return append(out, scalars[n%len(scalars)]...)
	case n%2 == 0:
		return append(out, randomObject(rng, depth-1)...)
	}
	out = append(out, '[')
	for i := range rng.IntN(4) {
		if i > 0 {
			out = append(out, ',')
		}
		out = randomSpace(rng, randomValue(rng, randomSpace(rng, out), depth-1))
	}
	return append(out, ']')
}

func randomSpace(rng *rand.Rand, out []byte) []byte {
	if rng.IntN(4) == 0 {
		return append(out, " \t\r\n"[rng.IntN(4)])
	}
	return out
}

func TestAppendMembers(t *testing.T) {
	for _, tt := range []struct{ object, want string }{
		{`{}`, `{"x":1,"y":2}`},
		{`{ }`, `{ "x":1,"y":2}`},
		{`{"a":1}`, `{"a":1,"x":1,"y":2}`},
		{`{"a":1 }`, `{"a":1 ,"x":1,"y":2}`},
		{`{"a":{}}`, `{"a":{},"x":1,"y":2}`},
		{`{"a":"{"}`, `{"a":"{","x":1,"y":2}`},
		{"{\"a\":1}\n", "{\"a\":1,\"x\":1,\"y\":2}\n"},
	} {
		if got := string(AppendMembers([]byte(tt.object), []byte(`"x":1`), []byte(`"y":2`))); got != tt.want {
			t.Errorf("AppendMembers(%q) = %q, want %q", tt.object, got, tt.want)
		}
	}
	if got := string(AppendMembers([]byte(`{"a":1}`))); got != `{"a":1}` {
		t.Errorf("AppendMembers of nothing = %q", got)
	}
}

func TestInsertMembers(t *testing.T) {
	for _, tt := range []struct{ object, after, want string }{
		{`{}`, "a", `{"x":1,"y":2}`},
		{`{"a":1,"b":2}`, "a", `{"a":1,"x":1,"y":2,"b":2}`},
		{`{"a":1 , "b":2}`, "a", `{"a":1,"x":1,"y":2 , "b":2}`},
		{`{"a":1,"a":2,"b":3}`, "a", `{"a":1,"a":2,"x":1,"y":2,"b":3}`},
		{`{ "b":2}`, "a", `{ "x":1,"y":2,"b":2}`},
		{`{"\u0061":1,"b":2}`, "a", `{"\u0061":1,"x":1,"y":2,"b":2}`},
		{`{"a":1}`, "a", `{"a":1,"x":1,"y":2}`},
	} {
		if got := string(InsertMembers([]byte(tt.object), tt.after, []byte(`"x":1`), []byte(`"y":2`))); got != tt.want {
			t.Errorf("InsertMembers(%q, %q) = %q, want %q", tt.object, tt.after, got, tt.want)
		}
	}
}

func TestReplaceValue(t *testing.T) {
	for _, tt := range []struct{ object, want string }{
		{`{}`, `{"a":9}`},
		{`{"a":1}`, `{"a":9}`},
		{`{"a" : [1,2] , "b":2}`, `{"a" : 9 , "b":2}`},
		{`{"a":1,"a":2}`, `{"a":1,"a":9}`},
		{`{"b":2 }`, `{"b":2 ,"a":9}`},
		{`{"\u0061":1}`, `{"\u0061":9}`},
	} {
		if got := string(ReplaceValue([]byte(tt.object), "a", []byte("9"))); got != tt.want {
			t.Errorf("ReplaceValue(%q) = %q, want %q", tt.object, got, tt.want)
		}
	}
}

func TestRemoveMember(t *testing.T) {
	for _, tt := range []struct{ object, want string }{
		{`{}`, `{}`},
		{`{"a":1}`, `{}`},
		{`{ "a":1 }`, `{  }`},
		{`{"a":1,"b":2}`, `{"b":2}`},
		{`{"b":2,"a":1}`, `{"b":2}`},
		{`{"b":2 , "a":1 }`, `{"b":2  }`},
		{`{"a":1, "a":2, "b":3}`, `{"b":3}`},
		{`{"a":1,"a":2}`, `{}`},
		{`{"a":1,"b":2,"a":3,"c":4,"a":5}`, `{"b":2,"c":4}`},
		{`{"\u0061":1,"b":{"a":1}}`, `{"b":{"a":1}}`},
	} {
		if got := string(RemoveMember([]byte(tt.object), "a")); got != tt.want {
			t.Errorf("RemoveMember(%q) = %q, want %q", tt.object, got, tt.want)
		}
	}
}

// TestSplicesLeaveWhatIsNoObject: there is nothing sensible to do, and nothing may panic.
func TestSplicesLeaveWhatIsNoObject(t *testing.T) {
	for _, x := range []string{"", "null", `{"a":1`, "\x00"} {
		for name, got := range map[string][]byte{
			"append":  AppendMembers([]byte(x), []byte(`"b":1`)),
			"insert":  InsertMembers([]byte(x), "a", []byte(`"b":1`)),
			"replace": ReplaceValue([]byte(x), "a", []byte("1")),
			"remove":  RemoveMember([]byte(x), "a"),
		} {
			if string(got) != x {
				t.Errorf("%s of %q = %q", name, x, got)
			}
		}
	}
}

// TestSplicesMeanWhatTheySay compares the splices with the same change made to decoded maps.
func TestSplicesMeanWhatTheySay(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		x := randomObject(rng, 2)
		// Numbers that encoding/json cannot hold are no matter here.
		x = bytes.ReplaceAll(x, []byte("1e400"), []byte("1e40"))
		before := bytes.Clone(x)
		for name, tt := range map[string]struct {
			got    []byte
			change func(m map[string]any)
		}{
			"remove":  {RemoveMember(x, "type"), func(m map[string]any) { delete(m, "type") }},
			"replace": {ReplaceValue(x, "type", []byte("7")), func(m map[string]any) { m["type"] = 7.0 }},
			"append":  {AppendMembers(x, []byte(`"new":7`)), func(m map[string]any) { m["new"] = 7.0 }},
			"insert":  {InsertMembers(x, "type", []byte(`"new":7`)), func(m map[string]any) { m["new"] = 7.0 }},
		} {
			want := decodeMap(t, x)
			tt.change(want)
			if got := decodeMap(t, tt.got); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s of %q = %q", name, x, tt.got)
			}
		}
		if !bytes.Equal(x, before) {
			t.Fatalf("%q was changed to %q", before, x)
		}
	}
}

func decodeMap(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatalf("%q: %v", b, err)
	}
	return m
}
