// Package checkout holds what changes a session: append, checkout, branch,
// label, undo, redo, fork, import. Each operation is one write to the log.
//
// What is written is decided under the log's lock, on what is there then, and each
// operation leaves the file's last line descending from the tip of HEAD
// (docs/format.md "Refs").
package checkout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
	"tlog/projection"
	"tlog/refs"
)

// Options are what a session takes from outside.
type Options struct {
	Now    func() time.Time // the clock for timestamps and ids
	Random io.Reader        // randomness for ids
	Write  log.WriteOptions
	// Of imports of an agent's transcript: LeaveOpenLine leaves a last line without "\n", which may still be being written, for the
	// next one. CompareAll compares all that was imported before, even where the source seems to have only gone on.
	LeaveOpenLine, CompareAll bool
	// MaxTranscript is the most that is read of an agent's transcript at once, in bytes; 0 stands for 16 GiB. It is held in memory.
	MaxTranscript int64
}

// Session is a log that can be changed. Its methods are not safe for use by several goroutines at
// once; several processes may change one file.
type Session struct {
	Log  *log.Log
	Refs *refs.State
	opt  Options
}

// Open opens the log at path. Opening never writes. The errors are those of [log.Open].
func Open(path string, opt Options) (*Session, error) {
	l, err := log.Open(path, log.WithDecoders(agents.Decoder), log.WithFS(opt.Write.FS))
	if err != nil {
		return nil, err
	}
	return newSession(l, opt)
}

// Create makes a new log at path; id and timestamp are set where header leaves them empty.
// The errors are those of [log.Create].
func Create(path string, header objects.Header, opt Options) (*Session, error) {
	now := opt.Now()
	if header.ID == "" {
		id, err := objects.NewID(now, opt.Random)
		if err != nil {
			return nil, err
		}
		header.ID = id
	}
	if header.Timestamp == "" {
		header.Timestamp = timestamp(now)
	}
	l, err := log.Create(path, header, opt.Write)
	if err != nil {
		return nil, err
	}
	return newSession(l, opt)
}

func newSession(l *log.Log, opt Options) (*Session, error) {
	state, err := refs.Fold(l)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &Session{Log: l, Refs: state, opt: opt}, nil
}

// Close frees the file.
func (s *Session) Close() error { return s.Log.Close() }

// NewID makes an id.
func (s *Session) NewID() (objects.ID, error) { return objects.NewID(s.opt.Now(), s.opt.Random) }

// Context is the projection of the path to an entry.
func (s *Session) Context(at int) (*projection.Context, error) {
	h, err := refs.NewHistory(s.Log, at)
	if err != nil {
		return nil, err
	}
	return projection.Build(h)
}

// timestamp is t as entries carry it.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// update writes the lines that build adds to the batch, with one write. build
// runs under the log's lock, when all that others appended has been read.
func (s *Session) update(ctx context.Context, build func(b *batch) error) error {
	err := s.Log.Update(ctx, s.opt.Write, func() ([]log.Line, error) {
		if err := s.Refs.Advance(); err != nil {
			return nil, err
		}
		b := newBatch(s, "")
		if err := build(b); err != nil {
			return nil, err
		}
		return b.lines, b.checkTracking()
	})
	if err != nil {
		return err
	}
	return s.Refs.Advance()
}

// checkEntry checks that at is an entry of the history.
func (s *Session) checkEntry(at int) error {
	if at < 0 || at >= s.Log.Len() {
		return fmt.Errorf("%w: no entry has the index %d", objects.ErrNotFound, at)
	}
	if r := s.Log.Record(at); !r.Tree() {
		return fmt.Errorf("%w: line %d (%s) is no entry of the history", objects.ErrInvalid, r.Line, r.Type)
	}
	return nil
}

// idOf is the id of an entry, empty for log.None.
func (s *Session) idOf(at int) objects.ID {
	if at == log.None {
		return ""
	}
	return s.Log.Record(at).ID
}
