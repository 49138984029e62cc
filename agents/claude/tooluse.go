package claude

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tlog/agents/patch"
	"tlog/objects"
)

// longLine is the number of characters from which on some clients cut lines that are read.
const longLine = 2000

// ToolUse implements objects.ToolDecoder. What the client records beside a result (toolUseResult, formats/claude.md section 2) goes before what the call asked
// for: it is what was done in the end.
func (Agent) ToolUse(call, result objects.Block, row objects.Entry) (use objects.ToolUse, ok bool) {
	u := toolUse{call: call, result: result, done: recorded(row)}
	use.Pending = result.Raw == nil
	use.Failed = result.IsError
	if text := objects.StringOf(u.done); strings.HasPrefix(text, "Error: ") {
		use.Failed = true
	}
	use.NotRun = use.Failed && u.refused()
	switch call.Name {
	case "Bash":
		u.command(&use)
	case "Read":
		use.Files = u.read()
	case "Write":
		use.Files = u.write()
	case "Edit", "MultiEdit":
		use.Files = u.edit()
	case "NotebookEdit":
		use.Files = u.notebook()
	case "Task", "Agent":
		// A subagent does what its own transcript says. Those that only look around have no tools that write.
		kind := objects.StringOf(u.asked("subagent_type"))
		use.Opaque = kind != "Explore" && kind != "Plan"
	case "Grep", "Glob", "LS", "LSP", "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskOutput", "TaskStop", "WebFetch", "WebSearch", "Skill",
		"BashOutput", "KillShell", "KillBash", "ExitPlanMode", "EnterPlanMode", "AskUserQuestion", "ToolSearch", "NotebookRead", "TodoRead", "SlashCommand":
	default:
		return objects.ToolUse{}, false
	}
	return use, true
}

// refused reports whether a call that failed never began: the user or a rule said no, its input was wrong, or another call beside it had failed.
func (u toolUse) refused() bool {
	if u.result.State == "refused" {
		return true
	}
	text := strings.TrimPrefix(u.result.Text, "<tool_use_error>")
	for _, words := range []string{"InputValidationError", "Sibling tool call errored", "Permission to use ", "Permission for this action has been denied", "Error: No such tool available"} {
		if strings.HasPrefix(text, words) {
			return true
		}
	}
	return false
}

// recorded is the toolUseResult of a row, if it belongs to one result alone.
func recorded(row objects.Entry) []byte {
	s, ok := readRow(row)
	if !ok || s.result == nil {
		return nil
	}
	results := 0
	objects.Elements(objects.MemberOf(objects.MemberOf(s.row, "message"), "content"), func(block []byte) {
		if objects.StringOf(objects.MemberOf(block, "type")) == "tool_result" {
			results++
		}
	})
	if results > 1 {
		return nil
	}
	return s.result
}

// toolUse is a call with what came of it.
type toolUse struct {
	call, result objects.Block
	done         []byte // toolUseResult
}

func (u toolUse) asked(name string) []byte { return objects.MemberOf(u.call.Arguments, name) }
func (u toolUse) told(name string) []byte  { return objects.MemberOf(u.done, name) }

// either is a text that the client records, or else that the call has.
func (u toolUse) either(recorded, asked string) string {
	if text, ok := objects.Unquote(u.told(recorded)); ok {
		return text
	}
	return objects.StringOf(u.asked(asked))
}

// command reads a call of Bash. The client marks a result as failed if the status is not 0, but for some programs of which it knows what another one
// says (returnCodeInterpretation).
func (u toolUse) command(use *objects.ToolUse) {
	use.Command = objects.StringOf(u.asked("command"))
	code, found := strings.CutPrefix(u.result.State, "exit ")
	switch {
	case use.Pending || u.result.State == "interrupted":
	case found:
		if n, err := strconv.Atoi(code); err == nil {
			use.Exit, use.HasExit = n, true
		}
	case use.Failed || u.told("returnCodeInterpretation") != nil || u.told("backgroundTaskId") != nil || isTrue(u.asked("run_in_background")):
	case u.told("stdout") != nil:
		use.HasExit = true
	}
}

