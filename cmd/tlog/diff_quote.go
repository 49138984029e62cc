package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tlog/cmd/tlog/internal/terminal"
)

// quotedPath is the name of a file on a line, as git prints it: as it is, or as a string of C if it has line breaks, bytes that are no UTF-8, or characters that a
// terminal would obey or hide. So a line is one file, and patch finds it.
func quotedPath(path string) string {
	if terminal.SafeLine(path) == path && !strings.HasPrefix(path, `"`) {
		return path
	}
	var sb strings.Builder
	sb.WriteByte('"')
	for rest := path; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		part := rest[:size]
		rest = rest[size:]
		switch {
		case r == '"', r == '\\':
			sb.WriteString(`\` + part)
		case r == '\n':
			sb.WriteString(`\n`)
		case r == '\t':
			sb.WriteString(`\t`)
		case r == '\r':
			sb.WriteString(`\r`)
		case terminal.SafeLine(part) == part:
			sb.WriteString(part)
		default:
			for i := range len(part) {
				fmt.Fprintf(&sb, `\%03o`, part[i])
			}
		}
	}
	sb.WriteByte('"')
	return sb.String()
}
