package projection

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/log"
)

// pairLine is an entry of a log for TestCheckPairs: calls and results by their ids.
func pairLine(id, parent, stop string, calls, results []string) string {
	var blocks []string
	for _, c := range calls {
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"t","arguments":{}}`, c))
	}
	message := fmt.Sprintf(`{"role":"assistant","content":[%s],"stopReason":%q}`, strings.Join(blocks, ","), stop)
	if len(results) > 0 {
		message = fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"content":[]}`, results[0])
	}
	above := "null"
	if parent != "" {
		above = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"message":%s}`, id, above, message)
}

func openPairs(t testing.TB, lines []string) *log.Log {
	t.Helper()
	file := filepath.Join(t.TempDir(), "s.jsonl")
	text := `{"type":"session","version":3,"id":"s"}` + "\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := log.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestCheckPairs(t *testing.T) {
	call := func(id, parent string, calls ...string) string { return pairLine(id, parent, "toolUse", calls, nil) }
	result := func(id, parent, of string) string { return pairLine(id, parent, "", nil, []string{of}) }
	for _, test := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"answered", []string{call("a", "", "x", "y"), result("b", "a", "x"), result("c", "b", "y")}, ""},
		{"one of two", []string{call("a", "", "x", "y"), result("b", "a", "x"), call("c", "b")}, "unanswered-call a"},
		{"answered on one branch only", []string{call("a", "", "x"), result("b", "a", "x"), call("c", "a"), call("d", "a")}, "unanswered-call a"},
		{"side by side", []string{call("a", "", "x"), result("b", "a", "x"), result("c", "a", "x")}, ""},
		{"no call", []string{call("a", ""), result("b", "a", "x")}, "orphan-result b"},
		{"call on another branch", []string{call("r", ""), call("a", "r", "x"), result("b", "r", "x")}, "orphan-result b unanswered-call a"},
		{"an id used twice", []string{call("a", "", "x"), result("b", "a", "x"), call("c", "b", "x"), result("d", "c", "x")}, ""},
		{"an id used twice, one answer", []string{call("a", "", "x"), result("b", "a", "x"), call("c", "b", "x")}, "unanswered-call c"},
		{"aborted", []string{pairLine("a", "", "aborted", []string{"x"}, nil), call("b", "a")}, ""},
		{"aborted with a result", []string{pairLine("a", "", "error", []string{"x"}, nil), result("b", "a", "x")}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			findings, err := CheckPairs(openPairs(t, test.lines))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range findings {
				got = append(got, string(f.Code)+" "+f.ID)
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("got %q, want %q", s, test.want)
			}
		})
	}
}

// TestCheckPairsOfAComb must not take time by the square: a leaf hangs on each of many entries.
func TestCheckPairsOfAComb(t *testing.T) {
	var lines []string
	parent := ""
	for i := range 20_000 {
		id := fmt.Sprint("n", i)
		lines = append(lines, pairLine(id, parent, "toolUse", []string{"x"}, nil), pairLine("r"+id, id, "", nil, []string{"x"}),
			pairLine("leaf"+id, "r"+id, "stop", nil, nil))
		parent = "r" + id
	}
	l := openPairs(t, lines)
	start := time.Now()
	findings, err := CheckPairs(l)
	if err != nil || len(findings) > 0 {
		t.Errorf("got %d findings, %v", len(findings), err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
}
