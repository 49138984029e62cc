package projection

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// header begins the logs of tests: one of tlog's own.
const header = `{"type":"session","version":4,"id":"01934a1c-0000-7000-8000-000000000001","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}`

// openLines opens a log with the lines.
func openLines(t testing.TB, lines ...string) *log.Log {
	t.Helper()
	return openBytes(t, []byte(strings.Join(lines, "\n")+"\n"))
}

func openBytes(t testing.TB, data []byte) *log.Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := log.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// buildAt builds the context at an entry.
func buildAt(t testing.TB, l *log.Log, at int) *Context {
	t.Helper()
	h, err := refs.NewHistory(l, at)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Build(h)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// buildLines builds the context at the end of a log of tlog's own.
func buildLines(t testing.TB, lines ...string) *Context {
	t.Helper()
	l := openLines(t, append([]string{header}, lines...)...)
	return buildAt(t, l, l.Last())
}

// chain gives each of the entries an id (e1, e2 ...) and the one before as parent, unless it names its own.
func chain(entries ...string) []string {
	out := make([]string, len(entries))
	parent := "null"
	for i, e := range entries {
		id := objects.ID("entry" + string(rune('a'+i/26)) + string(rune('a'+i%26)))
		members := [][]byte{
			[]byte(`"id":"` + string(id) + `"`), []byte(`"parentId":` + parent),
			[]byte(`"timestamp":"2026-11-30T10:00:00.000Z"`),
		}
		out[i] = string(objects.InsertMembers([]byte(e), "type", members...))
		parent = `"` + string(id) + `"`
	}
	return out
}

// value decodes JSON for a comparison, numbers as JavaScript would write them again.
func value(t testing.TB, raw []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.200q", err, raw)
	}
	return numbers(v)
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := v.Float64()
		if math.IsInf(f, 0) {
			return nil
		}
		return f + 0 // no -0
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// messagesJSON is the messages of a context as one array.
func messagesJSON(c *Context) []byte {
	var raw [][]byte
	for _, m := range c.Messages {
		raw = append(raw, m.JSON)
	}
	return array(raw)
}

func requestJSON(r Request) []byte { return array(r.Messages) }

// sameJSON fails the test if two JSON values differ.
func sameJSON(t testing.TB, what string, got, want []byte) {
	t.Helper()
	if diff := cmp.Diff(value(t, want), value(t, got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func joined(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// fuzzLog opens what a fuzzer wrote; nil if it is no log at all.
func fuzzLog(t testing.TB, data []byte) *log.Log {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := log.Open(path, log.WithDecoders(agents.Decoder))
	if err != nil {
		return nil
	}
	return l
}

// validMessage reports whether a fuzzer's message is an object as a log can hold it.
func validMessage(message []byte) bool {
	return objects.Scan(message, nil) == nil && bytes.IndexByte(message, '\n') < 0 && json.Valid(message)
}
