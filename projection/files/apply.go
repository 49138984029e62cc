package files

import (
	"slices"
	"strings"

	"tlog/agents/patch"
	"tlog/objects"
)

const byteOrderMark = "\uFEFF"

// plain is a text as agents record it that know one line end alone.
func plain(text string) string {
	text = strings.TrimPrefix(text, byteOrderMark)
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// unknown is a state of which something may have changed.
func unknown(s State, why string, by int) State {
	s.Stale = s.Stale && s.Grade == Unknown || s.Sure() && s.Exists
	s.Grade, s.Why, s.By = Unknown, why, by
	return s
}

// sure is a state of which the text is known; that of the line ends is as it was.
func sure(s State, grade Grade, text string) State {
	return State{Path: s.Path, Exists: true, Grade: grade, Text: text, Plain: s.Plain, Known: true, By: s.By}
}

// recorded is a state of which the text was recorded just now.
func recorded(s State, grade Grade, text string, plain bool) State {
	s.Plain = plain
	return sure(s, grade, text)
}

// held reports whether a state has a text, if only an old one.
func (s State) held() bool { return s.Sure() && s.Exists || s.Stale }

// anchored is the state before an operation that records it.
func anchored(s State, op objects.FileOp, by int) State {
	if s.held() && (s.Text == op.Before || op.Plain && plain(s.Text) == plain(op.Before)) {
		if s.Sure() {
			return s
		}
		return sure(s, Derived, s.Text)
	}
	grade := Exact
	if op.Plain {
		grade = Derived
	}
	s = recorded(s, grade, op.Before, op.Plain)
	s.By = by
	return s
}

// after is the state of a file behind an operation that was done.
func after(s State, op objects.FileOp) State {
	switch op.Kind {
	case objects.FileRead:
		return afterRead(s, op)
	case objects.FileWrite:
		return afterWrite(s, op)
	case objects.FileDelete:
		return State{Path: s.Path, Grade: Exact}
	case objects.FileMove:
		if len(op.Hunks) == 0 && len(op.Edits) == 0 {
			return s
		}
	}
	return afterEdit(s, op)
}

func afterRead(s State, op objects.FileOp) State {
	switch {
	case op.Whole && !op.Plain:
		return recorded(s, Exact, op.Text, false)
	case op.Whole && s.held() && plain(s.Text) == plain(op.Text):
		return sure(s, max(s.Grade, Derived), s.Text)
	case op.Whole:
		return recorded(s, Derived, op.Text, true)
	}
	s.Exists = true
	if s.Sure() && op.FirstLine > 0 && !hasLines(plain(s.Text), op.FirstLine, plain(op.Text)) {
		return unknown(s, "a part that was read is another one", s.By)
	}
	return s
}

// hasLines reports whether lines stand in a text from line first on. The last one may be cut.
func hasLines(text string, first int, lines string) bool {
	for n := 1; n < first; n++ {
		_, rest, found := strings.Cut(text, "\n")
		if !found {
			return strings.TrimSpace(lines) == ""
		}
		text = rest
	}
	return strings.HasPrefix(text, strings.TrimRight(lines, "\n"))
}

func afterWrite(s State, op objects.FileOp) State {
	if !op.Whole {
		return unknown(s, "what was written is not recorded", s.By)
	}
	grade, text := Exact, op.Text
	if op.HasAfter {
		text = op.After
	}
	switch {
	case op.Plain && s.held() && strings.Contains(s.Text, "\r\n"):
		return unknown(sure(s, Derived, text), "the line ends that were written are not recorded", s.By)
	case op.Unsure, op.Plain && strings.HasPrefix(text, byteOrderMark), op.Plain && !op.Created && !(s.Grade == Exact && !strings.HasPrefix(s.Text, byteOrderMark)):
		grade = Derived
	}
	return recorded(s, grade, text, op.Plain && grade == Derived)
}

func afterEdit(s State, op objects.FileOp) State {
	if op.HasAfter {
		if op.Plain || op.Unsure {
			return recorded(s, Derived, op.After, op.Plain)
		}
		return recorded(s, Exact, op.After, false)
	}
	if !s.held() && !(s.Sure() && op.Kind == objects.FileEdit) {
		return unknown(s, s.Why, s.By)
	}
	text, ok := edited(s.Text, op)
	switch {
	case !ok && len(op.Edits) == 0 && len(op.Hunks) == 0:
		return unknown(s, "the edit is not recorded", s.By)
	case !ok:
		return unknown(s, "the edit does not apply", s.By)
	case !s.Sure():
		s.Text = text
		return s
	}
	return sure(s, Derived, text)
}

// edited applies an edit to a text. In a file with other line ends than "\n" only what cannot depend on them is done.
func edited(text string, op objects.FileOp) (string, bool) {
	if !strings.Contains(text, "\r") || !op.Plain {
		return applied(text, op)
	}
	breaks := func(e objects.TextEdit) bool {
		return strings.ContainsAny(e.Old+e.New, "\r\n") || e.Line && e.New == ""
	}
	if len(op.Edits) > 0 && !slices.ContainsFunc(op.Edits, breaks) {
		return patch.Replace(text, op.Edits)
	}
	if strings.Count(text, "\n") != strings.Count(text, "\r\n") || strings.Count(text, "\r") != strings.Count(text, "\r\n") {
		return "", false
	}
	result, ok := applied(strings.ReplaceAll(text, "\r\n", "\n"), op)
	if !ok || strings.Contains(result, "\r") {
		return "", false
	}
	return strings.ReplaceAll(result, "\n", "\r\n"), true
}

func applied(text string, op objects.FileOp) (string, bool) {
	if len(op.Edits) > 0 {
		if result, ok := patch.Replace(text, op.Edits); ok {
			return result, true
		}
	}
	if len(op.Hunks) > 0 {
		return patch.Apply(text, op.Hunks)
	}
	return "", false
}
