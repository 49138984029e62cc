package checkout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/log"
	"tlog/objects"
)

// ForeignSource is a transcript of a foreign agent on its way into a log: each of its lines becomes an entry
// that holds it verbatim (docs/format.md "Foreign lines"). It is for one import.
type ForeignSource struct {
	// Beside is what the agent keeps beside the transcript.
	Beside []transcript.SideFile
	// Base is what the transcript goes on from by reference. It comes in with a new session, in front of its own lines.
	Base transcript.Base
	// LeaveOpenLine and CompareAll are those of [Options].
	LeaveOpenLine, CompareAll bool
	// MaxTranscript is that of [Options].
	MaxTranscript int64

	agent   agents.Foreign
	session objects.ID
	file    io.ReaderAt
	path    string
	size    int64 // of the file, in bytes

	continued bool  // only what stands behind from is read; the rest was imported before
	from      int64 // the offset of what is read
	end       int64 // the offset behind it
	read      bool
	inexact   bool // the lines are not the bytes that were read
	document  bool // what was read is one
	reader    transcript.Reader
	envelopes []objects.Envelope
}

// maxTranscript is what is read of a transcript at once unless told otherwise, in bytes.
const maxTranscript = 16 << 30

// NewForeignSource is the transcript of an agent's session that stands in the first size bytes of file. path is where it
// lies, absolute; it is only noted.
func NewForeignSource(agent agents.Foreign, session objects.ID, path string, file io.ReaderAt, size int64) *ForeignSource {
	return &ForeignSource{agent: agent, session: session, path: path, file: file, size: size}
}

// CreateForeign makes a new session at path with the header (of ForeignHeader) and the lines of the source, in one step. The errors
// are those of [log.WriteFile].
func CreateForeign(ctx context.Context, path string, header objects.Header, source *ForeignSource, opt Options) (*Session, Imported, error) {
	source.restart()
	return createImport(ctx, path, header, source, opt)
}

// ImportForeign is [Session.Import] of a foreign agent's transcript. Where that only went on, no more is read of it
// than what is new, and no blob of the session is opened.
func (s *Session) ImportForeign(ctx context.Context, source *ForeignSource) (Imported, error) {
	if agent := s.Log.Header().Agent; agent != source.tracking() {
		return Imported{}, fmt.Errorf("import %s: %w: session %s is of %q, expected %q",
			source.path, objects.ErrRefused, s.Log.Header().ID, agent, source.tracking())
	}
	return s.importFrom(ctx, source)
}

// Continued reports whether the source only went on since the last import, so that nothing but that was read.
func (f *ForeignSource) Continued() bool { return f.continued }

// Imported is how many bytes of the source the import took, from its first.
func (f *ForeignSource) Imported() int64 { return f.end }

// Exact reports whether the lines that were read are the source, byte for byte.
func (f *ForeignSource) Exact() bool { return !f.inexact }

// Document reports whether what was read is one JSON document, which is written anew as a whole when it grows.
func (f *ForeignSource) Document() bool { return f.document }

// Path implements importSource.
func (f *ForeignSource) Path() string { return f.path }

// ReadAt implements importSource. What was appended since the source was opened is not there.
func (f *ForeignSource) ReadAt(p []byte, offset int64) (int, error) {
	return io.NewSectionReader(f.file, 0, f.size).ReadAt(p, offset)
}

func (f *ForeignSource) tracking() string         { return f.agent.Name() }
func (f *ForeignSource) leaf() (objects.ID, bool) { return f.reader.Leaf(), true }
func (f *ForeignSource) imported() (int64, error) { return f.end, nil }
func (f *ForeignSource) damaged() int             { return f.reader.Damaged() }

// restart forgets what was read.
func (f *ForeignSource) restart() {
	f.continued, f.from, f.end, f.read, f.inexact, f.envelopes = false, 0, 0, false, false, nil
	f.reader = f.agent.NewReader(f.session)
	if r, ok := f.reader.(transcript.BaseReader); ok && f.Base.Missing != "" {
		r.MissingBase(f.Base.Missing)
	}
}

