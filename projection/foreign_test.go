package projection

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
)

// row is a line of Claude Code in a test, and the type that its entry has.
type row struct {
	entry objects.Type
	line  string
}

func userRow(content string) row {
	return row{objects.TypeMessage, `{"type":"user","message":{"role":"user","content":` + content + `}}`}
}

func replyRow(id, block string) row {
	return row{objects.TypeMessage, `{"type":"assistant","message":{"id":"` + id + `","role":"assistant","model":"m","content":[` + block + `]}}`}
}

func resultRow(call, text string) row {
	return userRow(`[{"type":"tool_result","tool_use_id":"` + call + `","content":"` + text + `"}]`)
}

func textOf(s string) string { return `{"type":"text","text":"` + s + `"}` }

func callOf(id string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"Bash","input":{"command":"ls"}}`
}

// openRows opens a log of rows that hang one below the other; their ids are r1, r2 ... and so on.
func openRows(t testing.TB, rows ...row) *log.Log {
	t.Helper()
	lines := []string{header}
	parent := objects.ID("")
	for i, r := range rows {
		id := objects.ID(fmt.Sprintf("r%d", i+1))
		v := objects.Envelope{Type: r.entry, ID: id, ParentID: parent, Timestamp: "2026-11-30T10:00:00.000Z", Agent: "claude", Line: []byte(r.line)}
		v.Hidden = strings.Contains(r.line, `"isMeta":true`)
		lines = append(lines, string(v.Bytes()))
		if r.entry != objects.TypeMeta {
			parent = id
		}
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(joined(lines)), 0o600); err != nil {
		t.Fatal(err)
	}
	return openForeign(t, path)
}

func openForeign(t testing.TB, path string) *log.Log {
	t.Helper()
	l, err := log.Open(path, log.WithDecoders(agents.Decoder))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func buildRows(t testing.TB, rows ...row) *Context {
	t.Helper()
	l := openRows(t, rows...)
	return buildAt(t, l, l.Last())
}

// texts are the texts of a context's messages.
func texts(c *Context) string {
	var all []string
	for _, m := range c.Messages {
		all = append(all, decode(m.JSON).Text())
	}
	return strings.Join(all, " ")
}

func TestForeignMessages(t *testing.T) {
	c := buildRows(t,
		userRow(`"q\u0031"`),
		row{objects.TypeCustom, `{"type":"attachment","attachment":{"type":"date"}}`},
		row{objects.TypeMessage, `{"type":"user","isMeta":true,"message":{"content":"hint"}}`},
		row{objects.TypeMeta, `{"type":"mode"}`},
		replyRow("m1", textOf("a1")),
		row{objects.TypeMessage, `{"type":"attachment","attachment":{"type":"queued_command","prompt":"q2"}}`},
		row{objects.TypeMessage, `{"type":"system","subtype":"local_command","content":"<command-name>/cost</command-name>"}`},
		row{objects.TypeMessage, `{"type":"hologram"}`},
	)
	want := []string{
		`user {"role":"user","content":"q\u0031"}`,
		`user {"content":"hint"}`,
		`assistant {"id":"m1","role":"assistant","model":"m","content":[{"type":"text","text":"a1"}]}`,
		`user {"role":"user","content":"q2"}`,
		`user {"role":"user","content":"<command-name>/cost</command-name>"}`,
	}
	var got []string
	for _, m := range c.Messages {
		got = append(got, m.Role+" "+string(m.JSON))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if string(c.Model) != `{"provider":"anthropic","modelId":"m"}` {
		t.Errorf("model %s", c.Model)
	}
	var reasons []string
	for _, d := range c.Decisions {
		if !d.In {
			reasons = append(reasons, d.Reason)
		}
	}
	if diff := cmp.Diff([]string{"a custom entry is never in the context", "it holds no message"}, reasons); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

func TestRepliesInRows(t *testing.T) {
	c := buildRows(t,
		userRow(`"q"`),
		replyRow("m1", `{"type":"thinking","thinking":"hm","signature":"sig"}`),
		replyRow("m1", textOf("look")),
		replyRow("m1", callOf("c1")),
		resultRow("c1", "one"),
		row{objects.TypeMessage, `{"type":"user","isMeta":true,"message":{"content":"between"}}`},
		replyRow("m1", callOf("c2")),
		replyRow("m1", callOf("c3")),
		resultRow("c3", "three"),
		resultRow("c2", "two"),
		replyRow("m2", textOf("done")),
		userRow(`"same id again"`),
		replyRow("m2", textOf("more")),
	)
	r, err := c.Anthropic()
	if err != nil {
		t.Fatal(err)
	}
	use := func(id string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"Bash","input":{"command":"ls"}}`
	}
	result := func(id, text string) string {
		return `{"type":"tool_result","tool_use_id":"` + id + `","content":[` + textOf(text) + `]}`
	}
	sameJSON(t, "Anthropic", requestJSON(r), []byte(`[
		{"role":"user","content":[`+textOf("q")+`]},
		{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},`+textOf("look")+`,`+use("c1")+`,`+use("c2")+`,`+use("c3")+`]},
		{"role":"user","content":[`+result("c1", "one")+`,`+result("c2", "two")+`,`+result("c3", "three")+`,`+textOf("between")+`]},
		{"role":"assistant","content":[`+textOf("done")+`]},
		{"role":"user","content":[`+textOf("same id again")+`]},
		{"role":"assistant","content":[`+textOf("more")+`]}]`))
	if len(r.Repairs) > 0 {
		t.Errorf("repairs %v", r.Repairs)
	}
	if r, err = c.OpenAI(); err != nil || len(r.Messages) != 9 {
		t.Errorf("OpenAI: %d messages, %v: %s", len(r.Messages), err, requestJSON(r))
	}
}

