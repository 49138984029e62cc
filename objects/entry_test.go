package objects

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"
)

var hexChain = strings.Repeat("0123456789abcdef", 4)

func TestParseEntry(t *testing.T) {
	chain := `"chain":"` + hexChain + `"`
	for _, tt := range []struct {
		name, raw string
		want      Entry // Raw is raw without white space around it where it is nil
		body      string
	}{
		{"in order", `{"type":"message","id":"a","parentId":"b","timestamp":"t","message":{}}`,
			Entry{Type: "message", ID: "a", ParentID: "b", HasParent: true, Timestamp: "t"}, ""},
		{"any order", `{"timestamp":"t","message":{"id":"x","type":"y"},"parentId":null,"id":"a","type":"odd"}`,
			Entry{Type: "odd", ID: "a", HasParent: true, Timestamp: "t"}, ""},
		{"nothing", `{}`, Entry{}, ""},
		{"wrong kinds", `{"type":1,"id":[],"parentId":{},"timestamp":5}`, Entry{HasParent: true}, ""},
		{"escaped keys and values", `{"ty\u0070e":"mess\u0061ge","\u0069d":"\u0061"}`, Entry{Type: "message", ID: "a"}, ""},
		{"duplicates", `{"id":"a","type":"x","id":"b","type":"label","parentId":"p","parentId":null}`,
			Entry{Type: "label", ID: "b", HasParent: true}, ""},
		{"duplicate of a wrong kind", `{"id":"a","id":5}`, Entry{}, ""},
		{"case counts", `{"ID":"a","Type":"x"}`, Entry{}, ""},
		{"ref last", `{"id":"a","ref":"pi"}`, Entry{ID: "a", Ref: "pi"}, `{"id":"a"}`},
		{"chain last", `{"id":"a",` + chain + `}`, Entry{ID: "a", Chain: hexChain}, `{"id":"a"}`},
		{"ref and chain", `{"id":"a","ref":"pi",` + chain + `}`, Entry{ID: "a", Ref: "pi", Chain: hexChain}, `{"id":"a"}`},
		{"its own ref stays", `{"ref":"a","ref":"pi",` + chain + `}`, Entry{Ref: "pi", Chain: hexChain}, `{"ref":"a"}`},
		{"its own chain stays", `{` + chain + `,"ref":"pi",` + chain + `}`, Entry{Ref: "pi", Chain: hexChain}, `{` + chain + `}`},
		{"ref not at the end", `{"ref":"pi","id":"a"}`, Entry{ID: "a"}, ""},
		{"ref behind chain", `{` + chain + `,"ref":"pi"}`, Entry{Ref: "pi"}, `{` + chain + `}`},
		{"chain not at the end", `{"ref":"pi",` + chain + `,"id":"a"}`, Entry{ID: "a"}, ""},
		{"no chain", `{"ref":"pi","chain":"0123"}`, Entry{}, ""},
		{"no hex", `{"chain":"` + strings.Repeat("g", 64) + `"}`, Entry{}, ""},
		{"ref of another kind", `{"id":"a","ref":null}`, Entry{ID: "a"}, ""},
		{"ref before a chain of another kind", `{"ref":"pi","chain":null}`, Entry{}, ""},
		{"empty ref", `{"id":"a","ref":""}`, Entry{ID: "a"}, ""},
		{"escaped ref", `{"id":"a","r\u0065f":"p\u0069"}`, Entry{ID: "a", Ref: "pi"}, `{"id":"a"}`},
		{"only what was added", `{"ref":"pi",` + chain + `}`, Entry{Ref: "pi", Chain: hexChain}, `{}`},
		{"white space", `{ "id" : "a" , "ref" : "pi" , ` + chain + ` }`, Entry{ID: "a", Ref: "pi", Chain: hexChain}, `{ "id" : "a"   }`},
	} {
		for _, around := range []string{"", " ", "\t\r\n"} {
			e, err := ParseEntry([]byte(around + tt.raw + around))
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
				continue
			}
			if e.Type != tt.want.Type || e.ID != tt.want.ID || e.ParentID != tt.want.ParentID || e.HasParent != tt.want.HasParent ||
				e.Timestamp != tt.want.Timestamp || e.Ref != tt.want.Ref || e.Chain != tt.want.Chain || string(e.Raw) != tt.raw {
				t.Errorf("%s: got %+v of %q", tt.name, e, e.Raw)
			}
			if want := cmp.Or(tt.body, tt.raw); string(e.Body()) != want {
				t.Errorf("%s: body %q, want %q", tt.name, e.Body(), want)
			}
		}
	}
}

func TestParseEntryErrors(t *testing.T) {
	for _, raw := range []string{"", "null", "[]", `{"id":"a"`, `{"id":"a"}}`, "\x00{}"} {
		e, err := ParseEntry([]byte(raw))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || e.Raw != nil {
			t.Errorf("ParseEntry(%q) = %+v, %v, want a *SyntaxError", raw, e, err)
		}
	}
}

