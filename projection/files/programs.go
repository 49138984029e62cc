package files

import (
	"path"
	"strings"
)

// rule says what a program may do to files.
type rule uint8

const (
	anything rule = iota // any file may change
	nothing              // none does
	assumed              // none does that is in the history of a project, as far as one can know
	special              // it depends: see judgement.program
)

// ruleOf knows programs by name. One that is not known may do anything.
func ruleOf(name string) rule {
	switch name {
	case ":", "[", "[[", "true", "false", "test", "echo", "printf", "cat", "bat", "head", "tail", "less", "more", "tac", "rev", "nl", "od", "hexdump", "strings", "wc", "cut", "tr",
		"uniq", "comm", "join", "paste", "column", "fold", "expand", "fmt", "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ls", "ll", "tree", "eza", "exa", "stat",
		"file", "du", "df", "diff", "colordiff", "cmp", "md5", "md5sum", "sha1sum", "sha256sum", "shasum", "b3sum", "cksum", "base64", "pwd", "basename", "dirname",
		"realpath", "readlink", "which", "whereis", "type", "hash", "date", "cal", "whoami", "id", "groups", "hostname", "uname", "arch", "uptime", "free", "nproc",
		"printenv", "ps", "pgrep", "kill", "pkill", "killall", "lsof", "netstat", "ss", "top", "sleep", "wait", "jobs", "seq", "yes", "jq", "bc", "expr", "let", "read",
		"export", "set", "unset", "local", "declare", "alias", "shopt", "ulimit", "umask", "exit", "return", "break", "continue", "shift", "trap", "history", "man",
		"help", "ping", "dig", "nslookup", "host", "nc", "ssh", "mkdir", "rmdir", "chmod", "chown", "chgrp", "pushd", "popd", "dirs", "clear", "tput", "open",
		"pbcopy", "pbpaste", "sw_vers", "getconf", "locale", "xclip", "cloc", "tokei", "scc", "actionlint", "shellcheck", "hadolint", "sysctl", "ldd", "nm", "otool", "size":
		return nothing
	case "pytest", "tox", "nox", "jest", "vitest", "mocha", "ava", "playwright", "cypress", "rspec", "phpunit", "ctest", "gotestsum", "mypy", "pyright", "pyrefly",
		"tsc", "tsgo", "vue-tsc", "ninja", "gcc", "g++", "clang", "clang++", "cc", "rustc", "javac", "staticcheck", "govulncheck", "psql", "sqlite3", "mysql", "redis-cli", "docker",
		"docker-compose", "podman", "kubectl", "helm", "terraform", "aws", "gcloud", "systemctl", "journalctl", "launchctl":
		return assumed
	case "cd", "rm", "unlink", "mv", "cp", "touch", "tee", "truncate", "ln", "install", "dd", "sed", "gsed", "awk", "gawk", "mawk", "perl", "sort", "find", "fd", "xargs", "curl", "wget",
		"git", "gh", "go", "gofmt", "goimports", "gofumpt", "cargo", "rustfmt", "npm", "pnpm", "yarn", "bun", "npx", "bunx", "make", "just", "mise", "task", "python", "python3", "node", "deno",
		"uv", "poetry", "pip", "pip3", "eslint", "prettier", "biome", "ruff", "black", "isort", "golangci-lint", "mvn", "gradle", "gradlew", "dotnet", "swift", "xcodebuild",
		"bash", "sh", "zsh", "dash", "sudo", "env", "command", "exec", "nohup", "timeout", "gtimeout", "time", "nice", "stdbuf", "source", ".", "eval", "xxd", "yq", "tar", "zip", "unzip",
		"rsync", "scp", "tmux", "brew", "apt", "apt-get", "clang-format", "turbo", "nx":
		return special
	}
	return anything
}

// program judges what a program may do with its arguments.
func (j *judgement) program(c *simple) {
	w := c.words[0]
	if !w.plain || w.glob && w.text != "[" && w.text != "[[" {
		j.everything(w.text)
		return
	}
	name, args := path.Base(w.text), c.words[1:]
	if strings.HasPrefix(w.text, "./") && name != "gradlew" {
		name = w.text
	}
	if len(args) == 1 && (args[0].text == "--version" || args[0].text == "--help" || args[0].text == "-V") {
		return
	}
	switch ruleOf(name) {
	case nothing:
	case assumed:
		if hasOption(args, "--fix", "--update", "--updateSnapshot", "--write") {
			j.everything(line(c))
			return
		}
		j.doubt = true
	case special:
		if !j.fileTool(name, args) && !j.wrapper(name, c) && !j.tool(name, args, line(c)) {
			j.everything(line(c))
		}
	default:
		j.everything(line(c))
	}
}

// line is a command for people.
func line(c *simple) string {
	var texts []string
	for _, w := range c.words {
		texts = append(texts, w.text)
	}
	return brief(strings.Join(texts, " "))
}

