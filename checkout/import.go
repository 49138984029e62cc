package checkout

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/zeebo/blake3"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Imported says what an import did.
type Imported struct {
	Tracking string // the tracking branch
	New      int    // entries that were added
	Entries  int    // of the session now, see [Session.Entries]
	Damaged  int    // lines of the source that could not be read
	Missing  int    // entries known from before that are not in the source any more
	Followed bool   // main stood where the tracking branch stood and moved with it

	// Of a foreign source; Lines to SideFiles tell of this import, the others of the session as it is now.
	Agent     string // whose transcript it is
	Lines     int    // lines of the source that were read now, or records where several stand on one
	Repeats   int    // lines that repeat an earlier one
	Bridged   int    // entries whose parent is nowhere in the source
	SideFiles int    // files beside the transcript that were new or had changed
	// SideErrors tell of what lies beside the transcript and is left out: it could not be read, or is no file of its own.
	SideErrors []error
	Roots      int // of the trees that log shows something of by default
	Leaves     int // of all trees
}

// The tracking branches, by the kind of source.
const (
	trackMessages = "messages"
	trackPi       = "pi"
	trackLog      = "tlog"
)

// SourceKind is the tracking branch for a source of the given format version: pi, messages or tlog.
func SourceKind(version int) string {
	switch {
	case version <= 0:
		return trackMessages
	case version < objects.Version:
		return trackPi
	}
	return trackLog
}

// ImportHeader is the header of a new session for the source (its ID empty for a version 0 source: the caller gives one).
// path is recorded as the source's; original, if not empty, as the name of the file beside the log that keeps the whole source.
// A version 4 source is copied as it is and needs no header; the error wraps objects.ErrInvalid.
func ImportHeader(source *log.Log, path, original string) (objects.Header, error) {
	from := source.Header()
	if from.Version >= objects.Version {
		return objects.Header{}, fmt.Errorf("import %s: %w: expected a source of a version before %d, got %d",
			path, objects.ErrInvalid, objects.Version, from.Version)
	}
	h := objects.Header{
		Timestamp: from.Timestamp, Cwd: from.Cwd, Name: from.Name,
		Agent: SourceKind(from.Version),
	}
	if from.Version > 0 {
		h.ID = from.ID
	}
	b := append(objects.AppendQuote([]byte(`{"path":`), path), `,"version":`...)
	b = strconv.AppendInt(b, int64(from.Version), 10)
	if from.Raw != nil {
		b = append(append(b, `,"header":`...), from.Raw...)
	} else {
		first, err := FirstLine(source)
		if err != nil {
			return objects.Header{}, err
		}
		b = objects.AppendQuote(append(b, `,"first":`...), first)
	}
	if original != "" {
		b = objects.AppendQuote(append(b, `,"original":`...), original)
	}
	h.Source = append(b, '}')
	return h, nil
}

// FirstLine is the BLAKE3 hash of the source's first line, without its "\n", in hex digits. It is how a
// bare message log is known again, which has no id of its own.
func FirstLine(source *log.Log) (string, error) {
	for line, err := range source.Lines(0) {
		if err != nil {
			return "", err
		}
		sum := blake3.Sum256(line.Bytes)
		return hex.EncodeToString(sum[:]), nil
	}
	return "", fmt.Errorf("import %s: %w: expected a line, got none", source.Path(), objects.ErrInvalid)
}

// NeedsOriginal reports whether WriteOriginal would not give back the source
// byte for byte, so that the whole source must be kept: its lines were migrated, or
// it has a byte order mark, lines above the header, or no "\n" at its end.
func NeedsOriginal(source *log.Log) (bool, error) {
	if v := source.Version(); v < 3 || v >= objects.Version {
		return true, nil
	}
	ended := false
	for line, err := range source.Lines(0) {
		if err != nil {
			return false, err
		}
		if line.Line == 1 && !(line.Header && string(line.Bytes) == string(source.Header().Raw)) {
			return true, nil
		}
		ended = line.Ended
	}
	return !ended, nil
}

// CreateImport makes a new session at path with the header (of ImportHeader) and the lines of the source, in one
// step: no reader sees a part of it. The errors are those of [log.WriteFile].
func CreateImport(ctx context.Context, path string, header objects.Header, source *log.Log, opt Options) (*Session, Imported, error) {
	return createImport(ctx, path, header, logSource{source}, opt)
}

func createImport(ctx context.Context, path string, header objects.Header, source importSource, opt Options) (*Session, Imported, error) {
	im := newImporter(source, header.ID, 2)
	if err := errors.Join(im.addBase(), im.addAll()); err != nil {
		return nil, Imported{}, err
	}
	if err := im.addBeside(nil, opt); err != nil {
		return nil, Imported{}, err
	}
	st := standing{head: refs.Head{Branch: refs.DefaultBranch, At: log.None}, follows: true}
	if err := im.finish(st, opt); err != nil {
		return nil, Imported{}, err
	}
	if header.Timestamp == "" {
		header.Timestamp = timestamp(opt.Now())
	}
	if err := log.WriteFile(path, header, im.lines, opt.Write); err != nil {
		return nil, Imported{}, err
	}
	s, err := Open(path, opt)
	if err != nil {
		return nil, Imported{}, err
	}
	result, err := s.imported(ctx, im)
	if err != nil {
		return nil, Imported{}, errors.Join(err, s.Close())
	}
	return s, result, nil
}

