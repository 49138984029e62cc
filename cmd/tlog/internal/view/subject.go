package view

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/objects"
)

// mainArguments are the arguments that tell most of a tool call, the first that is there counts.
var mainArguments = [...]string{"command", "cmd", "pattern", "path", "file_path", "filePath", "notebook_path", "query", "url", "description", "subject",
	"skill", "plan", "prompt", "input", "taskId", "task_id", "shell_id", "bash_id"}

// Subject is the entry in one line of at most so many cells: who speaks, and the words that tell most.
func (v Entry) Subject(cells int) terminal.Text {
	who := v.Speaker()
	room := cells - terminal.Width(who) - 1
	words := v.firstWords(room)
	if words == "" {
		return v.speakerStyle().Paint(who)
	}
	text := terminal.FitLong(words, max(room, 10))
	style := terminal.Plain
	if v.Skipped || v.Message.Note != "" {
		style = terminal.Dim
	}
	return terminal.Concat(v.speakerStyle().Paint(who), terminal.Line(" "), style.Paint(text))
}

// Speaker is what a message is that nobody said, else its role; of other entries their type.
func (v Entry) Speaker() string {
	role := v.Role()
	switch {
	case v.Record.Type != objects.TypeMessage || role == "":
		return string(v.Record.Type)
	case v.Message.Note != "":
		return v.Message.Note
	case role == objects.RoleToolResult:
		return "result"
	}
	return role
}

func (v Entry) speakerStyle() terminal.Style {
	role := v.Role()
	switch {
	case v.Skipped:
		return terminal.Dim
	case v.Record.Type == objects.TypeCompaction, v.Record.Type == objects.TypeBranchSummary:
		return terminal.Magenta
	case v.Message.Note != "":
		return terminal.Dim
	case role == objects.RoleUser:
		return terminal.Cyan | terminal.Bold
	case role == objects.RoleAssistant:
		return terminal.Green
	case role == objects.RoleToolResult:
		return terminal.Blue
	}
	return terminal.Dim
}