// read reads a call of Read. The client drops a byte order mark, and makes "\n" of every line end.
func (u toolUse) read() []objects.FileOp {
	file := u.told("file")
	op := objects.FileOp{Kind: objects.FileRead, Path: objects.StringOf(u.asked("file_path")), Plain: true}
	text, ok := objects.Unquote(objects.MemberOf(file, "content"))
	if !ok {
		if u.done == nil && !u.result.IsError {
			op.Text, op.FirstLine = numbered(u.result.Text)
		}
		return []objects.FileOp{op}
	}
	if kind := objects.StringOf(u.told("type")); kind != "" && kind != "text" {
		return []objects.FileOp{op}
	}
	start, lines, total := number(file, "startLine"), number(file, "numLines"), number(file, "totalLines")
	op.Text = text
	op.Whole = start == 1 && lines == total && lines == strings.Count(text, "\n")+1 && wholeLines(text)
	if !op.Whole && wholeLines(text) {
		op.FirstLine = start
	}
	return []objects.FileOp{op}
}

// wholeLines reports whether a text that was read shows all that is in its lines.
func wholeLines(text string) bool {
	if strings.ContainsRune(text, utf8.RuneError) {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) >= longLine {
			return false
		}
	}
	return true
}

// numbered takes the line numbers from a text as `cat -n` shows it, with a tab or an arrow behind the number; first is the first one, 0 if there is
// none. What stands behind the last line that is numbered in order was said by the client.
func numbered(text string) (plain string, first int) {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		n, rest, ok := cutNumber(line)
		if !ok || first > 0 && n != first+len(lines) {
			break
		}
		if first == 0 {
			first = n
		}
		lines = append(lines, rest)
	}
	plain = strings.Join(lines, "\n")
	if !wholeLines(plain) {
		return plain, 0
	}
	return plain, first
}

