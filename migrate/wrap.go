package migrate

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"tlog/objects"
)

// wrap is the step from version 0 to 1: a bare message becomes an entry around
// its bytes. Lines that are entries stay as they are.
func (m *Migrator) wrap(object []byte, line int) []byte {
	s, err := shapeOf(object)
	if err != nil || !s.bareMessage() {
		return object
	}
	fields := [][]byte{
		[]byte(`{"type":"message"`),
		member("id", m.derive(line)),
		member("parentId", m.prev),
	}
	if stamp := entryTime(s.timestamp); len(stamp) > 0 {
		fields = append(fields, append([]byte(`"timestamp":`), stamp...))
	}
	fields = append(fields, append([]byte(`"message":`), bytes.TrimSpace(object)...))
	return append(bytes.Join(fields, []byte{','}), '}')
}

// derive makes the id of an entry that has none.
func (m *Migrator) derive(line int) objects.ID { return objects.DerivedID(m.session, line) }

// member is `"key":"id"`, or `"key":null` for the empty id.
func member(key string, id objects.ID) []byte {
	b := append(objects.AppendQuote(nil, key), ':')
	return append(b, quoted(id)...)
}

// quoted is the id as a JSON value.
func quoted(id objects.ID) []byte {
	if id == "" {
		return []byte("null")
	}
	return objects.AppendQuote(nil, string(id))
}

// entryTime is the JSON value of an entry's timestamp for that of its message: a string
// stays as it is, a number counts milliseconds since 1970. Nil for anything else.
func entryTime(value []byte) []byte {
	if len(value) == 0 || value[0] == '"' {
		return value
	}
	ms, err := strconv.ParseFloat(string(value), 64)
	// The years 0 to 9999 are those that the format of timestamps can say.
	if err != nil || ms < -62167219200e3 || ms >= 253402300800e3 {
		return nil
	}
	t := time.UnixMilli(int64(math.Floor(ms))).UTC()
	return t.AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`)
}
