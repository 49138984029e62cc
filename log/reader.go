package log

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// readSize is how many bytes are asked for at once; less if less is to be expected.
const (
	readSize    = 256 << 10
	minReadSize = 4 << 10
)

// rawLine is one line of the file.
type rawLine struct {
	offset int64
	bytes  []byte // without "\n"; valid until the next line is read
	ended  bool   // by "\n"
}

// behind is the offset behind the line and its "\n", if it has one.
func (r rawLine) behind() int64 {
	n := r.offset + int64(len(r.bytes))
	if r.ended {
		n++
	}
	return n
}

// lineReader cuts a file into lines, however long they are. It reads by
// chunks and holds no more of the file than one chunk or one line.
type lineReader struct {
	file     io.ReaderAt
	end      int64 // where the file is expected to end
	offset   int64 // of buf[pos] in the file
	buf      []byte
	pos      int // buf[pos:] is read and not given out yet
	searched int // bytes from pos on that hold no "\n"
	eof      bool
}

// newLineReader reads from an offset on. The file is expected to end at the offset end, but
// is read to wherever it ends.
func newLineReader(file io.ReaderAt, offset, end int64) *lineReader {
	size := min(max(end-offset+1, minReadSize), readSize)
	return &lineReader{file: file, end: end, offset: offset, buf: make([]byte, 0, size)}
}

// next gives the next line. The error is io.EOF behind the last one.
func (r *lineReader) next() (rawLine, error) {
	for {
		unread := r.buf[r.pos:]
		if i := bytes.IndexByte(unread[r.searched:], '\n'); i >= 0 {
			return r.take(r.searched+i, true), nil
		}
		r.searched = len(unread)
		if r.eof {
			if len(unread) == 0 {
				return rawLine{}, io.EOF
			}
			return r.take(len(unread), false), nil
		}
		if err := r.fill(); err != nil {
			return rawLine{}, err
		}
	}
}

// take gives out the next n bytes as a line.
func (r *lineReader) take(n int, ended bool) rawLine {
	line := rawLine{offset: r.offset, bytes: r.buf[r.pos : r.pos+n : r.pos+n], ended: ended}
	r.pos += n
	if ended {
		r.pos++
	}
	r.offset = line.behind()
	r.searched = 0
	return line
}

// fill reads one more chunk behind the unread bytes.
func (r *lineReader) fill() error {
	n := copy(r.buf[:cap(r.buf)], r.buf[r.pos:])
	r.buf, r.pos = r.buf[:n], 0
	if n > cap(r.buf)/2 { // a long line: grow, so that all of it is moved only a few times
		size := int64(2 * cap(r.buf))
		if rest := r.end - r.offset + 1; rest > int64(n) { // one more, so that the end shows itself
			size = min(size, rest)
		}
		grown := make([]byte, n, max(size, int64(cap(r.buf))))
		copy(grown, r.buf)
		r.buf = grown
	}
	read, err := r.file.ReadAt(r.buf[n:cap(r.buf)], r.offset+int64(n))
	r.buf = r.buf[:n+read]
	if errors.Is(err, io.EOF) {
		r.eof, err = true, nil
	}
	return err
}

// RawLine is one line of the file as it stands on disk, be it an entry, the
// header, damaged or blank.
type RawLine struct {
	Offset int64
	Line   int    // number of the line, from 1
	Bytes  []byte // without "\n"; valid until the next line is read
	Ended  bool   // by "\n"
	Header bool   // it is the file's header
	Record int    // None if the line is no entry
}

// Lines yields every line of the file that has been read, in file order, from the line on
// that begins at or behind offset from. The last pair holds the error if reading fails.
func (l *Log) Lines(from int64) iter.Seq2[RawLine, error] {
	return func(yield func(RawLine, error) bool) {
		r := newLineReader(io.NewSectionReader(l.file, 0, l.size), 0, l.size)
		record := 0
		for number := 1; ; number++ {
			raw, err := r.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(RawLine{Record: None}, fmt.Errorf("read log %s: %w", l.path, err))
				return
			}
			line := RawLine{Offset: raw.offset, Line: number, Bytes: raw.bytes, Ended: raw.ended, Header: number == l.headLine, Record: None}
			if record < len(l.records) && l.records[record].Line == number {
				line.Record = record
				record++
			}
			if raw.offset >= from && !yield(line, nil) {
				return
			}
		}
	}
}
