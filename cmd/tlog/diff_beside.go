package main

import (
	"strings"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/diff"
)

// pipedWidth is how wide both sides together are where no terminal tells.
const pipedWidth = 160

// printBeside prints an entry of each side beside each other, and below them the lines in which they differ; with --text and --tools all lines of an entry
// that only one side has.
func (d *comparison) printBeside(pair diff.EntryPair) error {
	width := pipedWidth
	if d.app.IO.Out.IsTerminal() {
		width = d.app.IO.Out.Width()
	}
	b := besider{half: max((width-3)/2, 20)}
	left, err := d.subject(d.a, pair.A, b.half)
	if err != nil {
		return err
	}
	right, err := d.subject(d.b, pair.B, b.half)
	if err != nil {
		return err
	}
	b.row(left, statusMarks[pair.Status], right, statusStyles[pair.Status])
	if err := d.printLimited(b.lines, ""); err != nil {
		return err
	}
	b.lines = nil
	if pair.Status != diff.Changed && !d.opt.text && !d.opt.tools {
		return nil
	}
	pieces, err := d.pieces(pair)
	if err != nil {
		return err
	}
	for i, hunk := range diff.Unified(pieces, d.opt.context) {
		if i > 0 {
			b.lines = append(b.lines, terminal.Cyan.Paint("⋮"))
		}
		b.hunk(hunk)
	}
	return d.printLimited(b.lines, "")
}

// pieces are what the texts of a pair differ in; of an entry that one side has not, all of it.
func (d *comparison) pieces(pair diff.EntryPair) ([]diff.Piece, error) {
	switch pair.Status {
	case diff.OnlyA:
		text, err := d.wholeText(d.a, pair.A)
		return []diff.Piece{{Op: diff.Delete, Text: text}}, err
	case diff.OnlyB:
		text, err := d.wholeText(d.b, pair.B)
		return []diff.Piece{{Op: diff.Insert, Text: text}}, err
	}
	a, b, err := d.bothTexts(pair)
	return diff.Lines(a, b), err
}

// subject is an entry in one line; nothing for none.
func (d *comparison) subject(s side, at, cells int) (terminal.Text, error) {
	if at == diff.None {
		return terminal.Text{}, nil
	}
	v, err := s.reader.Read(at, false)
	if err != nil {
		return terminal.Text{}, err
	}
	head := terminal.Concat(terminal.Yellow.Paint(v.Short), terminal.Line(" "))
	return terminal.Concat(head, v.Subject(cells-head.Width())), nil
}

// besider makes lines of two halves.
type besider struct {
	half  int // cells
	lines []terminal.Text
}

func (b *besider) row(left terminal.Text, mark string, right terminal.Text, style terminal.Style) {
	if right.IsEmpty() {
		b.lines = append(b.lines, terminal.Concat(left.Pad(b.half), style.Paint(" "+mark)))
		return
	}
	b.lines = append(b.lines, terminal.Concat(left.Pad(b.half), style.Paint(" "+mark+" "), right))
}

// hunk adds the lines of a hunk: what is deleted beside what is put in its place.
func (b *besider) hunk(hunk diff.UnifiedHunk) {
	for i := 0; i < len(hunk.Pieces); i++ {
		left, right, mark, style := hunk.Pieces[i].Text, hunk.Pieces[i].Text, " ", terminal.Plain
		switch hunk.Pieces[i].Op {
		case diff.Insert:
			left, mark, style = "", "+", terminal.Green
		case diff.Delete:
			right, mark, style = "", "-", terminal.Red
			if i+1 < len(hunk.Pieces) && hunk.Pieces[i+1].Op == diff.Insert {
				i++
				right, mark, style = hunk.Pieces[i].Text, "~", terminal.Yellow
			}
		}
		x, y := splitText(left), splitText(right)
		for n := range max(len(x), len(y)) {
			b.row(b.line(x, n), mark, b.line(y, n), style)
		}
	}
}

func splitText(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// line is the n-th of the lines, as far as it has room; nothing for none.
func (b *besider) line(lines []string, n int) terminal.Text {
	if n >= len(lines) {
		return terminal.Text{}
	}
	return terminal.Line(terminal.Fit("  "+strings.ReplaceAll(lines[n], "\t", "    "), b.half))
}
