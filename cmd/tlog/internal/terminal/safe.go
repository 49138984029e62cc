package terminal

import (
	"strings"
	"unicode/utf8"
)

// lineMark stands for a line break in the line form. One cell.
const lineMark = "↵"

// maxMarks is how many combining marks in a row stay as they are. No script
// stacks as many; text that does reaches over the lines above and below it.
const maxMarks = 8

// Safe returns the block form of s: text that a terminal shows and does not obey.
// Newlines and tabs stay, all else that could move the cursor, change the
// terminal or hide or reorder text is made visible:
//
//   - C0 controls and DEL in caret form: ESC is ^[, a carriage return ^M;
//   - C1 controls, bidirectional controls, zero-width and other format
//     characters, tags and noncharacters by their number: <U+202E>;
//   - a stray byte 80 to 9F, which an 8-bit terminal takes for a C1 control, as
//     <9B>, any other byte that is not UTF-8 as U+FFFD.
//
// Joiners and variation selectors stay where emoji and the scripts that need
// them use them. The result is valid UTF-8, and Safe of it changes nothing.
func Safe(s string) string { return sanitise(s, false) }

// SafeLine returns the line form of s: as [Safe], and on one line. A line break
// of any kind (LF, CR, CR LF, NEL, U+2028, U+2029) becomes a visible mark of one
// cell, a tab a space.
func SafeLine(s string) string { return sanitise(s, true) }

// AppendSafe appends the block form of s to dst.
func AppendSafe(dst []byte, s string) []byte {
	dst, _ = (&filter{}).append(dst, s, true)
	return dst
}

// AppendSafeLine appends the line form of s to dst.
func AppendSafeLine(dst []byte, s string) []byte {
	dst, _ = (&filter{line: true}).append(dst, s, true)
	return dst
}

func sanitise(s string, line bool) string {
	n := plainPrefix(s)
	if n == len(s) {
		return s
	}
	f := filter{line: line}
	dst, _ := f.append(make([]byte, 0, len(s)+len(s)/8+16), s, true)
	return string(dst)
}

// plainPrefix returns how many bytes at the start of s are printable ASCII.
func plainPrefix(s string) int {
	for i := range len(s) {
		if s[i]-0x20 >= 0x7f-0x20 {
			return i
		}
	}
	return len(s)
}

// filter sanitises a text that, in block form, may come in pieces. What becomes of a character
// can depend on its neighbours, so it remembers the one before and asks for more
// text when it needs the one after.
type filter struct {
	line  bool
	prev  rune // the last character, if it was kept; else 0
	base  rune // the last kept character that is no combining mark; else 0
	marks int  // combining marks since base
}

// append sanitises s onto dst. Unless final, it may stop before an incomplete
// character at the end of s; n is how many bytes of s are done.
func (f *filter) append(dst []byte, s string, final bool) (out []byte, n int) {
	for n < len(s) {
		if run := plainPrefix(s[n:]); run > 0 {
			dst = append(dst, s[n:n+run]...)
			n += run
			f.keep(rune(s[n-1]))
			continue
		}
		rest := s[n:]
		if !final && !decidable(rest) {
			break
		}
		if rest[0] < utf8.RuneSelf {
			var size int
			dst, size = f.control(dst, rest)
			n += size
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && size == 1 {
			dst = f.strayByte(dst, rest[0])
		} else {
			dst = f.rune(dst, r, rest[:size], rest[size:])
		}
		n += size
	}
	return dst, n
}

// decidable reports whether s holds all that it takes to decide on its first
// character.
func decidable(s string) bool {
	if !utf8.FullRuneInString(s) {
		return false
	}
	if strings.HasPrefix(s, "\u200c") || strings.HasPrefix(s, "\u200d") {
		return utf8.FullRuneInString(s[3:])
	}
	return true
}

// control handles an ASCII control character at the start of s.
func (f *filter) control(dst []byte, s string) (out []byte, size int) {
	c := s[0]
	f.cut()
	switch {
	case !f.line && (c == '\n' || c == '\t'):
		return append(dst, c), 1
	case f.line && c == '\t':
		return append(dst, ' '), 1
	case f.line && c == '\r' && len(s) > 1 && s[1] == '\n':
		return append(dst, lineMark...), 2
	case f.line && (c == '\n' || c == '\r'):
		return append(dst, lineMark...), 1
	}
	return append(dst, '^', c^0x40), 1
}

func (f *filter) strayByte(dst []byte, c byte) []byte {
	if c < 0xa0 {
		f.cut()
		return append(dst, '<', hexDigits[c>>4], hexDigits[c&15], '>')
	}
	f.keep(utf8.RuneError)
	return utf8.AppendRune(dst, utf8.RuneError)
}

// rune handles one character beyond ASCII; self is its encoding, after what
// follows it.
func (f *filter) rune(dst []byte, r rune, self, after string) []byte {
	visible := true
	switch classify(r) {
	case classPlain:
		f.keep(r)
	case classBreak:
		if f.line {
			f.cut()
			return append(dst, lineMark...)
		}
		visible = false
	case classHidden:
		visible = false
	case classMark:
		f.marks++
		if visible = f.prev != 0 && f.marks <= maxMarks; visible {
			f.prev = r
		}
	case classSelector:
		if visible = selects(f.prev, r); visible {
			f.prev = r
		}
	case classJoiner:
		next, _ := utf8.DecodeRuneInString(after)
		if visible = joins(f.base, r, next) && f.stays(next); visible {
			f.prev = r
		}
	}
	if visible {
		return append(dst, self...)
	}
	f.prev, f.base = 0, 0
	return appendNumber(dst, r)
}

// stays reports whether next, right after a joiner, will be kept.
func (f *filter) stays(next rune) bool {
	c := classify(next)
	return c == classPlain || c == classMark && f.marks < maxMarks
}

// keep notes that r went out as it is, a character of its own.
func (f *filter) keep(r rune) { f.prev, f.base, f.marks = r, r, 0 }

// cut notes that nothing may attach to what went out last.
func (f *filter) cut() { f.prev, f.base, f.marks = 0, 0, 0 }

const hexDigits = "0123456789ABCDEF"

// appendNumber writes r as <U+202E>.
func appendNumber(dst []byte, r rune) []byte {
	dst = append(dst, "<U+"...)
	shift := 12
	for r>>(shift+4) != 0 {
		shift += 4
	}
	for ; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[r>>shift&15])
	}
	return append(dst, '>')
}
