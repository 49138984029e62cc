package objects

import (
	"encoding/binary"
	"math/bits"
)

// The functions of this file return the offset behind what they skipped and an
// empty reason, or the offset of the fault and the reason. They work on plain
// values, so that a scan of a good line allocates nothing.

const (
	reasonEnd     = "unexpected end"
	reasonValue   = "unexpected character instead of a value"
	reasonKey     = "unexpected character instead of a key"
	reasonColon   = "unexpected character instead of ':'"
	reasonComma   = "unexpected character instead of ',' or a closing bracket"
	reasonControl = "control character in a string"
	reasonEscape  = "unknown escape in a string"
	reasonNumber  = "unexpected character in a number"
	reasonLiteral = "unknown literal"
	reasonObject  = "unexpected character instead of '{'"
	reasonMore    = "something behind the value"
)

// nesting remembers for each open bracket whether it is that of an object. It
// is a stack of bits: current holds the innermost 64 levels, outer the others.
type nesting struct {
	depth   int
	current uint64
	outer   []uint64
}

func (n *nesting) push(object bool) {
	if n.depth > 0 && n.depth%64 == 0 {
		n.outer = append(n.outer, n.current)
	}
	n.depth++
	n.current <<= 1
	if object {
		n.current |= 1
	}
}

func (n *nesting) pop() {
	n.depth--
	n.current >>= 1
	if n.depth > 0 && n.depth%64 == 0 {
		last := len(n.outer) - 1
		n.current, n.outer = n.outer[last], n.outer[:last]
	}
}

func (n *nesting) inObject() bool { return n.current&1 != 0 }

// skipValue skips the value that starts at b[i], white space before it included.
// It loops instead of recursing, since lines come from anywhere and a stack
// overflow cannot be recovered from.
func skipValue(b []byte, i int) (end int, reason string) {
	var open nesting
	for {
		i = skipSpace(b, i)
		if i == len(b) {
			return i, reasonEnd
		}
		var opened bool
		switch b[i] {
		case '{':
			open.push(true)
			i, opened, reason = enterObject(b, i+1)
		case '[':
			open.push(false)
			i, opened = enterArray(b, i+1)
		case '"': // the commonest one, without a detour
			i, reason = skipString(b, i)
		default:
			i, reason = skipScalar(b, i)
		}
		if reason != "" {
			return i, reason
		}
		if opened {
			continue // a value of the container comes next
		}
		i, reason = leaveContainers(b, i, &open)
		if reason != "" || open.depth == 0 {
			return i, reason
		}
	}
}

// enterObject goes on behind '{'. An empty object is left for leaveContainers to close.
func enterObject(b []byte, i int) (end int, opened bool, reason string) {
	i = skipSpace(b, i)
	if i < len(b) && b[i] == '}' {
		return i, false, ""
	}
	i, reason = skipKey(b, i)
	return i, true, reason
}

// enterArray goes on behind '['.
func enterArray(b []byte, i int) (end int, opened bool) {
	i = skipSpace(b, i)
	return i, i == len(b) || b[i] != ']'
}

// leaveContainers goes on behind a value: it closes containers and stops where
// the next value is to come, or where nothing is open any more.
func leaveContainers(b []byte, i int, open *nesting) (end int, reason string) {
	for open.depth > 0 {
		i = skipSpace(b, i)
		if i == len(b) {
			return i, reasonEnd
		}
		object := open.inObject()
		switch c := b[i]; {
		case c == ',' && object:
			return skipKey(b, skipSpace(b, i+1))
		case c == ',':
			return i + 1, ""
		case c == '}' && object, c == ']' && !object:
			open.pop()
			i++
		default:
			return i, reasonComma
		}
	}
	return i, ""
}

