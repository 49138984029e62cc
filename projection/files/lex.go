package files

import "strings"

// word is a word of a command line.
type word struct {
	text  string
	plain bool // it is what the program gets: nothing in it is replaced by the shell
	glob  bool // it is a pattern of file names, and plain but for that
	bare  bool // nothing in it was quoted, so that it may be a keyword
	home  bool // it begins with "~/", the user's folder, and is plain but for that
}

// redirect is a file that a command writes to.
type redirect struct {
	target   word
	appended bool
}

// simple is one command of a command line: a program with its arguments.
type simple struct {
	words    []word
	writes   []redirect
	document string // the here document on its input
	hasInput bool   // there is one, that the shell changes nothing in
	after    string // the operator before it: "&&", "||", ";", "|", "&", or empty for the first
	depth    int    // of the parentheses around it
}

// lexer takes a command line apart, as far as has to be known to tell what it may write.
type lexer struct {
	src      string
	at       int
	commands []simple
	inner    []string // scripts in $(...), in backquotes and in <(...)
	cur      simple
	word     strings.Builder
	open     word // the word that is being read
	inWord   bool
	quoted   bool
	pending  []document // here documents that begin behind the line
	redirect string     // the operator whose word comes next
	failed   bool       // it is more than is understood here
}

// document is a here document whose text is still to come.
type document struct {
	command   int // index into commands; the current one if it is not there yet
	end       string
	tabs, raw bool
}

// lex takes a script apart; ok is false if it cannot be understood.
func lex(script string) (commands []simple, inner []string, ok bool) {
	l := lexer{src: script}
	for l.at < len(l.src) && !l.failed {
		l.step()
	}
	l.endCommand(";")
	return l.commands, l.inner, !l.failed && l.cur.depth == 0 && len(l.pending) == 0
}

// step reads what stands next.
func (l *lexer) step() {
	switch c := l.src[l.at]; c {
	case ' ', '\t', '\r':
		l.at++
		l.endWord()
	case '\n':
		l.at++
		l.endCommand(";")
		l.documents()
	case '\\':
		l.escape()
	case '\'':
		l.single()
	case '"':
		l.double()
	case '$':
		l.dollar()
	case '`':
		l.backquote()
	case '#':
		if l.inWord {
			l.put("#")
			l.at++
			return
		}
		if end := strings.IndexByte(l.src[l.at:], '\n'); end >= 0 {
			l.at += end
		} else {
			l.at = len(l.src)
		}
	case ';', '&', '|', '(', ')':
		l.operator(c)
	case '<', '>':
		l.angle()
	default:
		l.plain(c)
	}
}

// begin begins a word, if none has begun.
func (l *lexer) begin() {
	if !l.inWord {
		l.inWord, l.quoted, l.open = true, false, word{plain: true}
	}
}

func (l *lexer) put(s string) {
	l.begin()
	l.word.WriteString(s)
}

// plain reads a character that is none of the shell's, or one in a word.
func (l *lexer) plain(c byte) {
	first := !l.inWord
	l.begin()
	switch {
	case c == '*' || c == '?' || c == '[':
		l.open.glob = true
	case c == '~' && first && strings.HasPrefix(l.src[l.at:], "~/"):
		l.open.home = true
	case c == '~' && first, c == '{' && l.braces():
		l.open.plain = false
	}
	l.word.WriteByte(c)
	l.at++
}

// braces reports whether the brace at hand begins a list, as in {a,b} or {1..9}.
func (l *lexer) braces() bool {
	const longest = 200 // a longer one is taken for a list
	rest := l.src[l.at:min(len(l.src), l.at+longest)]
	end := strings.IndexAny(rest, "} \t\n")
	if end < 0 {
		return len(rest) == longest
	}
	return rest[end] == '}' && (strings.Contains(rest[:end], ",") || strings.Contains(rest[:end], ".."))
}

func (l *lexer) escape() {
	if l.at+1 == len(l.src) {
		l.at++
		return
	}
	if l.src[l.at+1] != '\n' {
		l.put(l.src[l.at+1 : l.at+2])
		l.quoted = true
	}
	l.at += 2
}

func (l *lexer) single() {
	end := strings.IndexByte(l.src[l.at+1:], '\'')
	if end < 0 {
		l.failed = true
		return
	}
	l.put(l.src[l.at+1 : l.at+1+end])
	l.quoted = true
	l.at += end + 2
}

