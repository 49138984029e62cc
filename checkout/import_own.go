package checkout

import (
	"errors"
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
	ownBeside                  // stands among the lines of an import and is none of the source's
	ownImported                // of an import
)

// ownLine is a line of the log behind the header, as far as an import has to know it.
type ownLine struct {
	sum    lineHash // of the line as it stood in the source
	size   int      // of that, in bytes
	line   int      // its number
	kind   ownKind
	object bool
	entry  bool       // it counts as missing where the source has it no more
	named  bool       // it has an id of its own
	id     objects.ID // that, of an entry of a document, whatever it goes by
	hole   bool       // a blob of it is missing, so that sum is not that of the line as it came in
	// completed: the next line of the source is this one, as it was when it had been written to its end.
	completed bool
	joined    bool // no "\n" stood behind it in the source
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
	for i := len(o.lines) - 1; i >= 0 && o.lines[i].inRun(); i-- {
		if o.lines[i].kind == ownMaybe && o.lines[i].object {
			first = o.lines[i].line
		}
	}
	return first
}

// inRun reports whether the line may be one of a run of imported ones.
func (l ownLine) inRun() bool { return l.kind == ownMaybe || l.kind == ownBeside }

// readOwn reads what a log holds of its source. run tells which lines are of imports.
func readOwn(l *log.Log, run runFinder) (ownLines, error) {
	own := ownLines{next: 1}
	last := log.None // the last foreign line
	for raw, err := range l.Lines(0) {
		if err != nil {
			return ownLines{}, err
		}
		own.next = raw.Line + 1
		if raw.Header {
			continue
		}
		entry, object := objectIn(raw.Bytes)
		line := ownLine{line: raw.Line, object: object, entry: object, named: entry.ID.Valid(), kind: run.kindOf(entry, object)}
		switch {
		case !object:
			line.sum = hashOf(raw.Bytes)
		case !run.foreign:
			err = line.take(bare(l, raw, entry))
		case line.kind == ownMaybe:
			if last != log.None && isTrue(entry, "completes") {
				own.lines[last].completed = true
			}
			last = len(own.lines)
			err = line.takeForeign(l, entry)
		}
		if err != nil {
			return ownLines{}, err
		}
		own.lines = append(own.lines, line)
		if run.ended {
			own.markImported(len(own.lines) - 2)
		}
	}
	return own, nil
}

// take takes in the line as it came in. The error is passed on, unless it only says that a blob is
// missing: the line is none of the source's then, so that it comes in again, and with it the blob.
func (l *ownLine) take(whole []byte, err error) error {
	var hole *log.BlobError
	if err != nil && !errors.As(err, &hole) {
		return err
	}
	l.sum, l.size, l.hole = hashOf(whole), len(whole), err != nil
	return nil
}

// takeForeign takes in the agent's line in an envelope.
func (l *ownLine) takeForeign(of *log.Log, e objects.Entry) error {
	whole, err := of.Fill(e, l.line)
	source, ok := whole.SourceLine()
	if !ok {
		source = whole.Raw // its base64 is damaged, so that it is none of the source's
	}
	l.entry = !e.Type.Journal()
	l.named = l.named && l.entry
	l.joined = isTrue(e, "joined")
	if l.named && e.Get("layout") != nil {
		l.id = e.ID
	}
	return l.take(source, err)
}

// isTrue reports whether a member of an entry is true.
func isTrue(e objects.Entry, key string) bool { return string(e.Get(key)) == "true" }

// isBeginning reports whether line i is the last that was imported, and what it was when the other one had been written in part.
func (o *ownLines) isBeginning(i int, whole []byte) bool {
	l := o.lines[i]
	if l.kind != ownImported || l.size > len(whole) || hashOf(whole[:l.size]) != l.sum {
		return false
	}
	for _, later := range o.lines[i+1:] {
		if later.kind == ownImported {
			return false
		}
	}
	return true
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
	for ; i >= 0 && o.lines[i].inRun(); i-- {
		if o.lines[i].kind == ownMaybe {
			o.lines[i].kind = ownImported
		}
	}
}

// runFinder finds the lines of imports: a run of lines of the tracking branch
// and of lines that are no objects, with an import's ref or head line behind it. Of a foreign source they are
// those that hold a line of it.
type runFinder struct {
	tracking string
	foreign  bool
	ended    bool // the last line seen is the ref or head line behind a run
}

// kindOf says what the next line is.
func (f *runFinder) kindOf(e objects.Entry, object bool) ownKind {
	f.ended = false
	switch {
	case f.foreign && (!object || e.Base != "" || e.Ref == f.tracking && !e.Foreign() && e.Type == objects.TypeMeta):
		return ownBeside // a write of tlog's that broke off, what stands in another transcript, or beside this one
	case !object, e.Ref == f.tracking && (!f.foreign || e.Foreign()):
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
