package page

import (
	"strings"
	"unicode"
)

// Fenced is a text between fences that are longer than any in it. language is a plain word.
func Fenced(language, text string) string {
	text = strings.TrimRight(visible(text), "\n")
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + language + "\n" + text + "\n" + fence
}

// longestRun is the length of the longest run of backticks.
func longestRun(text string) (longest int) {
	run := 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// codeSpan is a text as code within a line.
func codeSpan(text string) string {
	text = strings.Join(strings.Fields(visible(text)), " ")
	if text == "" {
		return "(none)"
	}
	ticks := strings.Repeat("`", longestRun(text)+1)
	if len(ticks) > 1 || text[0] == '`' {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// inline is a text within a line, of which nothing is Markdown or HTML.
func inline(text string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(visible(text)), " ") {
		if r == '<' {
			b.WriteString("&lt;")
			continue
		}
		if r < 0x80 && (unicode.IsPunct(r) || unicode.IsSymbol(r)) && !strings.ContainsRune(".,:/-@ '\"?%;=", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// quoted is prose in a quote, whose Markdown stays but for what would reach out of it: HTML and pictures. lines: what stands on lines of its own
// stays there. Blocks of code are fenced anew, so that where they end is certain.
func quoted(text string, lines bool) string {
	q := quote{lines: lines}
	for line := range strings.SplitSeq(strings.TrimRight(visible(text), "\n"), "\n") {
		q.take(line)
	}
	q.endCode()
	return q.out.String()
}

// quote writes a quote.
type quote struct {
	lines bool
	out   strings.Builder

	fence    string // that began the block of code that is open, empty if none is
	language string
	code     []string
}

func (q *quote) take(line string) {
	bare := strings.TrimLeft(line, " \t>")
	if q.fence != "" {
		if end := strings.TrimRight(bare, " \t"); len(end) >= len(q.fence) && strings.Trim(end, q.fence[:1]) == "" {
			q.endCode()
		} else {
			q.code = append(q.code, line)
		}
		return
	}
	if fence := fenceOf(bare); fence != "" {
		q.fence, q.language = fence, plainWord(bare[len(fence):])
		return
	}
	line = escapeProse(line)
	if q.lines && strings.TrimSpace(line) != "" {
		line += "  " // a break
	}
	q.put(line)
}

func (q *quote) put(line string) {
	if strings.TrimSpace(line) == "" {
		q.out.WriteString(">\n")
		return
	}
	q.out.WriteString("> " + line + "\n")
}

// endCode writes the block of code that is open.
func (q *quote) endCode() {
	if q.fence == "" {
		return
	}
	q.put("")
	for line := range strings.SplitSeq(Fenced(q.language, strings.Join(q.code, "\n")), "\n") {
		q.out.WriteString("> " + line + "\n")
	}
	q.put("")
	q.fence, q.code = "", nil
}

// fenceOf is the fence that a line begins with, empty if it is none.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, c))
		if n >= 3 && (c == "~" || !strings.Contains(line[n:], "`")) {
			return line[:n]
		}
	}
	return ""
}

// plainWord is the first word of a fence's line if it names a language, as far as that can be told.
func plainWord(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	for _, r := range word {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("+-_#.", r)) {
			return ""
		}
	}
	return word
}

// escapeProse takes HTML and pictures from a line of prose.
func escapeProse(line string) string {
	return strings.NewReplacer("<", "&lt;", "![", `!\[`).Replace(line)
}

// visible is a text whose control characters are seen and obeyed by nobody. Those that turn the direction of writing are among them.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		case unicode.IsControl(r), 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == 0x2028, r == 0x2029:
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// linkPath is a path within the angle brackets of a link.
func linkPath(path string) string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "%0A", `\`, "%5C", "%", "%25").Replace(path)
}