// own implements importSource. If the source only went on nothing of what the session holds has to be compared.
func (f *ForeignSource) own(s *Session) (ownLines, error) {
	f.restart()
	grown, err := f.wentOn(s)
	if err != nil || grown {
		return ownLines{next: s.Log.NextLine()}, err
	}
	if _, ok := f.reader.(transcript.BaseReader); ok {
		if err := f.tellKnown(s.Log, true); err != nil {
			return ownLines{}, err
		}
	}
	return readOwn(s.Log, runFinder{tracking: f.tracking(), foreign: true})
}

// wentOn finds out by the mark of the last import whether the source only went on since, and goes on from there.
func (f *ForeignSource) wentOn(s *Session) (bool, error) {
	mark, at, err := s.lastMark()
	if err != nil || at == log.None || f.CompareAll || mark.Size > f.size {
		return false, err
	}
	for i := at + 1; i < s.Log.Len(); i++ {
		if r := s.Log.Record(i); r.Foreign && r.Ref == f.tracking() {
			return false, nil // an import behind it broke off
		}
	}
	if ended, err := f.endsAt(mark.Size); err != nil || !ended {
		return false, err
	}
	hash, err := HashSource(f, mark.Size)
	if err != nil || hash != mark.Hash {
		return false, err
	}
	f.continued, f.from, f.end = true, mark.Size, mark.Size
	if f.size == f.from {
		return true, nil
	}
	return true, f.tellKnown(s.Log, false)
}

// outgrew reports whether the source is not what the last import noted of it, nor an older copy: one that fits what
// was imported and is shorter.
func (f *ForeignSource) outgrew(s *Session, fits bool) (bool, error) {
	mark, at, err := s.lastMark()
	if err != nil || at == log.None || fits && f.end < mark.Size {
		return false, err
	}
	if mark.Size != f.end {
		return true, nil
	}
	hash, err := HashSource(f, f.end)
	return hash != mark.Hash, err
}

// endsAt reports whether a line ends at an offset.
func (f *ForeignSource) endsAt(offset int64) (bool, error) {
	if offset == 0 {
		return true, nil
	}
	var last [1]byte
	if n, err := f.ReadAt(last[:], offset-1); n == 0 {
		return false, fmt.Errorf("import %s: %w", f.path, err)
	}
	return last[0] == '\n', nil
}

// tellKnown tells the reader of the lines that the log holds, or only of those that stand in other transcripts.
func (f *ForeignSource) tellKnown(l *log.Log, base bool) error {
	for raw, err := range l.Lines(0) {
		if err != nil {
			return err
		}
		if raw.Record == log.None {
			continue
		}
		if r := l.Record(raw.Record); !r.Foreign || r.Ref != f.tracking() {
			continue
		}
		e, ok := objectIn(raw.Bytes)
		if !ok || base && e.Base == "" {
			continue
		}
		if e.Blobs != nil && e.Get("raw") == nil {
			// All of the line lies in a blob. Without it the reader knows what the entry tells.
			if whole, err := l.Fill(e, raw.Line); err == nil {
				e = whole
			}
		}
		f.reader.Known(e)
	}
	return nil
}

// lines implements importSource. Something is read only the first time.
func (f *ForeignSource) lines() iter.Seq2[sourceLine, error] {
	return func(yield func(sourceLine, error) bool) {
		if err := f.readLines(); err != nil {
			yield(sourceLine{}, fmt.Errorf("import %s: %w", f.path, err))
			return
		}
		for i := range f.envelopes {
			if !yield(foreignLine(&f.envelopes[i]), nil) {
				return
			}
		}
	}
}

// foreignLine is a line of an agent's as an import takes it.
func foreignLine(v *objects.Envelope) sourceLine {
	return sourceLine{
		bytes: v.Line, envelope: v, object: true, tree: !v.Type.Journal(),
		entry: objects.Entry{Type: v.Type, ID: v.ID, ParentID: v.ParentID},
	}
}

