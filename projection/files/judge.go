package files

import (
	"path"
	"strings"
)

// effect is what a command did to a file, or to a folder and all in it.
type effect struct {
	kind     effectKind
	path, to string // joined to the working folder; path may begin with "~/"
	pattern  bool   // path is a pattern of names
	text     string // that was written or appended
}

type effectKind uint8

const (
	touched   effectKind = iota // its content is not known any more
	removed                     //
	moved                       // to another place
	copied                      // likewise
	rewritten                   // with text
	appended                    // by text
)

// verdict is what a command may have done to files.
type verdict struct {
	// all: any file may have changed; why is the command that did it.
	all bool
	why string
	// doubt: it is assumed to change no file that is known, as a test run, but it may have.
	doubt   bool
	effects []effect
}

// maxNesting is how deep scripts in scripts are looked into.
const maxNesting = 20

// judge tells what a command line that ran in dir may have done; dir is empty if that is not known. done: it ran to its end and its status was 0.
func judge(command, dir string, done bool) verdict {
	j := judgement{}
	j.script(command, dir, done)
	for n := 0; len(j.todo) > 0 && !j.all; n++ {
		if n == maxNesting {
			j.everything(command)
			break
		}
		todo := j.todo
		j.todo = nil
		for _, inner := range todo {
			j.script(inner, "", false)
		}
	}
	return j.verdict
}

type judgement struct {
	verdict
	todo []string // scripts within the script
	dirs []string // the working folder, and those of the parentheses around
	sure bool     // the command at hand ran, and its status was 0
	deep int      // how many programs run one another
}

// everything says that a command may have done anything.
func (j *judgement) everything(why string) {
	j.all = true
	if j.why == "" {
		j.why = brief(why)
	}
}

// brief is the beginning of a command, for people.
func brief(command string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(command), "\n")
	if r := []rune(line); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	if rest != "" {
		return line + " …"
	}
	return line
}

func (j *judgement) script(script, dir string, done bool) {
	commands, inner, ok := lex(script)
	if !ok {
		j.everything(script)
		return
	}
	j.todo = append(j.todo, inner...)
	j.dirs = []string{dir}
	// The last status is that of all commands that are joined by && up to the end.
	from, nested := 0, strings.HasSuffix(strings.TrimSpace(script), "&")
	for i, c := range commands {
		if i > 0 && c.after != "&&" {
			from = i
		}
		nested = nested || c.depth > 0
	}
	for i, c := range commands {
		j.sure = done && !nested && i >= from && (i == 0 || c.after == "&&" || c.after == ";")
		j.enter(c.depth)
		j.command(c)
	}
}

// enter goes into or out of parentheses, in which a change of the folder holds.
func (j *judgement) enter(depth int) {
	for len(j.dirs) <= depth {
		j.dirs = append(j.dirs, j.dirs[len(j.dirs)-1])
	}
	j.dirs = j.dirs[:depth+1]
}

func (j *judgement) dir() string { return j.dirs[len(j.dirs)-1] }

// in is a path in the working folder; ok is false if that is not known and the path is relative, or if the path is none that is known.
func (j *judgement) in(w word) (string, bool) {
	if w.home {
		return w.text, false
	}
	return join(j.dir(), w.text), w.plain && (path.IsAbs(w.text) || j.dir() != "")
}

// join is a path, relative to a folder or absolute. Paths of Windows, and those in a home that is not known, stay as they are.
func join(dir, name string) string {
	if name == "" {
		return clean(dir)
	}
	if dir == "" || path.IsAbs(name) || isWindows(name) || strings.HasPrefix(name, "~/") {
		return clean(name)
	}
	return clean(strings.TrimRight(dir, "/") + "/" + name)
}

func clean(name string) string {
	if name == "" || isWindows(name) {
		return name
	}
	return path.Clean(name)
}

func isWindows(name string) bool {
	return len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') || strings.HasPrefix(name, `\\`)
}

// command judges one command.
func (j *judgement) command(c simple) {
	words := c.words
	for len(words) > 0 {
		w := words[0]
		switch {
		case w.bare && keyword(w.text):
			j.sure = false
			words = words[1:]
			continue
		case w.bare && (w.text == "for" || w.text == "select"):
			words = nil
			continue
		case w.bare && (w.text == "case" || w.text == "function" || w.text == "coproc"):
			j.everything(w.text)
			return
		case isAssignment(w):
			words = words[1:]
			continue
		}
		break
	}
	c.words = words
	if len(words) > 0 {
		j.program(&c)
	}
	for _, r := range c.writes {
		j.write(c, r)
	}
}

// keyword reports whether a word may stand before a command.
func keyword(w string) bool {
	switch w {
	case "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "!", "{", "}", "time", "in", "esac":
		return true
	}
	return false
}

func isAssignment(w word) bool {
	name, _, found := strings.Cut(w.text, "=")
	if !found || name == "" {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// write judges a redirection. `cat > file <<'end'` tells what was written.
func (j *judgement) write(c simple, r redirect) {
	if strings.HasPrefix(r.target.text, "/dev/") && r.target.plain {
		return
	}
	e := effect{kind: touched}
	if j.sure && c.hasInput && len(c.words) == 1 && c.words[0].text == "cat" && len(c.writes) == 1 {
		e.kind, e.text = rewritten, c.document
		if r.appended {
			e.kind = appended
		}
	}
	j.on(e, r.target)
}

// on adds an effect on the file that a word names. One that is not known may be any.
func (j *judgement) on(e effect, w word) {
	name, ok := j.in(w)
	if w.home && w.plain && !w.glob {
		j.effects = append(j.effects, effect{path: clean(w.text)})
		return
	}
	if !ok || strings.HasPrefix(w.text, "-") {
		j.everything(w.text)
		return
	}
	e.path, e.pattern = name, w.glob
	if w.glob && e.kind != removed {
		e.kind = touched
	}
	j.effects = append(j.effects, e)
}

// onAll adds an effect on each of several files.
func (j *judgement) onAll(kind effectKind, words []word) {
	for _, w := range words {
		j.on(effect{kind: kind}, w)
	}
}

// operands are the arguments that are no options. Behind "--" there are no options.
func operands(words []word) (files []word) {
	for i, w := range words {
		if w.text == "--" {
			return append(files, words[i+1:]...)
		}
		if !strings.HasPrefix(w.text, "-") {
			files = append(files, w)
		}
	}
	return files
}

// hasOption reports whether one of the options is given: a long one, also with a value behind "=", or a letter of short ones.
func hasOption(words []word, options ...string) bool {
	for _, w := range words {
		if w.text == "--" {
			return false
		}
		for _, o := range options {
			long := strings.HasPrefix(o, "--") || len(o) > 2
			if w.text == o || long && strings.HasPrefix(w.text, o+"=") ||
				!long && len(w.text) > 1 && w.text[0] == '-' && w.text[1] != '-' && strings.Contains(w.text[1:], o[1:]) {
				return true
			}
		}
	}
	return false
}
