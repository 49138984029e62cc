package objects

import (
	"bytes"
	"slices"
)

// The functions of this file cut and insert whole members and leave every other
// byte as it is. They never change their arguments and return new memory. An
// object that is not valid is returned as it is.

// AppendMembers returns object with the given members (each `"key":value`)
// added behind its last one. Nothing else changes. object must be valid.
func AppendMembers(object []byte, members ...[]byte) []byte {
	brace := bytes.LastIndexByte(object, '}')
	if brace < 0 || len(members) == 0 {
		return bytes.Clone(object)
	}
	before := bytes.TrimRight(object[:brace], " \t\r\n")
	// Only in an empty object can '{' be the last thing before the closing brace.
	return insert(object, brace, !bytes.HasSuffix(before, []byte{'{'}), false, members)
}

// InsertMembers returns object with the given members added behind its member
// named after, or before the first one if it has none of that name.
func InsertMembers(object []byte, after string, members ...[]byte) []byte {
	first, behind := -1, -1
	err := Scan(object, func(m Member) {
		if first < 0 {
			first = m.Start
		}
		if m.Is(after) {
			behind = m.End
		}
	})
	switch {
	case err != nil || len(members) == 0:
		return bytes.Clone(object)
	case behind >= 0:
		return insert(object, behind, true, false, members)
	case first >= 0:
		return insert(object, first, false, true, members)
	}
	return AppendMembers(object, members...)
}

// insert puts members, with commas between them and where asked before the
// first and behind the last, at offset at.
func insert(object []byte, at int, commaBefore, commaBehind bool, members [][]byte) []byte {
	size := len(object) + len(members) + 1
	for _, m := range members {
		size += len(m)
	}
	out := append(make([]byte, 0, size), object[:at]...)
	for i, m := range members {
		if i > 0 || commaBefore {
			out = append(out, ',')
		}
		out = append(out, m...)
	}
	if commaBehind {
		out = append(out, ',')
	}
	return append(out, object[at:]...)
}

// ReplaceValue returns object with the value of the last member called name replaced;
// a member that is missing is appended.
func ReplaceValue(object []byte, name string, value []byte) []byte {
	start, end := -1, -1
	err := Scan(object, func(m Member) {
		if m.Is(name) {
			start, end = m.End-len(m.Value), m.End
		}
	})
	switch {
	case err != nil:
		return bytes.Clone(object)
	case start < 0:
		return AppendMembers(object, appendMember(nil, name, value))
	}
	return slices.Concat(object[:start], value, object[end:])
}

// RemoveMember returns object without any member called name. The comma before
// a removed member goes with it, that behind it if no other member stands before.
func RemoveMember(object []byte, name string) []byte {
	out := make([]byte, 0, len(object))
	copied := 0    // object[:copied] is dealt with
	end := 0       // of the member before
	kept := false  // a member before stays
	first := false // the first member was removed
	err := Scan(object, func(m Member) {
		switch remove := m.Is(name); {
		case remove && kept:
			out = append(out, object[copied:skipSpace(object, end)]...)
			copied = m.End
		case remove:
			if !first {
				out = append(out, object[:m.Start]...)
				first = true
			}
			copied = m.End
		default:
			if first && !kept {
				copied = m.Start
			}
			kept = true
		}
		end = m.End
	})
	if err != nil {
		return bytes.Clone(object)
	}
	return append(out, object[copied:]...)
}

// appendMember appends `"key":value` to dst.
func appendMember(dst []byte, key string, value []byte) []byte {
	dst = append(AppendQuote(dst, key), ':')
	if len(value) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, value...)
}
