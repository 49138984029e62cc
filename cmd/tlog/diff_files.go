package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/diff"
	"tlog/objects"
	"tlog/projection/files"
)

// fileDiff is a file that the two sides leave in different states, or may.
type fileDiff struct {
	path   string
	letter string // A, D, M or X
	a, b   files.State
}

// sideFile is what one side knows of a file.
type sideFile struct {
	files.State
	met              bool // anything
	created, changed bool // by a call; a whole write of a file that nothing was known of counts as its beginning
}

// sideFiles replays the files of a path.
func sideFiles(path *diff.Path) (map[string]sideFile, error) {
	known := map[string]sideFile{}
	replay, err := files.New(path.History, files.Options{Each: func(c files.Change) error {
		f, again := known[c.Path]
		if c.Op.Kind != objects.FileRead && !c.Failed {
			f.changed = true
			f.created = f.created || c.Op.Created || !again && c.Op.Kind == objects.FileWrite && !c.Op.Existed
		}
		known[c.Path] = f
		return nil
	}})
	if err != nil {
		return nil, err
	}
	for _, name := range replay.Paths() {
		f := known[name]
		f.State, f.met = replay.State(name)
		known[name] = f
	}
	return known, nil
}

// fileDiffs compares the states of all files that either side knows of, once.
func (d *comparison) fileDiffs() ([]fileDiff, error) {
	if d.files != nil {
		return d.files, nil
	}
	first, err := sideFiles(d.A)
	if err != nil {
		return nil, err
	}
	second, err := sideFiles(d.B)
	if err != nil {
		return nil, err
	}
	paths := maps.Clone(first)
	maps.Copy(paths, second)
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		a, b := first[name], second[name]
		if letter := statusLetter(a, b); letter != "" {
			d.files = append(d.files, fileDiff{path: name, letter: letter, a: a.State, b: b.State})
		}
	}
	return d.files, nil
}

// statusLetter is how a file differs, in git's letters; empty if it does not. A side that never met a file says nothing about it: what only the other one
// made is added there, what it changed cannot be told.
func statusLetter(a, b sideFile) string {
	sureA, sureB := a.met && a.Sure(), b.met && b.Sure()
	switch {
	case sureA && sureB && !a.Exists && !b.Exists:
		return ""
	case sureA && sureB && a.Exists && b.Exists:
		if a.Text == b.Text {
			return ""
		}
		return "M"
	case sureB && b.Exists && (sureA && !a.Exists || !a.met && b.created):
		return "A"
	case sureA && a.Exists && (sureB && !b.Exists || !b.met && a.created):
		return "D"
	case a.met && b.met && a.By == b.By && a.Grade == b.Grade && a.Text == b.Text:
		return "" // nothing happened to it behind the common part
	case !a.changed && !b.changed:
		return "" // the sides only looked at it
	}
	return "X"
}

// printFiles prints the files that differ: their names, or patches.
func (d *comparison) printFiles() error {
	list, err := d.fileDiffs()
	if err != nil {
		return err
	}
	for _, f := range list {
		switch {
		case d.app.JSON:
			err = d.app.printJSON(f.json(d.opt))
		case d.opt.files:
			err = d.printPatch(f)
		default:
			err = d.printName(f)
		}
		if err != nil {
			return err
		}
	}
	return d.app.IO.Out.Err()
}

func (d *comparison) printName(f fileDiff) error {
	letter := ""
	if d.opt.nameStatus {
		letter = f.letter + "\t"
	}
	if !d.opt.nul {
		return d.app.IO.Out.Println(terminal.Block(letter + quotedPath(f.path)))
	}
	name := f.path
	if d.app.IO.Out.IsTerminal() {
		name = terminal.SafeLine(name)
	}
	_, err := d.app.IO.Out.Raw().Write([]byte(strings.Replace(letter, "\t", "\x00", 1) + name + "\x00"))
	return err
}

