package log

import (
	"errors"
	"fmt"
	"io"
	"iter"
)

// Faults reads a file of JSON lines of any program, size bytes long, and yields what keeps each line from being one clean object, in file
// order: the codes bad-line, torn-tail, glued-lines, nul-bytes, bom and invalid-utf8. It knows nothing of what the objects say. The last
// pair holds the error if reading fails.
func Faults(file io.ReaderAt, size int64) iter.Seq2[Damage, error] {
	return func(yield func(Damage, error) bool) {
		r := newLineReader(file, 0, size)
		for number := 1; ; number++ {
			raw, err := r.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Damage{}, err)
				return
			}
			for _, fault := range lineFaults(raw, parseLine(raw.bytes, raw.ended)) {
				fault.Line = number
				fault.Offset += raw.offset
				if !yield(fault, nil) {
					return
				}
			}
		}
	}
}

// lineFaults is what is wrong with the bytes of one line; the offsets are those in the line.
func lineFaults(raw rawLine, p parsedLine) (faults []Damage) {
	add := func(code Code, at int, reason string) {
		faults = append(faults, Damage{Code: code, Offset: int64(at), Reason: reason})
	}
	if p.kind == lineDamaged {
		add(p.code, p.fault, p.reason)
	}
	if p.nul >= 0 && p.code != NULBytes {
		add(NULBytes, p.nul, "NUL bytes around what is on the line")
	}
	if p.bom >= 0 {
		add(BOM, p.bom, "a byte order mark before what is on the line")
	}
	if at := invalidUTF8(raw.bytes); at >= 0 {
		add(InvalidUTF8, at, fmt.Sprintf("byte %#02x is not UTF-8", raw.bytes[at]))
	}
	return faults
}
