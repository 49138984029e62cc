package objects

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote decodes the JSON string token b, quotes included. Lone surrogates and
// bytes that are not UTF-8 become U+FFFD. ok is false if b is no string token.
func Unquote(b []byte) (s string, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return "", false
	}
	if end, reason := skipString(b, 0); reason != "" || end != len(b) {
		return "", false
	}
	return tokenText(b), true
}

// isString reports whether value, found by a scan, is a string token.
func isString(value []byte) bool { return len(value) > 0 && value[0] == '"' }

// tokenText decodes a value found by a scan: the text of a string token, "" for
// any other value.
func tokenText(value []byte) string {
	if !isString(value) {
		return ""
	}
	text := decodeText(value[1 : len(value)-1])
	if !utf8.ValidString(text) {
		return string([]rune(text)) // the conversion replaces each bad byte
	}
	return text
}

// decodeText resolves the escapes in inner, what stands between the quotes of
// a string token.
func decodeText(inner []byte) string {
	i := bytes.IndexByte(inner, '\\')
	if i < 0 {
		return string(inner)
	}
	var text strings.Builder
	text.Grow(len(inner)) // no escape is shorter than what it stands for
	for ; i >= 0; i = bytes.IndexByte(inner, '\\') {
		text.Write(inner[:i])
		if inner[i+1] != 'u' {
			text.WriteByte(unescape(inner[i+1]))
			inner = inner[i+2:]
			continue
		}
		r, n := decodeUnicode(inner[i:])
		text.WriteRune(r) // a lone surrogate becomes U+FFFD here
		inner = inner[i+n:]
	}
	text.Write(inner)
	return text.String()
}

// unescape is the character that a two-character escape with letter c stands for.
func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// decodeUnicode decodes the valid \u escape, or pair of surrogates, that b starts with.
func decodeUnicode(b []byte) (r rune, n int) {
	r, _ = hex4(b[2:])
	if utf16.IsSurrogate(r) && len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		low, _ := hex4(b[8:])
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return r, 6
}

// AppendQuote appends s as a JSON string token to dst. It escapes what JSON
// demands, U+2028 and U+2029, and nothing else. Bytes of s that are not UTF-8
// become U+FFFD, since JSON has no way to say them.
func AppendQuote(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0 // of what is still to be copied
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			i++
			if c >= 0x20 && c != '"' && c != '\\' {
				continue
			}
			dst = append(dst, s[start:i-1]...)
			start = i
			if short := shortEscape(c); short != 0 {
				dst = append(dst, '\\', short)
			} else {
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(append(dst, s[start:i]...), "\uFFFD"...)
			start = i + n
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[start:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
			start = i + n
		}
		i += n
	}
	return append(append(dst, s[start:]...), '"')
}

// shortEscape is the letter of c's two-character escape, 0 if it has none.
func shortEscape(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}
