package checkout

import (
	"bytes"
	"iter"
	"strconv"

	"tlog/log"
	"tlog/objects"
)

// importer collects the lines that an import writes.
type importer struct {
	source   importSource
	tracking string
	session  objects.ID // of the log
	next     int        // number of the next line in the log
	lines    []log.Line
	// taken reports whether another entry keeps an id: of two with one id the first counts. nil
	// where the last counts.
	taken func(objects.ID) bool

	tip  objects.ID // where the added lines leave the tracking branch; empty if they do not move it
	leaf objects.ID // where it has to stand, if that is not tip; else empty
	// nowhere: the source holds nothing at which its agent would go on.
	nowhere bool
	// brokenOff is the line from which on an earlier import stands at the end of the log without
	// what has to stand behind it; else 0.
	brokenOff int
	journal   bool    // a line that was added is one that moves refs
	before    int     // records of the log
	added     int     // entries
	beside    int     // entries that hold what lies beside a transcript
	sideErrs  []error // of what lies there and could not be taken
	remark    bool    // what the last import noted of the source does not hold any more, even if nothing is added
	missing   int
	followed  bool
}

// newImporter starts an import into the log of the session, whose next line has the given number.
func newImporter(source importSource, session objects.ID, next int) *importer {
	return &importer{source: source, tracking: source.tracking(), session: session, next: next}
}

// add adds a line and returns the id of its entry.
func (im *importer) add(line sourceLine) objects.ID {
	out := line.written()
	if line.object {
		out = withRef(out, im.tracking)
	}
	im.lines = append(im.lines, log.Line{Bytes: out, Verbatim: true})
	number := im.next
	im.next++
	im.journal = im.journal || line.envelope == nil && line.entry.Type.Journal()
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
	for line, err := range im.source.lines() {
		if err != nil {
			return err
		}
		im.add(line)
	}
	im.takeLeaf()
	return nil
}

// takeLeaf takes over where the agent would go on, if the source tells.
func (im *importer) takeLeaf() {
	if leaf, told := im.source.leaf(); told {
		im.leaf, im.nowhere = leaf, leaf == ""
	}
}

// continueLines adds what the source has behind the lines that the log holds of
// it. If these differ it adds nothing and fits is false. A source that
// is an older copy fits.
func (im *importer) continueLines(own ownLines) (fits bool, err error) {
	at := 0
	for line, err := range im.source.lines() {
		if err != nil {
			return false, err
		}
		if at < len(own.lines) {
			sum := hashOf(line.bytes)
			for at < len(own.lines) && own.lines[at].sum != sum && own.lines[at].mayBeSkipped() {
				at++
			}
			switch {
			case at == len(own.lines):
			case own.lines[at].sum == sum && own.lines[at].kind != ownOther:
				at++
				continue
			case line.envelope != nil && own.isBeginning(at, line.bytes):
				line.envelope.Completes = true
				at++
			default:
				return false, nil
			}
		}
		im.add(line)
	}
	if len(im.lines) > 0 {
		im.takeLeaf()
	}
	// Lines that came in once more, because blobs of theirs were missing, are in the source all the same.
	found := make(map[lineHash]struct{}, at)
	for _, line := range own.lines[:at] {
		found[line.sum] = struct{}{}
	}
	for _, line := range own.lines[at:] {
		if _, ok := found[line.sum]; !ok && line.kind == ownImported && line.entry {
			im.missing++
		}
	}
	return true, nil
}

// mayBeSkipped reports whether a line of the log need not be in the source: what
// tlog wrote, what others wrote to the tracking branch, and lines that are no
// objects, of which a write of tlog's own that broke off may be one. And a line that was completed later.
func (l ownLine) mayBeSkipped() bool { return l.kind != ownImported || !l.object || l.completed }

// continueLog handles a source that is another copy of this log: what it has
// beyond the log is added as it is, chain included. done is false if the
// two went apart; nothing is added then.
func (im *importer) continueLog(l, source *log.Log) (done bool, err error) {
	next, stop := iter.Pull2(source.Lines(0))
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
		im.lines = append(im.lines, log.Line{Bytes: bytes.Clone(line.Bytes), Verbatim: true, Copied: true, Source: source.Blobs()})
		if line.Record != log.None && source.Record(line.Record).Tree() {
			im.added++
			im.followed = true
		}
	}
}
