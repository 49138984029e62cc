package codex

import (
	slash "path"
	"strconv"
	"strings"
	"unicode/utf8"

	"tlog/agents/patch"
	"tlog/objects"
)

// ToolUse implements objects.ToolDecoder (formats/codex.md section 5). Codex has no tools that read or write files but apply_patch: it works in the shell.
func (Agent) ToolUse(call, result objects.Block, row objects.Entry) (use objects.ToolUse, ok bool) {
	use.Pending = result.Raw == nil
	use.Failed = result.IsError || strings.HasPrefix(result.Text, "exec command rejected by user") || strings.HasPrefix(result.Text, "command timed out ")
	use.NotRun = strings.HasPrefix(result.Text, "exec command rejected by user") ||
		hasAny(result.Text, "unsupported call: ", "unsupported custom tool call: ", "failed to parse function arguments: ")
	asked := func(name string) []byte { return objects.MemberOf(call.Arguments, name) }
	switch call.Name {
	case "shell", "container.exec", "local_shell", "exec_command", "shell_command", "bash":
		use.Command = commandLine(call.Arguments)
		for _, name := range []string{"workdir", "working_directory", "cwd"} {
			if dir := objects.StringOf(asked(name)); dir != "" {
				use.Cwd = dir
			}
		}
		takeStatus(&use, result, row)
		takeCommand(&use, call.Arguments, result)
	case "apply_patch":
		for _, name := range []string{"input", "patch"} {
			if text, found := objects.Unquote(asked(name)); found {
				takePatch(&use, text)
			}
		}
	case "exec":
		takeScript(&use, objects.StringOf(asked("input")), result)
	case "write_stdin": // to a command that runs, about which nothing more is known
		use.Opaque = len(objects.StringOf(asked("chars"))) > 0
	case "view_image", "update_plan", "tool_search", "web_search", "read_mcp_resource", "list_mcp_resources", "request_user_input":
	default:
		return objects.ToolUse{}, false
	}
	return use, true
}

