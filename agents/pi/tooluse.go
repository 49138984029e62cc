package pi

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"tlog/agents/patch"
	"tlog/objects"
)

// notice is what pi says behind a text that is not all of a file, or in place of it (formats/pi.md section 4).
var notice = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\n\n)\[(?:Showing lines \d+-\d+ of \d+|\d+ more lines in (?:the )?file|Line \d+ is |First line exceeds)[^\n]*\]$|` +
		`(?:^|\n\n)\.\.\. \((?:\d+ more|Some) lines[^\n]*\)$|^Read image file \[`)
})

// commandExit is how pi ends the output of a command with another status than 0.
var commandExit = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\n)Command exited with code (\d+)\s*$`) })

// ToolUse tells of a call of one of pi's own tools; ok is false for another one.
func ToolUse(call, result objects.Block, _ objects.Entry) (use objects.ToolUse, ok bool) {
	use.Pending = result.Raw == nil
	use.Failed = result.IsError
	asked := func(name string) []byte { return objects.MemberOf(call.Arguments, name) }
	op := objects.FileOp{Path: objects.StringOf(asked("path"))}
	switch call.Name {
	case "bash":
		if asked("command") == nil {
			return use, false
		}
		use.Command = objects.StringOf(asked("command"))
		takeExit(&use, result)
		return use, true
	case "read":
		op.Kind = objects.FileRead
		if !use.Pending && !use.Failed {
			takeRead(&op, asked, result)
		}
	case "write":
		if asked("content") == nil {
			return use, false
		}
		op.Kind, op.Text, op.Whole = objects.FileWrite, objects.StringOf(asked("content")), true
	case "edit":
		op.Kind, op.Plain = objects.FileEdit, true
		op.Edits = edits(call.Arguments)
		takePatch(&op, result)
		if len(op.Edits) == 0 && len(op.Hunks) == 0 {
			return use, false
		}
	case "grep", "find", "ls":
		return use, asked("path") != nil || asked("pattern") != nil
	default:
		return use, false
	}
	use.Files = []objects.FileOp{op}
	return use, op.Path != ""
}

// takeExit takes the status of a command from its result. pi marks a result as failed if it is not 0, and if the command was stopped or ran too long.
func takeExit(use *objects.ToolUse, result objects.Block) {
	if use.Pending {
		return
	}
	if !use.Failed {
		use.HasExit = true
		if code := objects.MemberOf(objects.MemberOf(result.Raw, "details"), "exitCode"); code != nil {
			n, err := strconv.Atoi(string(code))
			use.Exit, use.HasExit, use.Failed = n, err == nil, n != 0
		}
		return
	}
	if m := commandExit().FindStringSubmatch(result.Text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			use.Exit, use.HasExit = n, true
		}
	}
}

// takeRead takes over a text that was read. pi gives the bytes of a file as they are, if they are UTF-8.
func takeRead(op *objects.FileOp, asked func(string) []byte, result objects.Block) {
	if result.Images > 0 || notice().MatchString(result.Text) && strings.HasPrefix(result.Text, "Read image file [") {
		return
	}
	first := 1
	if n, err := strconv.Atoi(string(asked("offset"))); err == nil && n > 1 {
		first = n
	}
	op.Text = result.Text
	if at := notice().FindStringIndex(op.Text); at != nil {
		if !strings.Contains(op.Text[at[0]:], "(Some lines") { // these are cut
			op.FirstLine = first
		}
		op.Text = op.Text[:at[0]]
	} else if first > 1 || objects.MemberOf(objects.MemberOf(result.Raw, "details"), "truncation") != nil {
		op.FirstLine = first
	} else {
		op.Whole = !strings.ContainsRune(op.Text, utf8.RuneError)
	}
	if strings.ContainsRune(op.Text, utf8.RuneError) {
		op.FirstLine = 0
	}
}

// edits are the replacements of a call: a list, or in older sessions one in the call itself.
func edits(arguments []byte) (edits []objects.TextEdit) {
	add := func(e []byte) {
		old, ok := objects.Unquote(objects.MemberOf(e, "oldText"))
		if fresh, found := objects.Unquote(objects.MemberOf(e, "newText")); ok && found {
			edits = append(edits, objects.TextEdit{Old: old, New: fresh})
		}
	}
	objects.Elements(objects.MemberOf(arguments, "edits"), add)
	if len(edits) == 0 {
		add(arguments)
	}
	return edits
}

// takePatch takes the patch that newer clients record. It is of the file with "\n" for its line ends. Older ones record a text for the screen, which tells
// how many lines there are.
func takePatch(op *objects.FileOp, result objects.Block) {
	details := objects.MemberOf(result.Raw, "details")
	if text, ok := objects.Unquote(objects.MemberOf(details, "patch")); ok {
		if ops, err := patch.Unified(text); err == nil && len(ops) == 1 {
			op.Hunks, op.Added, op.Removed, op.Counted = ops[0].Hunks, ops[0].Added, ops[0].Removed, true
			return
		}
	}
	shown, ok := objects.Unquote(objects.MemberOf(details, "diff"))
	if !ok {
		return
	}
	op.Counted = true
	for line := range strings.SplitSeq(shown, "\n") {
		switch {
		case strings.HasPrefix(line, "+"):
			op.Added++
		case strings.HasPrefix(line, "-"):
			op.Removed++
		}
	}
}
