package checkout

import (
	"bytes"
	"errors"
	"iter"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// importer collects the lines that an import writes.
type importer struct {
	source   *log.Log
	tracking string
	session  objects.ID // of the log
	next     int        // number of the next line in the log
	lines    []log.Line

	tip  objects.ID // where the added lines leave the tracking branch; empty if they do not move it
	leaf objects.ID // where it has to stand, if that is not tip; else empty
	// brokenOff is the line from which on an earlier import stands at the end of the log without
	// what has to stand behind it; else 0.
	brokenOff int
	journal   bool // a line that was added is one that moves refs
	added     int  // entries
	missing   int
	followed  bool
}

// newImporter starts an import into the log of the session, whose next line has the given number.
func newImporter(source *log.Log, session objects.ID, next int) *importer {
	return &importer{source: source, tracking: SourceKind(source.Version()), session: session, next: next}
}

// leafOf is the record that the source's leaf is in: HEAD's tip of a tlog log,
// the last line that is an entry of others (formats/pi.md section 5).
func leafOf(source *log.Log) (int, error) {
	if source.Version() >= objects.Version {
		state, err := refs.Fold(source)
		if err != nil {
			return log.None, err
		}
		return state.Head().At, nil
	}
	for i := source.Len() - 1; i >= 0; i-- {
		r := source.Record(i)
		if r.RepeatOf != log.None {
			r = source.Record(r.RepeatOf)
		}
		if r.Tree() {
			return i, nil
		}
	}
	return log.None, nil
}

// add adds a line and returns the id of its entry.
func (im *importer) add(line sourceLine) objects.ID {
	out := bytes.Clone(line.bytes)
	if line.object {
		out = withRef(out, im.tracking)
	}
	im.lines = append(im.lines, log.Line{Bytes: out, Verbatim: true})
	number := im.next
	im.next++
	im.journal = im.journal || line.entry.Type.Journal()
	if !line.tree {
		return ""
	}
	if !line.repeat {
		im.added++
	}
	im.tip = line.entry.ID
	if !im.tip.Valid() {
		im.tip = objects.DerivedID(im.session, number)
	}
	return im.tip
}

// addAll adds every line of the source.
func (im *importer) addAll() error {
	for line, err := range sourceLines(im.source, log.None) {
		if err != nil {
			return err
		}
		im.add(line)
	}
	return nil
}

// continueLines adds what the source has behind the lines that the log holds of
// it. If these differ it adds nothing and fits is false. A source that
// is an older copy fits.
func (im *importer) continueLines(own ownLines) (fits bool, err error) {
	at := 0
	for line, err := range sourceLines(im.source, log.None) {
		if err != nil {
			return false, err
		}
		if at < len(own.lines) {
			sum := hashOf(line.bytes)
			for at < len(own.lines) && own.lines[at].sum != sum && own.lines[at].mayBeSkipped() {
				at++
			}
			if at < len(own.lines) {
				if own.lines[at].kind == ownOther || own.lines[at].sum != sum {
					return false, nil
				}
				at++
				continue
			}
		}
		im.add(line)
	}
	for ; at < len(own.lines); at++ {
		if own.lines[at].kind == ownImported && own.lines[at].object {
			im.missing++
		}
	}
	return true, nil
}

// mayBeSkipped reports whether a line of the log need not be in the source: what
// tlog wrote, what others wrote to the tracking branch, and lines that are no
// objects, of which a write of tlog's own that broke off may be one.
func (l ownLine) mayBeSkipped() bool { return l.kind != ownImported || !l.object }

// merge adds the lines of the source that the log does not hold. Lines are the same if
// their bytes are, so an entry that has changed is added beside the old one.
func (im *importer) merge(own ownLines, l *log.Log) error {
	leaf, err := leafOf(im.source)
	if err != nil {
		return err
	}
	known := own.indexByHash()
	seen := make([]bool, len(own.lines))
	added := map[lineHash]objects.ID{}
	for line, err := range sourceLines(im.source, leaf) {
		if err != nil {
			return err
		}
		sum := hashOf(line.bytes)
		i, have := known[sum]
		if !have && line.before != nil {
			i, have = known[hashOf(line.before)]
		}
		id, again := added[sum]
		switch {
		case have:
			seen[i] = true
			id = idAt(l, own.lines[i].line)
		case again, !line.object && line.blank():
		default:
			id = im.add(line)
			added[sum] = id
		}
		if line.leaf {
			im.leaf = id
		}
	}
	for i, line := range own.lines {
		if line.kind == ownImported && line.object && !seen[i] && idAt(l, line.line) != "" {
			im.missing++
		}
	}
	return nil
}

// continueLog handles a source that is another copy of this log: what it has
// beyond the log is added as it is, chain included. done is false if the
// two went apart; nothing is added then.
func (im *importer) continueLog(l *log.Log) (done bool, err error) {
	next, stop := iter.Pull2(im.source.Lines(0))
	defer stop()
	for ours, err := range l.Lines(0) {
		if err != nil {
			return false, err
		}
		theirs, err, ok := next()
		switch {
		case err != nil:
			return false, err
		case !ok:
			return true, nil
		case !theirs.Ended && bytes.HasPrefix(ours.Bytes, theirs.Bytes):
			return true, nil // an older copy, be it one that was cut within a line
		case !bytes.Equal(ours.Bytes, theirs.Bytes):
			return false, nil
		}
	}
	for {
		line, err, ok := next()
		if !ok || err != nil {
			return true, err
		}
		if line.Record == log.None && !line.Ended {
			continue // it is still being written
		}
		im.lines = append(im.lines, log.Line{Bytes: bytes.Clone(line.Bytes), Verbatim: true, Copied: true})
		if line.Record != log.None && im.source.Record(line.Record).Tree() {
			im.added++
			im.followed = true
		}
	}
}

// standing is where names stand before an import.
type standing struct {
	head    refs.Head
	headTip objects.ID
	tracked objects.ID // the tip of the tracking branch
	follows bool       // main stands where the tracking branch does
}

// standing tells where names stand now.
func (s *Session) standing(im *importer) standing {
	st := standing{head: s.Refs.Head()}
	st.headTip = s.idOf(st.head.At)
	tracked, isTracked := s.Refs.Branch(im.tracking)
	main, isMain := s.Refs.Branch(refs.DefaultBranch)
	if isTracked {
		st.tracked = s.idOf(tracked.At)
	}
	before := tracked.At
	if im.brokenOff > 0 {
		// main stands where that import found it.
		before = s.lastTracked(im.tracking, im.brokenOff)
		isTracked = before != log.None
	}
	if isTracked {
		st.follows = isMain && main.At == before
	} else {
		// Nothing was imported yet. An unborn main that HEAD waits on follows, one that was renamed does not.
		st.follows = !isMain && st.head.Branch == refs.DefaultBranch
	}
	return st
}

// lastTracked is the last entry above a line that moved the tracking branch.
func (s *Session) lastTracked(tracking string, line int) int {
	at := log.None
	for i := range s.Log.Len() {
		r := s.Log.Record(i)
		switch {
		case r.Line >= line:
			return at
		case r.Ref != tracking:
		case r.Tree():
			at = i
		case r.RepeatOf != log.None:
			at = r.RepeatOf
		}
	}
	return at
}

// finish adds the ref lines behind the imported ones, and ends with one that descends from HEAD's tip. Nothing is added if
// there is nothing to be written.
func (im *importer) finish(st standing, opt Options) error {
	tip := st.tracked
	if im.tip != "" {
		tip = im.tip
	}
	moved := im.journal && tip != ""
	if im.leaf != "" && im.leaf != tip {
		tip, moved = im.leaf, true
	}
	if len(im.lines) == 0 && !moved && im.brokenOff == 0 {
		return nil
	}
	im.followed = st.follows && tip != ""
	headTip := st.headTip
	if st.head.Branch == im.tracking || im.followed && st.head.Branch == refs.DefaultBranch {
		headTip = tip
	}
	j := journal{parent: headTip, opt: opt, reason: importReason + im.tracking}
	if moved {
		j.ref(im.tracking, tip)
	}
	if im.journal {
		j.headAt(st.head, headTip)
	}
	if im.followed {
		j.ref(refs.DefaultBranch, tip)
	} else if !im.journal {
		j.headAt(st.head, headTip)
	}
	im.lines = append(im.lines, j.lines...)
	return j.err
}

// journal makes ref and head lines of one operation.
type journal struct {
	parent objects.ID
	reason string
	opt    Options
	lines  []log.Line
	err    error
}

func (j *journal) ref(name string, target objects.ID) {
	j.add(objects.TypeRef, objects.StringField("name", name), objects.IDField("targetId", target))
}

// headAt says that HEAD is where it is.
func (j *journal) headAt(head refs.Head, tip objects.ID) {
	if head.Detached() {
		j.add(objects.TypeHead, objects.IDField("targetId", tip))
		return
	}
	j.add(objects.TypeHead, objects.StringField("name", head.Branch))
}

func (j *journal) add(t objects.Type, payload ...objects.Field) {
	now := j.opt.Now()
	id, err := objects.NewID(now, j.opt.Random)
	j.err = errors.Join(j.err, err)
	line := objects.Build(t, id, j.parent, timestamp(now), withReason(j.reason, payload...)...)
	// The parent may go by an id that is derived once its line is written.
	j.lines = append(j.lines, log.Line{Bytes: line, Verbatim: true})
}
