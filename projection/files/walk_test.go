package files_test

import (
	"fmt"
	"testing"

	"tlog/log"
	"tlog/projection/files"
	"tlog/refs"
)

// states are the files at the end of a session, in a line each.
func states(t *testing.T, l *log.Log, at int) (lines []string) {
	t.Helper()
	h, err := refs.NewHistory(l, at)
	if err != nil {
		t.Fatal(err)
	}
	r, err := files.New(h, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Paths() {
		s, _ := r.State(p)
		lines = append(lines, fmt.Sprintf("%s %s %v %q %s", p, s.Grade, s.Exists, s.Text, s.Why))
	}
	return lines
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\ngot      %q\nexpected %q", what, got, want)
	}
}

func write(p, text string) map[string]any { return map[string]any{"path": p, "content": text} }

// TestParallel: parallel calls count in the order of their results.
func TestParallel(t *testing.T) {
	w := newWriter(t, false)
	first, _ := w.call("write", write("f", "first"))
	second, _ := w.call("write", write("f", "second"))
	w.result(second, "write", "done", false, nil)
	w.result(first, "write", "done", false, nil)
	l := w.open()
	same(t, "both", states(t, l, l.Last()), `/p/f exact true "first" `)
	same(t, "one", states(t, l, l.Last()-1), `/p/f unknown true "second" a call without a result`)
}

// TestUnanswered: a call without a result may have been carried out; what is told later holds.
func TestUnanswered(t *testing.T) {
	w := newWriter(t, false)
	w.both("write", write("f", "text"), "done", false, nil)
	w.call("write", write("f", "other"))
	w.call("bash", map[string]any{"command": "rm g"})
	l := w.open()
	same(t, "at the call", states(t, l, l.Last()), `/p/f unknown true "text" a call without a result`, `/p/g unknown false "" rm g`)
	w.prompt()
	w.both("read", map[string]any{"path": "f"}, "text", false, nil)
	l = w.open()
	same(t, "read later", states(t, l, l.Last()), `/p/f exact true "text" `, `/p/g unknown false "" rm g`)
}

// TestGrades: what lowers a grade, and what raises it again.
func TestGrades(t *testing.T) {
	bash := func(command string) func(*writer) {
		return func(w *writer) { w.both("bash", map[string]any{"command": command}, "out", false, nil) }
	}
	for _, tt := range []struct {
		name string
		do   func(*writer)
		want string
	}{
		{"nothing", func(*writer) {}, `/p/f exact true "text\n" `},
		{"a look", bash("cat f | head"), `/p/f exact true "text\n" `},
		{"a test", bash("npm test"), `/p/f derived true "text\n" `},
		{"the user's turn", (*writer).prompt, `/p/f derived true "text\n" `},
		{"a program", bash("./x"), `/p/f unknown true "text\n" ./x`},
		{"a subagent", func(w *writer) { w.both("subagent", map[string]any{}, "out", false, nil) }, `/p/f unknown true "text\n" subagent`},
		{"a redirection", bash("ls > f"), `/p/f unknown true "text\n" ls > f`},
		{"deleted", bash("rm f"), `/p/f derived false "" `},
		{"an edit", func(w *writer) {
			w.both("edit", map[string]any{"path": "f", "oldText": "text", "newText": "new"}, "ok", false, nil)
		}, `/p/f derived true "new\n" `},
		{"an edit that does not apply", func(w *writer) {
			w.both("edit", map[string]any{"path": "f", "oldText": "no", "newText": "new"}, "ok", false, nil)
		}, `/p/f unknown true "text\n" the edit does not apply`},
		{"one that failed", func(w *writer) {
			w.both("edit", map[string]any{"path": "f", "oldText": "text", "newText": "new"}, "no", true, nil)
		}, `/p/f exact true "text\n" `},
		{"a part that fits", func(w *writer) { w.both("read", map[string]any{"path": "f", "offset": 2}, "", false, nil) }, `/p/f exact true "text\n" `},
		{"a part that does not", func(w *writer) {
			w.both("read", map[string]any{"path": "f", "limit": 1}, "new\n\n[1 more lines in file. Use offset=2 to continue.]", false, nil)
		},
			`/p/f unknown true "text\n" a part that was read is another one`},
		{"read again", func(w *writer) { bash("./x")(w); w.both("read", map[string]any{"path": "f"}, "text\n", false, nil) }, `/p/f exact true "text\n" `},
	} {
		w := newWriter(t, false)
		w.both("write", write("f", "text\n"), "done", false, nil)
		tt.do(w)
		l := w.open()
		same(t, tt.name, states(t, l, l.Last()), tt.want)
	}
}
