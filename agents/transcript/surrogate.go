package transcript

import (
	"bytes"
	"slices"
)

// ReplaceSurrogates is valid JSON in which an escaped U+FFFD stands for each escape of a lone surrogate, which models' APIs and some agents refuse, and
// the number of those. The length stays. Without any it is b itself, else new memory.
func ReplaceSurrogates(b []byte) (out []byte, n int) {
	out = b
	for i := 0; ; { // a backslash only stands in strings
		next := bytes.IndexByte(b[i:], '\\')
		if next < 0 {
			return out, n
		}
		i += next
		switch kind, length := surrogate(b[i:]); {
		case kind == 0:
			i += 2 // what follows \u are plain digits
		case kind == 'h' && isLow(b[i+length:]):
			i += 2 * length
		default:
			if n++; n == 1 {
				out = slices.Clone(b)
			}
			copy(out[i:], `\ufffd`)
			i += length
		}
	}
}

// surrogate says of an escape whether it is that of a high or low surrogate ('h', 'l') or none (0).
func surrogate(escape []byte) (kind byte, length int) {
	if len(escape) < 6 || escape[1] != 'u' || escape[2]|0x20 != 'd' {
		return 0, 0
	}
	switch c := escape[3] | 0x20; {
	case '8' <= escape[3] && escape[3] <= '9', c == 'a', c == 'b':
		return 'h', 6
	case 'c' <= c && c <= 'f':
		return 'l', 6
	}
	return 0, 0
}

func isLow(b []byte) bool {
	if len(b) == 0 || b[0] != '\\' {
		return false
	}
	kind, _ := surrogate(b)
	return kind == 'l'
}
