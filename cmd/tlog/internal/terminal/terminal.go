// Package terminal is the edge between tlog and the person who runs it: the
// three standard streams, whether each is a terminal, how wide it is, whether
// it shows colour, and the pager.
//
// It is also the one place where the text of a transcript is made harmless. A
// transcript holds bytes that an attacker may have chosen (the output of a tool,
// a web page), and a terminal obeys some of them. So the safe way is the one
// that needs no thought:
//
//   - a plain write to a [Writer] (fmt.Fprintf included) sanitises;
//   - styling is made of [Text], which only this package can build and which
//     holds sanitised text and this package's own escape sequences;
//   - bytes go out unchanged only through [Writer.Raw], which is for machines.
//
// The words used here: a cell is one column of a terminal; the line form of a
// text is one line ([SafeLine]), the block form may have several ([Safe]).
package terminal

import (
	"bytes"
	"io"
	"math"
	"os"
	"strconv"

	"golang.org/x/term"
)

// Unlimited is the width of a stream that is no terminal: nothing is cut there.
// It is small enough that a caller may add and subtract without overflow.
const Unlimited = math.MaxInt32

// defaultWidth is taken for a terminal that does not tell its size.
const defaultWidth = 80

// Streams holds the three standard streams of a command. It is not safe for
// concurrent use.
type Streams struct {
	In  io.Reader // standard input, bytes as they come
	Out *Writer   // what one would pipe or save; buffered, so [Streams.Close] at the end
	Err *Writer   // warnings, hints, errors, progress; written at once

	env     func(string) string
	environ []string
	mode    ColorMode
	inTTY   bool
	files   [2]*os.File // Out's and Err's, for the pager; nil in tests
	pager   *pager
}

// Options are the choices of [System] that have a useful zero value.
type Options struct {
	Color   ColorMode // what --color says
	Environ []string  // the environment for the pager; nil is that of this process
}

// System returns the streams of a process. It looks variables up with env:
// NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, CLICOLOR and TERM for colour, COLUMNS
// for the width, and TLOG_FORCE_TTY, which makes standard output and error
// behave as terminals of that many cells wherever they lead ("80"; a value that
// is no number stands for 80, "0" and "" for nothing).
func System(env func(string) string, in, out, err *os.File, opts Options) *Streams {
	s := &Streams{
		In: in, Out: newWriter(out), Err: newWriter(err),
		env: env, environ: opts.Environ,
		inTTY: term.IsTerminal(int(in.Fd())),
		files: [2]*os.File{out, err},
	}
	s.Err.unbuffered = true
	for i, w := range []*Writer{s.Out, s.Err} {
		w.width = Unlimited
		if fd := int(s.files[i].Fd()); term.IsTerminal(fd) {
			w.tty = true
			w.width = terminalWidth(env, fd)
			w.escapes = enableEscapes(s.files[i])
		}
	}
	s.SetColor(opts.Color)
	if cells, ok := forcedWidth(env("TLOG_FORCE_TTY")); ok {
		s.ForceTerminal(cells)
	}
	return s
}

// Test returns streams for a test: no terminals, no colour, nothing held back,
// and an empty environment. [Streams.ForceTerminal] makes them terminals.
func Test(in io.Reader) (s *Streams, out, err *bytes.Buffer) {
	out, err = new(bytes.Buffer), new(bytes.Buffer)
	s = &Streams{In: in, Out: newWriter(out), Err: newWriter(err), env: func(string) string { return "" }}
	for _, w := range []*Writer{s.Out, s.Err} {
		w.unbuffered = true
		w.width = Unlimited
	}
	return s, out, err
}

// ForceTerminal makes standard output and error behave as terminals of the given
// width in cells and decides colour anew. Standard input stays what it is.
func (s *Streams) ForceTerminal(cells int) {
	for _, w := range []*Writer{s.Out, s.Err} {
		w.tty, w.escapes, w.width = true, true, cells
	}
	s.SetColor(s.mode)
}

// SetColor decides anew whether each of the two output streams shows colour.
func (s *Streams) SetColor(mode ColorMode) {
	s.mode = mode
	for _, w := range []*Writer{s.Out, s.Err} {
		w.color = wantColor(mode, s.env, w.tty && w.escapes)
	}
}

// InIsTerminal reports whether standard input is a terminal, so that a command
// that expects data there can say so instead of waiting for somebody to type.
func (s *Streams) InIsTerminal() bool { return s.inTTY }

// CanPrompt reports whether a question could be asked and answered: standard
// input and output are both terminals.
func (s *Streams) CanPrompt() bool { return s.inTTY && s.Out.tty }

// Close flushes both streams and waits for the pager, if there is one. It
// returns the first error of standard output, an [ErrClosedPipe] included. That
// somebody quit the pager early is no error. The streams stay usable.
func (s *Streams) Close() error {
	err := s.stopPager()
	if e := s.Out.Flush(); err == nil {
		err = e
	}
	s.Err.Flush()
	return err
}

func terminalWidth(env func(string) string, fd int) int {
	if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(fd); err == nil && n > 0 {
		return n
	}
	return defaultWidth
}

func forcedWidth(value string) (cells int, ok bool) {
	switch value {
	case "", "0", "false", "no":
		return 0, false
	}
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		return n, true
	}
	return defaultWidth, true
}
