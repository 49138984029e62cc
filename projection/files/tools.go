package files

import (
	"slices"
	"strings"
)

// wrapper judges programs that run another one; ok is false for another program.
func (j *judgement) wrapper(name string, c *simple) (ok bool) {
	args := c.words[1:]
	switch name {
	case "sudo", "command", "exec", "nohup", "time", "nice", "stdbuf", "npx", "bunx":
		if name == "command" && hasOption(args, "-v", "-V") {
			return true
		}
		for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
			args = args[1:]
		}
	case "env":
		for len(args) > 0 && isAssignment(args[0]) {
			args = args[1:]
		}
		if len(args) == 0 {
			return true
		}
	case "timeout", "gtimeout":
		for len(args) > 0 && (strings.HasPrefix(args[0].text, "-") || strings.Trim(args[0].text, "0123456789.smhd") == "") {
			args = args[1:]
		}
	case "xargs":
		return j.xargs(args)
	case "bash", "sh", "zsh", "dash":
		for i, w := range args {
			if strings.HasPrefix(w.text, "-") && strings.HasSuffix(w.text, "c") && i+1 < len(args) && args[i+1].plain {
				j.todo = append(j.todo, args[i+1].text)
				return true
			}
		}
		return hasOption(args, "-n")
	case "source", ".":
		return len(args) == 1 && strings.HasSuffix(args[0].text, "/activate")
	default:
		return false
	}
	if len(args) == 0 || j.deep == maxNesting {
		return false
	}
	inner := *c
	inner.words = args
	j.deep++
	j.program(&inner)
	j.deep--
	return true
}

// xargs judges what xargs runs: it may be run on any file.
func (j *judgement) xargs(args []word) bool {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		takes := len(args[0].text) == 2 && strings.IndexByte("InPLdsE", args[0].text[1]) >= 0
		args = args[1:]
		if takes && len(args) > 0 {
			args = args[1:]
		}
	}
	return len(args) == 0 || j.harmless(args)
}

// harmless reports whether a command changes no file, whatever files it is given.
func (j *judgement) harmless(words []word) bool {
	if j.deep == maxNesting {
		return false
	}
	inner := judgement{dirs: []string{""}, deep: j.deep + 1}
	inner.command(simple{words: append(slices.Clone(words), word{text: "file", plain: true})})
	return !inner.all && !inner.doubt && len(inner.effects) == 0 && len(inner.todo) == 0
}

// first is the first operand, which often names what a program is to do.
func first(args []word) string {
	if files := operands(args); len(files) > 0 {
		return files[0].text
	}
	return ""
}

func oneOf(s string, list ...string) bool {
	for _, l := range list {
		if s == l {
			return true
		}
	}
	return false
}

// assume is a verdict that only doubts.
func (j *judgement) assume(yes bool) bool {
	j.doubt = j.doubt || yes
	return yes
}

// tool judges programs by what they are told to do; ok is false if they may do anything.
func (j *judgement) tool(name string, args []word, whole string) (ok bool) {
	verb := first(args)
	switch name {
	case "find", "fd":
		return j.finds(args)
	case "curl":
		return j.download(args, "-o", "--output") && !hasOption(args, "-O", "--remote-name", "-J", "-K")
	case "wget":
		return strings.Contains(whole, "-O- ") || strings.Contains(whole, "-O - ") || hasOption(args, "--spider") || j.download(args, "-O", "") && hasOption(args, "-O")
	case "git":
		return j.git(args)
	case "gh":
		return !strings.Contains(whole, "checkout") && !strings.Contains(whole, "clone") && !strings.Contains(whole, "download") && verb != "codespace"
	case "go":
		return j.golang(verb, args)
	case "cargo":
		return oneOf(verb, "tree", "metadata", "search", "version") || !hasOption(args, "--fix") && j.assume(oneOf(verb, "build", "b", "check", "c", "test", "t", "clippy", "bench", "nextest", "doc")) ||
			verb == "fmt" && hasOption(args, "--check")
	case "npm", "pnpm", "yarn", "bun", "turbo", "nx", "make", "just", "mise", "task":
		return j.runner(name, args)
	case "python", "python3", "uv", "poetry", "node", "deno", "pip", "pip3":
		return j.interpreter(name, args)
	case "eslint", "ruff", "biome", "golangci-lint":
		return verb != "fmt" && (verb != "format" || hasOption(args, "--check", "--diff")) && !hasOption(args, "--fix", "--write", "--apply", "--unsafe") && j.assume(true)
	case "prettier", "black", "isort":
		return hasOption(args, "--check", "-c", "-l", "--list-different", "--check-only", "--diff") || name == "prettier" && !hasOption(args, "--write", "-w") || j.formatted(args)
	case "mvn", "gradle", "gradlew", "dotnet", "swift", "xcodebuild":
		return !strings.Contains(whole, "format") && !strings.Contains(whole, "spotless") && !strings.Contains(whole, "add") && j.assume(strings.Contains(whole, "test") ||
			strings.Contains(whole, "build") || strings.Contains(whole, "compile") || strings.Contains(whole, "check"))
	case "tar":
		return strings.HasPrefix(verb, "t") || hasOption(args, "-t", "--list")
	case "unzip":
		return hasOption(args, "-l", "-p", "-t")
	case "tmux":
		return oneOf(verb, "ls", "list-sessions", "capture-pane", "kill-session", "kill-server", "has-session", "list-windows", "list-panes")
	case "brew", "apt", "apt-get":
		return j.assume(true) // what they install is not in the project
	}
	return false
}

