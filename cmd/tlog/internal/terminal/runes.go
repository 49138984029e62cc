package terminal

import "unicode"

// class says what a character beyond ASCII may do to a terminal.
type class int

const (
	classPlain    class = iota // shows itself
	classHidden                // shows nothing, or acts: shown by its number
	classBreak                 // a line break to some programs
	classMark                  // combines with the character before it
	classJoiner                // ZWJ and ZWNJ: legitimate between some characters
	classSelector              // picks a variant of the character before it
)

func classify(r rune) class {
	switch {
	case r < 0xa0:
		if r == 0x85 {
			return classBreak
		}
		return classHidden
	case r < 0x300:
		if r == 0xad { // soft hyphen
			return classHidden
		}
		return classPlain
	case r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // Han, Hangul: the bulk of wide text
		return classPlain
	case r == 0x2028 || r == 0x2029:
		return classBreak
	case r == 0x200c || r == 0x200d:
		return classJoiner
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0x180b && r <= 0x180d, r == 0x180f, r >= 0xe0100 && r <= 0xe01ef:
		return classSelector
	case isIgnorable(r):
		return classHidden
	case unicode.Is(unicode.Cf, r):
		if isVisibleFormat(r) {
			return classPlain
		}
		return classHidden
	case unicode.Is(unicode.M, r):
		return classMark
	}
	return classPlain
}

// isIgnorable names what has no shape of its own and is not in category Cf:
// fillers, the joiner that joins nothing, the whole plane of tags, and
// noncharacters.
func isIgnorable(r rune) bool {
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2065, 0x3164, 0xffa0:
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff ||
		r >= 0xfff0 && r <= 0xfff8 ||
		r >= 0xfdd0 && r <= 0xfdef ||
		r&0xfffe == 0xfffe
}

// isVisibleFormat names the format characters that draw something: number and
// verse signs that enclose the digits after them.
func isVisibleFormat(r rune) bool {
	switch r {
	case 0x06dd, 0x070f, 0x0890, 0x0891, 0x08e2, 0x110bd, 0x110cd:
		return true
	}
	return r >= 0x0600 && r <= 0x0605
}

// joins reports whether a joiner belongs between base and next: ZWJ within an
// emoji, either of them within a word of a script that shapes its letters. It
// does not ask whether next will itself stay.
func joins(base, joiner, next rune) bool {
	if joiner == 0x200d && isPictograph(base) && isPictograph(next) {
		return true
	}
	return isShaped(base) && isShaped(next)
}

func isPictograph(r rune) bool {
	return r >= 0x2000 && unicode.Is(unicode.So, r) && r != unicode.ReplacementChar ||
		r == 0x2194 || // the arrow of "shaking head horizontally"
		r >= 0x1f3fb && r <= 0x1f3ff // skin tones
}

// isShaped reports whether r is a letter or mark of a script whose spelling uses
// the joiners.
func isShaped(r rune) bool {
	return r >= 0x0600 && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
		unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
		unicode.Khmer, unicode.Myanmar, unicode.Nko)
}

// selects reports whether selector makes sense right after prev. Text can be
// smuggled in selectors nobody sees, so they stay only where they pick a variant.
func selects(prev, selector rune) bool {
	switch {
	case selector >= 0xe0100:
		return unicode.Is(unicode.Han, prev)
	case selector < 0xfe00:
		return unicode.Is(unicode.Mongolian, prev) && classify(prev) != classSelector
	case prev < 0x80: // keycaps
		return prev >= '0' && prev <= '9' || prev == '#' || prev == '*'
	}
	return unicode.In(prev, unicode.S, unicode.P, unicode.Han, unicode.Myanmar, unicode.Phags_Pa) ||
		prev == 0x2139 // the information sign counts as a letter
}
