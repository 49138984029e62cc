package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
)

const session objects.ID = "s1"

// run migrates whole lines: a header where there is one, then entries. Lines
// that are no objects are left out, as package log leaves them out.
func run(version int, lines ...string) []string {
	m := New(version, session)
	var out []string
	for i, l := range lines {
		if objects.Scan([]byte(l), nil) != nil {
			continue
		}
		if h, err := objects.ParseHeader([]byte(l)); err == nil && len(out) == 0 {
			m.Header(h)
			out = append(out, l)
			continue
		}
		out = append(out, string(m.Entry([]byte(l), i+1)))
	}
	return out
}

// derived is the id of the entry in the given line, as a JSON value.
func derived(line int) string { return fmt.Sprintf("%q", objects.DerivedID(session, line)) }

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		line string
		want int
		says string // part of the error; empty for none
	}{
		{`{"type":"session","version":4,"id":"a"}`, 4, ""},
		{`{"type":"session","id":"a","version":3}`, 3, ""},
		{`{"type":"session","id":"a"}`, 1, ""},
		{`{"type":"session","id":"a","version":"2"}`, 2, ""},
		{`{"type":"session","id":"a","version":9}`, 9, ""},
		{`{"\u0074ype":"sess\u0069on","id":"a","version":2}`, 2, ""},
		{`{"type":"session","version":3}`, 0, "id"},
		{`{"type":"session","version":3,"id":7}`, 0, "id"},
		{`{"role":"user","content":"hello"}`, 0, ""},
		{`{"content":null,"role":"assistant","tool_calls":[]}`, 0, ""},
		{`{"role":"assistant","tool_calls":[]}`, 0, ""},
		{`{"role":"bashExecution","command":"ls","output":""}`, 0, ""},
		{`{"id":"msg_1","type":"message","role":"assistant","content":[]}`, 0, ""},
		{`{"role":"user"}`, 0, `role "user" without content`},
		{`{"role":1,"content":"x"}`, 0, "neither type nor role"},
		{`{}`, 0, "neither type nor role"},
		{`{"type":"custom","role":"user","content":"x"}`, 0, `an entry of type "custom" without a header`},
		{`{"type":"message","id":"a","message":{"role":"user","content":"x"}}`, 0, "without a header"},
		{`{"type":"user","uuid":"u","parentUuid":null,"message":{"role":"user","content":"x"}}`, 0, "Claude Code"},
		{`{"type":"summary","summary":"x","leafUuid":"u"}`, 0, "Claude Code"},
		{`{"type":"file-history-snapshot","messageId":"m","snapshot":{}}`, 0, "Claude Code"},
		{`{"timestamp":"2026","type":"session_meta","payload":{}}`, 0, "Codex"},
		{`{"timestamp":"2026","type":"event_msg","payload":{}}`, 0, "Codex"},
		{`{"sessionId":"a","projectHash":"b","messages":[]}`, 0, "Gemini"},
		{`{"messages":[{"role":"user","content":"x"}]}`, 0, "a whole conversation"},
		{`{"type":"hologram"}`, 0, `type "hologram"`},
		{`[1]`, 0, "first line"},
		{`{"role":`, 0, "first line"},
	} {
		got, err := Detect([]byte(c.line))
		switch {
		case c.says == "" && (err != nil || got != c.want):
			t.Errorf("Detect(%s) = %d, %v; want %d", c.line, got, err, c.want)
		case c.says != "" && (err == nil || !errors.Is(err, objects.ErrInvalid) || !strings.Contains(err.Error(), c.says)):
			t.Errorf("Detect(%s) = %v; want an ErrInvalid that says %q", c.line, err, c.says)
		}
	}
}

func TestSteps(t *testing.T) {
	for version := range objects.Version + 2 {
		got := Steps(version)
		if want := max(objects.Version-version, 0); len(got) != want {
			t.Fatalf("Steps(%d) has %d steps, want %d", version, len(got), want)
		}
		for i, s := range got {
			if s.From != version+i || s.Title == "" {
				t.Errorf("Steps(%d)[%d] = %+v, want one from version %d with a title", version, i, s, version+i)
			}
		}
	}
	for i, s := range steps {
		if s.From != i {
			t.Errorf("step %d is from version %d", i, s.From)
		}
	}
}

