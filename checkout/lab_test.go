package checkout_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// lab is a session in a temporary folder, with a clock that ticks and seeded ids.
type lab struct {
	tb testing.TB
	*checkout.Session
	path string
	opt  checkout.Options
	seen []byte // the file when inspect last looked
}

func newLab(t testing.TB, seed uint64) *lab {
	t.Helper()
	l := &lab{tb: t, path: filepath.Join(t.TempDir(), "session.jsonl"), opt: labOptions(seed)}
	s, err := checkout.Create(l.path, objects.Header{Cwd: "/srv/demo"}, l.opt)
	if err != nil {
		t.Fatal(err)
	}
	l.Session = s
	t.Cleanup(func() { l.Session.Close() })
	return l
}

func labOptions(seed uint64) checkout.Options {
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	return checkout.Options{
		Now:    func() time.Time { now = now.Add(1234567); return now },
		Random: rand.NewChaCha8(key),
		Write:  log.WriteOptions{Durability: log.DurabilityOS},
	}
}

func (l *lab) reopen() {
	l.tb.Helper()
	if err := l.Session.Close(); err != nil {
		l.tb.Fatal(err)
	}
	s, err := checkout.Open(l.path, l.opt)
	if err != nil {
		l.tb.Fatal(err)
	}
	l.Session = s
}

func (l *lab) ok(err error) {
	l.tb.Helper()
	if err != nil {
		l.tb.Fatal(err)
	}
}

// fails wants an error of a class that says something.
func (l *lab) fails(err, class error, says ...string) {
	l.tb.Helper()
	if !errors.Is(err, class) {
		l.tb.Fatalf("got error %v, want one that wraps %q", err, class)
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			l.tb.Errorf("error %q does not say %q", err, s)
		}
	}
}

// add appends lines to HEAD and gives the last id.
func (l *lab) add(lines ...string) objects.ID {
	l.tb.Helper()
	return l.addTo("", lines...)
}

func (l *lab) addTo(branch string, lines ...string) objects.ID {
	l.tb.Helper()
	ids, err := l.tryAdd(branch, lines...)
	l.ok(err)
	return ids[len(ids)-1]
}

func (l *lab) tryAdd(branch string, lines ...string) ([]objects.ID, error) {
	raw := make([][]byte, len(lines))
	for i, line := range lines {
		raw[i] = []byte(line)
	}
	return l.Append(context.Background(), raw, checkout.AppendOptions{Branch: branch})
}

// say is a user's message, as it is appended.
func say(text string) string { return fmt.Sprintf(`{"role":"user","content":%q}`, text) }

// use is an assistant's message with tool calls.
func use(ids ...string) string {
	var blocks []string
	for _, id := range ids {
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"bash","arguments":{}}`, id))
	}
	return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
}

// result is the result of a tool call.
func result(id string) string {
	return fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"toolName":"bash","content":[{"type":"text","text":"r-%s"}],"isError":false}`, id, id)
}

func (l *lab) find(id objects.ID) int {
	l.tb.Helper()
	i, ok := l.Log.Find(id)
	if !ok {
		l.tb.Fatalf("no entry %s", id)
	}
	return i
}

func (l *lab) entry(id objects.ID) objects.Entry {
	l.tb.Helper()
	e, err := l.Log.Entry(l.find(id))
	l.ok(err)
	return e
}

// tip is the id where a branch, or with "" HEAD, stands.
func (l *lab) tip(branch string) objects.ID {
	l.tb.Helper()
	at := l.Refs.Head().At
	if branch != "" {
		b, ok := l.Refs.Branch(branch)
		if !ok {
			l.tb.Fatalf("no branch %s", branch)
		}
		at = b.At
	}
	if at == log.None {
		return ""
	}
	return l.Log.Record(at).ID
}

// visible are the texts of what is visible on a path, oldest first, in short.
func (l *lab) visible(at int) string {
	l.tb.Helper()
	h, err := refs.NewHistory(l.Log, at)
	l.ok(err)
	return l.texts(h.Visible())
}

func (l *lab) texts(entries []int) string {
	l.tb.Helper()
	var texts []string
	for _, i := range entries {
		e, err := l.Log.Entry(i)
		l.ok(err)
		m, ok := objects.DecodeMessage(e)
		text := m.Text()
		for _, c := range m.Calls() {
			text += "c-" + c.CallID
		}
		if !ok {
			text = string(e.Type)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

func (l *lab) wantVisible(want string) {
	l.tb.Helper()
	if got := l.visible(l.Refs.Head().At); got != want {
		l.tb.Errorf("visible: got %q, want %q", got, want)
	}
}

// inspect checks what must hold after each operation: bytes that were written
// stay, the last line descends from the tip of HEAD, the chain holds, nothing is amiss.
func (l *lab) inspect() {
	l.tb.Helper()
	now, err := os.ReadFile(l.path)
	l.ok(err)
	if !bytes.HasPrefix(now, l.seen) {
		l.tb.Fatalf("bytes of the log were changed: %d bytes now, %d before", len(now), len(l.seen))
	}
	l.seen = now
	for f := range l.Log.Check() {
		if f.Code.Severity() != log.Info {
			l.tb.Errorf("line %d: %s: %s", f.Line, f.Code, f.Message)
		}
	}
	for _, f := range l.Refs.Check() {
		l.tb.Errorf("line %d: %s: %s", f.Line, f.Code, f.Message)
	}
	l.inspectLast(now)
}

// inspectLast follows parentId from the last line, as a program does that knows of no refs.
func (l *lab) inspectLast(file []byte) {
	l.tb.Helper()
	lines := bytes.Split(bytes.TrimSuffix(file, []byte("\n")), []byte("\n"))
	if len(lines) == 1 {
		return
	}
	e, err := objects.ParseEntry(lines[len(lines)-1])
	l.ok(err)
	if e.Chain == "" {
		l.tb.Errorf("the last line has no chain: %s", e.Raw)
	}
	id := e.ID
	for id != "" {
		e := l.entry(id)
		if !e.Type.Journal() {
			break
		}
		id = e.ParentID
	}
	if tip := l.tip(""); id != tip {
		l.tb.Errorf("the last line descends from %q, HEAD stands at %q", id, tip)
	}
}
