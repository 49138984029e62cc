package claude

import (
	"bytes"
	"slices"

	"tlog/agents/transcript"
)

// repairText is a row without lone surrogates, which the API refuses: U+FFFD stands in their places.
func (e *exporter) repairText(r row) row {
	object, n := replaceSurrogates(r.object)
	if n == 0 {
		return r
	}
	e.repaired(transcript.ReplacedText, r.entry, "%d lone surrogates", n)
	r.object = object
	return r.again()
}

// replaceSurrogates replaces the escapes of lone surrogates in valid JSON, where a backslash only stands in strings. The
// length stays.
func replaceSurrogates(b []byte) (out []byte, n int) {
	out = b
	for i := 0; ; {
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
