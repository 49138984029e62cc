package log

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/blake3"

	"tlog/migrate"
	"tlog/objects"
)

// errReload says that an unterminated line, read as an object before, has grown,
// so that what was made of it does not hold.
var errReload = errors.New("the last line has grown")

// scan reads the lines from l.end to the end of the file.
func (l *Log) scan() error {
	first := len(l.records)
	err := l.scanLines()
	l.link(first)
	return err
}

func (l *Log) scanLines() error {
	info, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("read log: %w", err)
	}
	l.expected = info.Size()
	if err := l.scanChunks(l.expected); err != nil {
		return err
	}
	reader := newLineReader(l.file, l.end, l.expected)
	for {
		raw, err := reader.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read log %s: %w", l.path, err)
		}
		if err := l.addLine(raw); err != nil {
			return err
		}
	}
}

// addLine takes in the next line of the file.
func (l *Log) addLine(raw rawLine) error { return l.addParsed(raw, parseLine(raw.bytes, raw.ended)) }

// addParsed takes in the next line of the file, which was found to be p. Neither is kept.
func (l *Log) addParsed(raw rawLine, p parsedLine) error {
	if before := l.tail; before.open {
		if same := len(raw.bytes) == before.size; same && before.counted {
			l.pass(raw, before)
			return nil
		}
		if before.counted {
			return errReload
		}
		if before.damaged {
			l.damage = l.damage[:len(l.damage)-1]
		}
	}
	now := tail{open: !raw.ended, size: len(raw.bytes), record: len(l.records)}
	if l.check != nil {
		if l.check.line(raw, l.lines+1, p); l.check.stopped {
			return errStopped
		}
	}
	switch p.kind {
	case lineDamaged:
		now.damaged = true
		l.damage = append(l.damage, Damage{Code: p.code, Line: l.lines + 1, Offset: raw.offset + int64(p.fault), Reason: p.reason})
	case lineObject:
		now.counted = true
		if err := l.addObject(raw, p.entry); err != nil {
			return err
		}
		l.chain.pass(raw, p.entry)
	}
	l.pass(raw, now)
	return nil
}

// pass goes on behind a line.
func (l *Log) pass(raw rawLine, t tail) {
	l.size = raw.behind()
	t.open = !raw.ended
	l.tail = t
	if raw.ended {
		l.end = l.size
		l.lines++
	}
}

// addObject takes in a line that holds an object.
func (l *Log) addObject(raw rawLine, e objects.Entry) error {
	if !l.begun {
		header, err := l.begin(raw, e)
		if err != nil || header {
			return err
		}
	}
	if l.migrator != nil {
		migrated, err := l.migrate(e)
		if err != nil {
			return err
		}
		e = migrated
	}
	if e.Type == objects.TypeSession {
		delete(l.migrated, len(l.records))
		l.note(SecondHeader, raw.offset, string(e.ID), "another header; the file's own is in line %d", max(l.headLine, 1))
		return nil
	}
	return l.addRecord(raw, e)
}

// begin takes in the first object of the file, which says what version the file is of.
func (l *Log) begin(raw rawLine, e objects.Entry) (header bool, err error) {
	corrupt := func(err error) error {
		return &objects.CorruptError{File: l.path, Line: l.lines + 1, Offset: raw.offset, Reason: err.Error()}
	}
	version, err := migrate.Detect(e.Raw)
	switch {
	case err != nil && e.Chain != "":
		l.beginHeadless(raw)
		return false, nil
	case err != nil:
		return false, corrupt(err)
	case version == 0:
		l.header = objects.Header{ID: bareID(raw.bytes)}
	default:
		if l.header, err = objects.ParseHeader(cloneBytes(e.Raw)); err != nil {
			return false, corrupt(err)
		}
		l.headLine = l.lines + 1
		if version < objects.Version && l.header.Chain != "" {
			version, l.header.Version = objects.Version, objects.Version // only logs of this version have chains
			l.note(NoHeader, raw.offset, string(l.header.ID), "the header's version is damaged; the file is read as one of version %d", version)
		}
	}
	l.begun = true
	if version < migratedBelow {
		l.migrator = migrate.New(version, l.sessionID())
		if version > 0 {
			l.migrator.Header(l.header)
		}
	}
	if id := l.sessionID(); id != l.header.ID {
		l.note(BadID, raw.offset, string(l.header.ID), "the session's id breaks the rule [A-Za-z0-9._:-]{1,128}; it goes by %s", id)
		l.header.ID = id
	}
	return version > 0, nil
}

