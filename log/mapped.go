package log

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"sync"

	"tlog/blobs/disk"
	"tlog/objects"
)

const (
	// minMapped is how much there must be to be read at once, for it to be read as memory and by several goroutines.
	minMapped = 1 << 20
	// chunkSize is about how much one of them takes at a time.
	chunkSize = 1 << 20
)

// scanMapped reads whole lines from l.end up to about the offset end, without copying them, on all cores: the lines are parsed side by side and taken in in
// order. It reads as many as it can, maybe none; the rest is for whoever reads next.
func (l *Log) scanMapped(end int64) error {
	if end-l.end < minMapped {
		return nil
	}
	data, unmap, err := disk.Map(l.file, end)
	if err != nil {
		return nil // it is read in another way
	}
	p := &lineParser{data: data, next: l.end, stop: make(chan struct{}), queue: make(chan *chunk, runtime.GOMAXPROCS(0))}
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

// maxExpected is the most records that room is made for at once: the lines of a file need not be alike.
const maxExpected = 1 << 19

// expect makes room for so many lines more.
func (l *Log) expect(lines int) {
	lines = min(lines+lines/16, maxExpected)
	l.records = slices.Grow(l.records, lines)
	if l.ids.of == nil {
		l.ids.of = make(map[objects.ID]int32, lines)
	}
}

// lineParser parses a file that is shown as memory, by chunks of whole lines.
type lineParser struct {
	data    []byte
	next    int64 // where the next chunk begins
	stop    chan struct{}
	queue   chan *chunk // in order
	free    sync.Pool   // of chunks
	workers sync.WaitGroup
}

// chunk is some lines, and what they were found to be.
type chunk struct {
	from, to int64
	lines    []rawLine
	parsed   []parsedLine
	err      error
	done     chan struct{}
}

// run parses all whole lines and takes each. expect is told first how many they may be.
func (p *lineParser) run(expect func(lines int), take func(rawLine, parsedLine) error) error {
	defer close(p.stop)
	rest := int64(len(p.data)) - p.next
	p.workers.Go(p.cut)
	for c := range p.queue {
		<-c.done
		if rest > 0 {
			expect(int(float64(rest) / float64(c.to-c.from) * float64(len(c.lines))))
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
				c.err = disk.Guard(p.data, func() error { c.parse(p.data); return nil })
			})
		}
	})
}

// nextChunk is the next lines, ok is false if no whole line is left.
func (p *lineParser) nextChunk() (c *chunk, ok bool) {
	size := int64(len(p.data))
	to := min(p.next+chunkSize, size)
	last := bytes.LastIndexByte(p.data[p.next:to], '\n')
	if last < 0 { // a long line
		more := bytes.IndexByte(p.data[to:], '\n')
		if more < 0 {
			return nil, false
		}
		last = int(to-p.next) + more
	}
	c, ok = p.free.Get().(*chunk)
	if !ok {
		c = new(chunk)
	}
	c.from, c.to, c.done = p.next, p.next+int64(last)+1, make(chan struct{})
	p.next = c.to
	return c, true
}

func (c *chunk) parse(data []byte) {
	for from := c.from; from < c.to; {
		n := bytes.IndexByte(data[from:c.to], '\n')
		line := data[from : from+int64(n) : from+int64(n)]
		c.lines = append(c.lines, rawLine{offset: from, bytes: line, ended: true})
		c.parsed = append(c.parsed, parseLine(line, true))
		from += int64(n) + 1
	}
}
