package store

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"tlog/migrate"
	"tlog/objects"
)

// endSize is how much of each end of a file a listing reads, in bytes.
const endSize = 64 << 10

// maxHeader bounds the search for a header: a file without one in its first
// bytes is no session, however long its first line is. Headers of imports hold
// their source's header, so the bound is generous.
const maxHeader = 16 << 20

// ends are the header and the two ends of a file.
type ends struct {
	header objects.Header
	head   []byte // lines behind the header; the last one may be cut
	tail   []byte // whole lines from the end of the file; empty if head has all
	size   int64
	mod    time.Time
}

// readEnds reads a header and the ends of a session file, never the whole of a
// long one. Without tail it leaves out the end of the file.
func readEnds(file string, tail bool) (ends, error) {
	// A pipe in the folder would block, so that only a regular file is opened.
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return ends{}, err
	case !info.Mode().IsRegular():
		return ends{}, fmt.Errorf("%s: %w: expected a regular file, got %s", file, objects.ErrInvalid, info.Mode().Type())
	}
	f, err := os.Open(file)
	if err != nil {
		return ends{}, err
	}
	defer f.Close()
	e := ends{size: info.Size(), mod: info.ModTime()}
	buf, behind, err := e.readHeader(f, file)
	if err != nil {
		return ends{}, err
	}
	e.head = buf[behind:]
	if !tail || int64(len(buf)) >= e.size {
		return e, nil
	}
	start := max(int64(len(buf)), e.size-endSize)
	e.tail = make([]byte, e.size-start)
	n, err := f.ReadAt(e.tail, start)
	if err != nil && err != io.EOF { //nolint:errorlint // ReadAt gives io.EOF itself
		return ends{}, err
	}
	e.tail = e.tail[:n]
	if cut := bytes.IndexByte(e.tail, '\n'); cut >= 0 {
		e.tail = e.tail[cut+1:]
	} else {
		e.tail = nil // the middle of one long line
	}
	return e, nil
}

// readHeader reads the head of a file until its header is found; behind is the
// offset behind the header's line in buf.
func (e *ends) readHeader(f io.ReaderAt, file string) (buf []byte, behind int, err error) {
	for size := int64(endSize); ; size *= 4 {
		buf = make([]byte, min(size, e.size))
		n, err := f.ReadAt(buf, 0)
		if err != nil && err != io.EOF { //nolint:errorlint // ReadAt gives io.EOF itself
			return nil, 0, err
		}
		buf = buf[:n]
		behind, found, err := e.findHeader(buf, int64(n) >= e.size)
		switch {
		case err != nil:
			return nil, 0, fmt.Errorf("%s: %w", file, err)
		case found:
			return buf, behind, nil
		case int64(n) < size || size >= maxHeader:
			return nil, 0, fmt.Errorf("%s: no line begins a session: %w", file, objects.ErrInvalid)
		}
	}
}

// findHeader looks for the header in the whole lines of buf. The first line
// that is an object decides what the file is.
func (e *ends) findHeader(buf []byte, all bool) (behind int, found bool, err error) {
	for at := 0; at < len(buf); {
		end := bytes.IndexByte(buf[at:], '\n')
		if end < 0 && !all {
			return 0, false, nil
		}
		line, next := buf[at:], len(buf)
		if end >= 0 {
			line, next = buf[at:at+end], at+end+1
		}
		object, ok := objectIn(line)
		if !ok {
			at = next
			continue
		}
		version, err := migrate.Detect(object)
		switch {
		case err != nil:
			return 0, false, err
		case version == 0:
			return 0, false, fmt.Errorf("a bare message log: %w: it has to be imported", objects.ErrInvalid)
		}
		e.header, err = objects.ParseHeader(object)
		if !e.header.ID.Valid() { // as package log has it
			e.header.ID = objects.DerivedID(e.header.ID, 1)
		}
		return next, true, err
	}
	return 0, false, nil
}

// objectIn is the JSON object on a line, NULs, a byte order mark and white space
// around it left out.
func objectIn(line []byte) (object []byte, ok bool) {
	start, end := bytes.IndexByte(line, '{'), bytes.LastIndexByte(line, '}')
	if start < 0 || end < start {
		return nil, false
	}
	object = line[start : end+1]
	return object, objects.Scan(object, nil) == nil
}

// eachEntry calls entry for each line of block that is an entry, until it returns false.
func eachEntry(block []byte, entry func(objects.Entry) bool) {
	for line := range bytes.Lines(block) {
		object, ok := objectIn(line)
		if !ok {
			continue
		}
		if e, err := objects.ParseEntry(object); err == nil && !entry(e) {
			return
		}
	}
}

// firstPrompt is the text of the first user prompt in the head.
func (e *ends) firstPrompt() string {
	text := ""
	eachEntry(e.head, func(entry objects.Entry) bool {
		if entry.Type == objects.TypeMessage {
			if m, ok := objects.DecodeMessage(entry); ok && m.Prompt() {
				text = m.Text()
			}
		}
		return text == ""
	})
	return text
}

// name is the session's name as far as the ends tell: an empty session_info
// clears it.
func (e *ends) name() string {
	for _, block := range [][]byte{e.tail, e.head} {
		name, found := "", false
		eachEntry(block, func(entry objects.Entry) bool {
			if entry.Type == objects.TypeSessionInfo {
				text, _ := entry.Text("name")
				name, found = strings.TrimSpace(text), true
			}
			return true
		})
		if found {
			return name
		}
	}
	return e.header.Name
}

// created is the header's time, zero if it has none.
func (e *ends) created() time.Time {
	t, err := time.Parse(time.RFC3339Nano, e.header.Timestamp)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