func TestWrap(t *testing.T) {
	in := []string{
		`{"role":"user","content":"a","timestamp":1767225600123}`,
		``,
		` {"content":[{"n":1.0}],"role":"assistant","timestamp":"yesterday \u00e9"} `,
		`{"type":"label","targetId":"x","label":"y"}`,
		`{"role":"tool","content":"c","timestamp":-1e300}`,
		`{"type":"message","id":"k","message":{"role":"user","content":"d"}}`,
		`{"type":"message","role":"user","content":"e","timestamp":1.5e0}`,
		`{"type":"session","id":"other","role":"user","content":"f"}`,
		`{"role":"user","content":"g"}`,
		`{"note":1}`,
	}
	want := []string{
		`{"type":"message","id":` + derived(1) + `,"parentId":null,"timestamp":"2026-01-01T00:00:00.123Z","message":{"role":"user","content":"a","timestamp":1767225600123}}`,
		`{"type":"message","id":` + derived(3) + `,"parentId":` + derived(1) + `,"timestamp":"yesterday \u00e9","message":{"content":[{"n":1.0}],"role":"assistant","timestamp":"yesterday \u00e9"}}`,
		`{"type":"label","id":` + derived(4) + `,"parentId":` + derived(3) + `,"targetId":"x","label":"y"}`,
		`{"type":"message","id":` + derived(5) + `,"parentId":` + derived(4) + `,"message":{"role":"tool","content":"c","timestamp":-1e300}}`,
		`{"type":"message","id":"k","parentId":` + derived(5) + `,"message":{"role":"user","content":"d"}}`,
		`{"type":"message","id":` + derived(7) + `,"parentId":"k","timestamp":"1970-01-01T00:00:00.001Z","message":` + in[6] + `}`,
		in[7],
		`{"type":"message","id":` + derived(9) + `,"parentId":` + derived(7) + `,"message":{"role":"user","content":"g"}}`,
		`{"id":` + derived(10) + `,"parentId":` + derived(9) + `,"note":1}`,
	}
	if diff := cmp.Diff(want, run(0, in...)); diff != "" {
		t.Error(diff)
	}
}

func TestConnectIDs(t *testing.T) {
	const head = `{"type":"session","id":"h"}`
	for _, c := range []struct{ name, in, want string }{
		{"nothing there", `{"type":"x","timestamp":"t"}`, `{"type":"x","id":` + derived(3) + `,"parentId":"a","timestamp":"t"}`},
		{"no type", `{"n":1}`, `{"id":` + derived(3) + `,"parentId":"a","n":1}`},
		{"nothing at all", `{}`, `{"id":` + derived(3) + `,"parentId":"a"}`},
		{"all there", `{"parentId":"q","type":"x","id":"b"}`, `{"parentId":"q","type":"x","id":"b"}`},
		{"a root", `{"type":"x","id":"b","parentId":null}`, `{"type":"x","id":"b","parentId":null}`},
		{"no parent", `{"type":"x","id" : "b" ,"n":1}`, `{"type":"x","id" : "b","parentId":"a" ,"n":1}`},
		{"no id", `{"type":"x","parentId":"q"}`, `{"type":"x","id":` + derived(3) + `,"parentId":"q"}`},
		{"id is no string", `{"type":"x","id":7,"parentId":null}`, `{"type":"x","id":` + derived(3) + `,"parentId":null}`},
		{"id breaks the rule", `{"type":"x","id":"a b","parentId":null}`, `{"type":"x","id":` + derived(3) + `,"parentId":null}`},
		{"id is empty", `{"type":"x","id":"","n":1}`, `{"type":"x","id":` + derived(3) + `,"parentId":"a","n":1}`},
		{"last id counts", `{"id":"b","type":"x","id":7,"parentId":null}`, `{"id":"b","type":"x","id":` + derived(3) + `,"parentId":null}`},
		{"escaped keys", `{"type":"x","\u0069d":"b","parent\u0049d":"q"}`, `{"type":"x","\u0069d":"b","parent\u0049d":"q"}`},
	} {
		got := run(1, head, `{"type":"x","id":"a","parentId":null}`, c.in)
		if got[2] != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got[2], c.want)
		}
	}
}

