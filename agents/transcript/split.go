package transcript

import (
	"bytes"
	"errors"

	"tlog/objects"
)

// Record is one record of a line of an agent's file.
type Record struct {
	Line   []byte // of the file, or the part of it that is the record
	Object []byte // in it; nil if it holds none
	Joined bool   // another record follows on the same line
}

// Split appends the records of a line, which has no "\n": one, or more where whole objects stand behind each other, or one behind a
// torn one. Behind something torn only an object counts of which isRecord says so, for parts of a record are objects too. The Lines of the records, behind each
// other, are the line.
func Split(records []Record, line []byte, isRecord func(object []byte) bool) []Record {
	s := splitter{isRecord: isRecord, budget: 8*len(line) + 1<<12}
	for {
		object, fault, end := first(line)
		if object == nil {
			end = s.find(line, fault)
		}
		if end < 0 || end == len(line) {
			return append(records, Record{Line: line, Object: object})
		}
		records = append(records, Record{Line: line[:end:end], Object: object, Joined: true})
		line = line[end:]
	}
}

// Damaged reports whether the records of one line are anything but one object, or nothing.
func Damaged(records []Record) bool {
	if len(records) > 1 {
		return true
	}
	line := bytes.Trim(records[0].Line, " \t\r")
	return len(line) > 0 && len(line) != len(records[0].Object)
}

// first is the object that a line begins with, and where the next record begins: the length of the line if nothing is behind the
// object. Where the line does not begin with a whole object, fault is where it breaks off.
func first(line []byte) (object []byte, fault, end int) {
	rest := skipJunk(line)
	start := len(line) - len(rest)
	if len(rest) == 0 || rest[0] != '{' {
		return nil, start, 0
	}
	fault, whole := scan(rest)
	if whole {
		return bytes.TrimRight(rest, blanks), 0, len(line)
	}
	object = bytes.TrimRight(rest[:fault], blanks)
	if fault == len(rest) || object[len(object)-1] != '}' {
		return nil, start + fault, 0
	}
	if _, whole := scan(object); !whole {
		return nil, start + fault, 0
	}
	if len(skipJunk(rest[fault:])) == 0 {
		return object, 0, len(line)
	}
	return object, 0, start + len(object)
}

const blanks = " \t\r\n"

// scan tells whether b is one object, and if not where it breaks off.
func scan(b []byte) (fault int, whole bool) {
	err := objects.Scan(b, nil)
	if err == nil {
		return len(b), true
	}
	if broken := (*objects.SyntaxError)(nil); errors.As(err, &broken) {
		fault = broken.Offset
	}
	return fault, false
}

// skipJunk is what is behind the white space, NULs and byte order marks at the beginning of b.
func skipJunk(b []byte) []byte {
	for {
		b = bytes.TrimLeft(b, blanks+"\x00")
		rest, found := bytes.CutPrefix(b, []byte("\xEF\xBB\xBF"))
		if !found {
			return b
		}
		b = rest
	}
}

// splitter looks for whole records behind torn ones, as long as its budget of bytes to read lasts.
type splitter struct {
	isRecord func(object []byte) bool
	budget   int
}

// find is the offset of a whole record in a line that begins with something torn and breaks off at fault; -1 if there is none. Where a
// string was torn, the first quote of the whole record closes it, and the fault is just behind: it is looked for there first, then
// from the left.
func (s *splitter) find(line []byte, fault int) int {
	around := min(fault+1, len(line))
	if at := bytes.LastIndexByte(line[:around], '{'); at > 0 && s.recordAt(line, at) {
		return at
	}
	if at := bytes.IndexByte(line[around:], '{'); at >= 0 && s.recordAt(line, around+at) {
		return around + at
	}
	for at := 1; at < len(line) && s.budget > 0; at++ {
		next := bytes.IndexByte(line[at:], '{')
		if next < 0 {
			return -1
		}
		at += next
		s.budget -= next
		if s.recordAt(line, at) {
			return at
		}
	}
	return -1
}

// recordAt reports whether a whole record begins at line[at], with nothing but another object behind it.
func (s *splitter) recordAt(line []byte, at int) bool {
	if s.budget <= 0 {
		return false
	}
	object := line[at:]
	fault, whole := scan(object)
	s.budget -= fault + 16
	if !whole {
		if behind := skipJunk(object[fault:]); len(behind) > 0 && behind[0] != '{' {
			return false
		}
		object = object[:fault]
		if _, whole = scan(object); !whole {
			return false
		}
	}
	return s.isRecord(object)
}
