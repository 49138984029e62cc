package migrate

import (
	"strconv"

	"tlog/objects"
)

// connect is the step from version 1 to 2: a line becomes a node of a tree.
//
// Positions of firstKeptEntryIndex count the objects of the file with the header as
// 0; damaged lines do not count, further headers do (formats/pi.md, section 3).
// pi makes new ids at random and lays branches flat even where ids and parents
// are there; here they stay, so that nothing is lost and the result is always the same.
func (m *Migrator) connect(object []byte, line int) []byte {
	var kind, id, index, kept []byte
	hasParent := false
	err := objects.Scan(object, func(f objects.Member) {
		switch {
		case f.Is("type"):
			kind = f.Value
		case f.Is("id"):
			id = f.Value
		case f.Is("parentId"):
			hasParent = true
		case f.Is("firstKeptEntryIndex"):
			index = f.Value
		case f.Is("firstKeptEntryId"):
			kept = f.Value
		}
	})
	if err != nil {
		return object
	}
	t := objects.Type(text(kind))
	if t == objects.TypeSession {
		m.ids = append(m.ids, "") // a pointer to it points to nothing
		return object
	}
	if t == objects.TypeCompaction && isNumber(index) {
		object = m.pointByID(object, index, kept)
	}
	object, own := m.identify(object, id, hasParent, line)
	m.ids = append(m.ids, own)
	m.prev = own
	return object
}

// identify gives the entry an id and a parent if it has none; id is the value
// of its member, nil if it is missing.
func (m *Migrator) identify(object, id []byte, hasParent bool, line int) ([]byte, objects.ID) {
	own := objects.ID(text(id))
	var added [][]byte
	switch {
	case own.Valid():
	case id == nil:
		own = m.derive(line)
		added = append(added, member("id", own))
	default:
		own = m.derive(line)
		object = objects.ReplaceValue(object, "id", quoted(own))
	}
	if !hasParent {
		added = append(added, member("parentId", m.prev))
	}
	if len(added) == 0 {
		return object, own
	}
	after := "id"
	if id == nil {
		after = "type"
	}
	return objects.InsertMembers(object, after, added...), own
}

// pointByID replaces the position of a compaction's first kept entry by the
// entry's id, or by nothing if no entry above the compaction stands there. An
// id that is already there counts.
func (m *Migrator) pointByID(object, index, kept []byte) []byte {
	if target := m.at(index); target != "" && text(kept) == "" {
		object = objects.ReplaceValue(object, "firstKeptEntryId", quoted(target))
	}
	return objects.RemoveMember(object, "firstKeptEntryIndex")
}

// at is the id of the line at a position, a JSON number; empty if there is none yet.
func (m *Migrator) at(index []byte) objects.ID {
	f, err := strconv.ParseFloat(string(index), 64)
	if err != nil || f < 0 || f >= float64(len(m.ids)) || f != float64(int(f)) {
		return ""
	}
	return m.ids[int(f)]
}

// isNumber reports whether value, found by a scan, is a number.
func isNumber(value []byte) bool {
	return len(value) > 0 && (value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}