// fileTool judges the programs that change the files that they are given; ok is false for another one.
func (j *judgement) fileTool(name string, args []word) (ok bool) {
	switch name {
	case "cd":
		j.changeDir(args)
	case "rm", "unlink":
		kind := touched
		if j.sure {
			kind = removed
		}
		j.onAll(kind, operands(args))
	case "mv":
		j.transfer(args, moved)
	case "cp":
		j.transfer(args, copied)
	case "touch", "tee", "truncate", "ln", "install":
		j.onAll(touched, operands(args))
	case "dd":
		for _, w := range args {
			if target, found := strings.CutPrefix(w.text, "of="); found {
				w.text = target
				j.on(effect{}, w)
			}
		}
	case "sed", "gsed":
		if hasOption(args, "-i", "--in-place") {
			j.onAll(touched, sedFiles(args))
		} else if writesInScript(args) {
			return false
		}
	case "awk", "gawk", "mawk":
		for _, w := range args {
			if strings.Contains(w.text, ">\"") || strings.Contains(w.text, "> \"") || strings.Contains(w.text, ">>") || strings.Contains(w.text, "system(") || w.text == "inplace" {
				return false
			}
		}
	case "perl":
		return j.perl(args)
	case "sort":
		for i, w := range args {
			if w.text == "-o" && i+1 < len(args) {
				j.on(effect{}, args[i+1])
			} else if strings.HasPrefix(w.text, "-o") || strings.HasPrefix(w.text, "--output") {
				return false
			}
		}
	case "xxd":
		return !hasOption(args, "-r")
	case "yq":
		if hasOption(args, "-i", "--inplace") {
			j.onAll(touched, operands(args))
		}
	case "clang-format", "rustfmt", "gofmt", "goimports", "gofumpt":
		if name == "rustfmt" && !hasOption(args, "--check") || name != "rustfmt" && hasOption(args, "-w", "-i") {
			j.format(args)
		}
	default:
		return false
	}
	return true
}

// format judges a formatter of the files and folders that it is given.
func (j *judgement) format(args []word) {
	files := operands(args)
	if len(files) == 0 {
		j.everything("a formatter")
	}
	j.onAll(touched, files)
}

func (j *judgement) changeDir(args []word) {
	files := operands(args)
	top := len(j.dirs) - 1
	if len(files) != 1 || !files[0].plain || files[0].glob || files[0].text == "-" || hasOption(args, "-") {
		j.dirs[top] = "" // anywhere
		return
	}
	dir, ok := j.in(files[0])
	if !ok {
		dir = ""
	}
	j.dirs[top] = dir
}

// transfer judges mv and cp. Whether the last name is a folder is found out where the files are known.
func (j *judgement) transfer(args []word, kind effectKind) {
	files := operands(args)
	if len(files) < 2 || hasOption(args, "-t", "--target-directory") {
		j.everything("mv or cp")
		return
	}
	last := files[len(files)-1]
	to, ok := j.in(last)
	if !ok || last.glob {
		j.everything(last.text)
		return
	}
	if strings.HasSuffix(last.text, "/") {
		to += "/"
	}
	for _, w := range files[:len(files)-1] {
		from, ok := j.in(w)
		if !ok {
			j.everything(w.text)
			return
		}
		if j.sure && !w.glob && len(files) == 2 && !hasOption(args, "-n", "-u", "-b") {
			j.effects = append(j.effects, effect{kind: kind, path: from, to: to})
			continue
		}
		if kind == moved {
			j.on(effect{}, w)
		}
		j.effects = append(j.effects, effect{path: strings.TrimSuffix(to, "/")})
	}
}

// sedFiles are the files that sed or perl is to change: all operands but the script, and all of them where an option has it. With the suffix of a backup
// as a word of its own (BSD) the script is taken for a file too, which does no harm.
func sedFiles(args []word) (named []word) {
	script, next := false, false // an option has it; it comes next
	for _, w := range args {
		option := len(w.text) > 1 && w.text[0] == '-'
		switch {
		case next:
			next = false
		case option:
			next = !strings.HasPrefix(w.text, "-i") && (strings.HasSuffix(w.text, "e") || strings.HasSuffix(w.text, "E") || w.text == "-f") ||
				w.text == "--expression" || w.text == "--file"
			script = script || next
		case w.text != "":
			named = append(named, w)
		}
	}
	if !script && len(named) > 1 {
		return named[1:]
	}
	return named
}

// writesInScript reports whether the script of sed may write to a file.
func writesInScript(args []word) bool {
	for _, w := range args {
		for piece := range strings.FieldsFuncSeq(w.text, func(r rune) bool { return r == ';' || r == '\n' || r == '{' || r == '}' }) {
			piece = strings.TrimLeft(strings.TrimSpace(piece), "0123456789,$")
			if strings.HasPrefix(piece, "w ") || strings.HasSuffix(piece, "/e") {
				return true
			}
			if at := strings.LastIndexByte(piece, '/'); at >= 0 && strings.HasPrefix(strings.TrimLeft(piece[at+1:], "gpI0123456789"), "w ") {
				return true
			}
		}
	}
	return false
}

// perl judges one-liners: with -i the files that they are given, without it those that only print.
func (j *judgement) perl(args []word) bool {
	for _, w := range args {
		for _, verb := range []string{"open", "system", "unlink", "rename", "exec", "qx", "`", "write", "require", "use "} {
			if strings.Contains(w.text, verb) {
				return false
			}
		}
	}
	if !hasOption(args, "-e", "-E") {
		return false
	}
	for _, w := range args {
		if strings.HasPrefix(w.text, "-i") || strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") && strings.Contains(w.text, "i") && !strings.Contains(w.text, "M") {
			j.onAll(touched, sedFiles(args))
			return true
		}
	}
	return true
}