// formatted judges a formatter that changes the files that it is given.
func (j *judgement) formatted(args []word) bool {
	j.format(args)
	return true
}

// finds reports whether find only looks.
func (j *judgement) finds(args []word) bool {
	for i, w := range args {
		switch w.text {
		case "-delete", "-ok", "-okdir", "-fprint", "-fprintf", "-fls":
			return false
		case "-exec", "-execdir", "-x", "-X", "--exec", "--exec-batch":
			end := i + 1
			for end < len(args) && args[end].text != ";" && args[end].text != "+" {
				end++
			}
			if !j.harmless(args[i+1 : end]) {
				return false
			}
		}
	}
	return true
}

// download judges the files that a program is told to write to.
func (j *judgement) download(args []word, short, long string) bool {
	for i, w := range args {
		switch {
		case (w.text == short || w.text == long) && i+1 < len(args), len(w.text) > 2 && w.text[0] == '-' && w.text[1] != '-' && strings.HasSuffix(w.text, short[1:]) && i+1 < len(args):
			if target := args[i+1]; target.text != "-" && target.text != "/dev/null" {
				j.on(effect{}, target)
			}
		case long != "" && strings.HasPrefix(w.text, long+"="):
			return false
		}
	}
	return true
}

// git judges what git is told to do.
func (j *judgement) git(args []word) bool {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		if oneOf(args[0].text, "-C", "-c", "--git-dir", "--work-tree") && len(args) > 1 {
			if args[0].text == "-C" {
				if oneOf(first(args[2:]), "checkout", "restore", "rm", "mv") {
					return false
				}
			}
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 {
		return true
	}
	verb, args := args[0].text, args[1:]
	switch verb {
	case "status", "diff", "log", "show", "branch", "rev-parse", "rev-list", "ls-files", "ls-tree", "ls-remote", "blame", "grep", "remote", "fetch", "push", "tag", "describe", "config",
		"reflog", "cat-file", "merge-base", "shortlog", "for-each-ref", "name-rev", "count-objects", "fsck", "gc", "add", "stage", "symbolic-ref", "update-ref", "check-ignore", "hash-object",
		"show-ref", "notes", "var", "version", "help", "whatchanged", "init", "update-index", "check-attr", "diff-tree", "diff-index", "range-diff", "cherry", "archive":
		return true
	case "commit":
		return j.assume(true) // hooks may format
	case "worktree":
		return oneOf(first(args), "list", "add", "prune", "lock")
	case "stash":
		return oneOf(first(args), "list", "show", "drop", "clear")
	case "reset":
		return !hasOption(args, "--hard", "--merge", "--keep")
	case "checkout", "switch":
		if hasOption(args, "-b", "-c", "-B", "-C") && len(operands(args)) == 1 {
			return true // the same files, on a new branch
		}
		for i, w := range args {
			if w.text == "--" && verb == "checkout" {
				j.onAll(touched, args[i+1:])
				return true
			}
		}
	case "restore":
		if files := operands(args); len(files) > 0 && !hasOption(args, "-s") {
			if !hasOption(args, "--staged", "-S") || hasOption(args, "--worktree", "-W") {
				j.onAll(touched, files)
			}
			return true
		}
	case "rm":
		if !hasOption(args, "--cached") {
			j.onAll(touched, operands(args))
		}
		return true
	case "mv":
		j.transfer(args, moved)
		return true
	}
	return false
}

// golang judges what go is told to do.
func (j *judgement) golang(verb string, args []word) bool {
	switch verb {
	case "version", "env", "list", "doc", "help", "tool":
		return verb != "env" || !hasOption(args, "-w")
	case "build", "test", "vet", "install":
		return j.assume(!strings.Contains(first(args[1:]), "-update") && !hasOption(args, "-update", "--update"))
	case "mod", "get", "work":
		j.onAll(touched, []word{{text: "go.mod", plain: true}, {text: "go.sum", plain: true}, {text: "go.work", plain: true}})
		return true
	case "fmt":
		return false
	}
	return false
}

// runner judges a program that runs what the project has given a name: those of tests and builds are assumed to change no source.
func (j *judgement) runner(name string, args []word) bool {
	verb := first(args)
	if oneOf(name, "npm", "pnpm", "yarn", "bun") {
		if oneOf(verb, "ls", "list", "view", "info", "outdated", "why", "audit", "root", "bin", "whoami", "search", "pack", "config") {
			return !hasOption(args, "--fix") && !strings.Contains(first(args[1:]), "fix")
		}
		if oneOf(verb, "exec", "dlx", "x") {
			for len(args) > 0 && (args[0].text == verb || strings.HasPrefix(args[0].text, "-")) {
				args = args[1:]
			}
			return j.wrapper("npx", &simple{words: append([]word{{text: "npx", plain: true}}, args...)})
		}
	}
	if verb == "run" || verb == "run-script" {
		files := operands(args)
		if len(files) < 2 {
			return len(files) == 1
		}
		verb = files[1].text
	}
	if hasOption(args, "--fix", "--write", "--update", "-u") {
		return false
	}
	for _, known := range []string{"test", "build", "typecheck", "type-check", "tsc", "t", "check", "lint"} {
		if verb == known || strings.HasPrefix(verb, known+":") || known == "test" && strings.HasPrefix(verb, "test-") {
			return j.assume(true)
		}
	}
	return false
}

// interpreter judges scripts: only of a few modules and commands is known what they do.
func (j *judgement) interpreter(name string, args []word) bool {
	verb := first(args)
	switch name {
	case "pip", "pip3":
		return oneOf(verb, "list", "show", "freeze", "check") || j.assume(verb == "install")
	case "uv", "poetry":
		if verb != "run" {
			return false
		}
		for len(args) > 0 && (args[0].text == "run" || strings.HasPrefix(args[0].text, "-")) {
			args = args[1:]
		}
		return j.wrapper("npx", &simple{words: append([]word{{text: "npx", plain: true}}, args...)})
	case "node":
		return hasOption(args, "--check")
	}
	for i, w := range args {
		if w.text == "-c" && i+1 < len(args) {
			return args[i+1].plain && prints(args[i+1].text)
		}
		if w.text == "-m" && i+1 < len(args) {
			return oneOf(args[i+1].text, "json.tool") && len(operands(args)) < 4 || j.assume(oneOf(args[i+1].text, "pytest", "unittest", "mypy"))
		}
	}
	return false
}

// prints reports whether Python code only reads its input and prints: it uses no modules but a few that do no more.
func prints(code string) bool {
	for _, word := range []string{"open", "write", "exec", "eval", "compile", "__", "getattr", "from "} {
		if strings.Contains(code, word) {
			return false
		}
	}
	for line := range strings.FieldsFuncSeq(code, func(r rune) bool { return r == '\n' || r == ';' }) {
		modules, found := strings.CutPrefix(strings.TrimSpace(line), "import ")
		if !found {
			continue
		}
		for module := range strings.SplitSeq(modules, ",") {
			if !oneOf(strings.TrimSpace(module), "sys", "json", "re", "math", "datetime", "collections", "textwrap") {
				return false
			}
		}
	}
	return true
}