// double reads a text in double quotes.
func (l *lexer) double() {
	l.put("")
	l.quoted = true
	for l.at++; l.at < len(l.src); {
		switch c := l.src[l.at]; {
		case c == '"':
			l.at++
			return
		case c == '\\' && l.at+1 < len(l.src):
			next := l.src[l.at+1]
			if strings.IndexByte("$`\"\\", next) >= 0 {
				l.put(l.src[l.at+1 : l.at+2])
			} else if next != '\n' {
				l.put(l.src[l.at : l.at+2])
			}
			l.at += 2
		case c == '$':
			l.dollar()
		case c == '`':
			l.backquote()
		default:
			l.word.WriteByte(c)
			l.at++
		}
		if l.failed {
			return
		}
	}
	l.failed = true
}

// operator reads what stands between commands.
func (l *lexer) operator(c byte) {
	rest := l.src[l.at:]
	switch {
	case strings.HasPrefix(rest, "&>>"), strings.HasPrefix(rest, "&>"):
		l.endWord()
		l.redirect = ">"
		l.at += 2
		if l.at < len(l.src) && l.src[l.at] == '>' {
			l.redirect = ">>"
			l.at++
		}
	case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "||"):
		l.endCommand(rest[:2])
		l.at += 2
	case strings.HasPrefix(rest, "|&"):
		l.endCommand("|")
		l.at += 2
	case c == '(':
		if l.inWord || len(l.cur.words) > 0 { // of a function, or an array
			l.failed = true
			return
		}
		l.cur.depth++
		l.at++
	case c == ')':
		l.endCommand(";")
		if l.cur.depth--; l.cur.depth < 0 {
			l.failed = true
		}
		l.at++
	default:
		l.endCommand(string(c))
		l.at++
	}
}

// angle reads a redirection.
func (l *lexer) angle() {
	if l.inWord && isDigits(l.word.String()) { // the number of the file
		l.word.Reset()
		l.inWord = false
	}
	l.endWord()
	rest := l.src[l.at:]
	for _, op := range []string{"<<<", "<<-", "<<", "<(", ">(", "<&", ">&", "<>", ">>", ">|", "<", ">"} {
		if !strings.HasPrefix(rest, op) {
			continue
		}
		switch op {
		case "<(", ">(":
			l.balanced('(', ')', true)
			return
		case ">|", "<>":
			op = ">"
		}
		l.redirect = op
		l.at += len(rest[:len(op)])
		if rest[0] == '>' && strings.HasPrefix(rest, ">|") || strings.HasPrefix(rest, "<>") {
			l.at++
		}
		return
	}
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func (l *lexer) endWord() {
	if !l.inWord {
		return
	}
	w := l.open
	w.text, w.bare = l.word.String(), !l.quoted
	l.word.Reset()
	l.inWord = false
	op := l.redirect
	l.redirect = ""
	switch op {
	case "":
		l.cur.words = append(l.cur.words, w)
	case ">", ">>":
		l.cur.writes = append(l.cur.writes, redirect{target: w, appended: op == ">>"})
	case ">&":
		if w.text != "-" && !isDigits(w.text) {
			l.cur.writes = append(l.cur.writes, redirect{target: w})
		}
	case "<<", "<<-":
		l.pending = append(l.pending, document{command: len(l.commands), end: w.text, tabs: op == "<<-", raw: !w.bare})
	}
}

// endCommand ends a command; operator is what stands behind it.
func (l *lexer) endCommand(operator string) {
	l.endWord()
	if l.redirect != "" {
		l.failed = true
	}
	depth := l.cur.depth
	if len(l.cur.words) > 0 || len(l.cur.writes) > 0 {
		l.commands = append(l.commands, l.cur)
		l.cur = simple{after: operator, depth: depth}
	} else if operator != ";" || l.cur.after == "" {
		l.cur.after = operator
	}
	if len(l.commands) == 0 && operator == ";" {
		l.cur.after = ""
	}
}

// documents reads the here documents whose words stand on the line that has just ended.
func (l *lexer) documents() {
	for _, d := range l.pending {
		var body strings.Builder
		for {
			line, rest, more := strings.Cut(l.src[l.at:], "\n")
			if l.at = len(l.src) - len(rest); !more {
				l.at = len(l.src)
			}
			if d.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == d.end {
				break
			}
			if !more {
				l.failed = true
				return
			}
			body.WriteString(line + "\n")
		}
		text := body.String()
		if d.command < len(l.commands) && (d.raw || !strings.ContainsAny(text, "$`\\")) {
			l.commands[d.command].document, l.commands[d.command].hasInput = text, true
		} else if !d.raw && (strings.Contains(text, "$(") || strings.Contains(text, "`")) {
			l.failed = true
		}
	}
	l.pending = nil
}
