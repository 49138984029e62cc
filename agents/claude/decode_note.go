package claude

import (
	"strings"

	"tlog/objects"
)

// The notes of messages that nobody said (docs/claude.md "Messages").
const (
	noteCommand     = "command"
	noteOutput      = "output"
	noteCaveat      = "caveat"
	noteInterrupted = "interrupted"
	noteSummary     = "summary"
	noteReminder    = "reminder"
)

// annotate says of a user row what it is if nobody said it, and gives its first text as people are to read it. What the
// client writes as user rows is in formats/claude.md section 2.
func (s said) annotate(m *objects.Message) {
	first := -1
	for i, b := range m.Blocks {
		if b.Kind == objects.BlockText {
			first = i
			break
		}
	}
	text := ""
	if first >= 0 {
		text = m.Blocks[first].Text
	}
	note, words := noteOf(text)
	switch {
	case s.summary:
		note, words = noteSummary, ""
	case note == noteReminder && !s.meta && !allReminders(m.Blocks):
		note = "" // somebody's words stand behind it
	case note == "" && s.meta:
		note = noteReminder
	}
	m.Note = note
	switch {
	case words != "":
		m.Blocks[first].Text = words
	case m.Note == "":
		for i := range m.Blocks {
			if b := &m.Blocks[i]; b.Kind == objects.BlockText {
				b.Text = withoutReminders(b.Text)
			}
		}
	}
}

// noteOf is the note that a text gives its message, and the text for people where it is another one.
func noteOf(text string) (note, words string) {
	text = strings.TrimSpace(text)
	starts := func(prefixes ...string) bool {
		for _, p := range prefixes {
			if strings.HasPrefix(text, p) {
				return true
			}
		}
		return false
	}
	switch {
	case starts("<command-name>", "<command-message>"):
		return noteCommand, commandLine(text)
	case starts("<bash-input>"):
		return noteCommand, strings.TrimSpace("! " + strings.TrimSpace(between(text, "bash-input")))
	case starts("<local-command-stdout>", "<local-command-stderr>", "<bash-stdout>", "<bash-stderr>"):
		return noteOutput, output(text)
	case starts("<local-command-caveat>", "Caveat: The messages below"):
		return noteCaveat, ""
	case text == "[Request interrupted by user]", text == "[Request interrupted by user for tool use]":
		return noteInterrupted, ""
	case isReminder(text):
		return noteReminder, ""
	}
	return "", ""
}

// isReminder reports whether a text is one that the client adds by itself, with nobody's words behind it.
func isReminder(text string) bool { return text != "" && withoutReminders(text) == "" }

// withoutReminders is a text without what the client has put before it. A text that begins otherwise is as it was.
func withoutReminders(text string) string {
	rest := text
	for {
		rest = strings.TrimSpace(rest)
		before := rest
		for _, tag := range []string{"system-reminder", "task-notification"} {
			if strings.HasPrefix(rest, "<"+tag+">") {
				_, rest, _ = strings.Cut(rest, "</"+tag+">")
			}
		}
		switch {
		case rest != before:
		case strings.HasPrefix(strings.TrimSpace(text), "<system-reminder>"), strings.HasPrefix(strings.TrimSpace(text), "<task-notification>"):
			return rest
		default:
			return text
		}
	}
}

// allReminders reports whether all that is no tool result is a text that the client adds by itself.
func allReminders(blocks []objects.Block) bool {
	for _, b := range blocks {
		switch {
		case b.Kind == objects.BlockToolResult:
		case b.Kind != objects.BlockText, !isReminder(strings.TrimSpace(b.Text)):
			return false
		}
	}
	return true
}

// commandLine is a command of the client's as it was typed: /model opus.
func commandLine(text string) string {
	name := strings.TrimSpace(between(text, "command-name"))
	if name == "" {
		name = strings.TrimSpace(between(text, "command-message"))
	}
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	return strings.TrimSpace(name + " " + strings.TrimSpace(between(text, "command-args")))
}

// output is what a command printed, out of its tags. It says so if that is nothing.
func output(text string) string {
	var parts []string
	for _, tag := range []string{"local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"} {
		if part := strings.Trim(between(text, tag), "\n"); strings.TrimSpace(part) != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return "(no output)"
	}
	return withoutStyles(strings.Join(parts, "\n"))
}

// withoutStyles is a text without the sequences that give a terminal colours and weights (ESC [ numbers m).
func withoutStyles(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if end := strings.TrimLeft(rest, "0123456789;:"); strings.HasPrefix(end, "m") {
			text = end[1:]
			continue
		}
		b.WriteString("\x1b[") // what else it is is shown as it is
		text = rest
	}
}

// between is the text between a tag and its end, or the end of the text if that is missing; empty without the tag.
func between(text, tag string) string {
	_, rest, found := strings.Cut(text, "<"+tag+">")
	if !found {
		return ""
	}
	inner, _, _ := strings.Cut(rest, "</"+tag+">")
	return inner
}
