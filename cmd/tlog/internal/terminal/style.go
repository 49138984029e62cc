package terminal

import (
	"strings"
)

// Style is a colour of the terminal's own sixteen, attributes, or both:
// Red|Bold. Of two colours in one style the result is unspecified.
type Style uint16

// The colours. Their shades are the user's choice of theme, so nothing may
// depend on them alone.
const (
	Plain Style = iota
	Black
	Red
	Green
	Yellow
	Blue
	Magenta
	Cyan
	White
	BrightBlack
	BrightRed
	BrightGreen
	BrightYellow
	BrightBlue
	BrightMagenta
	BrightCyan
	BrightWhite
)

// The attributes.
const (
	Bold Style = 1 << (iota + 8)
	Dim
	Underline
	Reverse

	colorMask Style = 0xff
)

const styleReset = "\x1b[m"

// Text is text that is safe to print, styled or not. Only this package makes it.
// The zero value is empty.
type Text struct {
	s string // sanitised text and sequences of Style.open and styleReset; no other ESC
}

// Paint returns the line form of s in this style.
func (st Style) Paint(s string) Text {
	s = SafeLine(s)
	if st == Plain || s == "" {
		return Text{s}
	}
	return Text{st.open() + s + styleReset}
}

// PaintBlock returns the block form of s in this style. The style ends before
// each newline and begins again after it, as pagers want it.
func (st Style) PaintBlock(s string) Text {
	s = Safe(s)
	if st == Plain || s == "" {
		return Text{s}
	}
	var b strings.Builder
	open := st.open()
	for len(s) > 0 {
		line, rest, found := strings.Cut(s, "\n")
		if line != "" {
			b.WriteString(open)
			b.WriteString(line)
			b.WriteString(styleReset)
		}
		if found {
			b.WriteByte('\n')
		}
		s = rest
	}
	return Text{b.String()}
}

// Line returns the line form of s, unstyled.
func Line(s string) Text { return Text{SafeLine(s)} }

// Block returns the block form of s, unstyled.
func Block(s string) Text { return Text{Safe(s)} }

// Concat returns the texts one after the other.
func Concat(texts ...Text) Text {
	if len(texts) == 1 {
		return texts[0]
	}
	n := 0
	for _, t := range texts {
		n += len(t.s)
	}
	var b strings.Builder
	b.Grow(n)
	for _, t := range texts {
		b.WriteString(t.s)
	}
	return Text{b.String()}
}

// String returns the text without its styling.
func (t Text) String() string { return string(appendPlain(nil, t.s)) }

// Width returns how many cells the text takes. Styling takes none.
func (t Text) Width() int { return Width(t.String()) }

// IsEmpty reports whether there is nothing to print.
func (t Text) IsEmpty() bool { return t.s == "" }

// Pad returns t with spaces after it, up to the given number of cells.
func (t Text) Pad(cells int) Text {
	if n := cells - t.Width(); n > 0 {
		return Text{t.s + strings.Repeat(" ", n)}
	}
	return t
}

func (st Style) open() string {
	b := make([]byte, 0, 12)
	b = append(b, "\x1b["...)
	for i, code := range [...]byte{'1', '2', '4', '7'} { // Bold, Dim, Underline, Reverse
		if st&(Bold<<i) != 0 {
			b = append(b, code, ';')
		}
	}
	switch c := st & colorMask; {
	case c >= BrightBlack && c <= BrightWhite:
		b = append(b, '9', '0'+byte(c-BrightBlack), ';')
	case c >= Black && c <= White:
		b = append(b, '3', '0'+byte(c-Black), ';')
	}
	if b[len(b)-1] != ';' {
		return ""
	}
	b[len(b)-1] = 'm'
	return string(b)
}

// appendPlain appends s, the inside of a Text, without its styling.
func appendPlain(dst []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, 0x1b)
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		end := strings.IndexByte(s[i:], 'm')
		if end < 0 { // cannot be: every sequence of a Text ends in m
			return dst
		}
		s = s[i+end+1:]
	}
}
