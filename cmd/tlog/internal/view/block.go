package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tlog/cmd/tlog/internal/dates"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/objects"
)

// Headline is the line above an entry's text, at most so many cells wide: short id, what stands there, who
// speaks, and as far as there is room when, the model, and that it is undone.
func (v Entry) Headline(now time.Time, cells int) terminal.Text {
	parts := []terminal.Text{terminal.Yellow.Paint(v.Short)}
	if decoration := v.Decoration(); !decoration.IsEmpty() {
		parts = append(parts, decoration)
	}
	who := v.Speaker()
	if v.isLine() {
		who += " " + firstLine(v.Text)
	}
	parts = append(parts, v.speakerStyle().Paint(who))
	var more []terminal.Text
	if v.Skipped {
		more = append(more, terminal.Red.Paint("undone"))
	}
	if t := v.Time(); !t.IsZero() {
		more = append(more, terminal.Dim.Paint(dates.Relative(t, now)))
	}
	if v.Message.Model != "" {
		more = append(more, terminal.Dim.Paint(v.Message.Model))
	}
	line := join(parts, "  ")
	for _, part := range more {
		if longer := join([]terminal.Text{line, part}, "  "); longer.Width() <= cells {
			line = longer
		}
	}
	if line.Width() > cells {
		return terminal.Line(terminal.Fit(line.String(), cells))
	}
	return line
}

// GapLine says that the parent which the entry names is missing; empty if it is not.
func (v Entry) GapLine() terminal.Text {
	if v.Gap == "" {
		return terminal.Text{}
	}
	return terminal.Red.Paint("… gap: parent " + string(v.Gap) + " is missing")
}

const branchStyle = terminal.Green | terminal.Bold

// Decoration names what stands at the entry: (HEAD -> main, label: start).
func (v Entry) Decoration() terminal.Text {
	var names []terminal.Text
	for _, name := range v.Refs {
		switch {
		case name == "HEAD" && v.On != "":
			names = append(names, terminal.Concat((terminal.Cyan|terminal.Bold).Paint("HEAD -> "), branchStyle.Paint(v.On)))
		case name == "HEAD":
			names = append(names, (terminal.Cyan | terminal.Bold).Paint(name))
		case name != v.On:
			names = append(names, branchStyle.Paint(name))
		}
	}
	for _, label := range v.Labels {
		names = append(names, terminal.Magenta.Paint("label: "+label))
	}
	if len(names) == 0 {
		return terminal.Text{}
	}
	return terminal.Concat(terminal.Yellow.Paint("("), join(names, ", "), terminal.Yellow.Paint(")"))
}

func join(texts []terminal.Text, separator string) terminal.Text {
	var all []terminal.Text
	for i, t := range texts {
		if i > 0 {
			all = append(all, terminal.Line(separator))
		}
		all = append(all, t)
	}
	return terminal.Concat(all...)
}

// Lines is the entry's content as lines, at most max of them; 0 is no limit. What is left out is counted.
func (v Entry) Lines(max int) []string {
	lines := v.content(max == 0)
	if max > 0 && len(lines) > max {
		left := len(lines) - max + 1
		lines = append(lines[:max-1:max-1], fmt.Sprintf("… +%d lines", left))
	}
	return lines
}

func (v Entry) content(full bool) []string {
	switch {
	case v.Compact != nil:
		return append([]string{v.Compact.Words()}, splitLines(cmp.Or(v.Text, v.Compact.Behind))...)
	case v.isLine() && full:
		return v.sourceLines()
	case v.isLine():
		return nil // the headline says what it is
	case v.Record.Type == objects.TypeMeta && full:
		return append(splitLines(v.Text), v.sourceLines()...)
	case v.Record.Type != objects.TypeMessage && v.Record.Type != objects.TypeCustomMessage:
		return splitLines(strings.TrimSpace(v.About + "\n" + v.Text))
	}
	var lines []string
	for i, b := range v.Message.Blocks {
		switch b.Kind {
		case objects.BlockToolResult:
			lines = append(lines, v.resultLines(i, full)...)
		case objects.BlockText:
			lines = append(lines, splitLines(v.shownText(b))...)
		case objects.BlockToolCall:
			if full || !v.answeredNext(i) {
				lines = append(lines, blockLines(b, full)...)
			}
		default:
			lines = append(lines, blockLines(b, full)...)
		}
	}
	if v.failed() {
		lines = append(lines, splitLines("error: "+v.Message.Error)...)
	}
	return lines
}

// answeredNext reports whether the i-th block is a call with its result right behind it, which names the call too.
func (v Entry) answeredNext(i int) bool {
	blocks := v.Message.Blocks
	return i+1 < len(blocks) && blocks[i+1].Kind == objects.BlockToolResult && blocks[i+1].CallID == blocks[i].CallID
}

// blockLines is a block of content for people that is neither text nor result; with full, thinking and whole arguments too.
func blockLines(b objects.Block, full bool) []string {
	switch b.Kind {
	case objects.BlockThinking:
		if !full && b.Text != "" {
			return []string{fmt.Sprintf("[thinking, %s]", Size(int64(len(b.Text))))}
		}
		if b.Text == "" && b.Type == "redacted_thinking" {
			return []string{"[thinking, encrypted]"}
		}
		return append([]string{"[thinking]"}, splitLines(b.Text)...)
	case objects.BlockToolCall:
		if full {
			return callLines(b)
		}
	}
	if words := toolWords(b); words != "" {
		return []string{words}
	}
	return nil
}

// resultLines is the i-th block, a result.
func (v Entry) resultLines(i int, full bool) []string {
	b := v.Message.Blocks[i]
	head := v.resultHead(i, terminal.Unlimited)
	if full && b.CallID != "" {
		head += "  (call " + b.CallID + ")"
	}
	return slices.Concat([]string{head}, splitLines(resultText(b)), resultImages(b))
}

// callLines is a tool call with each argument by its name: a string as the text that it is, anything else as JSON.
func callLines(b objects.Block) []string {
	head := "[" + b.Name + "]"
	if b.CallID != "" {
		head += "  (call " + b.CallID + ")"
	}
	lines := []string{head}
	objects.Scan(b.Arguments, func(m objects.Member) {
		key, _ := objects.Unquote(append(append([]byte{'"'}, m.Key...), '"'))
		text, ok := objects.Unquote(m.Value)
		if !ok {
			text = string(m.Value)
			if words, isWords := stringsIn(m.Value); isWords {
				text = commandLine(words)
			}
		}
		value := splitLines(text)
		if len(value) <= 1 {
			lines = append(lines, "  "+key+": "+strings.Join(value, ""))
			return
		}
		lines = append(lines, "  "+key+":")
		for _, line := range value {
			lines = append(lines, "    "+line)
		}
	})
	return lines
}

func splitLines(s string) []string {
	s = strings.TrimRight(s, "\r\n ")
	if s == "" {
		return nil
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\r")
	}
	return lines
}