func TestGetAndText(t *testing.T) {
	e, err := ParseEntry([]byte(`{"a":1,"b":"x\n","a":[2], "\u0063" : "y","d":null}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "[2]", "b": `"x\n"`, "c": `"y"`, "d": "null"} {
		if got := string(e.Get(name)); got != want {
			t.Errorf("Get(%q) = %q, want %q", name, got, want)
		}
	}
	if got := e.Get("nope"); got != nil {
		t.Errorf("Get of a missing member = %q, want nil", got)
	}
	if s, ok := e.Text("b"); s != "x\n" || !ok {
		t.Errorf("Text(b) = %q, %v", s, ok)
	}
	for _, name := range []string{"a", "d", "nope"} {
		if s, ok := e.Text(name); s != "" || ok {
			t.Errorf("Text(%q) = %q, %v, want none", name, s, ok)
		}
	}
	for raw, want := range map[string]string{
		" \n" + `{"message":{"a":1}, "message" : {"b":2} } `: `{"b":2}`,
		`{"m\u0065ssage":[]}`:                                "[]",
		` {"id":"a"}`:                                        "",
	} {
		e, err := ParseEntry([]byte(raw))
		if got := string(e.Get("message")); err != nil || got != want {
			t.Errorf("message of %q = %q, %v, want %q", raw, got, err, want)
		}
	}
	if got := string(Entry{Raw: []byte(`{"message":1}`)}.Get("message")); got != "1" {
		t.Errorf("message of an entry made by hand = %q", got)
	}
	var zero Entry
	if zero.Get("a") != nil || len(zero.Body()) != 0 || zero.TargetIDs() != nil {
		t.Error("the zero Entry has something in it")
	}
}

func TestTargetIDs(t *testing.T) {
	for raw, want := range map[string][]ID{
		`{"targetIds":["a","\u0062",3,null,"c"]}`: {"a", "b", "c"},
		`{"targetIds":[]}`:                        nil,
		`{"targetIds":"a"}`:                       nil,
		`{}`:                                      nil,
	} {
		e, err := ParseEntry([]byte(raw))
		if got := e.TargetIDs(); err != nil || !slices.Equal(got, want) {
			t.Errorf("TargetIDs of %s = %q, want %q", raw, got, want)
		}
	}
}

func TestBuild(t *testing.T) {
	got := string(Build(TypeLabel, "a", "", "t", IDField("targetId", "b"), IDField("none", ""), StringField("label", "x\n"), Field{"data", []byte(`{"n":1.0}`)}, Field{Key: "nil"}))
	want := `{"type":"label","id":"a","parentId":null,"timestamp":"t","targetId":"b","none":null,"label":"x\n","data":{"n":1.0},"nil":null}`
	if got != want {
		t.Errorf("Build makes\n%s, want\n%s", got, want)
	}
	e, err := ParseEntry(Build("odd type", "id", "parent", "time"))
	if err != nil || e.Type != "odd type" || e.ID != "id" || e.ParentID != "parent" || e.Timestamp != "time" {
		t.Errorf("Build comes back as %+v, %v", e, err)
	}
}

func FuzzParseEntry(f *testing.F) {
	for _, s := range hardObjects() {
		f.Add([]byte(s))
		f.Add(AppendMembers([]byte(s), []byte(`"ref":"pi"`), []byte(testChain)))
	}
	for _, s := range messageSeeds() {
		f.Add([]byte(`{"type":"message","message":` + s + `}`))
	}
	f.Add([]byte(`{ "ref" : "a" , "r\u0065f" : "b" , ` + testChain + ` } `))
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := bytes.Clone(raw)
		e, err := ParseEntry(raw)
		if err != nil {
			return
		}
		body := e.Body()
		if Scan(body, nil) != nil || Scan(e.Unchained(), nil) != nil {
			t.Errorf("body %q of %q is no object", body, raw)
		}
		again, err := ParseEntry(AppendMembers(body, []byte(`"ref":"r"`), []byte(testChain)))
		if err != nil || !bytes.Equal(again.Body(), body) || again.ID != e.ID || again.Type != e.Type {
			t.Errorf("%q: body %q comes back as %q, %v", raw, body, again.Body(), err)
		}
		for _, name := range []string{"type", "x"} {
			if Scan(RemoveMember(raw, name), nil) != nil || Scan(ReplaceValue(raw, name, []byte("1")), nil) != nil ||
				Scan(InsertMembers(raw, name, []byte(`"y":1`)), nil) != nil {
				t.Errorf("splicing %q breaks %q", name, raw)
			}
		}
		if m, ok := DecodeMessage(e); ok {
			checkMessage(t, m)
		}
		_, _ = ParseHeader(raw)
		if !bytes.Equal(raw, before) {
			t.Errorf("%q was changed to %q", before, raw)
		}
	})
}

// checkMessage checks what holds for every message.
func checkMessage(t *testing.T, m Message) {
	t.Helper()
	_, _ = m.Text(), m.Prompt()
	if len(m.Usage) > 0 && !Valid(m.Usage) {
		t.Errorf("usage %q is no JSON", m.Usage)
	}
	for _, b := range m.Blocks {
		if len(b.Arguments) > 0 && !Valid(b.Arguments) {
			t.Errorf("arguments %q are no JSON", b.Arguments)
		}
		if len(b.Raw) > 0 && !Valid(b.Raw) {
			t.Errorf("block %q is no JSON", b.Raw)
		}
	}
}
