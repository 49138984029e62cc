package checkout_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents"
	"tlog/agents/claude"
	"tlog/agents/claude/claudegentest"
	"tlog/agents/transcript"
	"tlog/checkout"
	"tlog/objects"
)

// countingReader counts the bytes that are read of a source.
type countingReader struct {
	data []byte
	read int
}

func (r *countingReader) ReadAt(p []byte, offset int64) (int, error) {
	n, err := bytes.NewReader(r.data).ReadAt(p, offset)
	r.read += n
	return n, err
}

// foreignLab is a session that is imported from a transcript.
type foreignLab struct {
	t      *testing.T
	path   string
	id     objects.ID
	opt    checkout.Options
	agent  agents.Foreign
	source *countingReader
}

func newForeignLab(t *testing.T, seed uint64) *foreignLab {
	return &foreignLab{
		t: t, path: filepath.Join(t.TempDir(), "session.jsonl"), id: "00000000-0000-4000-8000-000000000001",
		opt: labOptions(seed), agent: claude.Agent{}, source: &countingReader{},
	}
}

// create imports data into a new session.
func (l *foreignLab) create(data []byte) checkout.Imported {
	l.t.Helper()
	l.source.data = data
	header := checkout.ForeignHeader(claude.Name, "/src/a.jsonl", transcript.Identity{ID: l.id, Cwd: "/srv/demo"})
	s, done, err := checkout.CreateForeign(l.t.Context(), l.path, header, l.transcript(), l.opt)
	if err != nil {
		l.t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		l.t.Fatal(err)
	}
	return done
}

func (l *foreignLab) transcript() *checkout.ForeignSource {
	return checkout.NewForeignSource(l.agent, l.id, "/src/a.jsonl", l.source, int64(len(l.source.data)))
}

// grow imports the transcript again, with more behind it, and tells how many bytes of it were read.
func (l *foreignLab) grow(more string) (checkout.Imported, *checkout.ForeignSource, int) {
	l.t.Helper()
	l.source.data = append(l.source.data, more...)
	l.source.read = 0
	s, err := checkout.Open(l.path, l.opt)
	if err != nil {
		l.t.Fatal(err)
	}
	defer s.Close()
	source := l.transcript()
	done, err := s.ImportForeign(l.t.Context(), source)
	if err != nil {
		l.t.Fatal(err)
	}
	return done, source, l.source.read
}

// TestForeignReadsOnlyWhatIsNew imports a session of 4 MB again after three more lines.
func TestForeignReadsOnlyWhatIsNew(t *testing.T) {
	data, truth := claudegentest.Bytes(rand.New(rand.NewPCG(1, 1)), claudegentest.Options{Size: 4 << 20})
	l := newForeignLab(t, 1)
	if done := l.create(data); done.Lines != truth.Lines {
		t.Errorf("%d lines, want %d", done.Lines, truth.Lines)
	}
	parent, more := truth.Leaf.UUID, ""
	for n := range 3 {
		uuid := fmt.Sprintf("10000000-0000-4000-8000-00000000000%d", n)
		more += fmt.Sprintf(`{"parentUuid":%q,"type":"user","message":{"role":"user","content":"more"},"uuid":%q,"sessionId":%q}`+"\n", parent, uuid, l.id)
		parent = uuid
	}
	done, source, read := l.grow(more)
	if done.New != 3 || done.Lines != 3 || !source.Continued() {
		t.Errorf("%+v", done)
	}
	// Both ends of what was imported are looked at twice: before and behind the import.
	if limit := len(more) + 4*(4<<10) + 1; read > limit {
		t.Errorf("%d bytes were read of %d, at most %d are new or at the ends", read, len(l.source.data), limit)
	}
	if done, _, read := l.grow(""); done.New+done.Lines != 0 || read > 4*(4<<10)+1 {
		t.Errorf("again: %+v, %d bytes read", done, read)
	}
}

// TestForeignComparesAll notices what the marks do not show.
func TestForeignComparesAll(t *testing.T) {
	data, _ := claudegentest.Bytes(rand.New(rand.NewPCG(2, 2)), claudegentest.Options{Size: 64 << 10})
	l := newForeignLab(t, 2)
	l.create(data)
	at := bytes.Index(data[len(data)/2:], []byte(`"text":"`)) + len(data)/2 + len(`"text":"`)
	data[at] ^= 1
	if done, _, _ := l.grow(""); done.New != 0 {
		t.Errorf("the ends are the same: %+v", done)
	}
	l.source.read = 0
	s, err := checkout.Open(l.path, l.opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	source := l.transcript()
	source.CompareAll = true
	done, err := s.ImportForeign(t.Context(), source)
	if err != nil || done.New != 1 || done.Missing != 1 {
		t.Errorf("%+v %v", done, err)
	}
}

// TestForeignRefuses a transcript of another agent's session.
func TestForeignRefuses(t *testing.T) {
	l := newLab(t, 1)
	source := checkout.NewForeignSource(claude.Agent{}, "x", "/src/a.jsonl", strings.NewReader(""), 0)
	_, err := l.ImportForeign(t.Context(), source)
	l.fails(err, objects.ErrRefused, "claude")
}

// lostAgent writes transcripts after which it would go on nowhere.
type lostAgent struct{ claude.Agent }

type lostReader struct{ transcript.Reader }

func (lostReader) Leaf() objects.ID { return "" }

func (a lostAgent) NewReader(session objects.ID) transcript.Reader {
	return lostReader{a.Agent.NewReader(session)}
}

// TestForeignNowhere imports what has no entry that the agent would go on at: the session holds it, and no branch does.
func TestForeignNowhere(t *testing.T) {
	l := newForeignLab(t, 3)
	aside := `{"parentUuid":null,"type":"user","message":{"role":"user","content":"aside"},"uuid":"s-1","sessionId":"x"}` + "\n"
	mode := `{"type":"mode","mode":"normal","sessionId":"x"}` + "\n"
	l.agent = lostAgent{}
	l.create([]byte(aside))
	entries := 1
	for _, more := range []string{"", mode, aside} {
		l.grow(more)
		if more == mode {
			entries++ // the row aside is a repeat
		}
		s, err := checkout.Open(l.path, l.opt)
		if err != nil {
			t.Fatal(err)
		}
		if branches := s.Refs.Branches(); len(branches) != 0 || s.Entries() != entries {
			t.Errorf("behind %q: branches %v, %d entries", more, branches, s.Entries())
		}
		s.Close()
	}
	l.agent = claude.Agent{}
	done, _, _ := l.grow(`{"parentUuid":null,"type":"user","message":{"role":"user","content":"hello"},"uuid":"a-1","sessionId":"x"}` + "\n")
	if !done.Followed || done.New != 1 || done.Roots != 2 {
		t.Errorf("%+v", done)
	}
}
