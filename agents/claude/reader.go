package claude

import (
	"bytes"

	"github.com/zeebo/blake3"

	"tlog/objects"
)

// Reader makes envelopes of the lines of one transcript (docs/claude.md "Lines and envelopes", "The graph", "The live leaf").
// It keeps some words on each row and none of the bytes.
type Reader struct {
	session objects.ID
	known   []record // told of and not taken in yet
	nodes   []node   // by number, the first one stands for none
	names   map[string]int32
	forest  forest
	groups  []group // by number, the first one stands for none
	// again holds the parents of rows that came a second time with another parentUuid; those of first times are in nodes.
	again map[againKey]decision

	lastMain   int32 // the row before, for rows that are no sidechain's
	lastSide   int32
	lastOf     map[string]int32 // the same of a sidechain's agentId
	unlinked   [2]bool          // the file links no rows: of the main history, of sidechains
	shuffled   bool             // a row stood below one that named it, or came again
	walk       int32            // number of the newest walk over progress rows
	ahead      *ahead           // of the records that are being taken in; nil until a parent is missed
	title      titleRank
	timestamp  string
	checkpoint checkpoint
	told       map[objects.ID]struct{} // derived ids of known lines
	same       map[[blake3Size]byte]int
	damaged    int
}

const blake3Size = 32

// NewReader starts a transcript of the session from its first line.
func NewReader(session objects.ID) *Reader {
	return &Reader{
		session: session,
		nodes:   make([]node, 1),
		names:   map[string]int32{},
		forest:  newForest(),
		groups:  make([]group, 1),
		again:   map[againKey]decision{},
		lastOf:  map[string]int32{},
		told:    map[objects.ID]struct{}{},
		same:    map[[blake3Size]byte]int{},
	}
}

// Known implements transcript.Reader. Entries that hold no line of Claude Code are none of its business.
func (r *Reader) Known(e objects.Entry) {
	if !e.Foreign() || e.Agent != Name {
		return
	}
	rec := knownRecord(e)
	if string(rec.id) != rec.uuid {
		r.told[rec.id] = struct{}{}
	}
	r.known = append(r.known, rec)
}

// Read implements transcript.Reader.
func (r *Reader) Read(data []byte) []objects.Envelope {
	r.takeKnown()
	records := make([]record, 0, bytes.Count(data, []byte("\n"))+1)
	for len(data) > 0 {
		line := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end:end], data[end+1:]
		} else {
			data = nil
		}
		first := len(records)
		records = splitLine(records, line)
		if isDamaged(records[first:]) {
			r.damaged++
		}
	}
	for i := range records {
		r.identify(&records[i])
	}
	out := make([]objects.Envelope, len(records))
	for i := range records {
		out[i] = r.take(records, i)
	}
	r.ahead = nil
	return out
}

// takeKnown takes in what was told, all at once, since the parent of a row may stand further down.
func (r *Reader) takeKnown() {
	for i := range r.known {
		r.take(r.known, i)
	}
	r.known, r.ahead = nil, nil
}

// Damaged implements transcript.Reader.
func (r *Reader) Damaged() int { return r.damaged }

// isDamaged reports whether the records of one line are anything but one object, or nothing.
func isDamaged(records []record) bool {
	if len(records) > 1 {
		return true
	}
	line := bytes.Trim(records[0].line, " \t\r")
	return len(line) > 0 && len(line) != len(records[0].object)
}

// take takes in the record i, and gives its envelope.
func (r *Reader) take(records []record, i int) objects.Envelope {
	rec := &records[i]
	v := objects.Envelope{
		Type: objects.TypeMeta, ID: rec.id, Agent: Name, Joined: rec.joined, Line: rec.line, Title: r.takeTitle(rec),
	}
	if rec.row {
		r.takeRow(records, i, &v)
	} else {
		r.checkpoint.take(rec)
		v.Timestamp = rec.timestamp
	}
	if v.Timestamp == "" {
		v.Timestamp = r.timestamp
	}
	r.timestamp = v.Timestamp
	return v
}

// titleRank is how much a line that names the session counts.
type titleRank uint8

const (
	noTitle titleRank = iota
	summaryTitle
	aiTitle
	customTitle
)

// takeTitle is the session's name from the record on; nil if it says nothing about it.
func (r *Reader) takeTitle(rec *record) *string {
	if rec.titleRank == noTitle || rec.titleRank < r.title {
		return nil
	}
	r.title = rec.titleRank
	return &rec.title
}

// sum is the hash by which lines are known again.
func sum(line []byte) [blake3Size]byte { return blake3.Sum256(line) }
