package objects

import (
	"bytes"
	"fmt"
)

// A Member is one top-level member of a JSON object. Its slices are parts of the object's bytes.
type Member struct {
	Key   []byte // between the quotes, escapes as they stand
	Value []byte // without white space around it
	Start int    // offset of the key's opening quote in the scanned bytes
	End   int    // offset behind the value
}

// Is reports whether the member's key, escapes resolved, is name.
func (m Member) Is(name string) bool { return string(m.name()) == name }

// name is the key with its escapes resolved; without escapes the key itself.
func (m Member) name() []byte {
	if bytes.IndexByte(m.Key, '\\') < 0 {
		return m.Key
	}
	return []byte(decodeText(m.Key))
}

// A SyntaxError says where bytes stop being one JSON object.
type SyntaxError struct {
	Offset int // in the scanned bytes
	Reason string
}

// Error gives the reason and the offset.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset)
}

// Scan checks that b is exactly one JSON object, white space around it allowed,
// and calls member for each of its top-level members in order (member may be nil).
// It decodes nothing, has no limit of depth, and allocates nothing but the error
// and, for values nested more than 64 deep, a bit a level.
// It accepts what JavaScript's JSON.parse accepts: numbers of any size,
// lone surrogate escapes, duplicate keys; bytes that are not UTF-8 are content.
// The error is a *SyntaxError; members that stand before the fault have been
// passed to member by then.
func Scan(b []byte, member func(Member)) error {
	i, reason := scanObject(b, skipSpace(b, 0), member)
	if reason == "" {
		if i = skipSpace(b, i); i == len(b) {
			return nil
		}
		reason = reasonMore
	}
	return &SyntaxError{Offset: i, Reason: reason}
}

// scanObject scans the object that starts at b[i].
func scanObject(b []byte, i int, member func(Member)) (end int, reason string) {
	switch {
	case i == len(b):
		return i, reasonEnd
	case b[i] != '{':
		return i, reasonObject
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, ""
	}
	for {
		i, reason = scanMember(b, i, member)
		if reason != "" {
			return i, reason
		}
		i = skipSpace(b, i)
		switch {
		case i == len(b):
			return i, reasonEnd
		case b[i] == '}':
			return i + 1, ""
		case b[i] != ',':
			return i, reasonComma
		}
		i = skipSpace(b, i+1)
	}
}

func scanMember(b []byte, start int, member func(Member)) (end int, reason string) {
	switch {
	case start == len(b):
		return start, reasonEnd
	case b[start] != '"':
		return start, reasonKey
	}
	keyEnd, reason := skipString(b, start)
	if reason != "" {
		return keyEnd, reason
	}
	value, reason := skipColon(b, keyEnd)
	if reason != "" {
		return value, reason
	}
	value = skipSpace(b, value)
	end, reason = skipValue(b, value)
	if reason == "" && member != nil {
		member(Member{Key: b[start+1 : keyEnd-1], Value: b[value:end:end], Start: start, End: end})
	}
	return end, reason
}

// Valid reports whether b is one JSON value of any kind, white space around it allowed.
func Valid(b []byte) bool {
	i, reason := skipValue(b, 0)
	return reason == "" && skipSpace(b, i) == len(b)
}

// Elements calls elem for each element of the JSON array b; false if b is no
// array. A fault behind the first elements is found only after their calls.
func Elements(b []byte, elem func(value []byte)) bool {
	i := skipSpace(b, 0)
	if i == len(b) || b[i] != '[' {
		return false
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return skipSpace(b, i+1) == len(b)
	}
	for {
		start := skipSpace(b, i)
		end, reason := skipValue(b, start)
		if reason != "" {
			return false
		}
		elem(b[start:end:end])
		i = skipSpace(b, end)
		switch {
		case i == len(b):
			return false
		case b[i] == ']':
			return skipSpace(b, i+1) == len(b)
		case b[i] != ',':
			return false
		}
		i++
	}
}

// find is the value of the last top-level member of object that is called name;
// nil if there is none or object is none.
func find(object []byte, name string) []byte {
	var value []byte
	err := Scan(object, func(m Member) {
		if m.Is(name) {
			value = m.Value
		}
	})
	if err != nil {
		return nil
	}
	return value
}

// MemberOf is the value of the member of an object called name, the last of duplicates; nil if there is none, or if value is no object.
func MemberOf(value []byte, name string) []byte { return find(value, name) }

// StringOf is a string value, decoded; empty for any other value.
func StringOf(value []byte) string {
	s, _ := Unquote(value)
	return s
}
