package log

import (
	"fmt"
	"slices"

	"tlog/objects"
)

// foreignCount counts the lines of an agent's file that a log holds.
type foreignCount struct {
	line   int  // the number that the last one has in the source
	joined bool // the next one stands on the same line
}

// next counts the line in an entry. completes: it is the last one, as it was when it had been written to its end.
func (c *foreignCount) next(e objects.Entry) (completes bool) {
	if e.Base != "" {
		return false // it stands in another one
	}
	completes = string(e.Get("completes")) == "true"
	if !completes && !c.joined {
		c.line++
	}
	c.joined = string(e.Get("joined")) == "true"
	return completes
}

// SourceLines gives for the lines of the log that hold one of an agent's file the numbers that they had there. The numbers
// are by line, from 1; those of a session that is no import, or whose source was rewritten, only count.
func (l *Log) SourceLines() (map[int]int, error) {
	lines, count := map[int]int{}, foreignCount{}
	for i := range l.records {
		if !l.records[i].Foreign {
			continue
		}
		e, err := l.Entry(i)
		if err != nil {
			return nil, err
		}
		count.next(e)
		if e.Base != "" {
			continue
		}
		lines[l.records[i].Line] = count.line
	}
	return lines, nil
}

// foreignCheck looks at the lines of an agent's file while a log is checked.
type foreignCheck struct {
	foreignCount
	last foreignFaults
}

// foreignFaults are what is wrong with the last foreign line. They are told when the next one is known.
type foreignFaults struct {
	found []Finding
	// torn tells, in place of found, of a line that is not complete and is the last one.
	torn []Finding
}

// checkForeign looks at a line that holds one of an agent's file.
func (l *Log) checkForeign(raw rawLine, e objects.Entry) {
	if e.Base != "" {
		return // its damage is that of another transcript
	}
	c := l.check
	if !c.foreign.next(e) { // else that line was only read too early
		c.add(c.foreign.last.found...)
	}
	c.foreign.last = foreignFaults{}
	add := func(to *[]Finding, code Code, reason string) {
		*to = append(*to, Finding{
			Code: code, Line: l.lines + 1, Offset: raw.offset, ID: string(e.ID), Message: l.sourcePlace(c.foreign.line) + reason,
		})
	}
	last := &c.foreign.last
	if e.Get("layout") != nil { // a part of a document
		if piece, ok := l.damagedLine(e); ok && !wholePiece(piece) {
			add(&last.found, BadLine, "the document breaks off, or is none from here on")
		}
		return
	}
	if c.foreign.joined {
		add(&last.found, GluedLines, "another record begins on the same line")
		last.torn = last.found
	}
	line, ok := l.damagedLine(e)
	if !ok {
		return
	}
	for _, ended := range []bool{true, false} {
		to := &last.found
		if !ended {
			to = &last.torn
		}
		for _, fault := range lineFaults(rawLine{bytes: line, ended: ended}, parseLine(line, ended)) {
			if c.foreign.joined && (fault.Code == BadLine || fault.Code == TornTail) {
				continue // it is what makes them two
			}
			add(to, fault.Code, fault.Reason)
		}
	}
}

// wholePiece reports whether a part of a document without a record is what may stand there: what is before a list, or behind it, or an element that is no
// object, or all of a document without one.
func wholePiece(piece []byte) bool {
	around := func(before, after string) bool {
		return objects.Valid(slices.Concat([]byte(before), piece, []byte(after)))
	}
	return around("", "]}") || around(`{"":[`, "") || around("[", "]") || around("[0", "]") || around("", "")
}

// damagedLine is the line of an agent's file that is not one clean object. Of one that cannot be had the blob tells.
func (l *Log) damagedLine(e objects.Entry) (line []byte, ok bool) {
	if e.Get("rawBase64") == nil {
		return nil, false
	}
	whole, err := l.Fill(e, l.lines+1)
	if err != nil {
		return nil, false
	}
	return whole.SourceLine()
}

// endForeign tells of the last foreign line.
func (c *checker) endForeign() {
	faults := c.foreign.last.found
	if c.foreign.last.torn != nil {
		faults = c.foreign.last.torn
	}
	c.add(faults...)
}

// sourcePlace begins a message on a line of the source. A copy of another session's entries has no source of its own.
func (l *Log) sourcePlace(line int) string {
	if l.header.Source == nil {
		return "in the agent's line: "
	}
	return fmt.Sprintf("line %d of the source: ", line)
}

// bridge is an entry whose own parent is not its parent in the graph.
type bridge struct {
	record, line int // line is that of the source
	gap          string
}

// checkBridges reports the parents that agents' lines name and that are not theirs in the graph.
func (l *Log) checkBridges() {
	for _, b := range l.check.bridges {
		r := &l.records[b.record]
		if r.RepeatOf != None || !r.Tree() {
			continue // one that is no node of the history has no place in it
		}
		f := Finding{Code: MissingParent, Line: r.Line, Offset: r.Offset, ID: string(r.ID)}
		how := "; the entry stands behind the one before it"
		if r.Parent == None {
			how = "; the entry is a root"
		}
		at, there := l.Find(objects.ID(b.gap))
		switch {
		case !there:
			how = ", which is nowhere in it" + how
		case at == b.record, l.IsAncestor(b.record, at):
			f.Code = Cycle
			how = ", of which it is an ancestor itself" + how
		default:
			how = ", which was nowhere in it when the line was imported" + how
		}
		f.Message = fmt.Sprintf("%sit names parent %.200s%s", l.sourcePlace(b.line), b.gap, how)
		l.check.add(f)
	}
}
