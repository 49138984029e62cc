package patch

import (
	"slices"
	"strings"

	"tlog/objects"
)

// Replace applies replacements one after the other. ok is false if one does not apply cleanly: what it replaces is not in the text, or more than
// once without All. A replacement of nothing makes a text of an empty one.
func Replace(text string, edits []objects.TextEdit) (result string, ok bool) {
	for _, e := range edits {
		if text, ok = replace(text, e); !ok {
			return "", false
		}
	}
	return text, len(edits) > 0
}

func replace(text string, e objects.TextEdit) (string, bool) {
	if e.Old == "" {
		return e.New, text == ""
	}
	at := strings.Index(text, e.Old)
	if at < 0 {
		return "", false
	}
	old := e.Old
	if e.Line && e.New == "" && !strings.HasSuffix(old, "\n") && strings.Contains(text, old+"\n") {
		old += "\n"
		at = strings.Index(text, old)
	}
	if e.All {
		return strings.ReplaceAll(text, old, e.New), true
	}
	// Where the text stands more than once the agents refuse it, and what they did then is not known.
	if strings.Contains(text[at+len(e.Old):], e.Old) || old != e.Old && strings.Index(text, e.Old) < at {
		return "", false
	}
	return text[:at] + e.New + text[at+len(old):], true
}

// Apply applies the hunks of one file. ok is false if one does not apply cleanly.
//
// Hunks that name their line apply there and nowhere else, and their context has to be there to the byte. Others are searched as apply_patch does it, each behind
// the one before it: first to the byte, then without white space at the ends of lines, then without it at both ends; what is found is replaced by the lines of the hunk, context
// included, and a hunk that removes nothing and has no context is put at the end. A file that was changed so ends in "\n".
func Apply(text string, hunks []objects.Hunk) (result string, ok bool) {
	if len(hunks) == 0 {
		return text, true
	}
	if slices.ContainsFunc(hunks, func(h objects.Hunk) bool { return h.OldStart > 0 }) {
		return applyAt(text, hunks)
	}
	return search(text, hunks)
}

// applyAt applies hunks by their line numbers.
func applyAt(text string, hunks []objects.Hunk) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out joiner
	next := 0
	for _, h := range hunks {
		at := h.OldStart - 1
		if at < next || at > len(lines) {
			return "", false
		}
		out.add(lines[next:at]...)
		next = at
		for i, l := range h.Lines {
			if l.Op == '\\' {
				continue
			}
			line := l.Text + "\n"
			if i+1 < len(h.Lines) && h.Lines[i+1].Op == '\\' {
				line = l.Text
			}
			if l.Op != '+' {
				if next == len(lines) || lines[next] != line {
					return "", false
				}
				next++
			}
			if l.Op != '-' {
				out.add(line)
			}
		}
	}
	out.add(lines[next:]...)
	return out.text.String(), !out.torn
}

// joiner puts lines together.
type joiner struct {
	text  strings.Builder
	ended bool // the last line has no "\n"
	torn  bool // and another came behind it
}

func (j *joiner) add(lines ...string) {
	for _, line := range lines {
		j.torn = j.torn || j.ended
		j.ended = !strings.HasSuffix(line, "\n")
		j.text.WriteString(line)
	}
}

// search applies hunks that name no line.
func search(text string, hunks []objects.Hunk) (string, bool) {
	lines := strings.Split(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out []string
	var behind []string // lines of hunks that go to the end of the file
	next := 0
	for _, h := range hunks {
		from := next
		for _, anchor := range h.Anchors {
			at, found := seek(lines, []string{anchor}, from, false)
			if !found {
				return "", false
			}
			from = at + 1
		}
		old, fresh := sides(h)
		if len(old) == 0 {
			behind = append(behind, fresh...)
			out = append(out, lines[next:from]...)
			next = from
			continue
		}
		at, found := seek(lines, old, from, h.AtEnd)
		if !found && old[len(old)-1] == "" { // the empty line behind the last "\n"
			old = old[:len(old)-1]
			if len(fresh) > 0 && fresh[len(fresh)-1] == "" {
				fresh = fresh[:len(fresh)-1]
			}
			at, found = seek(lines, old, from, h.AtEnd)
		}
		if !found || at < next {
			return "", false
		}
		out = append(append(out, lines[next:at]...), fresh...)
		next = at + len(old)
	}
	out = append(append(out, lines[next:]...), behind...)
	if len(out) == 0 {
		return "", true
	}
	return strings.Join(out, "\n") + "\n", true
}

// sides are the lines of a hunk before and after it.
func sides(h objects.Hunk) (old, fresh []string) {
	for _, l := range h.Lines {
		if l.Op != '+' && l.Op != '\\' {
			old = append(old, l.Text)
		}
		if l.Op != '-' && l.Op != '\\' {
			fresh = append(fresh, l.Text)
		}
	}
	return old, fresh
}

// likenesses are the ways in which lines are compared, the strictest first.
func likenesses() []func(string) string {
	return []func(string) string{
		func(s string) string { return s },
		func(s string) string { return strings.TrimRight(s, " \t\r\n\v\f") },
		strings.TrimSpace,
	}
}

// seek finds the first place at or behind from where the lines of a pattern stand, at the end of the file if it is to be there.
func seek(lines, pattern []string, from int, atEnd bool) (at int, found bool) {
	if len(pattern) > len(lines) {
		return 0, false
	}
	if len(pattern) == 0 {
		return from, true
	}
	if atEnd {
		from = len(lines) - len(pattern)
	}
	for _, alike := range likenesses() {
		first := alike(pattern[0])
		for at := from; at+len(pattern) <= len(lines); at++ {
			if alike(lines[at]) == first && slices.EqualFunc(lines[at:at+len(pattern)], pattern, func(a, b string) bool { return alike(a) == alike(b) }) {
				return at, true
			}
		}
	}
	return 0, false
}