func TestConnectKeptEntry(t *testing.T) {
	before := []string{
		`{"type":"session","id":"h"}`, // 0
		`{"type":"x"}`,                // 1
		`{damaged`,
		`{"type":"session","id":"second"}`, // 2
		`{"type":"x","id":"kept"}`,         // 3
	}
	const rest = `{"type":"compaction","id":"c","parentId":null`
	for _, c := range []struct{ in, want string }{
		{`,"firstKeptEntryIndex":3,"n":1}`, `,"n":1,"firstKeptEntryId":"kept"}`},
		{`,"firstKeptEntryIndex":3.0}`, `,"firstKeptEntryId":"kept"}`},
		{`,"firstKeptEntryIndex":1}`, `,"firstKeptEntryId":` + derived(2) + `}`},
		{`,"firstKeptEntryIndex":2}`, `}`},  // a header
		{`,"firstKeptEntryIndex":0}`, `}`},  // the header
		{`,"firstKeptEntryIndex":4}`, `}`},  // itself
		{`,"firstKeptEntryIndex":5}`, `}`},  // what is behind
		{`,"firstKeptEntryIndex":-1}`, `}`}, // and what is nowhere
		{`,"firstKeptEntryIndex":1.5}`, `}`},
		{`,"firstKeptEntryIndex":1e400}`, `}`},
		{`,"firstKeptEntryIndex":9223372036854775808}`, `}`},
		{`,"firstKeptEntryIndex":1,"firstKeptEntryIndex":3}`, `,"firstKeptEntryId":"kept"}`},
		{`,"firstKeptEntryIndex":1,"firstKeptEntryId":"own"}`, `,"firstKeptEntryId":"own"}`},
		{`,"firstKeptEntryId":null,"firstKeptEntryIndex":3}`, `,"firstKeptEntryId":"kept"}`},
		{`,"firstKeptEntryIndex":"3"}`, `,"firstKeptEntryIndex":"3"}`},
	} {
		got := run(1, append(before, rest+c.in)...)
		if last := got[len(got)-1]; last != rest+c.want {
			t.Errorf("%s:\n got %s\nwant %s", rest+c.in, last, rest+c.want)
		}
	}
	if got := run(2, before[0], rest+`,"firstKeptEntryIndex":0}`); got[1] != rest+`,"firstKeptEntryIndex":0}` {
		t.Errorf("version 2: got %s, want it unchanged", got[1])
	}
}

func TestRename(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"type":"message","id":"a","parentId":"h","message":{"content":1.0,"role":"hookMessage"}}`,
			`{"type":"message","id":"a","parentId":null,"message":{"content":1.0,"role":"custom"}}`},
		{`{"type":"message","id":"a","parentId":"b","message":{"role":"hook\u004dessage","x":"\ud83d"}}`,
			`{"type":"message","id":"a","parentId":"b","message":{"role":"custom","x":"\ud83d"}}`},
		{`{"type":"message","id":"a","parentId":"b","message":{"role":"hookMessage","role":"user"}}`, ``},
		{`{"type":"message","id":"a","parentId":"b","message":{"content":[{"role":"hookMessage"}],"role":"user"}}`, ``},
		{`{"type":"message","id":"a","parentId":"b","message":"hookMessage"}`, ``},
		{`{"type":"custom","id":"a","parentId":"b","message":{"role":"hookMessage"},"model":"m"}`, ``},
		{`{"type":"model_change","id":"a","parentId":"b","provider":"p","m\u006fdel" : "m\/1"}`,
			`{"type":"model_change","id":"a","parentId":"b","provider":"p","modelId" : "m\/1"}`},
		{`{"type":"model_change","id":"a","parentId":"b","model":"m","modelId":"n"}`, ``},
		{`{"type":"x","id":"a","parentId":"\u0068"}`, `{"type":"x","id":"a","parentId":null}`},
		{`{"type":"x","id":"a","parentId":"h","parentId":"b"}`, ``},
		{`{"type":"x","id":"a"}`, ``},
		{`{"type":"session","id":"other","parentId":"h"}`, ``},
	} {
		for _, version := range []int{1, 2} {
			if version == 1 && !strings.Contains(c.in, "parentId") {
				continue
			}
			in := []byte(c.in)
			m := New(version, session)
			m.Header(objects.Header{ID: "h"})
			got := m.Entry(in, 2)
			want := c.want
			if want == "" {
				want = c.in
				if &got[0] != &in[0] {
					t.Errorf("version %d: an unchanged line was copied: %s", version, c.in)
				}
			}
			if string(got) != want {
				t.Errorf("version %d:\n got %s\nwant %s", version, got, want)
			}
		}
	}
	if got := run(2, `{"type":"x","id":"a","parentId":""}`)[0]; !strings.Contains(got, `""`) {
		t.Errorf("without a header no parent names it: got %s", got)
	}
}

func TestEntryOfNewVersionsIsUntouched(t *testing.T) {
	for _, version := range []int{3, 4} {
		m := New(version, session)
		m.Header(objects.Header{ID: "h"})
		in := []byte(`{"type":"message","parentId":"h","message":{"role":"hookMessage"}}`)
		var got []byte
		if n := testing.AllocsPerRun(100, func() { got = m.Entry(in, 2) }); n != 0 {
			t.Errorf("version %d: %v allocations a line", version, n)
		}
		if !bytes.Equal(got, in) || &got[0] != &in[0] {
			t.Errorf("version %d: got %s", version, got)
		}
	}
}
