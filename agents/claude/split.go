package claude

import (
	"bytes"
	"errors"

	"tlog/objects"
)

// splitLine appends the records of a line: one, or more where whole objects stand behind each other, or one
// behind a torn one. The lines of the records, behind each other, are the line.
func splitLine(records []record, line []byte) []record {
	budget := 8*len(line) + 1<<12
	for {
		rec, end := parseRecord(line)
		if rec.object == nil {
			end = findRow(line, rec.fault, &budget)
		}
		if end < 0 || end == len(line) {
			return append(records, rec)
		}
		rec.line = line[:end:end]
		rec.joined = true
		records = append(records, rec)
		line = line[end:]
	}
}

// parseRecord reads the first record of a line. end is where the next one begins; the length of the line if
// nothing is behind the object. A record whose line holds no whole object at its beginning has none, and fault is where it breaks off.
func parseRecord(line []byte) (rec record, end int) {
	start := len(line) - len(skipJunk(line))
	rest := line[start:]
	rec = record{line: line, fault: start}
	if len(rest) == 0 || rest[0] != '{' {
		return rec, 0
	}
	whole, fault := scanRecord(&rec, rest)
	if whole {
		rec.object = bytes.TrimRight(rest, " \t\r\n")
		rec.checkTitle()
		return rec, len(line)
	}
	if object := bytes.TrimRight(rest[:fault], " \t\r\n"); fault < len(rest) && object[len(object)-1] == '}' {
		first := record{line: line}
		if whole, _ := scanRecord(&first, object); whole {
			first.object = object
			first.checkTitle()
			if len(skipJunk(rest[fault:])) == 0 {
				return first, len(line)
			}
			return first, start + len(object)
		}
	}
	return record{line: line, fault: start + fault}, 0
}

// scanRecord reads the object that b is, and tells where it breaks off if it is none.
func scanRecord(rec *record, b []byte) (whole bool, fault int) {
	err := objects.Scan(b, rec.member)
	if err == nil {
		return true, len(b)
	}
	var broken *objects.SyntaxError
	if errors.As(err, &broken) {
		fault = broken.Offset
	}
	return false, fault
}

// skipJunk is what is behind the white space, NULs and byte order marks at the beginning of b.
func skipJunk(b []byte) []byte {
	for {
		b = bytes.TrimLeft(b, " \t\r\n\x00")
		rest, found := bytes.CutPrefix(b, []byte("\xEF\xBB\xBF"))
		if !found {
			return b
		}
		b = rest
	}
}

// findRow is the offset of a whole row or side line in a line that begins with something torn and breaks off at fault; -1 if there is none.
// Where a string was torn, the whole one's first quote closes it, and the fault is just behind; so it is looked for around
// the fault first, then from the left, but only as far as the budget of bytes to read lasts.
func findRow(line []byte, fault int, budget *int) int {
	around := min(fault+1, len(line))
	if at := bytes.LastIndexByte(line[:around], '{'); at > 0 && rowAt(line, at, budget) {
		return at
	}
	if at := bytes.IndexByte(line[around:], '{'); at >= 0 && rowAt(line, around+at, budget) {
		return around + at
	}
	for at := 1; at < len(line) && *budget > 0; at++ {
		next := bytes.IndexByte(line[at:], '{')
		if next < 0 {
			return -1
		}
		at += next
		*budget -= next
		if rowAt(line, at, budget) {
			return at
		}
	}
	return -1
}

// rowAt reports whether a whole row or side line begins at line[at], and stands behind what is torn rather than in it: nothing but another
// object may follow.
func rowAt(line []byte, at int, budget *int) bool {
	if *budget <= 0 {
		return false
	}
	rec := record{}
	rest := line[at:]
	whole, fault := scanRecord(&rec, rest)
	*budget -= fault + 16
	if !whole {
		behind := skipJunk(rest[fault:])
		if len(behind) > 0 && behind[0] != '{' {
			return false
		}
		rec = record{}
		if whole, _ = scanRecord(&rec, rest[:fault]); !whole {
			return false
		}
	}
	return rec.kind != "" && (rec.uuid != "" || rec.session)
}
