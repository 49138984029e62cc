package agents

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tlog/agents/gemini"
	"tlog/agents/opencode"
	"tlog/agents/patch"
	"tlog/objects"
)

// genericUse reads a call by what tools and their arguments are usually called. A tool that cannot be told by its name may have done anything.
func genericUse(agent string, call, result objects.Block) objects.ToolUse {
	g := generic{agent: agent, call: call, result: result}
	g.use.Pending = result.Raw == nil
	g.use.Failed = result.IsError
	switch kindOfTool(call.Name) {
	case toolShell:
		g.command()
	case toolRead:
		g.read()
	case toolWrite:
		g.write()
	case toolEdit:
		g.edit()
	case toolEditor:
		g.editor()
	case toolPatch:
		g.patch()
	case toolDelete:
		g.add(objects.FileOp{Kind: objects.FileDelete, Path: g.path()})
	case toolMove:
		g.add(objects.FileOp{
			Kind: objects.FileMove,
			Path: g.text("source", "source_path", "from", "old_path", "oldPath", "path"),
			To:   g.text("destination", "destination_path", "to", "new_path", "newPath"),
		})
	case toolHarmless:
	default:
		g.use.Opaque = true
	}
	return g.use
}

// generic is a call that is read by the usual names.
type generic struct {
	agent        string
	call, result objects.Block
	use          objects.ToolUse
}

// value is the first argument that has one of the names; nil if none does.
func (g *generic) value(names ...string) []byte {
	for _, name := range names {
		if value := objects.MemberOf(g.call.Arguments, name); value != nil {
			return value
		}
	}
	return nil
}

func (g *generic) text(names ...string) string { return objects.StringOf(g.value(names...)) }

func (g *generic) path() string {
	return g.text("path", "file_path", "filePath", "filepath", "absolute_path", "target_file", "file", "filename", "file_name")
}

// add adds an operation; one without a path may be on any file.
func (g *generic) add(op objects.FileOp) {
	op.Unsure = g.agent == opencode.Agent{}.Name() && (op.Kind == objects.FileWrite || op.Kind == objects.FileEdit) // it runs formatters
	if op.Path == "" {
		g.use.Opaque = g.use.Opaque || op.Kind != objects.FileRead
		return
	}
	g.use.Files = append(g.use.Files, op)
}

func (g *generic) command() {
	command := g.value("command", "cmd", "script", "commandLine")
	g.use.Command = objects.StringOf(command)
	if g.use.Command == "" {
		var words []string
		objects.Elements(command, func(word []byte) { words = append(words, objects.StringOf(word)) })
		g.use.Command = strings.Join(words, " ")
	}
	g.use.Opaque = g.use.Command == ""
	g.use.Cwd = g.text("workdir", "cwd", "directory", "dir_path", "working_directory")
	if code, found := strings.CutPrefix(g.result.State, "exit "); found {
		if n, err := strconv.Atoi(code); err == nil {
			g.use.Exit, g.use.HasExit = n, true
		}
	}
}

// read tells what was read. Of most agents it cannot be told from a result whether it is the whole file to the byte.
func (g *generic) read() {
	op := objects.FileOp{Kind: objects.FileRead, Path: g.path(), Plain: true}
	switch {
	case g.use.Pending || g.use.Failed:
	case g.agent == gemini.Agent{}.Name():
		whole := g.value("offset", "limit", "start_line", "end_line") == nil && g.result.Images == 0 &&
			!strings.HasPrefix(g.result.Text, "IMPORTANT: The file content has been truncated") && !strings.HasPrefix(g.result.Text, "[File content truncated")
		if whole && shown(g.result.Text) {
			op.Text, op.Whole = g.result.Text, true
		}
	default:
		op.Text, op.FirstLine = numbered(g.result.Text)
	}
	g.add(op)
}

// shown reports whether a text that was read shows all that is in its lines.
func shown(text string) bool {
	if strings.ContainsRune(text, utf8.RuneError) {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) >= 2000 {
			return false
		}
	}
	return true
}

// numbered takes the numbers from the lines that are numbered one after the other, in whatever of the usual ways; first is that of the first of them, 0 if there
// is none.
func numbered(text string) (plain string, first int) {
	var lines []string
	mark := ""
	for line := range strings.SplitSeq(text, "\n") {
		if first == 0 {
			if _, inner, found := strings.Cut(line, ">"); found && strings.HasPrefix(line, "<") {
				line = inner // the tag around them
			}
		}
		n, rest := leadingNumber(line)
		if first == 0 && n > 0 {
			for _, m := range []string{"→", "\t", "| ", ": ", ". "} {
				if strings.HasPrefix(rest, m) {
					mark, first = m, n
				}
			}
		}
		body, found := strings.CutPrefix(rest, mark)
		switch {
		case first == 0:
			continue
		case !found || n != first+len(lines):
			line = ""
		default:
			lines = append(lines, body)
			continue
		}
		break
	}
	plain = strings.Join(lines, "\n")
	if !shown(plain) {
		return plain, 0
	}
	return plain, first
}

