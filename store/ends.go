package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"tlog/agents/transcript"
	"tlog/migrate"
	"tlog/objects"
)

// How much is read of a file, in bytes: at most maxHead at its beginning and tailSize at its end. A header alone is looked
// for in small steps, and the head grows only where what is looked for is not found.
//
// A file that is no longer than wholeSize is read whole, and all its lines are looked at. That takes most of the time of
// a listing, so of longer ones never as much is read that it would have to be done, but where the head grew.
const (
	tailSize   = 32 << 10
	maxHead    = 128 << 10
	firstHead  = 8 << 10 // of a file whose ends are read
	headerHead = 4 << 10 // of a file whose header is read
	wholeSize  = 2 * firstHead
)

// sessionFile is what is asked of an open file.
type sessionFile interface {
	io.ReaderAt
	io.Closer
}

// opener opens a regular file and tells its size and time.
type opener func(path string) (sessionFile, fs.FileInfo, error)

// openRegular is the opener for real files. It does not wait for the other end of a pipe, and unpacks what an agent has packed.
func openRegular(path string) (sessionFile, fs.FileInfo, error) { return transcript.Open(path) }

// ends are the header and the two ends of a file. They are valid until the next read with the same ends, whose memory is
// used again.
type ends struct {
	open opener
	buf  []byte

	header objects.Header
	head   []byte // what was read behind the header's line; the last line may be cut
	tail   []byte // whole lines from the end of the file; empty if head goes to the end
	whole  bool   // head goes to the end of the file
	size   int64
	mod    time.Time

	file   sessionFile
	read   int // bytes at the beginning of buf that are those of the file
	behind int // the offset behind the header's line
}

// readHeader reads a file's header and no more than it must.
func (e *ends) readHeader(path string) error {
	return e.with(path, func() error { return e.findHeader(headerHead) })
}

// readEnds reads a file's header and both ends, never the whole of a long one. More of the head than at first
// is read only if enough asks for it.
func (e *ends) readEnds(path string, enough func(*ends) bool) error {
	return e.with(path, func() error {
		first := int64(firstHead)
		if e.size <= wholeSize {
			first = wholeSize
		}
		if err := e.findHeader(first); err != nil {
			return err
		}
		if !e.whole && !enough(e) {
			if err := e.extend(maxHead); err != nil {
				return err
			}
		}
		return e.readTail()
	})
}

// with opens the file for do.
func (e *ends) with(path string, do func() error) error {
	f, info, err := e.open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	*e = ends{open: e.open, buf: e.buf, file: f, size: info.Size(), mod: info.ModTime()}
	if e.buf == nil {
		e.buf = make([]byte, maxHead+tailSize)
	}
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// extend reads on until the first size bytes of the file are there, as far as it has them.
func (e *ends) extend(size int64) error {
	n, err := e.readAt(e.buf[e.read:min(size, e.size, int64(len(e.buf)))], int64(e.read))
	e.read += n
	e.head = e.buf[e.behind:e.read]
	e.whole = int64(e.read) >= e.size
	return err
}

// readTail reads the end of the file, as far as it is not read already.
func (e *ends) readTail() error {
	start := max(int64(e.read), e.size-min(tailSize, e.size/2))
	if start == int64(e.read) {
		return e.extend(e.size)
	}
	tail := e.buf[maxHead : maxHead+e.size-start]
	n, err := e.readAt(tail, start)
	tail = tail[:n]
	if cut := bytes.IndexByte(tail, '\n'); cut >= 0 {
		e.tail = tail[cut+1:]
	} // else it is the middle of one long line
	return err
}

func (e *ends) readAt(p []byte, offset int64) (int, error) {
	n, err := e.file.ReadAt(p, offset)
	if errors.Is(err, io.EOF) {
		err = nil // the file was cut since its size was asked for
	}
	return n, err
}

// findHeader reads the head of the file until its header is found.
func (e *ends) findHeader(first int64) error {
	for size := first; ; size = min(4*size, maxHead) {
		if err := e.extend(size); err != nil {
			return err
		}
		last := e.whole || size >= maxHead || int64(e.read) < min(size, e.size)
		found, err := e.parseHeader(last)
		if err != nil || found {
			return err
		}
		if last {
			return fmt.Errorf("no line begins a session: %w", objects.ErrInvalid)
		}
	}
}

// parseHeader looks for the header in the lines that were read. The first line that is an object decides
// what the file is. With last no more will be read: a line that goes on behind that is taken as far as it was read.
func (e *ends) parseHeader(last bool) (found bool, err error) {
	block := e.buf[:e.read]
	for at := 0; at < len(block); {
		end := bytes.IndexByte(block[at:], '\n')
		if end < 0 && !last {
			return false, nil
		}
		line, next := block[at:], len(block)
		if end >= 0 {
			line, next = block[at:at+end], at+end+1
		}
		object := trimAround(line)
		if err := e.setHeader(object); err != nil {
			ok := objects.Valid(object) && len(object) > 0 && object[0] == '{'
			if !ok && end < 0 && !e.whole {
				object, ok = cutObject(object)
				err = e.setHeader(object)
			}
			if !ok {
				at = next
				continue
			}
			if err != nil {
				return false, err
			}
		}
		e.behind, e.head = next, block[next:]
		return true, nil
	}
	return false, nil
}

func (e *ends) setHeader(object []byte) (err error) {
	if e.header, err = objects.ParseHeader(object); err != nil {
		version, err := migrate.Detect(object) // which says better what it is
		if err == nil && version == 0 {
			err = fmt.Errorf("a bare message log: %w: it has to be imported", objects.ErrInvalid)
		}
		return err
	}
	if !e.header.ID.Valid() { // as package log has it
		e.header.ID = objects.DerivedID(e.header.ID, 1)
	}
	return nil
}

// cutObject makes an object of the members that stand whole in the beginning of one.
func cutObject(line []byte) (object []byte, ok bool) {
	end := 0
	_ = objects.Scan(line, func(m objects.Member) { end = m.End }) // it is cut, so there is an error
	if end == 0 {
		return nil, false
	}
	return append(slices.Clone(line[:end]), '}'), true
}

// trimAround cuts off white space, NULs and byte order marks around an object.
func trimAround(line []byte) []byte {
	const mark = "\xEF\xBB\xBF"
	line = bytes.TrimRight(line, " \t\r\x00")
	for {
		cut, found := bytes.CutPrefix(bytes.TrimLeft(line, " \t\r\x00"), []byte(mark))
		if !found {
			return cut
		}
		line = cut
	}
}
