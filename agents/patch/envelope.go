package patch

import (
	"fmt"
	"strings"

	"tlog/objects"
)

// The lines of an envelope.
const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	addFile    = "*** Add File: "
	updateFile = "*** Update File: "
	deleteFile = "*** Delete File: "
	moveTo     = "*** Move to: "
	endOfFile  = "*** End of File"
)

// Envelope reads a patch as apply_patch takes it, from "*** Begin Patch" to "*** End Patch". White space around it is passed over. The error wraps
// objects.ErrInvalid; what was read up to the fault is given all the same.
func Envelope(text string) ([]objects.FileOp, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if strings.TrimSpace(lines[0]) != beginPatch {
		return nil, faulty(1, "expected %q", beginPatch)
	}
	p := envelopeParser{lines: lines, next: 1}
	for p.next < len(p.lines) {
		line := strings.TrimSpace(p.lines[p.next])
		if line == endPatch {
			return p.ops, nil
		}
		if err := p.file(line); err != nil {
			return p.ops, err
		}
	}
	return p.ops, faulty(len(lines), "expected %q", endPatch)
}

func faulty(line int, format string, args ...any) error {
	return fmt.Errorf("patch, line %d: %w: %s", line, objects.ErrInvalid, fmt.Sprintf(format, args...))
}

type envelopeParser struct {
	lines []string
	next  int
	ops   []objects.FileOp
}

// file reads what the patch does to one file.
func (p *envelopeParser) file(line string) error {
	p.next++
	if path, ok := cutPath(line, addFile); ok {
		p.ops = append(p.ops, p.added(path))
		return nil
	}
	if path, ok := cutPath(line, deleteFile); ok {
		p.ops = append(p.ops, objects.FileOp{Kind: objects.FileDelete, Path: path})
		return nil
	}
	path, ok := cutPath(line, updateFile)
	if !ok {
		return faulty(p.next, "expected the head of a file")
	}
	op := objects.FileOp{Kind: objects.FileEdit, Path: path}
	if p.next < len(p.lines) {
		if to, ok := cutPath(strings.TrimSpace(p.lines[p.next]), moveTo); ok {
			op.Kind, op.To = objects.FileMove, to
			p.next++
		}
	}
	var err error
	op.Hunks, err = p.hunks()
	p.ops = append(p.ops, counted(op))
	return err
}

func cutPath(line, head string) (path string, ok bool) {
	path, ok = strings.CutPrefix(line, head)
	return strings.TrimSpace(path), ok
}

// added reads the lines of a file that is written whole. Each of them ends in "\n".
func (p *envelopeParser) added(path string) objects.FileOp {
	var text strings.Builder
	n := 0
	for ; p.next < len(p.lines) && strings.HasPrefix(p.lines[p.next], "+"); p.next++ {
		text.WriteString(p.lines[p.next][1:])
		text.WriteByte('\n')
		n++
	}
	return objects.FileOp{Kind: objects.FileWrite, Path: path, Text: text.String(), Whole: true}
}

// hunks reads the hunks of a file, up to the next line that begins with three stars.
func (p *envelopeParser) hunks() ([]objects.Hunk, error) {
	var hunks []objects.Hunk
	var h objects.Hunk
	begun := false // h has been begun, by an anchor or a line
	flush := func() {
		if begun {
			hunks = append(hunks, h)
		}
		h, begun = objects.Hunk{}, false
	}
	for ; p.next < len(p.lines); p.next++ {
		line := p.lines[p.next]
		switch {
		case strings.TrimRight(line, " \t\r") == endOfFile:
			h.AtEnd = begun
			flush()
		case strings.HasPrefix(line, "***"):
			flush()
			return hunks, nil
		case strings.HasPrefix(line, "@@"):
			if len(h.Lines) > 0 {
				flush()
			}
			begun = true
			if anchor, ok := strings.CutPrefix(line, "@@ "); ok && strings.TrimSpace(anchor) != "" {
				h.Anchors = append(h.Anchors, anchor)
			}
		case line == "":
			begun = true
			h.Lines = append(h.Lines, objects.HunkLine{Op: ' '})
		case strings.IndexByte(" +-", line[0]) >= 0:
			begun = true
			h.Lines = append(h.Lines, objects.HunkLine{Op: line[0], Text: line[1:]})
		default:
			flush()
			return hunks, faulty(p.next+1, "expected a line of a hunk")
		}
	}
	flush()
	return hunks, nil
}
