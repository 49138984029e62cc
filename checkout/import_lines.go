package checkout

import (
	"bytes"
	"slices"

	"github.com/zeebo/blake3"

	"tlog/log"
	"tlog/objects"
)

// lineHash names the bytes of a line.
type lineHash [32]byte

// sourceLine is a line of a source as it is to stand in the log, without what tlog adds.
type sourceLine struct {
	bytes  []byte
	entry  objects.Entry // of an object
	object bool
	tree   bool // an entry of the history, or a repeat of one
	repeat bool
	leaf   bool // the source's leaf
	// before is the line as it stands in the source if bytes differ: a parent
	// that is not brought along was replaced. Else nil.
	before []byte
	// envelope is the entry that holds a foreign line, whose bytes are those of the agent's own file; else nil.
	envelope *objects.Envelope
}

// written is the line as it is written to the log, without what is added to it. It shares no memory.
func (l sourceLine) written() []byte {
	if l.envelope != nil {
		return l.envelope.Bytes()
	}
	return bytes.Clone(l.bytes)
}

// named reports whether the line has an id of its own. That of an agent's line that is no entry is made of its bytes.
func (l sourceLine) named() bool {
	return l.entry.ID.Valid() && (l.envelope == nil || l.tree)
}

func (l sourceLine) blank() bool { return len(bytes.TrimSpace(l.bytes)) == 0 }

// newSourceLine looks at a line of a source.
func newSourceLine(source *log.Log, raw log.RawLine) (sourceLine, error) {
	line := sourceLine{bytes: raw.Bytes}
	if raw.Record == log.None {
		line.entry, line.object = objectIn(raw.Bytes)
		return line, nil
	}
	r := source.Record(raw.Record)
	line.repeat = r.RepeatOf != log.None
	line.tree = r.Tree() || line.repeat && source.Record(r.RepeatOf).Tree()
	line.object = true
	switch v := source.Version(); {
	case v < migratedBelow:
		entry, err := source.Entry(raw.Record)
		line.entry, line.bytes = entry, entry.Raw
		return line, err
	case v >= objects.Version:
		return line, line.takeBody(source, raw.Record)
	}
	line.entry, line.object = objectIn(raw.Bytes)
	return line, nil
}

// migratedBelow is the first version whose lines are those of version 4.
const migratedBelow = 3

// takeBody takes an entry of a tlog log without what its log added. Journal entries are not brought
// along, so a parent among them is replaced by the entry that it stands for.
func (l *sourceLine) takeBody(source *log.Log, i int) error {
	entry, err := source.Whole(i)
	if err != nil {
		return err
	}
	l.entry, l.bytes = entry, entry.Raw
	r := source.Record(i)
	if r.Parent == log.None || source.Record(r.Parent).ID == r.ParentID {
		return nil
	}
	l.before = l.bytes
	l.bytes = objects.ReplaceValue(l.bytes, "parentId", objects.AppendQuote(nil, string(source.Record(r.Parent).ID)))
	l.entry, err = objects.ParseEntry(l.bytes)
	return err
}

// objectIn finds the object of a line. What may stand around it is what the reader of
// logs passes over too: white space, NULs, a byte order mark.
func objectIn(line []byte) (objects.Entry, bool) {
	start, end := objectBounds(line)
	if start == end {
		return objects.Entry{}, false
	}
	entry, err := objects.ParseEntry(line[start:end])
	return entry, err == nil
}

// objectBounds is where the object of a line is if it has one.
func objectBounds(line []byte) (start, end int) {
	const mark = "\xEF\xBB\xBF"
	rest := line
	for {
		rest = bytes.TrimLeft(rest, " \t\r\x00")
		cut, found := bytes.CutPrefix(rest, []byte(mark))
		if !found {
			break
		}
		rest = cut
	}
	start = len(line) - len(rest)
	return start, start + len(bytes.TrimRight(rest, " \t\r\x00"))
}

// withRef is a line that has an object with `ref` added at the object's end.
func withRef(line []byte, branch string) []byte {
	start, end := objectBounds(line)
	object := objects.AppendMembers(line[start:end], member(objects.StringField("ref", branch)))
	return slices.Concat(line[:start], object, line[end:])
}

// bare is a line of a log, whose object is e, as it was before it was written: with what lies in blobs, without what
// was added to it. If a blob cannot be had it is the line with a marked placeholder, and the error a *log.BlobError.
func bare(l *log.Log, line log.RawLine, e objects.Entry) ([]byte, error) {
	if e.Blobs == nil && e.Ref == "" && e.Chain == "" {
		return line.Bytes, nil
	}
	whole, err := l.Fill(e, line.Line)
	start, end := objectBounds(line.Bytes)
	if start == 0 && end == len(line.Bytes) {
		return whole.Raw, err
	}
	return slices.Concat(line.Bytes[:start], whole.Raw, line.Bytes[end:]), err
}

// hashOf is the hash of a line without the white space at its end, of which a part may
// be missing while the line is being written.
func hashOf(line []byte) lineHash { return blake3.Sum256(bytes.TrimRight(line, " \t\r")) }
