package terminal

import (
	"fmt"
	"io"
)

// safeArg wraps an argument of Printf so that its formatting is harmless.
func safeArg(arg any) any {
	switch arg := arg.(type) {
	case Text:
		return textArg{arg}
	case int:
		return intArg(arg)
	}
	return lineArg{arg}
}

// intArg is a kind of int of its own, because * takes nothing but those.
type intArg int

func (a intArg) Format(f fmt.State, verb rune) { lineArg{int(a)}.Format(f, verb) }

// textArg prints a Text with its styling.
type textArg struct{ text Text }

func (a textArg) Format(f fmt.State, _ rune) {
	width, _ := f.Width()
	writePadded(f, a.text.s, width-a.text.Width())
}

// lineArg prints a value in line form.
type lineArg struct{ value any }

func (a lineArg) Format(f fmt.State, verb rune) {
	isNumber := f.Flag('0') || f.Flag(' ')
	if verb != 's' && verb != 'v' || f.Flag('#') || isNumber {
		io.WriteString(f, SafeLine(fmt.Sprintf(fmt.FormatString(f, verb), a.value)))
		return
	}
	spec := "%" + string(verb)
	if verb == 'v' && f.Flag('+') {
		spec = "%+v"
	}
	s := SafeLine(fmt.Sprintf(spec, a.value))
	if cells, ok := f.Precision(); ok {
		s = Truncate(s, cells)
	}
	width, _ := f.Width()
	writePadded(f, s, width-Width(s))
}

func writePadded(f fmt.State, s string, spaces int) {
	if spaces > 0 && !f.Flag('-') {
		fmt.Fprintf(f, "%*s", spaces, "")
	}
	io.WriteString(f, s)
	if spaces > 0 && f.Flag('-') {
		fmt.Fprintf(f, "%*s", spaces, "")
	}
}
