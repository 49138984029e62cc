package main

import (
	"fmt"
	"strings"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/diff"
)

// maxChange is how many lines of a change are shown unless --text or --tools ask for all.
const maxChange = 24

// printChange prints what two entries that correspond differ in.
func (d *comparison) printChange(pair diff.EntryPair) error {
	a, err := wholeText(d.a, pair.A)
	if err != nil {
		return err
	}
	b, err := wholeText(d.b, pair.B)
	if err != nil {
		return err
	}
	lines := d.changeLines(a, b)
	left := 0
	if !d.opt.text && !d.opt.tools && len(lines) > maxChange {
		left = len(lines) - maxChange
		lines = lines[:maxChange]
	}
	for _, line := range lines {
		if err := d.app.IO.Out.Println(terminal.Line("    "), line); err != nil {
			return err
		}
	}
	if left > 0 {
		return d.app.IO.Out.Println(terminal.Dim.Paint(fmt.Sprintf("    … +%d lines (--text, --tools show all)", left)))
	}
	return nil
}

// changeLines are the lines of a change in the form that was asked for.
func (d *comparison) changeLines(a, b string) []terminal.Text {
	if d.opt.words {
		return wordLines(a, b, d.opt.context)
	}
	var lines []terminal.Text
	for i, hunk := range diff.Unified(diff.Lines(a, b), d.opt.context) {
		if i > 0 {
			lines = append(lines, terminal.Cyan.Paint("⋮"))
		}
		for _, piece := range hunk.Pieces {
			lines = append(lines, pieceLines(piece)...)
		}
	}
	return lines
}

// pieceLines are the lines of a piece with their marks.
func pieceLines(piece diff.Piece) (lines []terminal.Text) {
	mark, style := "  ", terminal.Plain
	switch piece.Op {
	case diff.Delete:
		mark, style = "- ", terminal.Red
	case diff.Insert:
		mark, style = "+ ", terminal.Green
	}
	for line := range strings.Lines(piece.Text) {
		lines = append(lines, style.Paint(mark+strings.TrimSuffix(line, "\n")))
	}
	return lines
}

// wordLines are the changed lines with what was taken out and put in, as git marks them: [-old-]{+new+}.
func wordLines(a, b string, context int) (lines []terminal.Text) {
	for i, hunk := range diff.Unified(diff.Lines(a, b), context) {
		if i > 0 {
			lines = append(lines, terminal.Cyan.Paint("⋮"))
		}
		var old, new strings.Builder
		for _, piece := range hunk.Pieces {
			if piece.Op != diff.Insert {
				old.WriteString(piece.Text)
			}
			if piece.Op != diff.Delete {
				new.WriteString(piece.Text)
			}
		}
		lines = append(lines, markWords(diff.Words(old.String(), new.String()))...)
	}
	return lines
}

// markWords puts the pieces into lines.
func markWords(pieces []diff.Piece) (lines []terminal.Text) {
	var line []terminal.Text
	for _, piece := range pieces {
		left, right, style := "", "", terminal.Plain
		switch piece.Op {
		case diff.Delete:
			left, right, style = "[-", "-]", terminal.Red
		case diff.Insert:
			left, right, style = "{+", "+}", terminal.Green
		}
		for part := range strings.Lines(piece.Text) {
			text, ended := strings.CutSuffix(part, "\n")
			if text != "" {
				line = append(line, style.Paint(left+text+right))
			}
			if ended && piece.Op != diff.Delete {
				lines, line = append(lines, terminal.Concat(line...)), nil
			}
		}
	}
	if len(line) > 0 {
		lines = append(lines, terminal.Concat(line...))
	}
	return lines
}

// pipedWidth is how wide both sides together are where no terminal tells.
const pipedWidth = 160

// printBeside prints an entry of each side beside each other, and of entries that differ their lines.
func (d *comparison) printBeside(pair diff.EntryPair) error {
	width := pipedWidth
	if d.app.IO.Out.IsTerminal() {
		width = d.app.IO.Out.Width()
	}
	half := max((width-3)/2, 20)
	left, err := d.subject(d.a, pair.A, half)
	if err != nil {
		return err
	}
	right, err := d.subject(d.b, pair.B, half)
	if err != nil {
		return err
	}
	if err := d.printHalves(left, statusMarks[pair.Status], right, half, statusStyles[pair.Status]); err != nil || pair.Status != diff.Changed {
		return err
	}
	a, err := wholeText(d.a, pair.A)
	if err != nil {
		return err
	}
	b, err := wholeText(d.b, pair.B)
	if err != nil {
		return err
	}
	for _, hunk := range diff.Unified(diff.Lines(a, b), d.opt.context) {
		if err := d.printHunkBeside(hunk, half); err != nil {
			return err
		}
	}
	return nil
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

func (d *comparison) printHalves(left terminal.Text, mark string, right terminal.Text, half int, style terminal.Style) error {
	return d.app.IO.Out.Println(left.Pad(half), style.Paint(" "+mark+" "), right)
}

// printHunkBeside prints the lines of a hunk: what is deleted beside what is put in its place.
func (d *comparison) printHunkBeside(hunk diff.UnifiedHunk, half int) error {
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
		a, b := splitText(left), splitText(right)
		for n := range max(len(a), len(b)) {
			if err := d.printHalves(halfLine(a, n, half), mark, halfLine(b, n, half), half, style); err != nil {
				return err
			}
		}
	}
	return nil
}

func splitText(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func halfLine(lines []string, n, half int) terminal.Text {
	if n >= len(lines) {
		return terminal.Text{}
	}
	return terminal.Line(terminal.Fit(terminal.SafeLine("  "+strings.ReplaceAll(lines[n], "\t", "    ")), half))
}