// addBase adds what a new session goes on from that stands in other transcripts, and tells the reader of it.
func (im *importer) addBase() error {
	f, ok := im.source.(*ForeignSource)
	if !ok {
		return nil
	}
	for i := range f.Base.Lines {
		line := foreignLine(&f.Base.Lines[i])
		e, err := objects.ParseEntry(line.written())
		if err != nil {
			return fmt.Errorf("import %s: %w", f.path, err)
		}
		f.reader.Known(e)
		im.add(line)
	}
	return nil
}

func (f *ForeignSource) readLines() error {
	if f.read {
		return nil
	}
	limit := f.MaxTranscript
	if limit <= 0 {
		limit = maxTranscript
	}
	if f.size-f.from > limit {
		return fmt.Errorf("%w: expected at most %d bytes that are new, got %d", objects.ErrInvalid, limit, f.size-f.from)
	}
	data := make([]byte, f.size-f.from)
	n, err := f.ReadAt(data, f.from)
	if err != nil && !(n == len(data) && errors.Is(err, io.EOF)) {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // it was cut since its size was asked for
		}
		return err
	}
	if f.LeaveOpenLine {
		data = f.closed(data)
	}
	f.read, f.end = true, f.from+int64(len(data))
	if r, ok := f.reader.(transcript.DocumentReader); ok && f.from == 0 {
		f.document = r.Document(data)
	}
	if len(data) > 0 {
		f.envelopes = f.reader.Read(data)
	}
	f.inexact = !exact(f.envelopes, data)
	return nil
}

// closed is what has been written to its end: of a document all or nothing, of others the whole lines.
func (f *ForeignSource) closed(data []byte) []byte {
	if r, ok := f.reader.(transcript.DocumentReader); ok && f.from == 0 && r.Document(data) {
		if !objects.Valid(bytes.TrimSpace(data)) {
			return nil
		}
		return data
	}
	return data[:bytes.LastIndexByte(data, '\n')+1]
}

// exact reports whether the lines of the envelopes are data again.
func exact(envelopes []objects.Envelope, data []byte) bool {
	for _, v := range envelopes {
		rest, ok := bytes.CutPrefix(data, v.Line)
		if !ok {
			return false
		}
		if data = rest; !v.Joined && len(data) > 0 {
			if data, ok = bytes.CutPrefix(data, []byte{'\n'}); !ok {
				return false
			}
		}
	}
	return len(data) == 0
}

// countForeign counts what stands from a record on, and in the whole session.
func (s *Session) countForeign(done *Imported, from int) {
	done.New = 0
	for i := from; i < s.Log.Len(); i++ {
		switch r := s.Log.Record(i); {
		case !r.Foreign:
		case r.RepeatOf != log.None:
			done.Repeats++
		default:
			done.New++
			if r.Bridged && r.Tree() {
				done.Bridged++
			}
		}
	}
	done.Leaves = 0
	for _, i := range s.Log.Leaves() {
		if !s.Log.Record(i).Replaced {
			done.Leaves++
		}
	}
	done.Roots = shownRoots(s.Log)
}

// shownRoots counts the roots of trees that have an entry which is shown by default.
func shownRoots(l *log.Log) int {
	roots := make([]int, l.Len()) // the root that stands above each, plus 1
	counted := map[int]struct{}{}
	var path []int
	for i := range l.Len() {
		if r := l.Record(i); !r.Tree() || !r.Visible() || r.Replaced {
			continue
		}
		at := i
		path = path[:0]
		for roots[at] == 0 && l.Record(at).Parent != log.None {
			path = append(path, at)
			at = l.Record(at).Parent
		}
		root := roots[at]
		if root == 0 {
			root = at + 1
			roots[at] = root
		}
		for _, p := range path {
			roots[p] = root
		}
		counted[root] = struct{}{}
	}
	return len(counted)
}