// printPatch prints a unified diff of the states, with how sure they are.
func (d *comparison) printPatch(f fileDiff) error {
	out := d.app.IO.Out
	a, b := quotedPath("a/"+trimRoot(f.path)), quotedPath("b/"+trimRoot(f.path))
	out.Println(terminal.Bold.Paint("diff --tlog " + a + " " + b))
	out.Println(terminal.Bold.Paint("index " + stateText(f.a) + " " + stateText(f.b)))
	switch {
	case f.recorded() && f.letter == "X":
		out.Println(terminal.Dim.Paint("What was recorded last; it may have changed since."))
	case f.letter == "X":
		return out.Println(terminal.Dim.Paint("What was in it is not recorded on both sides."))
	}
	end := "" // where the name ends, if it has a space in it
	if strings.Contains(a, " ") {
		end = "\t"
	}
	for _, side := range []struct {
		mark, name string
		exists     bool
	}{{"--- ", a, f.a.Exists}, {"+++ ", b, f.b.Exists}} {
		name := side.name + end
		if !side.exists {
			name = "/dev/null"
		}
		out.Println(terminal.Bold.PaintBlock(side.mark + name))
	}
	for _, hunk := range diff.Unified(diff.Lines(fileContent(f.a), fileContent(f.b)), d.opt.context) {
		out.Println(terminal.Cyan.Paint(fmt.Sprintf("@@ -%s +%s @@", rangeText(hunk.OldStart, hunk.OldLines), rangeText(hunk.NewStart, hunk.NewLines))))
		for _, piece := range hunk.Pieces {
			if err := d.printPatchPiece(piece); err != nil {
				return err
			}
		}
	}
	return out.Err()
}

func (d *comparison) printPatchPiece(piece diff.Piece) error {
	mark, style := " ", terminal.Plain
	switch piece.Op {
	case diff.Delete:
		mark, style = "-", terminal.Red
	case diff.Insert:
		mark, style = "+", terminal.Green
	}
	for line := range strings.Lines(piece.Text) {
		text, ended := strings.CutSuffix(line, "\n")
		if err := d.printPatchLine(style, mark+text); err != nil {
			return err
		}
		if !ended {
			d.app.IO.Out.Println(terminal.Line(`\ No newline at end of file`))
		}
	}
	return nil
}

// printPatchLine prints a line of a file: as it is for a program that applies it, and harmless for a person.
func (d *comparison) printPatchLine(style terminal.Style, line string) error {
	out := d.app.IO.Out
	if out.IsTerminal() || out.Color() {
		return out.Println(style.Paint(line))
	}
	_, err := out.Raw().Write([]byte(line + "\n"))
	return err
}

// recorded reports whether a content of the file is known on both sides, though it may be an old one.
func (f fileDiff) recorded() bool {
	known := func(s files.State) bool { return s.Sure() || s.Stale }
	return known(f.a) && known(f.b)
}

func rangeText(start, lines int) string {
	if lines == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

func fileContent(s files.State) string {
	if !s.Exists {
		return ""
	}
	return s.Text
}

// stateText is how sure a state is, and why it is not.
func stateText(s files.State) string {
	text := s.Grade.String()
	if s.Grade == files.Unknown && s.Why != "" {
		text += " (" + s.Why + ")"
	}
	return text
}

func trimRoot(path string) string { return strings.TrimPrefix(path, "/") }

func (f fileDiff) json(opt diffOptions) *jsonout.Object {
	o := new(jsonout.Object).String("path", f.path).String("status", f.letter)
	o.Object("a", stateObject(f.a)).Object("b", stateObject(f.b))
	switch {
	case !opt.files:
		return o
	case f.letter == "X" && !f.recorded():
		return o.Raw("diff", nil)
	}
	return o.Array("diff", piecesArray(diff.Lines(fileContent(f.a), fileContent(f.b))))
}

func stateObject(s files.State) *jsonout.Object {
	return new(jsonout.Object).String("grade", s.Grade.String()).Bool("exists", s.Exists).Known("why", s.Why)
}

func piecesArray(pieces []diff.Piece) jsonout.Array {
	var list jsonout.Array
	names := map[diff.Op]string{diff.Equal: "equal", diff.Delete: "delete", diff.Insert: "insert"}
	for _, p := range pieces {
		list.Object(new(jsonout.Object).String("op", names[p.Op]).String("text", p.Text))
	}
	return list
}
