package log

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"tlog/blobs"
	"tlog/blobs/disk"
	"tlog/objects"
)

// Durability says when a write counts as done.
type Durability uint8

// The durabilities.
const (
	DurabilityDisk Durability = iota // on disk: fdatasync before the acknowledgement
	DurabilityOS                     // handed to the operating system
)

// WriteOptions are how to write. The zero value is durable and waits 10 seconds for the lock.
type WriteOptions struct {
	Durability  Durability
	LockTimeout time.Duration // 0: DefaultLockTimeout; negative: do not wait
	Blobs       BlobOptions
	// FS is where new files are made; nil is the real file system. An open log is written where it was read.
	FS disk.FS
}

// DefaultLockTimeout is how long a writer waits for another one.
const DefaultLockTimeout = 10 * time.Second

// A Line is to be appended.
type Line struct {
	Bytes []byte
	// Verbatim lines come out of a file of an agent: no check of id and parent, and a line
	// that is no JSON object is written as it is, without chain.
	Verbatim bool
	// Copied lines come out of another copy of this log and stand there behind the same
	// bytes: they are written with the chain that they have, if any. They are Verbatim too.
	Copied bool
	// Source is where the blobs lie that a Copied line names; they come along. nil: here.
	Source *blobs.Store
}

// Update appends lines. It takes the lock, reads what others appended, calls build, and writes the lines
// that it returns with one write, each with chain added. Lines are objects without "\n"; of Verbatim ones see [Line].
// Long strings go into blobs first (see [BlobOptions]); blobs whose lines are not written after all stay, and harm nobody.
//
// The error wraps objects.ErrLocked (who holds the lock), objects.ErrVersion (a newer file), objects.ErrRefused (an older
// one: it must be migrated first), objects.ErrInvalid (a line that is no object, an id that is
// there already, a parent that is not there), objects.ErrCorrupt (see Refresh). Nothing is written then.
// If build returns no lines nothing is written. The new records are readable when Update returns.
//
// Any other error comes from the file system. A write that broke off half-way leaves a torn
// line, which the next append closes with "\n"; bytes that were written are never taken back.
func (l *Log) Update(ctx context.Context, opt WriteOptions, build func() ([]Line, error)) (err error) {
	if err := l.checkWritable(); err != nil {
		return err
	}
	unlock, err := lock(ctx, l.real, opt.LockTimeout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if _, err := l.Refresh(); err != nil {
		return err
	}
	if err := l.checkWritable(); err != nil {
		return err
	}
	lines, err := build()
	if err != nil || len(lines) == 0 {
		return err
	}
	return l.append(lines, opt)
}

// checkWritable refuses files of other versions than the one that is written.
func (l *Log) checkWritable() error {
	switch v := l.header.Version; {
	case l.redact != nil:
		return fmt.Errorf("write to %s: %w: its entries are redacted", l.path, objects.ErrRefused)
	case l.headless:
		return fmt.Errorf("write to %s: %w: its header is lost", l.path, objects.ErrCorrupt)
	case v > objects.Version:
		return fmt.Errorf("write to %s: %w %d: expected at most %d", l.path, objects.ErrVersion, v, objects.Version)
	case v < objects.Version:
		return fmt.Errorf("write to %s: %w: it is of format version %d and must be migrated first", l.path, objects.ErrRefused, v)
	}
	return nil
}

// append writes lines under the lock.
func (l *Log) append(lines []Line, opt WriteOptions) (err error) {
	parsed, err := l.checkLines(lines)
	if err != nil {
		return fmt.Errorf("append to %s: %w", l.path, err)
	}
	f, err := l.fs.OpenFile(l.real, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("append: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := l.catchUp(f); err != nil {
		return err
	}
	out, err := l.encode(lines, parsed, newTaker(l.Blobs(), opt))
	if err != nil {
		return fmt.Errorf("append to %s: %w", l.path, err)
	}
	if n, err := f.Write(out); err != nil {
		return errors.Join(fmt.Errorf("append: %d of %d bytes written: %w", n, len(out), err), l.refreshOnly())
	}
	if opt.Durability == DurabilityDisk {
		if err := f.SyncData(); err != nil {
			return errors.Join(fmt.Errorf("append: written, but maybe not on disk: %w", err), l.refreshOnly())
		}
	}
	return l.refreshOnly()
}

func (l *Log) refreshOnly() error {
	_, err := l.Refresh()
	return err
}

// catchUp makes sure that f is the file that was read, and reads what programs that know of
// no lock have appended since: the chain has to cover it.
func (l *Log) catchUp(f disk.File) error {
	mine, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("append: %w", err)
	}
	now, err := f.Stat()
	if err != nil {
		return fmt.Errorf("append: %w", err)
	}
	if !os.SameFile(mine, now) {
		return fmt.Errorf("append: %w: %s was replaced by another file since it was read", objects.ErrCorrupt, l.path)
	}
	if now.Size() == l.size {
		return nil
	}
	return l.refreshOnly()
}

// encode gives the bytes to be written: the lines with their chains, behind a
// "\n" if the file does not end in one. The blobs that they name are there then.
func (l *Log) encode(lines []Line, parsed []parsedLine, t *taker) ([]byte, error) {
	chain := newChainer(l.chain.last)
	if l.chain.behind < l.size {
		if err := chain.cover(l.file, l.chain.behind, l.size); err != nil {
			return nil, err
		}
	}
	taken := make([][]byte, len(lines))
	size := 1
	for i, line := range lines {
		var err error
		if taken[i], parsed[i], err = t.take(line, parsed[i]); err != nil {
			return nil, err
		}
		size += len(taken[i]) + chainSize
	}
	out := make([]byte, 0, size)
	if l.tail.open {
		out = append(out, '\n')
		if l.chain.behind <= l.size { // else it ends the chained line
			chain.add(out)
		}
	}
	for i, line := range lines {
		if line.Copied {
			chain.verify(line.Bytes, parsed[i])
			out = append(append(out, line.Bytes...), '\n')
			continue
		}
		out = chain.appendLine(out, taken[i], parsed[i])
	}
	return out, nil
}

// chainSize is what a chain and "\n" add to a line.
const chainSize = len(`,"chain":""`) + 64 + 1

// NextLine is the number that the next appended line will have. An entry without
// an id of its own gets one that is derived from it, see docs/format.md.
func (l *Log) NextLine() int {
	if l.tail.open {
		return l.lines + 2
	}
	return l.lines + 1
}

// checkLines parses lines that are to be appended and refuses those that break a rule.
func (l *Log) checkLines(lines []Line) ([]parsedLine, error) {
	parsed := make([]parsedLine, len(lines))
	added := make(map[objects.ID]struct{}, len(lines))
	known := func(id objects.ID) bool {
		if _, ok := added[id]; ok {
			return true
		}
		_, ok := l.Find(id)
		return ok
	}
	for i, line := range lines {
		if bytes.IndexByte(line.Bytes, '\n') >= 0 {
			return nil, fmt.Errorf("%w line %d: it contains a line feed", objects.ErrInvalid, i+1)
		}
		p := parseLine(line.Bytes, true)
		if !line.Verbatim {
			if err := checkEntry(p, known); err != nil {
				return nil, fmt.Errorf("%w line %d: %w", objects.ErrInvalid, i+1, err)
			}
		}
		parsed[i] = p
		switch id := p.entry.ID; {
		case p.kind != lineObject:
		case id.Valid():
			added[id] = struct{}{}
		default:
			added[objects.DerivedID(l.header.ID, l.NextLine()+i)] = struct{}{}
		}
	}
	return parsed, nil
}

// checkEntry tells what is wrong with a line that tlog itself has made.
func checkEntry(p parsedLine, known func(objects.ID) bool) error {
	e := p.entry
	switch {
	case p.kind == lineDamaged:
		return fmt.Errorf("expected a JSON object: %s at byte %d", p.reason, p.fault)
	case p.kind != lineObject:
		return errors.New("expected a JSON object, got nothing")
	case p.bom >= 0 || p.nul >= 0:
		return errors.New("expected a JSON object, got a byte order mark or NUL bytes around one")
	case e.Type == "" || e.Type == objects.TypeSession:
		return fmt.Errorf("expected the type of an entry, got %q", e.Type)
	case e.Chain != "":
		return fmt.Errorf("expected an entry without chain, got %s", e.Chain)
	case !e.ID.Valid():
		return fmt.Errorf("expected an id, got %q", e.ID)
	case known(e.ID):
		return fmt.Errorf("the id %s is there already", e.ID)
	case e.ParentID != "" && !known(e.ParentID):
		return fmt.Errorf("the parent %s of %s is not there", e.ParentID, e.ID)
	}
	return nil
}
