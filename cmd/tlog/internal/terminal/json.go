package terminal

import (
	"unicode/utf16"
	"unicode/utf8"
)

// EscapeJSON returns JSON text with every character that a terminal could obey or
// that shows nothing written as a \u escape; it is for JSON that goes to
// [Writer.Raw] while a person looks on. Such characters can stand only within
// JSON strings, so the JSON means the same. A byte that is not UTF-8 becomes
// U+FFFD.
func EscapeJSON(text []byte) []byte {
	dst := make([]byte, 0, len(text)+16)
	for i := 0; i < len(text); {
		if c := text[i]; c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		i += size
		if showsItself(r) {
			dst = utf8.AppendRune(dst, r)
		} else {
			dst = appendEscape(dst, r)
		}
	}
	return dst
}

func showsItself(r rune) bool {
	if r < utf8.RuneSelf {
		return false // the printable ones are done
	}
	class := classify(r)
	return class == classPlain || class == classMark
}

func appendEscape(dst []byte, r rune) []byte {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return appendEscape(appendEscape(dst, high), low)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
