package checkout

import (
	"bytes"
	"fmt"
	"io"

	"tlog/log"
	"tlog/objects"
)

// WriteOriginal writes the source's lines as they came in: the source's header and each imported line without
// what tlog added. The result may differ from the source where docs/format.md says so; the store keeps the whole source then.
// The error wraps objects.ErrNotFound if the session is no import.
func (s *Session) WriteOriginal(w io.Writer) error {
	header := s.Log.Header()
	fail := func(err error) error { return fmt.Errorf("original of session %s: %w", header.ID, err) }
	if header.Source == nil {
		return fail(fmt.Errorf("%w: the session is no import", objects.ErrNotFound))
	}
	source, err := objects.ParseEntry(header.Source)
	if err != nil {
		return fail(fmt.Errorf("source in the header: %w", err))
	}
	foreign := source.Get("version") == nil // which only native sources have
	own, err := readOwn(s.Log, runFinder{tracking: header.Agent, foreign: foreign})
	if err != nil {
		return err
	}
	out := lineWriter{w: w}
	if from := source.Get("header"); from != nil {
		out.write(from)
	}
	if err := s.writeImported(&out, own.lines, foreign); err != nil {
		return fail(err)
	}
	if foreign {
		mark, ok, err := s.SourceMark()
		if err != nil {
			return fail(err)
		}
		if ok && mark.Size == out.size-1 {
			out.open() // the source had no line feed at its end
		}
	}
	return out.flush()
}

// writeImported writes the imported ones of a log's lines. They are written one by one, so that a caller
// that stops reading stops the work.
func (s *Session) writeImported(out *lineWriter, own []ownLine, foreign bool) error {
	next := 0
	for raw, err := range s.Log.Lines(0) {
		if err != nil {
			return err
		}
		if raw.Header || next == len(own) {
			continue
		}
		if line := own[next]; line.kind == ownImported && !line.completed {
			bytes, err := s.sourceLine(raw, foreign)
			if err != nil {
				return err
			}
			out.write(bytes)
			if line.joined {
				out.open()
			}
		}
		if next++; out.err != nil {
			break
		}
	}
	return nil
}

// sourceLine is an imported line as it stood in the source.
func (s *Session) sourceLine(raw log.RawLine, foreign bool) ([]byte, error) {
	entry, ok := objectIn(raw.Bytes)
	switch {
	case !ok:
		return raw.Bytes, nil
	case !foreign:
		return bare(s.Log, raw, entry)
	}
	whole, err := s.Log.Fill(entry, raw.Line)
	if err != nil {
		return nil, err
	}
	line, ok := whole.SourceLine()
	if !ok {
		return nil, fmt.Errorf("line %d: %w: rawBase64 is no base64", raw.Line, objects.ErrCorrupt)
	}
	return line, nil
}

// lineWriter writes lines by the block and keeps the first error.
type lineWriter struct {
	w    io.Writer
	buf  bytes.Buffer
	size int64 // of all that was written
	err  error
}

// blockSize is how many bytes a lineWriter gathers.
const blockSize = 64 << 10

func (w *lineWriter) write(line []byte) {
	if w.buf.Len() >= blockSize { // not behind the line: its end may be taken back
		w.err = w.flush()
	}
	w.buf.Write(line)
	w.buf.WriteByte('\n')
	w.size += int64(len(line)) + 1
}

// open takes the line feed behind the last line back.
func (w *lineWriter) open() {
	w.buf.Truncate(w.buf.Len() - 1)
	w.size--
}

func (w *lineWriter) flush() error {
	if w.err == nil && w.buf.Len() > 0 {
		_, w.err = w.w.Write(w.buf.Bytes())
		w.buf.Reset()
	}
	return w.err
}
