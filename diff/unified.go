package diff

import "strings"

// UnifiedHunk is a hunk of a unified diff: changes near each other, with the lines around them. Numbers of lines count from 1; where a side has no lines its
// start is the line before, as `diff -U` has it.
type UnifiedHunk struct {
	OldStart, OldLines, NewStart, NewLines int
	Pieces                                 []Piece
}

// Unified groups the changes that Lines found with so many lines of context around them, as `diff -U` does. Changes with no more than twice the context
// between them are in one hunk. Without changes there is no hunk.
func Unified(pieces []Piece, context int) []UnifiedHunk {
	u := unifier{context: max(context, 0), oldLine: 1, newLine: 1}
	for i, p := range pieces {
		if p.Op != Equal {
			u.change(p)
			continue
		}
		u.equal(p.Text, i+1 < len(pieces))
	}
	u.close()
	return u.hunks
}

// unifier puts hunks together.
type unifier struct {
	context          int
	hunks            []UnifiedHunk
	hunk             UnifiedHunk // that is open, if it has pieces
	before           string      // the lines before the next change that belong to it
	oldLine, newLine int         // the next line of each side
}

func (u *unifier) change(p Piece) {
	if len(u.hunk.Pieces) == 0 {
		lines := countLines(u.before)
		u.hunk.OldStart, u.hunk.NewStart = u.oldLine-lines, u.newLine-lines
		u.take(Equal, u.before)
		u.before = ""
	}
	u.take(p.Op, p.Text)
	lines := countLines(p.Text)
	if p.Op == Delete {
		u.oldLine += lines
	} else {
		u.newLine += lines
	}
}

// equal takes in lines that both sides have; more is whether a change follows.
func (u *unifier) equal(text string, more bool) {
	lines := countLines(text)
	u.oldLine, u.newLine = u.oldLine+lines, u.newLine+lines
	switch {
	case len(u.hunk.Pieces) == 0:
		u.before = lastLines(text, lines, u.context)
	case more && lines <= 2*u.context:
		u.take(Equal, text)
	default:
		u.take(Equal, text[:linesEnd(text, u.context)])
		u.close()
		u.before = lastLines(text, lines, u.context)
	}
}

func (u *unifier) take(op Op, text string) {
	if text == "" {
		return
	}
	u.hunk.Pieces = append(u.hunk.Pieces, Piece{op, text})
	lines := countLines(text)
	if op != Insert {
		u.hunk.OldLines += lines
	}
	if op != Delete {
		u.hunk.NewLines += lines
	}
}

func (u *unifier) close() {
	if len(u.hunk.Pieces) == 0 {
		return
	}
	if u.hunk.OldLines == 0 {
		u.hunk.OldStart--
	}
	if u.hunk.NewLines == 0 {
		u.hunk.NewStart--
	}
	u.hunks = append(u.hunks, u.hunk)
	u.hunk = UnifiedHunk{}
}

// countLines counts a last line without \n as well.
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// linesEnd is where the first n lines of a text end.
func linesEnd(text string, n int) int {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		at += lineEnd(text[at:])
	}
	return at
}

// lastLines are the last n lines of a text that has so many lines.
func lastLines(text string, lines, n int) string {
	return text[linesEnd(text, max(lines-n, 0)):]
}
