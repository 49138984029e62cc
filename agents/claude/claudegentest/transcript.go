// Package claudegentest writes transcripts as Claude Code does, for tests: by hand, a row at a time, or at random. What it
// writes is known to it by construction and not by reading, so it tells what a reader has to make of it.
package claudegentest

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

// Row is a row of a transcript and its place in the history that the user saw.
type Row struct {
	UUID string
	Prev *Row // the row before it in the history; nil for a root
	Line int  // of its first copy, from 1
	// Visible: it is a message or a compaction. The others are attachments and notes of the client.
	Visible bool
	// Hidden: it is part of the context, but nobody said it, or it is a sidechain's.
	Hidden bool

	role  string // "user", "assistant", empty for what is not sent
	reply string // message.id
	parts []Part
	unled bool // the client goes past it when it goes on: it is not sent again

	boundary *compaction
	children int
	side     bool
}

// compaction is what a boundary row does to the rows before it.
type compaction struct {
	kept        []*Row
	afterAnchor *Row // the row behind which they are sent; nil for the boundary itself
}

// Transcript is one that is being written.
type Transcript struct {
	ID      string // of the session
	Cwd     string
	Model   string
	Version string
	// AgentID is the id of the subagent, if it is the transcript of one.
	AgentID string

	w    io.Writer
	err  error
	rng  *rand.Rand
	time time.Time
	size int64
	line int

	at        *Row   // the end of the history
	parent    string // what the next row names as its parent
	promptID  string
	requests  int
	last      []byte // the last line of a row
	rewound   bool   // the next prompt is followed by what says so
	sideAt    *Row   // the last row of a sidechain
	sideAgent string
	unlinked  bool

	truth Truth
}

// New begins the transcript of a session. The same rng gives the same bytes.
func New(w io.Writer, rng *rand.Rand) *Transcript {
	t := &Transcript{
		Cwd: "/home/ada/shop", Model: "claude-opus-5-5", Version: "2.1.332",
		w: w, rng: rng, time: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
	}
	t.ID = t.uuid()
	t.promptID = t.uuid()
	return t
}

// Err is the first error of writing.
func (t *Transcript) Err() error { return t.err }

// Size is the number of bytes written.
func (t *Transcript) Size() int64 { return t.size }

// At is the row at which the session would go on.
func (t *Transcript) At() *Row { return t.at }

// Raw writes bytes as they are: damage, or what another program wrote.
func (t *Transcript) Raw(data []byte) {
	n, err := t.w.Write(data)
	t.size += int64(n)
	t.line += bytes.Count(data, []byte{'\n'})
	if t.err == nil {
		t.err = err
	}
}

// write writes a line.
func (t *Transcript) write(line []byte) { t.Raw(append(line, '\n')) }

// Lose lets the next row name a parent that is nowhere, and gives its uuid.
func (t *Transcript) Lose() (parent string) {
	t.parent = t.uuid()
	return t.parent
}

// Unlink lets all rows from now on name no parent, as some programs write them. In the history they stand behind each other.
func (t *Transcript) Unlink() { t.unlinked = true }

// Again writes the line of the last row once more.
func (t *Transcript) Again() { t.write(bytes.Clone(t.last)) }

func (t *Transcript) uuid() string {
	a, b := t.rng.Uint64(), t.rng.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0x3fff|0x8000, b&0xffffffffffff)
}

// id is a made-up id of the model API.
func (t *Transcript) id(prefix string) string {
	return fmt.Sprintf("%s_01%016x", prefix, t.rng.Uint64())
}

// stamp is the time of the next line: a few milliseconds later.
func (t *Transcript) stamp() string {
	t.time = t.time.Add(time.Duration(1+t.rng.IntN(4000)) * time.Millisecond)
	return t.time.Format("2006-01-02T15:04:05.000Z")
}

// add writes a row that hangs at parent and stands behind prev in the history, and makes it the end of it.
func (t *Transcript) add(row *Row, parent string, prev *Row, own ...any) *Row {
	row.UUID = t.uuid()
	t.put(row, parent, prev, own...)
	return row
}

// put is add for a row that has its uuid already.
func (t *Transcript) put(row *Row, parent string, prev *Row, own ...any) {
	row.Prev, row.Line = prev, t.line+1
	if t.unlinked {
		parent = ""
	}
	pairs := []any{"parentUuid", orNull(parent)}
	pairs = append(pairs, own...)
	pairs = append(pairs, "uuid", row.UUID, "timestamp", t.stamp())
	t.last = object(append(pairs, t.common(row.side)...)...)
	t.write(bytes.Clone(t.last))
	t.truth.Rows = append(t.truth.Rows, row)
	if prev != nil {
		prev.children++
	}
	if !row.side {
		t.at, t.parent = row, row.UUID
	}
}

// common are the members that each row ends with.
func (t *Transcript) common(side bool) []any {
	agent := t.AgentID
	if side && agent == "" {
		agent = t.sideAgent
	}
	return []any{
		"isSidechain", side || t.AgentID != "", "agentId", when(agent != "", agent), "userType", "external", "entrypoint", "cli",
		"cwd", t.Cwd, "sessionId", t.ID, "version", t.Version, "gitBranch", "main",
	}
}

// Side writes a line that is no row: its type, then keys and values in turn.
func (t *Transcript) Side(kind string, pairs ...any) {
	t.write(object(append(append([]any{"type", kind}, pairs...), "sessionId", t.ID)...))
}