// skipKey skips the key at b[i] and the colon behind it.
func skipKey(b []byte, i int) (end int, reason string) {
	if i == len(b) {
		return i, reasonEnd
	}
	if b[i] != '"' {
		return i, reasonKey
	}
	i, reason = skipString(b, i)
	if reason != "" {
		return i, reason
	}
	if i < len(b) && b[i] == ':' {
		return i + 1, ""
	}
	return skipColon(b, i)
}

func skipColon(b []byte, i int) (end int, reason string) {
	i = skipSpace(b, i)
	if i == len(b) {
		return i, reasonEnd
	}
	if b[i] != ':' {
		return i, reasonColon
	}
	return i + 1, ""
}

// skipScalar skips a value that is no container and no string.
func skipScalar(b []byte, i int) (end int, reason string) {
	switch c := b[i]; {
	case c == '-' || isDigit(c):
		return skipNumber(b, i)
	case c == 't':
		return skipLiteral(b, i, "true")
	case c == 'f':
		return skipLiteral(b, i, "false")
	case c == 'n':
		return skipLiteral(b, i, "null")
	}
	return i, reasonValue
}

func skipLiteral(b []byte, i int, word string) (end int, reason string) {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return i, reasonLiteral
	}
	return i + len(word), ""
}

func skipNumber(b []byte, i int) (end int, reason string) {
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if i, reason = skipDigits(b, i); reason != "" {
		return i, reason
	}
	if i < len(b) && b[i] == '.' {
		if i, reason = skipDigits(b, i+1); reason != "" {
			return i, reason
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return skipDigits(b, i)
	}
	return i, ""
}

// skipDigits skips one or more digits.
func skipDigits(b []byte, i int) (end int, reason string) {
	start := i
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	switch {
	case i > start:
		return i, ""
	case i == len(b):
		return i, reasonEnd
	}
	return i, reasonNumber
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func skipSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && isSpace(b[i]) { // mostly one comparison
		i++
	}
	return i
}

// skipString skips the string whose opening quote is b[i]. It looks at eight
// bytes at a time for one that means something in a string: a quote, a
// backslash or a control character.
func skipString(b []byte, i int) (end int, reason string) {
	i++
	for i+9 <= len(b) { // a word, and the letter of an escape that is the last of it
		m := marks(binary.LittleEndian.Uint64(b[i:]))
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) / 8
		switch c := b[i]; {
		case c == '"':
			return i + 1, ""
		case c == '\\' && escapeLetters[b[i+1]]: // nearly all that there are
			i += 2
		case c == '\\':
			n := escapeLen(b[i:])
			if n == 0 {
				return i, reasonEscape
			}
			i += n
		default:
			return i, reasonControl
		}
	}
	return skipStringEnd(b, i)
}

// skipStringEnd goes on inside a string, byte by byte.
func skipStringEnd(b []byte, i int) (end int, reason string) {
	for i < len(b) {
		switch c := b[i]; {
		case c == '"':
			return i + 1, ""
		case c == '\\':
			n := escapeLen(b[i:])
			if n == 0 {
				return i, reasonEscape
			}
			i += n
		case c < 0x20:
			return i, reasonControl
		default:
			i++
		}
	}
	return i, reasonEnd
}

// marks sets the high bit of each byte of w that is a quote, a backslash or less
// than 0x20. Only the lowest mark is exact: a borrow may set false ones above it.
func marks(w uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & high
}

// escapeLetters has the letters of escapes of two characters.
var escapeLetters = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// escapeLen is the length of the escape that b starts with, 0 if it is none.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(b[2:]); ok {
			return 6
		}
	}
	return 0
}

// hex4 reads the four hex digits of a \u escape.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case isDigit(c):
			c -= '0'
		case isHex(c):
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// ValueEnd is where the JSON value ends that begins at b[i]; ok is false if none does that is whole. What stands behind it is not looked at.
func ValueEnd(b []byte, i int) (end int, ok bool) {
	if i < 0 || i >= len(b) || isSpace(b[i]) {
		return i, false
	}
	end, reason := skipValue(b, i)
	return end, reason == ""
}