func leadingNumber(line string) (n int, rest string) {
	line = strings.TrimLeft(line, " ")
	digits := 0
	for digits < len(line) && '0' <= line[digits] && line[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(line[:digits])
	if err != nil {
		return 0, line
	}
	return n, line[digits:]
}

func (g *generic) write() {
	op := objects.FileOp{Kind: objects.FileWrite, Path: g.path(), Whole: true, Plain: true}
	content := g.value("content", "file_text", "fileText", "contents", "text", "code_edit")
	op.Text = objects.StringOf(content)
	switch said := g.result.Text; {
	case strings.HasPrefix(said, "Successfully created"), strings.HasPrefix(said, "Created file"), strings.HasPrefix(said, "File created"):
		op.Created = true
		op.Added, op.Counted = lineCount(op.Text), true
	case strings.HasPrefix(said, "Successfully overwrote"):
		op.Existed = true
	}
	if content == nil || g.value("code_edit") != nil || strings.Contains(g.result.Text, "User modified the `content`") {
		op = objects.FileOp{Kind: objects.FileEdit, Path: op.Path} // the text that was written is not recorded
	}
	g.add(op)
}

func (g *generic) edit() {
	if g.value("content", "file_text") != nil && g.value("edits", "old_string", "oldString") == nil {
		g.write()
		return
	}
	op := objects.FileOp{Kind: objects.FileEdit, Path: g.path(), Plain: true}
	objects.Elements(g.value("edits", "replacements"), func(e []byte) {
		inner := generic{call: objects.Block{Arguments: e}}
		if path := inner.path(); path != "" && path != op.Path { // each of another file
			g.add(objects.FileOp{Kind: objects.FileEdit, Path: path, Plain: true, Edits: inner.edits()})
			return
		}
		op.Edits = append(op.Edits, inner.edits()...)
	})
	if len(op.Edits) == 0 {
		op.Edits = g.edits()
	}
	if strings.Contains(g.result.Text, "User modified the `new_string`") {
		op.Edits = nil
	}
	if len(op.Edits) == 0 && op.Path == "" && len(g.use.Files) > 0 {
		return
	}
	g.add(countEdits(op))
}

// edits are the replacement that stands in the call itself, if any.
func (g *generic) edits() []objects.TextEdit {
	old := g.value("old_string", "oldString", "old_str", "oldText", "old_text", "search")
	fresh := g.value("new_string", "newString", "new_str", "newText", "new_text", "replace", "replacement")
	if old == nil || fresh == nil {
		return nil
	}
	all := false
	for _, name := range []string{"replace_all", "replaceAll", "allow_multiple"} {
		all = all || string(g.value(name)) == "true"
	}
	if n, err := strconv.Atoi(string(g.value("expected_replacements"))); err == nil && n > 1 {
		all = true
	}
	return []objects.TextEdit{{Old: objects.StringOf(old), New: objects.StringOf(fresh), All: all}}
}

// countEdits counts the lines of replacements, where they replace once.
func countEdits(op objects.FileOp) objects.FileOp {
	for _, e := range op.Edits {
		if e.All {
			op.Added, op.Removed, op.Counted = 0, 0, false
			break
		}
		op.Added, op.Removed, op.Counted = op.Added+lineCount(e.New), op.Removed+lineCount(e.Old), true
	}
	return op
}

// lineCount is the number of lines of a text.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// editor reads a call of a tool that is an editor with commands of its own.
func (g *generic) editor() {
	switch g.text("command") {
	case "view":
		g.read()
	case "create":
		g.write()
	case "str_replace":
		g.edit()
	default: // insert, undo_edit
		g.add(objects.FileOp{Kind: objects.FileEdit, Path: g.path()})
	}
}

func (g *generic) patch() {
	text := g.text("patchText", "patch_text", "patch", "input", "diff", "explanation")
	ops, err := patch.Envelope(text)
	if err != nil {
		ops, err = patch.Unified(text)
	}
	if err != nil || len(ops) == 0 {
		g.use.Opaque = !g.use.Failed
		return
	}
	for _, op := range ops {
		g.add(op)
	}
}
