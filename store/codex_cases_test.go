package store_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/objects/sharedtest"
	"tlog/projection"
	"tlog/store"
)

// imported are the sessions that the rollouts of a case become, in the order of their names.
func imported(t *testing.T, parts ...string) (sessions []*checkout.Session, done []store.Imported) {
	t.Helper()
	st := store.Open(filepath.Join(t.TempDir(), "store"))
	opt := checkout.Options{Now: time.Now, Random: bytes.NewReader(make([]byte, 1<<16))}
	for _, file := range sharedtest.Glob(t, "rollout-*.jsonl", parts...) {
		result, err := st.Import(context.Background(), file, t.TempDir(), opt)
		if err != nil {
			t.Fatal(err)
		}
		s, err := checkout.Open(result.File, opt)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		sessions, done = append(sessions, s), append(done, result)
	}
	return sessions, done
}

// shown are the ids of the entries that are shown, by their texts.
func shown(t *testing.T, l *log.Log) (ids map[string]objects.ID, texts []string) {
	t.Helper()
	ids = map[string]objects.ID{}
	for i := range l.Len() {
		_, m, ok, err := l.MessageAt(i)
		if err != nil {
			t.Fatal(err)
		}
		if r := l.Record(i); ok && r.Tree() && r.Visible() {
			ids[m.Text()] = r.ID
			texts = append(texts, m.Text())
		}
	}
	return ids, texts
}

// TestSharedCodexCaseB101: odd lines are kept, and hide no others.
func TestSharedCodexCaseB101(t *testing.T) {
	sessions, done := imported(t, "cases", "bugs", "B101")
	l := sessions[0].Log
	if _, texts := shown(t, l); !slices.Equal(texts, []string{"one mark-01", "plain string mark-02", "two mark-03"}) || done[0].Entries != 8 {
		t.Errorf("%q, %d entries", texts, done[0].Entries)
	}
	var c projection.UsageCount
	for i := range l.Len() {
		if err := c.Add(l, i); err != nil {
			t.Fatal(err)
		}
	}
	if u := c.Total(); u.Recorded || u.Replies != 0 {
		t.Errorf("%+v", u)
	}
}

// TestSharedCodexCaseB103: a fork is known by its first header, and what it copied by what it says.
func TestSharedCodexCaseB103(t *testing.T) {
	sessions, done := imported(t, "cases", "bugs", "B103")
	const source, fork = "019c0000-0000-7000-8000-0000000000a1", "019c0000-0000-7000-8000-0000000000b2"
	if done[0].Session != source || done[1].Session != fork || done[1].ParentSession != source {
		t.Errorf("%+v", done)
	}
	if a, b := sessions[0].Log.Header().Cwd, sessions[1].Log.Header().Cwd; !strings.HasSuffix(a, "/proj/A") || !strings.HasSuffix(b, "/proj/B") {
		t.Errorf("the folders are %s and %s", a, b)
	}
	a, _ := shown(t, sessions[0].Log)
	b, _ := shown(t, sessions[1].Log)
	for _, text := range []string{"base mark-01", "base mark-02"} {
		if a[text] == "" || a[text] != b[text] {
			t.Errorf("%q is %q and %q", text, a[text], b[text])
		}
	}
	for text, in := range map[string]*checkout.Session{"in the source mark-04": sessions[0], "in the fork mark-03": sessions[1]} {
		ids, _ := shown(t, in.Log)
		at, ok := in.Log.Find(ids[text])
		if !ok || in.Log.Record(in.Log.Record(at).Parent).ID != a["base mark-02"] {
			t.Errorf("%q does not stand behind mark-02", text)
		}
	}
	if a["in the source mark-04"] == b["in the fork mark-03"] {
		t.Error("the heads are one")
	}
}

// TestSharedCodexCaseB180: what a fork replays is counted once, two turns of one size twice.
func TestSharedCodexCaseB180(t *testing.T) {
	sessions, _ := imported(t, "cases", "bugs", "B180")
	var c projection.UsageCount
	for _, s := range sessions {
		for i := range s.Log.Len() {
			if err := c.Add(s.Log, i); err != nil {
				t.Fatal(err)
			}
		}
	}
	if u := c.Total(); u.Input != 250 || u.Output != 25 || u.Replies != 3 {
		t.Errorf("%+v", u)
	}
}

// TestSharedCodexFamilies: the copies in a fork that the real client made have the ids of their originals, what it wrote itself has not.
func TestSharedCodexFamilies(t *testing.T) {
	home := []string{"samples", "codex", "legacy", "home", ".codex", "sessions", "2026"}
	source, _ := imported(t, append(home, "01", "02")...)
	fork, _ := imported(t, append(home, "11", "30")...)
	a, texts := shown(t, source[0].Log)
	b, _ := shown(t, fork[0].Log)
	copied := 0
	for _, text := range texts[:slices.Index(texts, "A1")+1] {
		if a[text] == "" || a[text] != b[text] {
			t.Errorf("%q is %q and %q", text, a[text], b[text])
		}
		copied++
	}
	if own := b["fork of legacy"]; copied < 6 || own == "" {
		t.Errorf("%d copies, own %q", copied, own)
	} else if _, ok := source[0].Log.Find(own); ok {
		t.Error("what the fork wrote is in its source")
	}
}

// TestSharedCodexCaseB155: a rollout that was rewritten loses nothing, and is a branch of its own.
func TestSharedCodexCaseB155(t *testing.T) {
	st := store.Open(filepath.Join(t.TempDir(), "store"))
	opt := checkout.Options{Now: time.Now, Random: bytes.NewReader(make([]byte, 1<<16))}
	var done store.Imported
	for _, day := range []string{"day1", "day2"} {
		var err error
		file := sharedtest.Glob(t, "*.jsonl", "cases", "bugs", "B155", day)[0]
		if done, err = st.Import(context.Background(), file, t.TempDir(), opt); err != nil {
			t.Fatal(err)
		}
	}
	if done.State != store.SourceShrunk || done.Missing != 4 || done.New != 2 {
		t.Errorf("%+v", done)
	}
	s, err := checkout.Open(done.File, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, texts := shown(t, s.Log)
	if got := strings.Join(texts, "|"); got != "plan mark-01|answer mark-02|more mark-03|more answer mark-04|after mark-06" {
		t.Errorf("%q", got)
	}
	if _, m, _, err := s.Log.MessageAt(s.Refs.Head().At); err != nil || m.Text() != "after mark-06" {
		t.Errorf("HEAD is at %q (%v)", m.Text(), err)
	}
}
