package files

import "strings"

// dollar reads what the shell replaces.
func (l *lexer) dollar() {
	rest := l.src[l.at+1:]
	switch {
	case strings.HasPrefix(rest, "(("):
		l.balanced('(', ')', false)
	case strings.HasPrefix(rest, "("):
		l.balanced('(', ')', true)
	case strings.HasPrefix(rest, "{"):
		l.balanced('{', '}', false)
	case strings.HasPrefix(rest, "'"):
		l.failed = strings.Contains(rest, `\'`)
		l.at++
		if !l.failed {
			l.single()
		}
		l.open.plain = false
	case rest != "" && (rest[0] == '_' || 'a' <= rest[0]|0x20 && rest[0]|0x20 <= 'z' || strings.IndexByte("0123456789?#@*!$-", rest[0]) >= 0):
		l.put("$")
		l.open.plain = false
		l.at++
	default:
		l.put("$")
		l.at++
	}
}

// balanced passes over what stands in brackets behind the next character; run says that it is a script.
func (l *lexer) balanced(left, right byte, run bool) {
	l.put("$")
	l.open.plain = false
	start, depth := l.at+2, 0
	for i := l.at + 1; i < len(l.src); i++ {
		switch c := l.src[i]; c {
		case '\\':
			i++
		case '<':
			if run && strings.HasPrefix(l.src[i:], "<<") {
				if i = behindDocument(l.src, i); i < 0 {
					l.failed = true
					return
				}
			}
		case '\'':
			end := strings.IndexByte(l.src[i+1:], '\'')
			if !run || end < 0 {
				continue
			}
			i += end + 1
		case left:
			depth++
		case right:
			if depth--; depth > 0 {
				continue
			}
			l.at = i + 1
			if body := l.src[start:i]; run {
				l.inner = append(l.inner, body)
			} else if strings.Contains(body, "$(") || strings.Contains(body, "`") {
				l.failed = true
			}
			return
		}
	}
	l.failed = true
}

// behindDocument is the place of the last character of the here document, or here string, whose operator stands at i; -1 if it does not end.
func behindDocument(src string, i int) int {
	rest := src[i+2:]
	if strings.HasPrefix(rest, "<") {
		return i + 2
	}
	head, body, found := strings.Cut(rest, "\n")
	end, _, _ := strings.Cut(strings.TrimLeft(head, "- "), " ")
	end = strings.Trim(end, `'"\`)
	if !found || end == "" {
		return -1
	}
	start := len(src) - len(body)
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) == end {
			return start + len(strings.TrimRight(line, "\n")) - 1
		}
		start += len(line)
	}
	return -1
}

func (l *lexer) backquote() {
	l.put("`")
	l.open.plain = false
	end := strings.IndexByte(l.src[l.at+1:], '`')
	if end < 0 {
		l.failed = true
		return
	}
	l.inner = append(l.inner, l.src[l.at+1:l.at+1+end])
	l.at += end + 2
}