// commandLine is what a call runs in a shell: a string, the script of `bash -lc script`, or words.
func commandLine(arguments []byte) string {
	for _, name := range []string{"cmd", "command"} {
		if text, ok := objects.Unquote(objects.MemberOf(arguments, name)); ok {
			return text
		}
	}
	words := commandWords(arguments)
	if n := len(words); n >= 3 {
		shell, flag := slash.Base(words[0]), words[n-2]
		if n == 3 && (shell == "bash" || shell == "sh" || shell == "zsh") && (flag == "-lc" || flag == "-c") || strings.EqualFold(flag, "-Command") {
			return words[n-1]
		}
	}
	for i, word := range words {
		if word == "" || strings.ContainsFunc(word, special) {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// special reports whether a shell makes something of a character.
func special(r rune) bool { return strings.ContainsRune(" \t\n'\"\\$`&|;<>()*?[]#~!{}", r) }

func commandWords(arguments []byte) (words []string) {
	objects.Elements(objects.MemberOf(arguments, "command"), func(word []byte) { words = append(words, objects.StringOf(word)) })
	return words
}

// takeStatus takes the exit status out of a result.
func takeStatus(use *objects.ToolUse, result objects.Block, row objects.Entry) {
	if code, found := strings.CutPrefix(result.State, "exit "); found {
		if n, err := strconv.Atoi(code); err == nil {
			use.Exit, use.HasExit = n, true
			return
		}
	}
	if use.Pending || use.Failed || result.State != "" {
		return
	}
	if code, ok := statusIn(objects.MemberOf(readRecord(row.SourceObject()).payload, "output")); ok {
		use.Exit, use.HasExit = code, true
	}
}

// statusIn finds the exit status in the content of a result (see outcomeOf).
func statusIn(content []byte) (code int, ok bool) {
	text := objects.StringOf(content)
	if isObject(content) {
		text = objects.StringOf(objects.MemberOf(content, "content"))
	}
	objects.Elements(content, func(part []byte) {
		if text == "" {
			text = objects.StringOf(objects.MemberOf(part, "text"))
		}
	})
	if strings.HasPrefix(text, `{"output":`) {
		code, err := strconv.Atoi(string(objects.MemberOf(objects.MemberOf([]byte(text), "metadata"), "exit_code")))
		return code, err == nil
	}
	head, _, _ := cutHead(text)
	for line := range strings.SplitSeq(head, "\n") {
		for _, words := range []string{"Process exited with code ", "Exit code: "} {
			if number, found := strings.CutPrefix(line, words); found {
				code, err := strconv.Atoi(strings.TrimSpace(number))
				return code, err == nil
			}
		}
	}
	return 0, false
}

// takeCommand finds what a command says of files itself: a patch that it applies, or a file that it prints.
func takeCommand(use *objects.ToolUse, arguments []byte, result objects.Block) {
	if words := commandWords(arguments); len(words) == 2 && (words[0] == "apply_patch" || words[0] == "applypatch") {
		takePatch(use, words[1])
		return
	}
	if text, dir, ok := patch.InCommand(use.Command); ok {
		takePatch(use, text)
		if dir != "" {
			use.Cwd = joined(use.Cwd, dir)
		}
		return
	}
	if name, found := strings.CutPrefix(use.Command, "cat "); found && name != "" && name[0] != '-' && !strings.ContainsFunc(name, special) {
		op := objects.FileOp{Kind: objects.FileRead, Path: name}
		if use.HasExit && use.Exit == 0 && !cutOutput(result.Text) {
			op.Text, op.Whole = result.Text, true
		}
		use.Files = []objects.FileOp{op}
	}
}

// cutOutput reports whether an output may be less, or other, than what was printed.
func cutOutput(text string) bool {
	return strings.ContainsRune(text, utf8.RuneError) || strings.Contains(text, "truncated") || strings.Contains(text, " omitted ") ||
		strings.HasPrefix(text, "Total output lines: ")
}

func joined(dir, name string) string {
	if dir == "" || slash.IsAbs(name) {
		return name
	}
	return slash.Join(dir, name)
}

// takePatch takes over what a patch does to files. Of one that cannot be read to its end the tool took nothing.
func takePatch(use *objects.ToolUse, text string) {
	ops, err := patch.Envelope(text)
	if err != nil {
		use.Opaque = !use.Failed
		return
	}
	use.Files = ops
}

// takeScript reads a script of the code mode, in which tools are functions: what one does that calls a single tool with a plain text can be told.
func takeScript(use *objects.ToolUse, script string, result objects.Block) {
	use.Opaque = strings.Contains(script, "tools.") || strings.Contains(script, "tools[")
	_, rest, _ := strings.Cut(script, "tools.")
	tool, rest, found := strings.Cut(rest, "(")
	if !found || strings.Contains(rest, "tools") {
		return
	}
	switch tool {
	case "exec_command":
		rest = strings.TrimLeft(rest, "{ \n\t")
		rest, found = strings.CutPrefix(rest, "cmd:")
		if !found {
			rest, found = strings.CutPrefix(rest, `"cmd":`)
		}
		command, behind, ok := literal(rest)
		behind = strings.TrimSpace(behind)
		if !found || !ok || !strings.HasPrefix(behind, "}") { // other options, as a folder
			return
		}
		use.Command, use.Opaque = command, false
		_, answer, _ := strings.Cut(result.Text, "{")
		if n, err := strconv.Atoi(string(objects.MemberOf([]byte("{"+answer), "exit_code"))); err == nil {
			use.Exit, use.HasExit = n, true
			use.Failed = use.Failed || n != 0
		}
	case "apply_patch":
		if text, behind, ok := literal(rest); ok && strings.HasPrefix(strings.TrimSpace(behind), ")") {
			use.Opaque = false
			takePatch(use, text)
		}
	case "view_image", "update_plan":
		use.Opaque = false
	}
}

// literal is the text that a JavaScript string stands for which rest begins with, if it has no escapes that JSON has not.
func literal(rest string) (text, behind string, ok bool) {
	rest = strings.TrimLeft(rest, " \n\t")
	if inner, found := strings.CutPrefix(rest, "`"); found {
		text, behind, ok = strings.Cut(inner, "`")
		return text, behind, ok && !strings.ContainsAny(text, "\\$")
	}
	end, ok := objects.ValueEnd([]byte(rest), 0)
	if !ok || rest[0] != '"' {
		return "", "", false
	}
	text, ok = objects.Unquote([]byte(rest[:end]))
	return text, rest[end:], ok
}
