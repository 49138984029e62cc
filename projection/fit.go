package projection

import (
	"bytes"
	"strconv"
	"strings"

	"tlog/objects"
)

// The longest names that the APIs take.
const (
	maxToolName    = 64
	maxAnthropicID = 64
	maxOpenAIID    = 40
)

// fit makes s match ^[a-zA-Z0-9_-]{1,max}$.
func fit(s string, max int, empty string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, s)
	if s == "" {
		return empty
	}
	return s[:min(len(s), max)] // it is ASCII now
}

// callIDs gives calls ids that an API takes, each once in a request.
type callIDs struct {
	max  int
	used map[string]int // how often an id was asked for
}

func (c *callIDs) next(id string) string {
	want := fit(id, c.max, "call")
	got := want
	for c.used[got] > 0 {
		c.used[want]++
		suffix := "_" + strconv.Itoa(c.used[want])
		got = want[:min(len(want), c.max-len(suffix))] + suffix
	}
	c.used[got]++
	return got
}

// arguments are those of a call as a JSON object that an API takes, which is
// the recorded one if it is one. Bytes and escapes that are no Unicode would make
// the whole request invalid, so they become U+FFFD.
func arguments(recorded []byte) []byte {
	if objects.Scan(recorded, nil) != nil {
		return []byte("{}")
	}
	return mendSurrogates(bytes.ToValidUTF8(recorded, []byte("\uFFFD")))
}

// mendSurrogates replaces the escapes of lone surrogates in valid JSON.
func mendSurrogates(value []byte) []byte {
	if !bytes.Contains(value, []byte(`\u`)) {
		return value
	}
	out := make([]byte, 0, len(value))
	for i := 0; i < len(value); {
		switch {
		case value[i] != '\\': // an escape stands in strings only
			out = append(out, value[i])
			i++
		case value[i+1] != 'u':
			out = append(out, value[i:i+2]...)
			i += 2
		default:
			n := 6
			if isSurrogate(value[i:], "89ab") && isSurrogate(value[i+6:], "cdef") {
				n = 12
			}
			if n == 6 && isSurrogate(value[i:], "89abcdef") {
				out = append(out, `\ufffd`...)
			} else {
				out = append(out, value[i:i+n]...)
			}
			i += n
		}
	}
	return out
}

// isSurrogate reports whether b starts with the escape of a surrogate whose
// third digit, in lower case, is one of those given.
func isSurrogate(b []byte, third string) bool {
	return len(b) >= 6 && b[0] == '\\' && b[1] == 'u' && b[2]|0x20 == 'd' && strings.IndexByte(third, b[3]|0x20) >= 0
}
