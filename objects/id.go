package objects

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// MinShort is the least length of a short id.
const MinShort = 7

// Lengths of ids, in characters.
const (
	maxIDLen = 128
	uuidLen  = 36
	tailLen  = 12
)

// ID names an entry or a session. The empty ID stands for null.
type ID string

// ParseID checks that s is an id as docs/format.md allows it.
// The error wraps [ErrInvalid].
func ParseID(s string) (ID, error) {
	if id := ID(s); id.Valid() {
		return id, nil
	}
	if len(s) > maxIDLen {
		return "", fmt.Errorf("%w id %.20q...: expected at most %d characters, got %d", ErrInvalid, s, maxIDLen, len(s))
	}
	return "", fmt.Errorf("%w id %q: expected one or more of A-Z a-z 0-9 . _ : -", ErrInvalid, s)
}

// Valid reports whether the id matches [A-Za-z0-9._:-]{1,128}.
func (id ID) Valid() bool {
	if len(id) == 0 || len(id) > maxIDLen {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case isDigit(c), 'a' <= c|0x20 && c|0x20 <= 'z':
		case c == '.', c == '_', c == ':', c == '-':
		default:
			return false
		}
	}
	return true
}

// Tail is the part of the id that short forms are taken from: the last 12
// characters of a UUIDv7, whose first ones tell only the time, else the whole id.
func (id ID) Tail() string {
	if id.isUUIDv7() {
		return string(id[uuidLen-tailLen:])
	}
	return string(id)
}

func (id ID) isUUIDv7() bool {
	if len(id) != uuidLen || id[14] != '7' || strings.IndexByte("89abAB", id[19]) < 0 {
		return false
	}
	for i := range uuidLen {
		switch c := id[i]; i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if !isHex(c) {
				return false
			}
		}
	}
	return true
}

// MayBegin reports whether the id or its tail may begin with the character c, in upper or lower case. It is right where it says no, and takes no time, so that who
// goes through many ids looks at few.
func (id ID) MayBegin(c byte) bool {
	begins := func(first byte) bool {
		return first == c || first|0x20 == c|0x20 && 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return len(id) > 0 && (begins(id[0]) || len(id) == uuidLen && begins(id[uuidLen-tailLen]))
}

// HasPrefix reports whether prefix, in upper or lower case, begins the id or its tail.
func (id ID) HasPrefix(prefix string) bool {
	return hasPrefixFold(string(id), prefix) || hasPrefixFold(id.Tail(), prefix)
}

// hasPrefixFold ignores the case of ASCII letters only: ids have no others, and
// a Kelvin sign is no k.
func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		a, b := s[i], prefix[i]
		if a != b && (a|0x20 != b|0x20 || a|0x20 < 'a' || 'z' < a|0x20) {
			return false
		}
	}
	return true
}

// NewID makes a UUIDv7 of time t with randomness from r. The twelve bits behind
// the milliseconds hold their fraction, so that ids sort by time within one
// millisecond too (RFC 9562, section 6.2, method 3).
func NewID(t time.Time, r io.Reader) (ID, error) {
	ms := t.UnixMilli()
	if ms < 0 || ms >= 1<<48 {
		return "", fmt.Errorf("new id: %w time %s: expected one between 1970 and 10889", ErrInvalid, t)
	}
	var u uuid.UUID
	if _, err := io.ReadFull(r, u[8:]); err != nil {
		return "", fmt.Errorf("new id: read random bytes: %w", err)
	}
	fraction := uint64(t.Nanosecond()%1e6) << 12 / 1e6
	binary.BigEndian.PutUint64(u[:8], uint64(ms)<<16|7<<12|fraction)
	u[8] = u[8]&0x3f | 0x80
	return ID(u.String()), nil
}

// DerivedID is the id of an entry without one of its own: the UUIDv5 of the
// session and the entry's line number, so that it is the same at each reading.
// The UUID's namespace is that of object identifiers, its name
// "tlog:<session>.<line>".
func DerivedID(session ID, line int) ID {
	name := "tlog:" + string(session) + "." + strconv.Itoa(line)
	return ID(uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)).String())
}
