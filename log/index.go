package log

import (
	"strconv"

	"github.com/zeebo/blake3"

	"tlog/objects"
)

// idTable says which record has an id.
type idTable struct {
	of map[objects.ID]int32
	// clashed are the ids that more than one line has, bodies the first records of each
	// different body among the lines of such an id.
	clashed map[objects.ID]struct{}
	bodies  map[bodyHash]int32
	hash    *blake3.Hasher
}

// bodyHash stands for an id and the body of a line that has it. It is wide enough that
// equal hashes are equal bodies.
type bodyHash [16]byte

// hashBody hashes the body as it came in, so that a line is known again wherever its strings lie. Of
// a line whose blobs cannot be had it takes what is there.
func (l *Log) hashBody(id objects.ID, e objects.Entry) bodyHash {
	t := &l.ids
	body := e.Body()
	if e.Blobs != nil {
		if whole, err := l.Fill(e, 0); err == nil {
			body = whole.Raw
		} else {
			body = append(append([]byte(nil), body...), e.Blobs...)
		}
	}
	var sum [32]byte
	t.hash.Reset()
	_, _ = t.hash.WriteString(string(id) + "\n")
	_, _ = t.hash.Write(body)
	return bodyHash(t.hash.Sum(sum[:0])[:16])
}

// Find gives the record with exactly this (effective) id.
func (l *Log) Find(id objects.ID) (int, bool) {
	i, ok := l.ids.of[id]
	if !ok {
		return None, false
	}
	return int(i), true
}

// know enters record i also under the id in its line that breaks the rule, since
// other lines name it by that.
func (t *idTable) know(id objects.ID, i int, lastWins bool) {
	if _, taken := t.of[id]; !taken || lastWins {
		t.of[id] = int32(i)
	}
}

// placeID enters the newest record under its id, or finds that it repeats an
// earlier one, or that one of the two needs another id.
func (l *Log) placeID(i int, e objects.Entry) error {
	if l.ids.of == nil {
		l.ids.of = map[objects.ID]int32{}
	}
	id := l.records[i].ID
	holder, taken := l.ids.of[id]
	if !taken {
		l.ids.of[id] = int32(i)
		return nil
	}
	if err := l.noteClash(id, int(holder)); err != nil {
		return err
	}
	hash := l.hashBody(id, e)
	if same, ok := l.ids.bodies[hash]; ok {
		l.repeat(i, int(same), int(holder), e)
		return nil
	}
	l.ids.bodies[hash] = int32(i)
	l.tellApart(i, int(holder), e)
	return nil
}

// noteClash enters the body of the only record so far whose line has the id.
func (l *Log) noteClash(id objects.ID, holder int) error {
	t := &l.ids
	if _, ok := t.clashed[id]; ok {
		return nil
	}
	e, err := l.Entry(holder)
	if err != nil {
		return err
	}
	if t.clashed == nil {
		t.clashed, t.bodies, t.hash = map[objects.ID]struct{}{}, map[bodyHash]int32{}, blake3.New()
	}
	t.clashed[id] = struct{}{}
	t.bodies[l.hashBody(id, e)] = int32(holder)
	return nil
}

// repeat makes record i a repeat of an earlier one. Where the last line of an id
// counts, the repeated one counts again.
func (l *Log) repeat(i, same, holder int, e objects.Entry) {
	r := &l.records[i]
	r.RepeatOf = same
	l.note(RepeatedLine, r.Offset, string(r.ID), "the same entry as line %d", l.records[same].Line)
	if l.header.LastWins() && same != holder {
		l.promote(same, holder, isPart(e))
	}
	r.ID = l.records[same].ID
}

// tellApart gives record i, or the holder of its id, another id.
func (l *Log) tellApart(i, holder int, e objects.Entry) {
	r := &l.records[i]
	id := r.ID
	if l.header.LastWins() {
		code := DuplicateID
		if l.promote(i, holder, isPart(e)); isPart(e) {
			code = ReplacedPart
		}
		l.note(code, r.Offset, string(id), "line %d has this id too and goes by %s; this one, the later, counts",
			l.records[holder].Line, l.records[holder].ID)
		return
	}
	r.ID = l.alias(id, i)
	l.note(DuplicateID, r.Offset, string(id), "line %d has this id too and counts; this one goes by %s", l.records[holder].Line, r.ID)
}

// isPart reports whether an entry holds a part of a document. That is written anew as a whole when it grows, so that parts come again in other forms.
func isPart(e objects.Entry) bool { return e.Foreign() && e.Get("layout") != nil }

// promote makes record i the one that its line's id stands for; the holder so far
// gets another id. An id that a record had once stays its own. part tells that they are parts of a document.
func (l *Log) promote(i, holder int, part bool) {
	l.records[i].Replaced, l.records[holder].Replaced = false, part
	id := l.records[holder].ID
	l.records[holder].ID = l.alias(id, holder)
	l.records[i].ID = id
	l.ids.of[id] = int32(i)
	l.relink = true
}

// alias enters record i under an id of its own, `<id>.<line>` if it is free.
func (l *Log) alias(id objects.ID, i int) objects.ID {
	line := l.records[i].Line
	alias := id + "." + objects.ID(strconv.Itoa(line))
	for session := l.header.ID; ; session = alias {
		holder, taken := l.ids.of[alias]
		if alias.Valid() && (!taken || int(holder) == i) {
			l.ids.of[alias] = int32(i)
			return alias
		}
		alias = objects.DerivedID(session, line)
	}
}
