package refs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
)

const (
	testHeader = `{"type":"session","version":4,"id":"s1","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}`
	testTime   = "2026-11-30T10:00:01.000Z"
)

// text is a member with a string value.
func text(key, value string) objects.Field { return objects.StringField(key, value) }

// raw is a member with a value given as JSON.
func raw(key, value string) objects.Field { return objects.Field{Key: key, Value: []byte(value)} }

// line is an entry; an empty parent is null.
func line(t objects.Type, id, parent string, fields ...objects.Field) string {
	return string(objects.Build(t, objects.ID(id), objects.ID(parent), testTime, fields...))
}

// say is a message.
func say(id, parent, role, content string, more ...objects.Field) string {
	message := `{"role":"` + role + `","content":` + string(objects.AppendQuote(nil, content)) + `}`
	return line(objects.TypeMessage, id, parent, append([]objects.Field{raw("message", message)}, more...)...)
}

// undo is a skip or unskip entry.
func undo(t objects.Type, id, parent string, targets ...string) string {
	return line(t, id, parent, raw("targetIds", `["`+strings.Join(targets, `","`)+`"]`))
}

// ref is a ref line; an empty target is null.
func ref(id, parent, name, target, reason string) string {
	return line(objects.TypeRef, id, parent, text("name", name), objects.IDField("targetId", objects.ID(target)), text("reason", reason))
}

// attach and detach are head lines.
func attach(id, parent, name, reason string) string {
	return line(objects.TypeHead, id, parent, text("name", name), text("reason", reason))
}

func detach(id, parent, target, reason string) string {
	return line(objects.TypeHead, id, parent, text("targetId", target), text("reason", reason))
}

func label(id, parent, target, label string) string {
	return line(objects.TypeLabel, id, parent, text("targetId", target), text("label", label))
}

// openLog writes the lines below a header and opens the file.
func openLog(t testing.TB, lines ...string) *log.Log {
	t.Helper()
	return openUnder(t, testHeader, lines...)
}

func openUnder(t testing.TB, header string, lines ...string) *log.Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	appendLines(t, path, append([]string{header}, lines...)...)
	l, err := log.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// appendLines appends as a program would that knows nothing of tlog.
func appendLines(t testing.TB, path string, lines ...string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
		t.Fatal(err)
	}
}

func foldLog(t testing.TB, l *log.Log) *State {
	t.Helper()
	s, err := Fold(l)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func foldLines(t testing.TB, lines ...string) *State {
	t.Helper()
	return foldLog(t, openLog(t, lines...))
}

// idOf is the id of record i, "-" for log.None.
func idOf(l *log.Log, i int) string {
	if i == log.None {
		return "-"
	}
	return string(l.Record(i).ID)
}

// idsOf joins the ids of records.
func idsOf(l *log.Log, entries []int) string {
	ids := make([]string, len(entries))
	for n, i := range entries {
		ids[n] = idOf(l, i)
	}
	return strings.Join(ids, " ")
}

// at is the index of the entry with the id.
func at(t testing.TB, l *log.Log, id string) int {
	t.Helper()
	i, ok := l.Find(objects.ID(id))
	if !ok {
		t.Fatalf("no entry %s", id)
	}
	return i
}

// headOf is HEAD as "branch id".
func headOf(s *State) string {
	h := s.Head()
	return h.Branch + " " + idOf(s.log, h.At)
}

// branchesOf are the branches as "name=id".
func branchesOf(s *State) string {
	var out []string
	for _, b := range s.Branches() {
		out = append(out, b.Name+"="+idOf(s.log, b.At))
	}
	return strings.Join(out, " ")
}

func check(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}
