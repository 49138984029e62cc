package checkout

import (
	"bytes"
	"iter"
	"strconv"

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
	// taken reports whether another entry keeps an id: of two with one id the first counts. nil
	// where the last counts.
	taken func(objects.ID) bool

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
	switch im.tip = line.entry.ID; {
	case !im.tip.Valid():
		im.tip = objects.DerivedID(im.session, number)
	case im.taken != nil && im.taken(im.tip):
		im.tip += objects.ID("." + strconv.Itoa(number))
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
	// Lines that came in once more, because blobs of theirs were missing, are in the source all the same.
	found := make(map[lineHash]struct{}, at)
	for _, line := range own.lines[:at] {
		found[line.sum] = struct{}{}
	}
	for _, line := range own.lines[at:] {
		if _, ok := found[line.sum]; !ok && line.kind == ownImported && line.object {
			im.missing++
		}
	}
	return true, nil
}

// mayBeSkipped reports whether a line of the log need not be in the source: what
// tlog wrote, what others wrote to the tracking branch, and lines that are no
// objects, of which a write of tlog's own that broke off may be one.
func (l ownLine) mayBeSkipped() bool { return l.kind != ownImported || !l.object }

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
		im.lines = append(im.lines, log.Line{Bytes: bytes.Clone(line.Bytes), Verbatim: true, Copied: true, Source: im.source.Blobs()})
		if line.Record != log.None && im.source.Record(line.Record).Tree() {
			im.added++
			im.followed = true
		}
	}
}