// Import brings the lines of source that this session does not hold yet into it, in one write, moves the tracking
// branch, and main if it stood there (docs/format.md "Imports"). A source that was rewritten is merged by id; nothing is lost.
// Importing the same again, or an older copy, adds nothing and writes nothing. A line that was being
// written while the source was read, and is not complete, is left for the next import.
func (s *Session) Import(ctx context.Context, source *log.Log) (Imported, error) {
	if v := source.Version(); v > objects.Version {
		return Imported{}, fmt.Errorf("import %s: %w: expected at most %d, got %d", source.Path(), objects.ErrVersion, objects.Version, v)
	}
	return s.importFrom(ctx, logSource{source})
}

func (s *Session) importFrom(ctx context.Context, source importSource) (Imported, error) {
	var im *importer
	err := s.Log.Update(ctx, s.opt.Write, func() (lines []log.Line, err error) {
		if err := s.Refs.Advance(); err != nil {
			return nil, err
		}
		if im, err = s.prepareImport(source); err != nil {
			return nil, err
		}
		return im.lines, nil
	})
	if err != nil {
		return Imported{}, err
	}
	if err := s.Refs.Advance(); err != nil {
		return Imported{}, err
	}
	return s.imported(ctx, im)
}

// prepareImport finds the lines that an import of source has to write.
func (s *Session) prepareImport(source importSource) (*importer, error) {
	own, err := source.own(s)
	if err != nil {
		return nil, err
	}
	im := newImporter(source, s.Log.Header().ID, own.next)
	im.before, im.brokenOff = s.Log.Len(), own.brokenOff()
	done := false
	native, ok := source.(logSource)
	ofLog := ok && native.Version() == objects.Version
	if ofLog {
		done, err = im.continueLog(s.Log, native.Log)
	} else {
		done, err = im.continueLines(own)
	}
	switch {
	case err != nil:
		return nil, err
	case done && ofLog:
		return im, nil
	case !done:
		err = im.merge(own, s.Log)
	}
	if err == nil {
		err = im.addBeside(s.Log, s.opt)
	}
	if foreign, ok := source.(*ForeignSource); ok && err == nil {
		im.remark, err = foreign.outgrew(s, done)
	}
	if err == nil {
		err = im.finish(s.standing(im), s.opt)
	}
	return im, err
}

// Continues reports whether source is what this session was imported from, unchanged, grown or cut short.
func (s *Session) Continues(source *log.Log) (bool, error) {
	from := logSource{source}
	own, err := from.own(s)
	if err != nil {
		return false, err
	}
	return newImporter(from, s.Log.Header().ID, own.next).continueLines(own)
}

// imported tells what was done, and makes good what could not be foreseen.
func (s *Session) imported(ctx context.Context, im *importer) (Imported, error) {
	if err := s.followAgain(ctx, im); err != nil {
		return Imported{}, err
	}
	done := Imported{
		Tracking: im.tracking, New: im.added, Missing: im.missing,
		Entries: s.Entries(), Damaged: im.source.damaged(), Followed: im.followed,
	}
	if foreign, ok := im.source.(*ForeignSource); ok {
		done.Agent, done.Lines, done.SideFiles = im.tracking, len(foreign.envelopes), im.beside
		done.SideErrors = im.sideErrs
		s.countForeign(&done, im.before)
	}
	return done, nil
}

// Entries is the number of the session's entries: those of the history, and every line of an agent's file, but for
// repeats.
func (s *Session) Entries() int {
	n := 0
	for i := range s.Log.Len() {
		if r := s.Log.Record(i); r.Tree() || r.Foreign && r.RepeatOf == log.None {
			n++
		}
	}
	return n
}

// followAgain sets main to the tracking branch if it should stand there and does
// not: the id of an entry without one of its own, or of one told apart
// from another, is known for certain only when its line is in the log.
func (s *Session) followAgain(ctx context.Context, im *importer) error {
	tracked, ok := s.Refs.Branch(im.tracking)
	if !im.followed || !ok {
		return nil
	}
	if main, ok := s.Refs.Branch(refs.DefaultBranch); ok && main.At == tracked.At {
		return nil
	}
	return s.update(ctx, func(b *batch) error {
		if b.head.Branch == refs.DefaultBranch {
			b.tips[""] = s.idOf(tracked.At)
		}
		return b.setRef(refs.DefaultBranch, s.idOf(tracked.At), ImportReason+im.tracking)
	})
}