// firstWords is what an entry says, the most telling part first, for so many cells.
func (v Entry) firstWords(cells int) string {
	var parts []string
	if v.About != "" {
		parts = append(parts, v.About)
	}
	if v.Compact != nil {
		parts = append(parts, v.Compact.Words())
	}
	if text := firstLine(v.Text); text != "" && (v.Record.Type != objects.TypeMessage || v.Message.Role == "") {
		parts = append(parts, text)
	} else if text := firstLine(v.prose()); text != "" {
		parts = append(parts, text)
	}
	for i, block := range v.Message.Blocks {
		part := toolWords(block)
		switch {
		case block.Kind == objects.BlockToolResult:
			part = v.resultWords(i, cells)
		case block.Kind == objects.BlockToolCall && v.answeredNext(i):
			part = ""
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	if v.failed() {
		parts = append(parts, "error: "+firstLine(v.Message.Error))
	}
	for _, block := range v.Message.Blocks {
		if len(parts) == 0 && block.Kind == objects.BlockThinking {
			parts = blockLines(block, false)
		}
	}
	return strings.Join(parts, "  ")
}

// toolWords is a call with its main argument, an image with its kind and size; empty for what has words of its own.
func toolWords(b objects.Block) string {
	switch b.Kind {
	case objects.BlockToolCall:
		return strings.TrimSpace("[" + b.Name + "] " + firstLine(mainArgument(b.Arguments)))
	case objects.BlockImage:
		return imageMark(b)
	case objects.BlockOther:
		if b.Type == "" {
			return "[unknown block]"
		}
		return strings.TrimSpace("[" + b.Type + "] " + firstLine(mainArgument(b.Arguments)))
	}
	return ""
}

// resultWords is the i-th block, a result: what was called, how it ended and what came of it.
func (v Entry) resultWords(i, cells int) string {
	b := v.Message.Blocks[i]
	words := v.resultHead(i, cells)
	if line := firstLine(resultText(b)); line != "" {
		words += ": " + line
	}
	return strings.Join(append([]string{words}, resultImages(b)...), " ")
}

// resultHead is what the i-th block, a result, is the result of, and how it ended.
func (v Entry) resultHead(i, cells int) string {
	b := v.Message.Blocks[i]
	head := "-> " + resultState(b)
	if v.Subagent != "" {
		head += ", subagent " + string(v.Subagent)
	}
	for _, words := range []string{v.callWords(i, cells), b.Name} {
		if words != "" {
			head = words + " " + head
		}
	}
	return head
}

// resultState is how a tool call ended.
func resultState(b objects.Block) string {
	switch {
	case b.State != "":
		return b.State
	case b.IsError:
		return "failed"
	}
	return "ok"
}

// resultText is the text of a result behind the exit code that its state tells.
func resultText(b objects.Block) string {
	if code, ok := strings.CutPrefix(b.State, "exit "); ok {
		if rest, ok := strings.CutPrefix(b.Text, "Exit code "+code); ok {
			return strings.TrimPrefix(rest, "\n")
		}
	}
	return b.Text
}

// failed reports whether the message has an error that its text does not tell.
func (v Entry) failed() bool { return v.Message.Error != "" && v.Message.Error != v.Message.Text() }

// resultImages are the marks of the images in a result.
func resultImages(b objects.Block) []string {
	if b.Images == 0 {
		return nil
	}
	content := objects.Entry{Raw: b.Raw}.Get("content")
	raw := slices.Concat([]byte(`{"message":{"content":`), content, []byte(`}}`))
	m, _ := objects.DecodeMessage(objects.Entry{Type: objects.TypeMessage, Raw: raw})
	var marks []string
	for _, inner := range m.Blocks {
		if inner.Kind == objects.BlockImage {
			marks = append(marks, imageMark(inner))
		}
	}
	return marks
}

// imageMark stands for an image: its bytes never reach a terminal.
func imageMark(b objects.Block) string {
	if len(b.Data) > 0 && b.Data[0] == '[' { // no base64: the placeholder of an image that lies in a blob
		return string(b.Data)
	}
	mime := b.MimeType
	if mime == "" {
		mime = "image"
	}
	if len(b.Data) == 0 { // it lies somewhere else
		return "[" + mime + "]"
	}
	return fmt.Sprintf("[%s %s]", mime, Size(int64(len(bytes.TrimRight(b.Data, "=")))*3/4))
}

// Size is a number of bytes for people, as placeholders in a log have it.
func Size(n int64) string { return string(objects.AppendSize(nil, n)) }

// mainArgument is the argument that tells most of a call; without one, how long the list is that it has: "3 todos".
func mainArgument(arguments []byte) string {
	found := make(map[string]string, 2)
	list := ""
	objects.Scan(arguments, func(m objects.Member) {
		if words := listWords(m); words != "" {
			found[string(m.Key)] = words
			return
		}
		if n := 0; list == "" && objects.Elements(m.Value, func([]byte) { n++ }) {
			list = fmt.Sprintf("%d %s", n, m.Key)
		}
		if s, ok := objects.Unquote(m.Value); ok {
			if files := patchedFiles(s); files != "" {
				s = files
			}
			for _, name := range mainArguments {
				if m.Is(name) {
					found[name] = s
				}
			}
		}
	})
	for _, name := range mainArguments {
		if s := found[name]; s != "" {
			return s
		}
	}
	return list
}

// prose joins the text blocks of the message.
func (v Entry) prose() string {
	var parts []string
	for _, b := range v.Message.Blocks {
		if b.Kind == objects.BlockText {
			parts = append(parts, v.shownText(b))
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// firstLine is the first line of s that is not blank, with a note of how many follow.
func firstLine(s string) string {
	s = strings.TrimSpace(s)
	line, rest, _ := strings.Cut(s, "\n")
	line = strings.TrimRight(line, "\r ")
	if rest = strings.TrimSpace(rest); rest != "" {
		if n := strings.Count(rest, "\n") + 1; n == 1 {
			line += " (+1 line)"
		} else {
			line += fmt.Sprintf(" (+%d lines)", n)
		}
	}
	return line
}
