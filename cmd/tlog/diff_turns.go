package main

import (
	"fmt"
	"strings"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/diff"
	"tlog/log"
	"tlog/refs"
)

// statusMarks and statusStyles are how the statuses are shown.
var (
	statusMarks  = map[diff.Status]string{diff.Same: "=", diff.Changed: "~", diff.OnlyA: "-", diff.OnlyB: "+"}
	statusStyles = map[diff.Status]terminal.Style{diff.Same: terminal.Dim, diff.Changed: terminal.Yellow, diff.OnlyA: terminal.Red, diff.OnlyB: terminal.Green}
)

// printTurns prints what is different, turn by turn. Runs of what is the same are folded.
func (d *comparison) printTurns() error {
	if err := d.printUndone(); err != nil {
		return err
	}
	same := 0
	for _, t := range d.Turns {
		if t.Status == diff.Same {
			same++
			continue
		}
		if err := d.printFolded(same, "turn", "turns", ""); err != nil {
			return err
		}
		same = 0
		if err := d.printTurn(t); err != nil {
			return err
		}
	}
	if err := d.printFolded(same, "turn", "turns", ""); err != nil {
		return err
	}
	return d.app.IO.Out.Err()
}

// printFolded says how many things in a row are the same.
func (d *comparison) printFolded(n int, one, many, indent string) error {
	if n == 0 {
		return nil
	}
	if indent == "" {
		d.app.IO.Out.Println()
	}
	return d.app.IO.Out.Println(terminal.Line(indent), terminal.Dim.Paint(fmt.Sprintf("= %d %s the same", n, plural(n, one, many))))
}

// printUndone names the entries of the common part that one side has undone.
func (d *comparison) printUndone() error {
	out, titled := d.app.IO.Out, false
	for _, pair := range d.Undone {
		part, err := d.part(pair)
		if err != nil {
			return err
		}
		if !part {
			continue
		}
		if !titled {
			out.Println()
			out.Println(terminal.Bold.Paint("undone on one side alone"))
			titled = true
		}
		by := map[diff.Status]string{diff.OnlyA: "undone in b  ", diff.OnlyB: "undone in a  "}[pair.Status]
		v, err := d.a.reader.Read(pair.A, false)
		if err != nil {
			return err
		}
		if err := d.printEntry(pair.Status, v, by); err != nil {
			return err
		}
	}
	return out.Err()
}

// printTurn prints a pair of turns, of which one may be missing.
func (d *comparison) printTurn(t diff.TurnPair) error {
	title, err := d.turnTitle(t)
	if err != nil {
		return err
	}
	titled, same := false, 0
	for _, pair := range t.Entries {
		status, part, err := d.judge(pair)
		if err != nil {
			return err
		}
		if !part {
			continue
		}
		if status == diff.Same {
			same++
			continue
		}
		if !titled {
			d.app.IO.Out.Println()
			d.app.IO.Out.Println(title)
			titled = true
		}
		if err := d.printFolded(same, "entry", "entries", "  "); err != nil {
			return err
		}
		same = 0
		if err := d.printPair(pair); err != nil {
			return err
		}
	}
	if !titled {
		return nil
	}
	return d.printFolded(same, "entry", "entries", "  ")
}

// turnTitle is "turn 2 | turn 3  fix the test".
func (d *comparison) turnTitle(t diff.TurnPair) (terminal.Text, error) {
	var numbers []terminal.Text
	if t.A != diff.None {
		numbers = append(numbers, terminal.Red.Paint(fmt.Sprintf("a: turn %d", t.A+1)))
	}
	if t.A != diff.None && t.B != diff.None {
		numbers = append(numbers, terminal.Line(" | "))
	}
	if t.B != diff.None {
		numbers = append(numbers, terminal.Green.Paint(fmt.Sprintf("b: turn %d", t.B+1)))
	}
	words, err := d.promptWords(t)
	if words == "" {
		words = goesOn
	}
	words = terminal.Fit(words, max(20, d.app.IO.Out.Width()-24))
	return terminal.Concat(append(numbers, terminal.Line("  "), terminal.Bold.Paint(words))...), err
}

// goesOn stands for the prompt of a turn that began in the common part.
const goesOn = "(goes on with the turn before)"

// promptWords is the first line of the prompt that a turn began with, of b where both have one; empty if it has none.
func (d *comparison) promptWords(t diff.TurnPair) (string, error) {
	s, turn := d.b, refs.Turn{}
	if t.B != diff.None {
		turn = d.B.Turns[t.B]
	} else {
		s, turn = d.a, d.A.Turns[t.A]
	}
	if turn.Prompt == log.None {
		return "", nil
	}
	_, m, _, err := s.log.MessageAt(turn.Prompt)
	if err != nil {
		return "", err
	}
	first, _, _ := strings.Cut(strings.TrimSpace(m.Text()), "\n")
	if first == "" {
		first = "(no text)"
	}
	return first, nil
}

// printPair prints an entry of one side, or two that correspond and differ.
func (d *comparison) printPair(pair diff.EntryPair) error {
	s, at := d.a, pair.A
	if pair.Status == diff.OnlyB || pair.Status == diff.Changed {
		s, at = d.b, pair.B
	}
	if d.opt.sideBySide {
		if err := d.printBeside(pair); err != nil {
			return err
		}
		return d.printDropped(pair)
	}
	v, err := s.reader.Read(at, false)
	if err != nil {
		return err
	}
	switch {
	case pair.Status == diff.Changed:
		if err := d.printEntry(pair.Status, v, d.a.log.Short(pair.A)+" -> "); err != nil {
			return err
		}
		err = d.printChange(pair)
	case d.opt.text || d.opt.tools:
		if err := d.printEntry(pair.Status, v, ""); err != nil {
			return err
		}
		err = d.printWhole(s, at, pair.Status)
	default:
		err = d.printEntry(pair.Status, v, "")
	}
	if err != nil {
		return err
	}
	return d.printDropped(pair)
}

// printEntry prints an entry on a line.
func (d *comparison) printEntry(status diff.Status, v view.Entry, before string) error {
	out := d.app.IO.Out
	head := terminal.Concat(terminal.Line("  "), statusStyles[status].Paint(statusMarks[status]+" "+before), terminal.Yellow.Paint(v.Short), terminal.Line(" "))
	return out.Println(head, v.Subject(out.Width()-head.Width()))
}

// printWhole prints all that was asked for of an entry, each line with its mark.
func (d *comparison) printWhole(s side, at int, status diff.Status) error {
	text, err := d.wholeText(s, at)
	if err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		if err := d.app.IO.Out.Println(terminal.Line("    "), statusStyles[status].Paint(statusMarks[status]+" "+strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}
