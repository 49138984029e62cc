package log

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"

	"tlog/blobs/disk"
	"tlog/objects"
)

const (
	// minChunked is how much there must be to be read at once, for it to be parsed by several goroutines.
	minChunked = 1 << 20
	// chunkSize is about how much one of them takes at a time. It is read into memory that is used again: to touch a page of a mapping for the
	// first time costs more than to copy it.
	chunkSize = 512 << 10
	// maxExpected is the most records that room is made for at once: the lines of a file need not be alike.
	maxExpected = 1 << 19
)

// scanChunks reads whole lines from l.end up to the offset end on all cores: the lines are parsed side by side and taken in in
// order. It reads as many as it can, maybe none; the rest, and what fails here, is for whoever reads next.
func (l *Log) scanChunks(end int64) error {
	if end-l.end < minChunked {
		return nil
	}
	data, unmap, err := disk.Map(l.file, end)
	if err != nil { // then long lines are read as others are
		data, unmap = nil, func() error { return nil }
	}
	p := &lineParser{file: l.file, data: data, next: l.end, end: end, stop: make(chan struct{}), queue: make(chan *chunk, runtime.GOMAXPROCS(0))}
	err = disk.Guard(data, func() error { return p.run(l.expect, l.addParsed) })
	p.workers.Wait() // before the memory goes
	if unmapping := unmap(); err == nil {
		err = unmapping
	}
	if errors.Is(err, disk.ErrCutShort) {
		return nil // the next reader meets the end
	}
	return err
}

// expect makes room for so many lines more.
func (l *Log) expect(lines int) {
	lines = min(lines+lines/16, maxExpected)
	l.records = slices.Grow(l.records, lines)
	if l.ids.of == nil {
		l.ids.of = make(map[objects.ID]int32, lines)
	}
}

// lineParser parses a file by chunks of whole lines.
type lineParser struct {
	file    io.ReaderAt
	data    []byte // the file as memory, for lines longer than a chunk; nil if it cannot be had
	next    int64  // where the next chunk begins
	end     int64
	rest    []byte // what was read from next on already
	stop    chan struct{}
	queue   chan *chunk // in order
	free    sync.Pool   // of chunks
	workers sync.WaitGroup
}

// chunk is some lines, and what they were found to be.
type chunk struct {
	offset int64  // of text in the file
	buffer []byte // its own memory
	text   []byte // whole lines, in buffer or in the file as memory
	lines  []rawLine
	parsed []parsedLine
	err    error
	done   chan struct{}
}

// run parses all whole lines and takes each. expect is told first how many they may be.
func (p *lineParser) run(expect func(lines int), take func(rawLine, parsedLine) error) error {
	defer close(p.stop)
	rest := p.end - p.next
	p.workers.Go(p.cut)
	for c := range p.queue {
		<-c.done
		if rest > 0 {
			expect(int(float64(rest) / float64(len(c.text)) * float64(len(c.lines))))
			rest = 0
		}
		for i := range c.lines {
			if err := take(c.lines[i], c.parsed[i]); err != nil {
				return err
			}
		}
		if c.err != nil {
			return c.err
		}
		clear(c.parsed)
		c.lines, c.parsed = c.lines[:0], c.parsed[:0]
		p.free.Put(c)
	}
	return nil
}

// cut gives chunks to goroutines of their own; there are never more of them than the queue holds.
func (p *lineParser) cut() {
	defer close(p.queue)
	_ = disk.Guard(p.data, func() error {
		for {
			c, ok := p.nextChunk()
			if !ok {
				return nil
			}
			select {
			case p.queue <- c:
			case <-p.stop:
				return nil
			}
			p.workers.Go(func() {
				defer close(c.done)
				c.err = disk.Guard(p.data, func() error { c.parse(); return nil })
			})
		}
	})
}

// nextChunk is the next lines, ok is false if no whole line is left, or it cannot be read.
func (p *lineParser) nextChunk() (c *chunk, ok bool) {
	c, ok = p.free.Get().(*chunk)
	if !ok {
		c = &chunk{buffer: make([]byte, chunkSize)}
	}
	c.offset, c.done = p.next, make(chan struct{})
	n := copy(c.buffer, p.rest)
	read, err := p.file.ReadAt(c.buffer[n:min(int64(len(c.buffer)), max(p.end-p.next, int64(n)))], p.next+int64(n))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false // the next reader meets it too
	}
	text := c.buffer[:n+read]
	last := bytes.LastIndexByte(text, '\n')
	if last < 0 {
		return c, p.longLine(c)
	}
	c.text, p.rest = text[:last+1], text[last+1:]
	p.next += int64(last) + 1
	return c, true
}

// longLine makes a chunk of a line that is longer than one.
func (p *lineParser) longLine(c *chunk) bool {
	if p.next >= int64(len(p.data)) {
		return false
	}
	last := bytes.IndexByte(p.data[p.next:], '\n')
	if last < 0 {
		return false
	}
	c.text, p.rest = p.data[p.next:p.next+int64(last)+1], nil
	p.next += int64(last) + 1
	return true
}

func (c *chunk) parse() {
	for from := 0; from < len(c.text); {
		n := bytes.IndexByte(c.text[from:], '\n')
		line := c.text[from : from+n : from+n]
		c.lines = append(c.lines, rawLine{offset: c.offset + int64(from), bytes: line, ended: true})
		c.parsed = append(c.parsed, parseLine(line, true))
		from += n + 1
	}
}
