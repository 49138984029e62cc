package main

import (
	"fmt"
	"strings"
	"time"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
)

// progressInterval is how often the line of progress is written anew.
const progressInterval = 100 * time.Millisecond

// progress is a line on a terminal that says how far a long run is. Anything else that is printed has to call clear first.
type progress struct {
	out   *terminal.Writer
	now   func() time.Time
	verb  string
	total int
	shown int // cells of the line that is on the terminal now
	last  time.Time
}

// newProgress begins a run over total things. It shows nothing where standard error is no terminal, or nobody wants notes.
func newProgress(a *App, verb string, total int) *progress {
	p := &progress{now: a.Now, verb: verb, total: total, last: a.Now()}
	if out := a.IO.Err; out.IsTerminal() && !a.Quiet && total > 1 {
		p.out = out
	}
	return p
}

// step says that n are done, of so many bytes, and which one is next.
func (p *progress) step(n int, bytes int64, name string) {
	if p.out == nil || p.now().Sub(p.last) < progressInterval {
		return
	}
	p.last = p.now()
	line := fmt.Sprintf("%s %d/%d  %s  ", p.verb, n, p.total, view.Size(bytes))
	room := p.out.Width() - 1 - terminal.Width(line) // a full line would wrap
	if room > 0 {
		line += terminal.Fit(name, room)
	}
	line = terminal.Truncate(line, max(p.out.Width()-1, 1))
	width := terminal.Width(line)
	p.rewind()
	p.out.Print(terminal.Line(line + strings.Repeat(" ", max(p.shown-width, 0))))
	p.shown = max(width, p.shown)
	p.rewind()
}

// clear takes the line off the terminal; p may be nil.
func (p *progress) clear() {
	if p == nil || p.out == nil || p.shown == 0 {
		return
	}
	p.rewind()
	p.out.Print(terminal.Line(strings.Repeat(" ", p.shown)))
	p.rewind()
	p.shown = 0
}

// rewind goes to the beginning of the line: the one control character that every terminal obeys.
func (p *progress) rewind() { p.out.Raw().Write([]byte{'\r'}) }
