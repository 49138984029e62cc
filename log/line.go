package log

import (
	"bytes"
	"errors"

	"tlog/objects"
)

// lineKind tells what a line is.
type lineKind uint8

const (
	lineBlank lineKind = iota
	lineObject
	lineDamaged
)

// parsedLine is what a line was found to be.
type parsedLine struct {
	kind       lineKind
	start, end int           // of the object in the line
	entry      objects.Entry // of an object
	bom, nul   int           // offset in the line of the first one around the object; -1 if there is none

	code   Code // of a damaged line
	fault  int  // its place in the line
	reason string
}

// parseLine finds out what a line is. ended tells whether it has a "\n".
func parseLine(line []byte, ended bool) parsedLine {
	p := parsedLine{bom: -1, nul: -1}
	p.trim(line)
	if p.start == p.end {
		if p.nul >= 0 {
			p.damage(NULBytes, p.nul, "nothing but NUL bytes")
		}
		return p
	}
	entry, err := objects.ParseEntry(line[p.start:p.end])
	if err == nil {
		p.kind, p.entry = lineObject, entry
		return p
	}
	fault, reason := p.start, err.Error()
	var syntax *objects.SyntaxError
	if errors.As(err, &syntax) {
		fault, reason = p.start+syntax.Offset, syntax.Reason
	}
	p.classify(line, ended, fault, reason)
	return p
}

// objectBounds is where the object of a line is that was found to hold one.
func objectBounds(line []byte) (start, end int) {
	var p parsedLine
	p.trim(line)
	return p.start, p.end
}

// trim sets start and end so that white space, NULs and byte order marks around
// the object are left out.
func (p *parsedLine) trim(line []byte) {
	start, end := 0, len(line)
	for start < end {
		n := 1
		switch c := line[start]; {
		case c == ' ', c == '\t', c == '\r':
		case c == 0:
			p.noteNUL(start)
		case c == 0xEF && bytes.HasPrefix(line[start:end], []byte("\xEF\xBB\xBF")):
			n = 3
			if p.bom < 0 {
				p.bom = start
			}
		default:
			n = 0
		}
		if n == 0 {
			break
		}
		start += n
	}
	for end > start {
		c := line[end-1]
		if c != ' ' && c != '\t' && c != '\r' && c != 0 {
			break
		}
		end--
	}
	if i := bytes.IndexByte(line[end:], 0); i >= 0 {
		p.noteNUL(end + i)
	}
	p.start, p.end = start, end
}

func (p *parsedLine) noteNUL(at int) {
	if p.nul < 0 {
		p.nul = at
	}
}

func (p *parsedLine) damage(code Code, fault int, reason string) {
	p.kind, p.code, p.fault, p.reason = lineDamaged, code, fault, reason
}

// classify names the damage of a line that is no object; fault and reason are the scanner's.
func (p *parsedLine) classify(line []byte, ended bool, fault int, reason string) {
	object := line[p.start:p.end]
	switch second := secondObject(object, fault-p.start); {
	case !ended:
		p.damage(TornTail, fault, "the last line is not complete: "+reason)
	case object[0] != '{' && objects.Valid(object):
		p.damage(BadLine, p.start, "expected an object, got "+valueKind(object[0]))
	case second > 0:
		p.damage(GluedLines, p.start+second, "another object begins on the same line")
	default:
		p.damage(BadLine, fault, reason)
	}
}

// valueKind names the kind of JSON value that begins with c.
func valueKind(c byte) string {
	switch c {
	case '"':
		return "a string"
	case '[':
		return "an array"
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	}
	return "a number"
}

// secondObject is where in b another object begins, or 0. b is no object, and
// its fault is at the given place.
func secondObject(b []byte, fault int) int {
	if b[0] == '{' && complete(b[:fault]) {
		// Behind a whole object, whatever begins like one counts.
		rest := bytes.TrimLeft(b[fault:], " \t\r\x00")
		if bytes.HasPrefix(rest, []byte{'{'}) {
			return len(b) - len(rest)
		}
	}
	mark := []byte(`{"type"`)
	if bytes.HasPrefix(b, []byte(`{"role"`)) {
		mark = []byte(`{"role"`)
	}
	// Behind a torn one it has to be a whole entry, since blocks of content have a type too.
	// The work is limited: a line made for it would take time by the square of its length.
	for at, budget := 1, 8*len(b); at < len(b) && budget > 0; {
		i := bytes.Index(b[at:], mark)
		if i < 0 {
			return 0
		}
		at += i
		end, whole := objectEnd(b, at)
		budget -= end - at
		switch {
		case whole && beginsEntry(b[at:end]):
			return at
		case whole:
			at = end
		default:
			at++
		}
	}
	return 0
}

func complete(b []byte) bool { return objects.Scan(b, nil) == nil }

// objectEnd is where the object at b[at] ends, or where it breaks off.
func objectEnd(b []byte, at int) (end int, whole bool) {
	var syntax *objects.SyntaxError
	err := objects.Scan(b[at:], nil)
	if !errors.As(err, &syntax) {
		return len(b), err == nil
	}
	end = at + syntax.Offset
	return end, complete(b[at:end])
}

// beginsEntry reports whether an object looks like a line of a log and not like a part of one.
func beginsEntry(object []byte) bool {
	e, err := objects.ParseEntry(object)
	if err != nil {
		return false
	}
	return e.HasParent || e.Timestamp != "" || e.Type == objects.TypeSession || e.Type == "" && e.Get("content") != nil
}
