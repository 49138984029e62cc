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
	a, b, err := d.bothTexts(pair)
	if err != nil {
		return err
	}
	return d.printLimited(d.changeLines(a, b), "    ")
}

// printLimited prints the lines of a change, not all of many unless --text or --tools ask for them.
func (d *comparison) printLimited(lines []terminal.Text, indent string) error {
	left := 0
	if !d.opt.text && !d.opt.tools && len(lines) > maxChange {
		left = len(lines) - maxChange
		lines = lines[:maxChange]
	}
	for _, line := range lines {
		if err := d.app.IO.Out.Println(terminal.Line(indent), line); err != nil {
			return err
		}
	}
	if left > 0 {
		return d.app.IO.Out.Println(terminal.Dim.Paint(fmt.Sprintf("    … +%d %s (--text, --tools show all)", left, plural(left, "line", "lines"))))
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
