package log

import (
	"errors"
	"fmt"
	"iter"
	"unicode/utf8"

	"tlog/objects"
)

// Finding is something that fsck tells.
type Finding struct {
	Code    Code
	Line    int
	Offset  int64
	ID      string // entry id as it stands in the line; empty if it has none
	Message string
}

// Check reads the whole file again and yields what is wrong with it as it is found: first what the lines tell
// while they are read (their bytes, ids, the chain), then what the whole does (parents, cycles, times, each blob once), each in
// file order. Findings on names, tool pairs and usage are made above this package.
// A file that cannot be read to its end has a bad-line finding that says so.
func (l *Log) Check() iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		// A second Log reads the file and reports what it meets.
		c := &checker{yield: yield, chained: l.header.Version == objects.Version || l.header.Chain != "", chain: newChainer("")}
		again := l.fresh(l.file)
		again.store, again.check = l.Blobs(), c
		err := again.scanLines()
		switch {
		case errors.Is(err, errStopped):
			return
		case err != nil:
			c.add(Finding{Code: BadLine, Line: again.lines + 1, Offset: again.size, Message: err.Error()})
		}
		c.endRun()
		c.endForeign()
		again.link(0)
		for _, check := range []func(){again.checkParents, again.checkBridges, again.checkTimes, again.checkBlobs} {
			if c.stopped {
				return
			}
			check()
		}
	}
}

// errStopped says that whoever asked for findings wants no more.
var errStopped = errors.New("no more findings are wanted")

// checkParents reports the parents that are nowhere in the file. An agent's row that is no node of the history needs none.
func (l *Log) checkParents() {
	for i := range l.records {
		if r := &l.records[i]; r.Gap && r.RepeatOf == None && (r.Tree() || !r.Foreign) {
			l.check.add(Finding{
				Code: MissingParent, Line: r.Line, Offset: r.Offset, ID: string(r.ID),
				Message: fmt.Sprintf("parentId %.200s is nowhere in the file; the entry is read as a root", r.ParentID),
			})
		}
	}
}

// checker hands on findings while a file is read.
type checker struct {
	yield   func(Finding) bool
	stopped bool // no more are wanted
	chained bool // the file is of a version whose lines have chains
	chain   *chainer
	run     unchainedRun
	foreign foreignCheck
	bridges []bridge
	times   []entryTime // of each record
}

// unchainedRun are lines without chain that follow each other.
type unchainedRun struct {
	entries int
	first   Finding
}

func (c *checker) add(found ...Finding) {
	for _, f := range found {
		if c.stopped {
			return
		}
		c.stopped = !c.yield(f)
	}
}

// line looks at the bytes of one line.
func (c *checker) line(raw rawLine, number int, p parsedLine) {
	for _, fault := range lineFaults(raw, p) {
		c.add(Finding{Code: fault.Code, Line: number, Offset: raw.offset + fault.Offset, ID: string(p.entry.ID), Message: fault.Reason})
	}
	if c.chained {
		c.lineChain(raw, number, p)
	}
}

// invalidUTF8 is the place of the first byte that is not UTF-8, or -1.
func invalidUTF8(line []byte) int {
	if utf8.Valid(line) {
		return -1
	}
	for at := 0; ; {
		r, n := utf8.DecodeRune(line[at:])
		if r == utf8.RuneError && n <= 1 {
			return at
		}
		at += n
	}
}

// lineChain checks the chain at one line.
func (c *checker) lineChain(raw rawLine, number int, p parsedLine) {
	spoiled := c.chain.spoiled(raw.bytes, p)
	expected := c.chain.verify(raw.bytes, p)
	at := Finding{Line: number, Offset: raw.offset, ID: string(p.entry.ID)}
	switch {
	case p.kind != lineObject:
	case spoiled:
		at.Code, at.Message = ChainBroken, "the line's own chain is damaged"
		c.add(at)
	case expected == "":
		if c.run.entries == 0 {
			c.run.first = at
		}
		c.run.entries++
	case expected == p.entry.Chain:
		c.endRun()
	default:
		message := "the line does not fit what stands before it"
		if c.run.entries > 0 {
			// A line that lost its chain to damage looks like one of another program's.
			message = fmt.Sprintf("line %d does not fit what stands from here on", number)
			at.Line, at.Offset, at.ID = c.run.first.Line, c.run.first.Offset, c.run.first.ID
			c.run = unchainedRun{}
		}
		at.Code = ChainBroken
		at.Message = fmt.Sprintf("%s: expected chain %s, got %s", message, expected, p.entry.Chain)
		c.add(at)
	}
}

// endRun reports the lines without chain that have come to an end.
func (c *checker) endRun() {
	if c.run.entries == 0 {
		return
	}
	f := c.run.first
	f.Code = Unchained
	f.Message = fmt.Sprintf("%d lines without chain from here on, appended by another program", c.run.entries)
	if c.run.entries == 1 {
		f.Message = "a line without chain, appended by another program"
	}
	c.add(f)
	c.run = unchainedRun{}
}
