package checkout

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"tlog/log"
	"tlog/objects"
)

// ImportReason begins the reason of the ref or head line that ends the lines of each
// import. It tells them from lines that somebody else wrote to the tracking branch.
const ImportReason = "import: "

// ownKind says where a line of the log is from.
type ownKind uint8

const (
	ownOther    ownKind = iota // written by tlog or appended by an agent
	ownMaybe                   // on the tracking branch, or no object; of an import that broke off, or of others
	ownImported                // of an import
)

// ownLine is a line of the log behind the header, as far as an import has to know it.
type ownLine struct {
	sum    lineHash // of the line without ref and chain
	line   int      // its number
	kind   ownKind
	object bool
	named  bool // it has an id of its own
	hole   bool // a blob of it is missing, so that sum is not that of the line as it came in
}

// ownLines are all lines of the log behind the header.
type ownLines struct {
	lines []ownLine
	next  int // the number of the next line to be appended
}

// brokenOff is the number of the first line of an import at the log's end whose last
// line was never written; 0 if there is none.
func (o *ownLines) brokenOff() int {
	first := 0
	for i := len(o.lines) - 1; i >= 0 && o.lines[i].kind == ownMaybe; i-- {
		if o.lines[i].object {
			first = o.lines[i].line
		}
	}
	return first
}

// readOwn reads what a log holds of its source.
func readOwn(l *log.Log, tracking string) (ownLines, error) {
	own := ownLines{next: 1}
	run := runFinder{tracking: tracking}
	for raw, err := range l.Lines(0) {
		if err != nil {
			return ownLines{}, err
		}
		own.next = raw.Line + 1
		if raw.Header {
			continue
		}
		entry, object := objectIn(raw.Bytes)
		line := ownLine{line: raw.Line, object: object, named: entry.ID.Valid(), kind: run.kindOf(entry, object)}
		if object {
			// A line with a missing blob is none of the source's, so that it comes in again, and with it the blob.
			whole, err := bare(l, raw, entry)
			var hole *log.BlobError
			if err != nil && !errors.As(err, &hole) {
				return ownLines{}, err
			}
			line.sum, line.hole = hashOf(whole), err != nil
		} else {
			line.sum = hashOf(raw.Bytes)
		}
		own.lines = append(own.lines, line)
		if run.ended {
			own.markImported(len(own.lines) - 2)
		}
	}
	return own, nil
}

// sumAt is the hash of the line with a number.
func (o *ownLines) sumAt(line int) (lineHash, bool) {
	i := sort.Search(len(o.lines), func(i int) bool { return o.lines[i].line >= line })
	if i == len(o.lines) || o.lines[i].line != line {
		return lineHash{}, false
	}
	return o.lines[i].sum, true
}

// markImported marks the run of lines that ends with line i.
func (o *ownLines) markImported(i int) {
	for ; i >= 0 && o.lines[i].kind == ownMaybe; i-- {
		o.lines[i].kind = ownImported
	}
}

// runFinder finds the lines of imports: a run of lines of the tracking branch
// and of lines that are no objects, with an import's ref or head line behind it.
type runFinder struct {
	tracking string
	ended    bool // the last line seen is the ref or head line behind a run
}

// kindOf says what the next line is.
func (f *runFinder) kindOf(e objects.Entry, object bool) ownKind {
	f.ended = false
	switch {
	case !object, e.Ref == f.tracking:
		return ownMaybe
	case e.Type == objects.TypeRef || e.Type == objects.TypeHead:
		reason, _ := e.Text("reason")
		f.ended = strings.HasPrefix(reason, ImportReason)
	}
	return ownOther
}

// lineKey tells lines apart that a merge takes for different ones. Lines with an id of their own
// are the same if their bytes are; the others also have to be the same in number.
type lineKey struct {
	sum lineHash
	nth int // 0 for a line with an id
}

// keyMaker makes the keys of lines that are passed to it in order.
type keyMaker map[lineHash]int

func (m keyMaker) keyOf(sum lineHash, named bool) lineKey {
	if named {
		return lineKey{sum: sum}
	}
	m[sum]++
	return lineKey{sum: sum, nth: m[sum]}
}

// index gives for each key the first line that has it.
func (o *ownLines) index() map[lineKey]int {
	index := make(map[lineKey]int, len(o.lines))
	keys := keyMaker{}
	for i, line := range o.lines {
		key := keys.keyOf(line.sum, line.named)
		if _, ok := index[key]; !ok {
			index[key] = i
		}
	}
	return index
}

// idAt is the id of the entry in a line of the log, empty if it holds none.
func idAt(l *log.Log, line int) objects.ID {
	i := sort.Search(l.Len(), func(i int) bool { return l.Record(i).Line >= line })
	if i == l.Len() || l.Record(i).Line != line {
		return ""
	}
	r := l.Record(i)
	if r.RepeatOf != log.None {
		r = l.Record(r.RepeatOf)
	}
	if r.Type.Journal() {
		return ""
	}
	return r.ID
}

// WriteOriginal writes the source's lines as they came in: the source's header and each imported line without
// what tlog added. The result may differ from the source where docs/format.md says so; the store keeps the whole source then.
// The error wraps objects.ErrNotFound if the session is no import.
func (s *Session) WriteOriginal(w io.Writer) error {
	header := s.Log.Header()
	if header.Source == nil {
		return fmt.Errorf("original of session %s: %w: the session is no import", header.ID, objects.ErrNotFound)
	}
	own, err := readOwn(s.Log, header.Agent)
	if err != nil {
		return err
	}
	source, err := objects.ParseEntry(header.Source)
	if err != nil {
		return fmt.Errorf("original of session %s: source in the header: %w", header.ID, err)
	}
	// Written line by line, so that a caller that stops reading stops the work.
	out := lineWriter{w: w}
	if from := source.Get("header"); from != nil {
		out.write(from)
	}
	next := 0
	for raw, err := range s.Log.Lines(0) {
		if err != nil {
			return err
		}
		if raw.Header || next == len(own.lines) {
			continue
		}
		if own.lines[next].kind == ownImported {
			if entry, ok := objectIn(raw.Bytes); ok {
				line, err := bare(s.Log, raw, entry)
				if err != nil {
					return fmt.Errorf("original of session %s: %w", header.ID, err)
				}
				out.write(line)
			} else {
				out.write(raw.Bytes)
			}
		}
		if next++; out.err != nil {
			break
		}
	}
	return out.flush()
}

// lineWriter writes lines by the block and keeps the first error.
type lineWriter struct {
	w   io.Writer
	buf bytes.Buffer
	err error
}

// blockSize is how many bytes a lineWriter gathers.
const blockSize = 64 << 10

func (w *lineWriter) write(line []byte) {
	w.buf.Write(line)
	w.buf.WriteByte('\n')
	if w.buf.Len() >= blockSize {
		w.err = w.flush()
	}
}

func (w *lineWriter) flush() error {
	if w.err == nil && w.buf.Len() > 0 {
		_, w.err = w.w.Write(w.buf.Bytes())
		w.buf.Reset()
	}
	return w.err
}