// beginHeadless takes a file for a log of tlog's whose header was lost to damage: it begins with a line that has a chain.
func (l *Log) beginHeadless(raw rawLine) {
	id := objects.ID(strings.TrimSuffix(filepath.Base(l.real), ".jsonl"))
	if !id.Valid() {
		id = bareID(raw.bytes)
	}
	l.header = objects.Header{Version: objects.Version, ID: id}
	l.begun, l.headless = true, true
	l.note(NoHeader, raw.offset, "", "the header's line is lost; the session goes by the name of its file, %s", id)
}

// sessionID is the id in the header, or one derived from it if it breaks the rule.
func (l *Log) sessionID() objects.ID {
	if id := l.header.ID; id.Valid() {
		return id
	}
	return objects.DerivedID(l.header.ID, 1)
}

// migratedBelow is the first version whose lines stand as those of version 4 do.
const migratedBelow = 3

// bareID is the id of a session without header, derived from the bytes of its
// first message's line, which stay the same while the file grows.
func bareID(first []byte) objects.ID {
	sum := blake3.Sum256(first)
	return objects.DerivedID(objects.ID(hex.EncodeToString(sum[:])), 1)
}

// migrate brings the entry of the line that is being read to version 4. What
// the file does not hold is kept, for the record that comes next.
func (l *Log) migrate(e objects.Entry) (objects.Entry, error) {
	line := l.lines + 1
	object := l.migrator.Entry(e.Raw, line)
	if sameBytes(object, e.Raw) {
		return e, nil
	}
	object = cloneBytes(object) // it may be a part of the line, whose memory is used again
	migrated, err := objects.ParseEntry(object)
	if err != nil {
		return e, fmt.Errorf("%s: line %d: migrate from version %d: %w", l.path, line, l.header.Version, err)
	}
	if l.migrated == nil {
		l.migrated = map[int][]byte{}
	}
	l.migrated[len(l.records)] = object
	return migrated, nil
}

// addRecord makes the record of an entry's line.
func (l *Log) addRecord(raw rawLine, e objects.Entry) error {
	r := Record{
		Offset: raw.offset, Size: len(raw.bytes), Line: l.lines + 1,
		Type: e.Type, ID: e.ID, ParentID: e.ParentID, Parent: None,
		Ref: e.Ref, Chained: e.Chain != "", RepeatOf: None,
		Blobs:   e.Blobs != nil && l.header.Version >= objects.Version,
		Foreign: e.Foreign(), Hidden: e.Hidden, Bridged: e.Gap != "", Titled: e.Titled,
	}
	if l.check != nil && r.Foreign {
		l.checkForeign(raw, e)
		if r.Bridged {
			l.check.bridges = append(l.check.bridges, bridge{record: len(l.records), line: l.check.foreign.line, gap: e.Gap})
		}
	}
	if !r.ID.Valid() {
		r.ID = objects.DerivedID(l.header.ID, r.Line)
		if e.ID == "" {
			l.note(BadID, raw.offset, "", "the entry has no id; it goes by %s", r.ID)
		} else {
			l.note(BadID, raw.offset, string(e.ID), "the id breaks the rule [A-Za-z0-9._:-]{1,128}; the entry goes by %s", r.ID)
		}
	}
	if l.check != nil {
		l.check.time(r, e.Timestamp)
	}
	l.makeRoom()
	l.records = append(l.records, r)
	if err := l.placeID(len(l.records)-1, e); err != nil {
		return err
	}
	if e.ID != "" && !e.ID.Valid() {
		l.ids.know(e.ID, len(l.records)-1, l.header.LastWins())
	}
	return nil
}

// makeRoom makes room for more records, if there is none, by what the rest of the file seems to
// hold: in a large file they would be copied many times otherwise.
func (l *Log) makeRoom() {
	n := len(l.records)
	if n < cap(l.records) {
		return
	}
	rest := 0
	if l.size > 0 {
		rest = int(float64(l.expected-l.size) / float64(l.size) * float64(n))
	}
	l.records = slices.Grow(l.records, min(max(rest+1, n/4, 16), max(3*n, 256)))
}

// note hands a finding on the line that is being read to Check.
func (l *Log) note(code Code, offset int64, id, format string, args ...any) {
	if l.check == nil {
		return
	}
	l.check.add(Finding{Code: code, Line: l.lines + 1, Offset: offset, ID: id, Message: fmt.Sprintf(format, args...)})
}

// sameBytes reports whether a and b are the same memory.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func cloneBytes(b []byte) []byte { return append(make([]byte, 0, len(b)), b...) }