func cutNumber(line string) (n int, rest string, ok bool) {
	line = strings.TrimLeft(line, " ")
	digits := 0
	for digits < len(line) && '0' <= line[digits] && line[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(line[:digits])
	if err != nil || n == 0 {
		return 0, "", false
	}
	rest, ok = strings.CutPrefix(line[digits:], "→")
	if !ok {
		rest, ok = strings.CutPrefix(line[digits:], "\t")
	}
	return n, rest, ok
}

func number(object []byte, name string) int {
	n, err := strconv.Atoi(string(objects.MemberOf(object, name)))
	if err != nil {
		return 0
	}
	return n
}

// write reads a call of Write. The text that the client records is the one that it wrote: it takes white space off the ends of lines of some files.
func (u toolUse) write() []objects.FileOp {
	op := objects.FileOp{Kind: objects.FileWrite, Path: u.either("filePath", "file_path"), Text: u.either("content", "content"), Whole: true, Plain: true}
	switch objects.StringOf(u.told("type")) {
	case "create":
		op.Created = true
	case "update":
		op.Existed = true
	default:
		op.Created = strings.HasPrefix(u.result.Text, "File created successfully")
	}
	u.before(&op, "originalFile")
	if op.Created {
		op.Added, op.Counted = lineCount(op.Text), true
	} else {
		u.count(&op)
	}
	return []objects.FileOp{op}
}

// before takes over the file before the call.
func (u toolUse) before(op *objects.FileOp, name string) {
	op.Before, op.HasBefore = objects.Unquote(u.told(name))
	op.HasBefore = op.HasBefore && !strings.ContainsRune(op.Before, utf8.RuneError)
}

// edit reads a call of Edit or MultiEdit.
func (u toolUse) edit() []objects.FileOp {
	op := objects.FileOp{Kind: objects.FileEdit, Path: u.either("filePath", "file_path"), Plain: true}
	op.Edits = u.edits()
	if u.told("originalFileContents") != nil {
		u.before(&op, "originalFileContents")
	} else {
		u.before(&op, "originalFile")
	}
	op.Created = len(op.Edits) > 0 && op.Edits[0].Old == "" && strings.HasPrefix(u.result.Text, "File created successfully")
	u.count(&op)
	if u.told("structuredPatch") != nil && op.HasBefore && !u.agrees(op) {
		op.Edits = nil // the user changed it before it was done
	}
	if !op.Counted && !slices.ContainsFunc(op.Edits, func(e objects.TextEdit) bool { return e.All }) {
		for _, e := range op.Edits {
			op.Added, op.Removed, op.Counted = op.Added+lineCount(e.New), op.Removed+lineCount(e.Old), true
		}
	}
	return []objects.FileOp{op}
}

// edits are the replacements of a call.
func (u toolUse) edits() (edits []objects.TextEdit) {
	list := u.told("edits")
	if list == nil {
		list = u.asked("edits")
	}
	objects.Elements(list, func(e []byte) {
		edits = append(edits, objects.TextEdit{
			Old: objects.StringOf(objects.MemberOf(e, "old_string")), New: objects.StringOf(objects.MemberOf(e, "new_string")),
			All: isTrue(objects.MemberOf(e, "replace_all")), Line: true,
		})
	})
	if len(edits) > 0 {
		return edits
	}
	if u.told("oldString") == nil && u.asked("old_string") == nil {
		return nil
	}
	return []objects.TextEdit{{
		Old: u.either("oldString", "old_string"), New: u.either("newString", "new_string"),
		All: isTrue(u.asked("replace_all")) || isTrue(u.told("replaceAll")), Line: true,
	}}
}

// count takes the numbers of lines from the patch that the client records for its screen.
func (u toolUse) count(op *objects.FileOp) {
	hunks, ok := u.hunks()
	if ok {
		op.Added, op.Removed = patch.Count(hunks)
		op.Counted = true
	}
}

// hunks are those of structuredPatch. They are no patch to apply: tabs at the beginnings of lines are two spaces each there.
func (u toolUse) hunks() (hunks []objects.Hunk, ok bool) {
	ok = objects.Elements(u.told("structuredPatch"), func(h []byte) {
		hunk := objects.Hunk{OldStart: number(h, "oldStart")}
		objects.Elements(objects.MemberOf(h, "lines"), func(line []byte) {
			if text := objects.StringOf(line); text != "" {
				hunk.Lines = append(hunk.Lines, objects.HunkLine{Op: text[0], Text: text[1:]})
			}
		})
		hunks = append(hunks, hunk)
	})
	return hunks, ok
}

// agrees reports whether the replacements lead to what the recorded patch shows.
func (u toolUse) agrees(op objects.FileOp) bool {
	after, ok := patch.Replace(op.Before, op.Edits)
	if !ok {
		return false
	}
	hunks, _ := u.hunks()
	shown, ok := patch.Apply(tabless(op.Before), hunks)
	return ok && shown == tabless(after)
}

// tabless is a text as the client shows it in patches.
func tabless(text string) string {
	if !strings.Contains(text, "\t") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(line, "\t")
		for range len(line) - len(rest) {
			b.WriteString("  ")
		}
		b.WriteString(rest)
	}
	return b.String()
}

// notebook reads a call of NotebookEdit, of which newer clients record the whole file before and behind it.
func (u toolUse) notebook() []objects.FileOp {
	op := objects.FileOp{Kind: objects.FileEdit, Path: u.either("notebook_path", "notebook_path"), Plain: true}
	u.before(&op, "original_file")
	op.After, op.HasAfter = objects.Unquote(u.told("updated_file"))
	return []objects.FileOp{op}
}

// lineCount is the number of lines of a text.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