func TestBlocksOfAnthropic(t *testing.T) {
	document := `{"type":"document","source":{"type":"text","media_type":"text/plain","data":"d"}}`
	server := `{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`
	c := buildRows(t, userRow(`[`+document+`]`), replyRow("m1", server+`,`+textOf("a")+`,`+callOf("c")),
		userRow(`[{"type":"tool_result","tool_use_id":"c","is_error":true,"content":[`+document+`]}]`))
	r, err := c.Anthropic()
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, "Anthropic", requestJSON(r), []byte(`[{"role":"user","content":[`+document+`]},
		{"role":"assistant","content":[`+server+`,`+textOf("a")+`,`+callOf("c")+`]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","is_error":true,"content":[`+textOf(noOutput)+`]},
			`+textOf("A document of the result of the call c:")+`,`+document+`]}]`))
}

func TestRepliesOfNoModel(t *testing.T) {
	made := `{"type":"assistant","isApiErrorMessage":%v,"message":{"id":"s%d","model":"<synthetic>","content":[` + textOf("%s") + `]}}`
	c := buildRows(t, userRow(`"q"`), replyRow("m1", textOf("a")),
		row{objects.TypeMessage, fmt.Sprintf(made, false, 1, "nothing to say")},
		userRow(`"q2"`), row{objects.TypeMessage, fmt.Sprintf(made, true, 2, "API error")})
	if string(c.Model) != `{"provider":"anthropic","modelId":"m"}` {
		t.Errorf("model %s", c.Model)
	}
	r, err := c.Anthropic()
	if err != nil {
		t.Fatal(err)
	}
	if s := string(requestJSON(r)); !strings.Contains(s, "nothing to say") || strings.Contains(s, "API error") {
		t.Errorf("sent %s", s)
	}
	if diff := cmp.Diff([]string{"4 dropped-reply "}, repairsOf(r.Repairs)); diff != "" {
		t.Errorf("repairs (-want +got):\n%s", diff)
	}
}

func TestForeignCompaction(t *testing.T) {
	before := []row{userRow(`"q1"`), replyRow("m1", textOf("a1")), row{objects.TypeCustom, `{"type":"system"}`}, userRow(`"q2"`), replyRow("m2", textOf("a2"))}
	after := []row{
		{objects.TypeMessage, `{"type":"user","isMeta":true,"isCompactSummary":true,"message":{"role":"user","content":"summary"}}`},
		userRow(`"q3"`),
	}
	boundary := func(metadata string) row {
		return row{objects.TypeCompaction, `{"type":"system","subtype":"compact_boundary","compactMetadata":{"preTokens":7,` + metadata + `}}`}
	}
	for name, tt := range map[string]struct {
		compaction    row
		want          string
		kept, dropped int
	}{
		"nothing kept":        {boundary(`"trigger":"auto"`), "summary q3", 0, 4},
		"behind the summary":  {boundary(`"preservedMessages":{"anchorUuid":"r7","uuids":["r4","r5"]}`), "summary q2 a2 q3", 2, 2},
		"before the summary":  {boundary(`"preservedMessages":{"anchorUuid":"r6","uuids":["r1","r3","r2"]}`), "q1 a1 summary q3", 2, 2},
		"in another order":    {boundary(`"preservedMessages":{"anchorUuid":"r6","uuids":["r5","r1","r5"]}`), "a2 q1 summary q3", 2, 2},
		"one is missing":      {boundary(`"preservedMessages":{"anchorUuid":"r7","uuids":["r4","gone"]}`), "summary q3", 0, 4},
		"none is before":      {boundary(`"preservedMessages":{"anchorUuid":"r7","uuids":["r8"]}`), "summary q3", 0, 4},
		"anchor is missing":   {boundary(`"preservedMessages":{"anchorUuid":"gone","uuids":["r5"]}`), "a2 summary q3", 1, 3},
		"anchor is before":    {boundary(`"preservedMessages":{"anchorUuid":"r1","uuids":["r5"]}`), "a2 summary q3", 1, 3},
		"a segment":           {boundary(`"preservedSegment":{"headUuid":"r4","tailUuid":"r5","anchorUuid":"r7"}`), "summary q2 a2 q3", 2, 2},
		"a summary alone":     {row{objects.TypeCompaction, `{"type":"user","isCompactSummary":true,"message":{"content":"so far"}}`}, "so far summary q3", 0, 4},
		"that cannot be read": {row{objects.TypeCompaction, `{"type":"what"}`}, "summary q3", 0, 4},
	} {
		t.Run(name, func(t *testing.T) {
			c := buildRows(t, append(append(append([]row{}, before...), tt.compaction), after...)...)
			if got := texts(c); got != tt.want {
				t.Errorf("the context is %q, want %q", got, tt.want)
			}
			if c.Compaction.Kept != tt.kept || c.Compaction.Dropped != tt.dropped {
				t.Errorf("kept %d, dropped %d; want %d, %d", c.Compaction.Kept, c.Compaction.Dropped, tt.kept, tt.dropped)
			}
			for i, d := range c.Decisions {
				if d.At != i || d.Reason == "" {
					t.Errorf("decision %d is %+v", i, d)
				}
			}
		})
	}
}

func TestForeignPairs(t *testing.T) {
	l := openRows(t, userRow(`"q"`), replyRow("m1", callOf("c1")), replyRow("m1", callOf("c2")), resultRow("c2", "x"), resultRow("gone", "y"))
	findings, err := CheckPairs(l)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range findings {
		got = append(got, string(f.Code)+" "+f.ID)
	}
	if diff := cmp.Diff([]string{"orphan-result r5", "unanswered-call r2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
