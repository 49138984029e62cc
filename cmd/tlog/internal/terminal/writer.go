package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// ErrClosedPipe says that nobody reads the stream any more: the pager was quit,
// or the command at the other end of the pipe has seen enough. A command stops
// and says nothing; it is not a failure.
var ErrClosedPipe = errors.New("closed pipe")

// ErrPagerQuit is the [ErrClosedPipe] of a pager that the user has quit before
// the end: the command has done what it was asked for.
var ErrPagerQuit = fmt.Errorf("pager quit: %w", ErrClosedPipe)

// Writer is an output stream for people. Everything written to it is sanitised;
// see [Writer.Raw] for the exception.
//
// It buffers, and its errors stick: after the first, nothing is written any more
// and every method returns that error. So a command that prints a little need
// not look at errors before [Writer.Flush], while one that prints without end
// asks [Writer.Err] now and then. A Writer is not safe for concurrent use.
type Writer struct {
	dst        io.Writer
	buf        *bufio.Writer
	err        error
	closed     error // what a closed pipe means here
	unbuffered bool
	tty        bool
	escapes    bool // the terminal understands escape sequences
	color      bool
	width      int

	text    filter // of plain writes, which may end within a character
	pending string // the incomplete character
	scratch []byte
}

func newWriter(dst io.Writer) *Writer {
	return &Writer{dst: dst, buf: bufio.NewWriterSize(dst, 32<<10), closed: ErrClosedPipe}
}

// IsTerminal reports whether a person reads the stream directly.
func (w *Writer) IsTerminal() bool { return w.tty }

// Color reports whether styles show.
func (w *Writer) Color() bool { return w.color }

// Width returns the width in cells, [Unlimited] if the stream is no terminal.
func (w *Writer) Width() int { return w.width }

// Err returns the first error of the stream, nil if all is well. What is still
// in the buffer has not failed yet.
func (w *Writer) Err() error { return w.err }

// Flush writes out what is buffered.
func (w *Writer) Flush() error {
	w.endText()
	w.note(w.buf.Flush())
	return w.err
}

// Write prints the block form of p. A character may be split over two writes.
func (w *Writer) Write(p []byte) (int, error) { return w.WriteString(string(p)) }

// WriteString prints the block form of s.
func (w *Writer) WriteString(s string) (int, error) {
	size := len(s)
	if w.pending != "" {
		s = w.pending + s
		w.pending = ""
	}
	var n int
	w.scratch, n = w.text.append(w.scratch[:0], s, false)
	w.pending = s[n:]
	w.put(w.scratch)
	return w.wrote(size)
}

// Print prints the texts one after the other.
func (w *Writer) Print(texts ...Text) error {
	w.endText()
	for _, t := range texts {
		w.putText(t.s)
	}
	_, err := w.wrote(0)
	return err
}

// Println prints the texts and ends the line.
func (w *Writer) Println(texts ...Text) error {
	w.endText()
	for _, t := range texts {
		w.putText(t.s)
	}
	w.put([]byte{'\n'})
	_, err := w.wrote(0)
	return err
}

// Printf formats as fmt.Printf does, with these differences: a [Text] keeps its
// styling, any other argument is printed in line form, and width and precision
// of %s and %v count cells (a precision cuts with "…"; a Text is never cut). For
// several lines pass [Block].
func (w *Writer) Printf(format string, args ...any) error {
	w.endText()
	safe := make([]any, len(args))
	for i, arg := range args {
		safe[i] = safeArg(arg)
	}
	w.putText(fmt.Sprintf(Safe(format), safe...))
	_, err := w.wrote(0)
	return err
}

// Raw returns a writer that passes bytes on as they are, through the same buffer
// and with the same errors. It is for output that a program reads, or for bytes
// that the user asked for; on a terminal it lets a transcript do as it likes. For
// JSON on a terminal there is [EscapeJSON].
func (w *Writer) Raw() io.Writer { return rawWriter{w} }

type rawWriter struct{ w *Writer }

func (r rawWriter) Write(p []byte) (int, error) {
	r.w.endText()
	r.w.put(p)
	return r.w.wrote(len(p))
}

// endText settles an incomplete character: nothing that continues it may come
// any more.
func (w *Writer) endText() {
	if w.pending != "" {
		w.scratch, _ = w.text.append(w.scratch[:0], w.pending, true)
		w.pending = ""
		w.put(w.scratch)
	}
	w.text.cut()
}

// putText writes the inside of a Text.
func (w *Writer) putText(s string) {
	if !w.color {
		w.scratch = appendPlain(w.scratch[:0], s)
		w.put(w.scratch)
		return
	}
	if w.err == nil {
		_, err := w.buf.WriteString(s)
		w.note(err)
	}
}

func (w *Writer) put(p []byte) {
	if w.err == nil {
		_, err := w.buf.Write(p)
		w.note(err)
	}
}

// wrote ends a call of a method that has put size bytes of its caller's.
func (w *Writer) wrote(size int) (int, error) {
	if w.unbuffered && w.err == nil {
		w.note(w.buf.Flush())
	}
	if w.err != nil {
		return 0, w.err
	}
	return size, nil
}

func (w *Writer) note(err error) {
	if err == nil || w.err != nil {
		return
	}
	if isClosedPipe(err) && !errors.Is(err, ErrClosedPipe) {
		err = fmt.Errorf("%w: %w", w.closed, err)
	}
	w.err = err
}

// redirect sends what follows to dst, where a closed pipe means closed, and
// forgets an error of the old one. What was buffered has to be flushed before.
func (w *Writer) redirect(dst io.Writer, closed error) {
	w.dst, w.closed, w.err, w.pending = dst, closed, nil, ""
	w.text.cut()
	w.buf.Reset(dst)
}
