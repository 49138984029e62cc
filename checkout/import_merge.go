package checkout

import (
	"tlog/log"
	"tlog/objects"
)

// merge adds the lines of the source that the log does not hold. Lines are the same if
// their bytes are, so an entry that has changed is added beside the old one.
func (im *importer) merge(own ownLines, l *log.Log) error {
	m := &merger{
		importer: im, log: l, own: own,
		known: own.index(), seen: make([]bool, len(own.lines)),
		added: map[lineKey]objects.ID{}, last: map[objects.ID]lineHash{}, addedLast: map[objects.ID]lineHash{},
	}
	if !l.Header().LastWins() {
		im.taken = func(id objects.ID) bool { _, ok := l.Find(id); return ok }
	}
	if err := m.addUnknown(); err != nil {
		return err
	}
	if err := m.restoreWinners(); err != nil {
		return err
	}
	m.countMissing()
	return nil
}

// merger brings a source that was rewritten together with the log.
type merger struct {
	*importer
	log   *log.Log
	own   ownLines
	known map[lineKey]int        // the lines of the log
	seen  []bool                 // those of them that the source has too
	added map[lineKey]objects.ID // the entries that were added

	last, addedLast map[objects.ID]lineHash // the last line of each id, of the source and of what was added
}

func (m *merger) addUnknown() error {
	keys := keyMaker{}
	for line, err := range m.source.lines() {
		if err != nil {
			return err
		}
		sum, named := hashOf(line.bytes), line.named()
		key := keys.keyOf(sum, named)
		i, have := m.known[key]
		if !have && line.before != nil {
			i, have = m.known[lineKey{sum: hashOf(line.before)}]
		}
		id, again := m.added[key]
		switch {
		case have:
			m.seen[i] = true
			id = idAt(m.log, m.own.lines[i].line)
		case again, !line.object && line.blank():
		default:
			id = m.add(line)
			m.added[key] = id
			m.addedLast[line.entry.ID] = sum
		}
		if named && line.tree {
			m.last[line.entry.ID] = sum
		}
		if line.leaf {
			m.leaf = id
			if named && m.taken == nil {
				m.leaf = line.entry.ID // the last line of its id, so it is the one that counts
			}
		}
	}
	m.takeLeaf()
	return nil
}

// restoreWinners adds lines again that the log has, but of whose id another line stands last there: in
// the source it is this one that counts. Where the first line of an id counts there is nothing to be done.
func (m *merger) restoreWinners() error {
	if m.taken != nil {
		return nil
	}
	lost := map[objects.ID]lineHash{}
	for id, sum := range m.last {
		if have, ok := m.winner(id); ok && have != sum {
			lost[id] = sum
		}
	}
	if len(lost) == 0 {
		return nil
	}
	for line, err := range m.source.lines() {
		if err != nil {
			return err
		}
		if sum, ok := lost[line.entry.ID]; ok && sum == hashOf(line.bytes) {
			line.repeat = true
			m.add(line)
			delete(lost, line.entry.ID)
		}
	}
	return nil
}

// countMissing counts the imported entries that the source does not have any more.
func (m *merger) countMissing() {
	keys := keyMaker{}
	for _, line := range m.own.lines {
		i := m.known[keys.keyOf(line.sum, line.named)]
		if line.kind != ownImported || !line.entry || m.seen[i] {
			continue
		}
		if _, again := m.last[line.id]; again && line.id != "" {
			continue // a document has it in another form now
		}
		id := idAt(m.log, line.line)
		if _, again := m.last[id]; id != "" && !(line.hole && again) {
			m.missing++
		}
	}
}

// winner is the line that will count for an id.
func (m *merger) winner(id objects.ID) (lineHash, bool) {
	if sum, ok := m.addedLast[id]; ok {
		return sum, true
	}
	at, ok := m.log.Find(id)
	if !ok {
		return lineHash{}, false
	}
	return m.own.sumAt(m.log.Record(at).Line)
}
