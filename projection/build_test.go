package projection

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/log"
)

func user(text string) string {
	return `{"type":"message","message":{"role":"user","content":"` + text + `"}}`
}

func reply(text string) string {
	return `{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"` + text + `"}],"provider":"acme","model":"m"}}`
}

// said is what a context holds, in short: role and text of each message.
func said(c *Context) string {
	var parts []string
	for _, m := range c.Messages {
		words := decode(m.JSON).Text()
		if words == "" {
			words = text(m.JSON, "summary")
		}
		parts = append(parts, m.Role+":"+words)
	}
	return strings.Join(parts, " ")
}

func TestRules(t *testing.T) {
	// The entries are entryaa, entryab, entryac ... in a line.
	compaction := func(first string) string {
		return `{"type":"compaction","summary":"S","firstKeptEntryId":"` + first + `","tokensBefore":9}`
	}
	edit := func(target, replacement string) string {
		return `{"type":"context_edit","targetId":"` + target + `","replacement":` + replacement + `}`
	}
	skip := func(kind string, targets ...string) string {
		return `{"type":"` + kind + `","targetIds":["` + strings.Join(targets, `","`) + `"]}`
	}
	head := `{"type":"head","name":"main"}`
	for _, tt := range []struct {
		name    string
		entries []string
		want    string
	}{
		{"plain", []string{user("a"), reply("b")}, "user:a assistant:b"},
		{"undone", []string{user("a"), reply("b"), skip("skip", "entryab"), user("c")}, "user:a user:c"},
		{"redone", []string{user("a"), reply("b"), skip("skip", "entryab"), skip("unskip", "entryab")}, "user:a assistant:b"},
		{"kept", []string{user("a"), reply("b"), user("c"), compaction("entryab"), user("d")}, "compactionSummary:S assistant:b user:c user:d"},
		{"keeps nothing", []string{user("a"), compaction("entryab"), user("d")}, "compactionSummary:S user:d"},
		{"unknown pointer", []string{user("a"), compaction("nowhere"), user("d")}, "compactionSummary:S user:d"},
		{"later pointer", []string{user("a"), compaction("entryac"), user("d")}, "compactionSummary:S user:d"},
		{"undone compaction", []string{user("a"), compaction("entryab"), user("d"), skip("skip", "entryab")}, "user:a user:d"},
		{"undone second compaction", []string{user("a"), compaction("entryaa"), user("b"), compaction("entryad"), skip("skip", "entryad")},
			"compactionSummary:S user:a user:b"},
		{"kept from an undone entry on", []string{user("a"), user("b"), user("c"), compaction("entryab"), skip("skip", "entryab")},
			"compactionSummary:S user:c"},
		{"kept from a label on", []string{user("a"), `{"type":"label","targetId":"entryaa","label":"x"}`, user("b"), compaction("entryab")},
			"compactionSummary:S user:b"},
		{"kept from a journal line on", []string{user("a"), user("b"), head, user("c"), compaction("entryac")}, "compactionSummary:S user:c"},
		{"kept from a journal line at the root on", []string{head, user("a"), user("b"), compaction("entryaa")}, "compactionSummary:S user:a user:b"},
		{"kept from just before itself", []string{user("a"), user("b"), head, compaction("entryac")}, "compactionSummary:S"},
		{"edit", []string{user("a"), reply("b"), edit("entryab", `{"content":"B"}`)}, "user:a assistant:B"},
		{"edit leaves out", []string{user("a"), reply("b"), edit("entryab", `null`)}, "user:a"},
		{"last edit counts", []string{user("a"), edit("entryaa", `null`), edit("entryaa", `{"content":"A"}`)}, "user:A"},
		{"undone edit", []string{user("a"), edit("entryaa", `{"content":"A"}`), edit("entryaa", `null`), skip("skip", "entryac")}, "user:A"},
		{"edit without replacement", []string{user("a"), `{"type":"context_edit","targetId":"entryaa"}`}, "user:a"},
		{"edit of a summary", []string{user("a"), compaction("entryaa"), edit("entryab", `{"content":"x"}`)}, "compactionSummary:S user:a"},
		{"edit before what is kept", []string{user("a"), user("b"), edit("entryab", `null`), user("c"), compaction("entryad")}, "compactionSummary:S user:c"},
		{"no message", []string{user("a"), `{"type":"message","message":null}`, `{"type":"message"}`, user("b")}, "user:a user:b"},
		{"unknown type", []string{user("a"), `{"type":"comment","message":{"role":"user","content":"x"}}`, user("b")}, "user:a user:b"},
		{"system kept", []string{`{"type":"message","message":{"role":"system","content":"x"}}`, user("a"), compaction("entryaa")}, "compactionSummary:S user:a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := chain(tt.entries...)
			l := openLines(t, append([]string{header}, lines...)...)
			c := buildAt(t, l, l.Last())
			if diff := cmp.Diff(tt.want, said(c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkDecisions(t, c, l.Ancestry(l.Last()))
			checkRequests(t, c)
		})
	}
}

func TestState(t *testing.T) {
	model := func(provider, id string) string {
		return `{"type":"model_change","provider":"` + provider + `","modelId":"` + id + `"}`
	}
	level := func(s string) string { return `{"type":"thinking_level_change","thinkingLevel":"` + s + `"}` }
	for _, tt := range []struct {
		name, model, level string
		entries            []string
	}{
		{"nothing recorded", `null`, "off", []string{user("a")}},
		{"last change", `{"provider":"p","modelId":"2"}`, "low", []string{model("p", "1"), level("high"), model("p", "2"), level("low"), user("a")}},
		{"reply after a change", `{"provider":"acme","modelId":"m"}`, "off", []string{model("p", "1"), reply("b")}},
		{"undone change", `{"provider":"p","modelId":"1"}`, "high", []string{model("p", "1"), level("high"), model("p", "2"), level("low"),
			`{"type":"skip","targetIds":["entryac","entryad"]}`}},
		{"from summarised entries", `{"provider":"p","modelId":"1"}`, "high", []string{model("p", "1"), level("high"), user("a"), `{"type":"compaction","summary":"S"}`}},
		{"nothing of the model", `{}`, "off", []string{`{"type":"message","message":{"role":"assistant"}}`}},
		{"older spelling", `{"provider":"p","modelId":"old"}`, "off", []string{`{"type":"model_change","provider":"p","model":"old"}`}},
		{"verbatim", `{"provider":1.0,"modelId":"\/"}`, "off", []string{`{"type":"model_change","provider":1.0,"modelId":"\/"}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := buildLines(t, chain(tt.entries...)...)
			if string(c.Model) != tt.model || c.ThinkingLevel != tt.level {
				t.Errorf("got %s and %q, want %s and %q", c.Model, c.ThinkingLevel, tt.model, tt.level)
			}
		})
	}
}

func TestQueue(t *testing.T) {
	op := func(operation, content string) string {
		if content != "" {
			content = `,"content":` + content
		}
		return `{"type":"queue","operation":"` + operation + `"` + content + `}`
	}
	for _, tt := range []struct {
		name    string
		entries []string
		want    []string
	}{
		{"in turn", []string{op("enqueue", `"a"`), op("enqueue", `"b"`), op("dequeue", "")}, []string{"b"}},
		{"by content", []string{op("enqueue", `"a"`), op("enqueue", `"b"`), op("enqueue", `"b"`), op("dequeue", `"b"`)}, []string{"a", "b"}},
		{"content that is not there", []string{op("enqueue", `"a"`), op("dequeue", `"x"`), op("remove", `"x"`)}, []string{"a"}},
		{"remove", []string{op("enqueue", `"a"`), op("enqueue", `"b"`), op("remove", `"a"`)}, []string{"b"}},
		{"remove names nothing", []string{op("enqueue", `"a"`), op("remove", "")}, []string{"a"}},
		{"clear", []string{op("enqueue", `"a"`), op("clear", ""), op("enqueue", `"b"`)}, []string{"b"}},
		{"blocks", []string{op("enqueue", `[{"type":"text","text":"a"},{"type":"text","text":"b"}]`)}, []string{"a\nb"}},
		{"empty", []string{op("dequeue", "")}, nil},
		{"undone", []string{op("enqueue", `"a"`), op("dequeue", ""), `{"type":"skip","targetIds":["entryab"]}`}, []string{"a"}},
		{"over a compaction", []string{op("enqueue", `"a"`), `{"type":"compaction","summary":"S"}`}, []string{"a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := buildLines(t, chain(tt.entries...)...)
			if diff := cmp.Diff(tt.want, c.Queue); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(c.Messages) > 1 {
				t.Errorf("the queue is in the context: %s", said(c))
			}
		})
	}
}

// TestVerbatim holds that the bytes of a message are those of the log.
func TestVerbatim(t *testing.T) {
	odd := `{"x":1.0,"role":"user", "big":1e400,"content":"\ud83d \/ \u0041","n":9223372036854775808,"role":"user","deep":` +
		strings.Repeat(`[{"a":`, 5000) + `1` + strings.Repeat(`}]`, 5000) + `}`
	c := buildLines(t, chain(
		`{"type":"message","message":`+odd+`}`,
		`{"type":"message","message":{"z":1.0,"role":"assistant","content":null,"y":"\/"}}`,
		`{"type":"message","message":{"role":"user","z":1.0}}`,
		`{"type":"custom_message","customType":"\/","content":"\ud83d","details":{"n":1.0}}`,
		`{"type":"branch_summary","fromId":"\/","summary":"\/"}`,
	)...)
	want := []string{
		odd,
		`{"z":1.0,"role":"assistant","content":[],"y":"\/"}`,
		`{"role":"user","z":1.0,"content":[]}`,
		`{"role":"custom","customType":"\/","content":"\ud83d","details":{"n":1.0},"timestamp":1796032800000}`,
		`{"role":"branchSummary","summary":"\/","fromId":"\/","timestamp":1796032800000}`,
	}
	for i, m := range c.Messages {
		if string(m.JSON) != want[i] {
			t.Errorf("got  %.200s\nwant %.200s", m.JSON, want[i])
		}
	}
	checkRequests(t, &Context{Messages: c.Messages[1:], Model: c.Model})
}

func TestCompactionCounts(t *testing.T) {
	c := buildLines(t, chain(user("a"), reply("b"), `{"type":"label","targetId":"entryaa","label":"x"}`, user("c"), user("undone"), reply("d"),
		`{"type":"compaction","summary":"S","firstKeptEntryId":"entryad","tokensBefore":1.50}`, user("e"),
		`{"type":"skip","targetIds":["entryae"]}`)...)
	got := *c.Compaction
	want := Compaction{At: 6, FirstKeptEntryID: "entryad", Kept: 2, Dropped: 2, TokensBefore: []byte("1.50")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var reasons []string
	for _, d := range c.Decisions {
		reasons = append(reasons, fmt.Sprint(d.In, " ", d.Reason))
	}
	wantReasons := []string{
		"false summarised by entryag", "false summarised by entryag", "false a label is never in the context",
		"true kept by the compaction entryag", "false undone by entryai", "true kept by the compaction entryag",
		"true its summary stands for what was before", "true in the context", "false an undo or redo is never in the context",
	}
	if diff := cmp.Diff(wantReasons, reasons); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEmptyPath(t *testing.T) {
	c := buildAt(t, openLines(t, header), log.None)
	if len(c.Messages)+len(c.Decisions) != 0 || string(c.Model) != "null" || c.ThinkingLevel != "off" || c.Compaction != nil {
		t.Errorf("got %+v", c)
	}
	checkRequests(t, c)
	if c.Text() != "" {
		t.Errorf("got %q", c.Text())
	}
}

func TestBuiltTimestamps(t *testing.T) {
	for value, want := range map[string]string{
		`"2026-11-30T10:00:00.000Z"`: "1796032800000", `"2026-11-30T11:00:00+01:00"`: "1796032800000", `"2026-11-30"`: "1795996800000",
		`"2026-11-30T10:00:00"`: "1796032800000", `"2026-02-30T00:00:00Z"`: "1772409600000", `"-000001-01-01T00:00:00Z"`: "-62198755200000",
		`"+275760-09-13T00:00:00.000Z"`: "8640000000000000", `"+275760-09-13T00:00:00.001Z"`: "null", `"2026-11-30T24:00:00Z"`: "1796083200000",
		`"2026-11-30T24:00:01Z"`: "null", `"Mon, 30 Nov 2026 10:00:00 GMT"`: "1796032800000", `"yesterday"`: "null", `""`: "null",
		`null`: "0", `true`: "1", `false`: "0", `5.7`: "5", `-5.7`: "-5", `1e20`: "null", `1e400`: "null", `{}`: "null", `"2026-11-30T10:00:00Z "`: "null",
	} {
		if got := string(milliseconds([]byte(value))); got != want {
			t.Errorf("%s: got %s, want %s", value, got, want)
		}
	}
	if got := string(milliseconds(nil)); got != "null" {
		t.Errorf("missing: got %s", got)
	}
}
