package main

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/terminal"
)

// evil is text that a terminal would obey: escapes, a title, a hyperlink, the clipboard, C1 as bytes and in UTF-8, bidi controls, line ends of other systems.
const evil = "\x1b[2J\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\x1b]52;c;aGk=\x07\x9b31m\u009b31m\u202eabc\u2066\u200f\r\x00\x08\x7f\u2028\x85"

// quoted is evil as a JSON string; raw control characters stand in it as escapes, and the bytes that are no UTF-8 as they are.
func quoted(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteByte(text[i])
		case r < 0x20:
			fmt.Fprintf(&b, `\u%04x`, r)
		case r == '"', r == '\\':
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return `"` + b.String() + `"`
}

// hostileLog is a session in whose every place that holds a text evil stands.
func hostileLog(cwd string) string {
	e := quoted(evil)
	lines := []string{
		`{"type":"session","version":4,"id":"hostile-session","timestamp":` + e + `,"cwd":` + quoted(cwd) + `,"name":` + e + `,"agent":` + e + `,"source":{"path":` + e + `,"agent":` + e + `}}`,
		`{"type":"message","id":"m1","parentId":null,"timestamp":` + e + `,"message":{"role":"user","content":[{"type":"text","text":` + e + `},{"type":"image","mimeType":` + e + `,"data":"AAAA"},{"type":` + e + `,"x":` + e + `}]}}`,
		`{"type":"message","id":"m2","parentId":"m1","timestamp":"2026-01-01T10:00:00Z","message":{"role":"assistant","provider":` + e + `,"model":` + e + `,"stopReason":` + e + `,"errorMessage":` + e +
			`,"usage":{"input":1,"output":2},"content":[{"type":"thinking","thinking":` + e + `},{"type":"text","text":` + e + `},{"type":"toolCall","id":` + e + `,"name":` + e + `,"arguments":{` + e + `:` + e + `}}]}}`,
		`{"type":"message","id":"m3","parentId":"m2","timestamp":"2026-01-01T10:00:01Z","message":{"role":"toolResult","toolCallId":` + e + `,"toolName":` + e + `,"isError":true,"content":[{"type":"text","text":` + e + `}]}}`,
		`{"type":"message","id":"m4","parentId":"m3","timestamp":"2026-01-01T10:00:02Z","message":{"role":` + e + `,"content":` + e + `}}`,
		`{"type":"message","id":"m5","parentId":"m4","timestamp":"2026-01-01T10:00:02Z","message":{"role":"bashExecution","command":` + e + `,"output":` + e + `,"exitCode":1}}`,
		`{"type":"compaction","id":"c1","parentId":"m5","timestamp":"2026-01-01T10:00:03Z","summary":` + e + `,"firstKeptEntryId":` + e + `,"tokensBefore":5}`,
		`{"type":"branch_summary","id":"b1","parentId":"c1","timestamp":"2026-01-01T10:00:04Z","fromId":` + e + `,"summary":` + e + `}`,
		`{"type":"model_change","id":"x1","parentId":"b1","timestamp":"2026-01-01T10:00:05Z","provider":` + e + `,"modelId":` + e + `}`,
		`{"type":"custom_message","id":"x2","parentId":"x1","timestamp":"2026-01-01T10:00:05Z","customType":` + e + `,"content":` + e + `,"display":true}`,
		`{"type":"label","id":"x3","parentId":"x2","timestamp":"2026-01-01T10:00:06Z","targetId":"m1","label":` + e + `}`,
		`{"type":"session_info","id":"x4","parentId":"x3","timestamp":"2026-01-01T10:00:06Z","name":` + e + `}`,
		`{"type":` + e + `,"id":"x5","parentId":"x4","timestamp":"2026-01-01T10:00:06Z","` + "x" + `":` + e + `}`,
		`{"type":"message","id":` + e + `,"parentId":` + e + `,"timestamp":"2026-01-01T10:00:07Z","message":{"role":"user","content":` + e + `}}`,
		`{"type":"ref","id":"r1","parentId":"x5","timestamp":` + e + `,"name":` + e + `,"targetId":"m4","reason":` + e + `}`,
		`{"type":"ref","id":"r2","parentId":"x5","timestamp":"2026-01-01T10:00:08Z","name":"side","targetId":"m4","reason":` + e + `}`,
		`{"type":"skip","id":"s1","parentId":"x5","timestamp":"2026-01-01T10:00:09Z","targetIds":["m5",` + e + `],"reason":` + e + `}`,
		`{"type":"meta","id":"r3","parentId":null,"timestamp":"2026-01-01T10:00:09Z","agent":` + e + `,"file":` + e + `,"content":` + e + `}`,
		`{"type":"message","id":"f1","parentId":"s1","timestamp":"2026-01-01T10:00:10Z","agent":"claude","raw":{"type":"user","uuid":"f1","message":{"role":"user","content":` + e + `}}}`,
		`{"type":"message","id":"f2","parentId":"f1","timestamp":"2026-01-01T10:00:11Z","agent":` + e + `,"raw":{"type":` + e + `}}`,
		`{"type":"message","id":"m6","parentId":"f2","timestamp":"2026-01-01T10:00:12Z","message":{"role":"user","content":"the last"}}`,
		evil, `{"type":"message","id":"torn","parentId":` + e,
	}
	return strings.Join(lines, "\n")
}

// hostileCalls are the calls of each command, by its path: what it is given is hostile too. A command without calls fails the test.
var hostileCalls = map[string][]string{
	"append": {"append < EVIL"}, "append --stream": {"append --stream < EVIL"},
	"blob": {}, "blob ls": {"blob ls"}, "blob cat": {"blob cat EVIL"}, "blob path": {"blob path EVIL"},
	"branch": {"branch", "branch -v", "branch EVIL", "branch -d EVIL", "branch -m EVIL EVIL"}, "cat-file": {"cat-file -t m1", "cat-file -p m1", "cat-file -p EVIL"},
	"scan": {"scan"}, "checkout": {"checkout EVIL", "checkout m4", "checkout side"}, "cherry-pick": {"cherry-pick m1", "cherry-pick EVIL"},
	"completion": {}, "completion bash": {}, "completion fish": {}, "completion zsh": {}, "completion powershell": {},
	"config": {"config"}, "context": {"context", "context --format anthropic", "context --format openai"},
	"diff":        {"diff side", "diff side HEAD --stat", "diff side HEAD --text", "diff side HEAD --tools", "diff side HEAD --word-diff", "diff side HEAD --side-by-side", "diff side HEAD --files", "diff side HEAD --name-status", "diff EVIL"},
	"environment": {"environment"}, "exit-codes": {"exit-codes"}, "revisions": {"revisions"},
	"doctor": {"doctor", "doctor --agent EVIL"}, "export": {"export --to markdown", "export --to claude", "export EVIL", "export --to EVIL"},
	"fsck": {"fsck", "fsck EVIL"}, "gc": {"gc"}, "help": {"help EVIL"}, "import": {"import EVIL", "import ROOT"}, "label": {"label", "label EVIL", "label good EVIL"},
	"log":        {"log", "log --all", "log --graph --all", "log --oneline", "log --turns", "log EVIL", "log --role EVIL", "log --type EVIL", "log --since EVIL", "log --hidden --skipped"},
	"merge-base": {"merge-base side HEAD", "merge-base EVIL side"}, "migrate": {"migrate"}, "new": {"new --name EVIL"},
	"project": {"project"}, "project alias": {"project alias EVIL EVIL"}, "range-diff": {"range-diff side...HEAD", "range-diff EVIL", "range-diff side HEAD"}, "redo": {"redo"},
	"repair": {"repair", "repair EVIL"},
	"reflog": {"reflog", "reflog side", "reflog EVIL"}, "resume": {"resume --dry-run", "resume EVIL"}, "rev-parse": {"rev-parse HEAD", "rev-parse EVIL", "rev-parse :/EVIL"},
	"sessions": {"sessions", "sessions --all", "sessions --agent EVIL"}, "show": {"show", "show m1 m2 m3", "show EVIL"}, "status": {"status"}, "undo": {"undo", "undo EVIL"},
	"use": {"use EVIL", "use"}, "verify": {"verify", "verify --root EVIL"}, "version": {"version"},
}

// style are the sequences by which output is coloured; nothing else with an escape comes out.
var style = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Every command is run over a session that is hostile everywhere, with hostile arguments, on a terminal and into a pipe: no byte that a terminal obeys comes out, of
// what was said or in a message (docs/reliability.md).
func TestHostileOutput(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	streams, _, _ := terminal.Test(strings.NewReader(""))
	paths := commandPaths(newRootCommand(&App{IO: streams, Lookup: func(string) (string, bool) { return "", false }}))
	for _, path := range paths {
		calls, ok := hostileCalls[path]
		if !ok {
			t.Errorf("the command '%s' is not tried", path)
		}
		for _, line := range calls {
			for _, mode := range []string{"pipe", "terminal", "json"} {
				checkHarmless(t, dir, line, mode)
			}
		}
	}
}

// commandPaths are the commands below one, without its own name.
func commandPaths(c *cobra.Command) (paths []string) {
	for _, sub := range c.Commands() {
		path := strings.TrimPrefix(sub.CommandPath(), c.Root().Name()+" ")
		paths = append(append(paths, path), commandPaths(sub)...)
	}
	return paths
}

func checkHarmless(t *testing.T, dir, line, mode string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "store")
	cwd := filepath.Join(dir, "work")
	folder := filepath.Join(root, "projects", "work-"+strings.Repeat("0", 12))
	file := filepath.Join(folder, "hostile-session.jsonl")
	for _, made := range []string{cwd, folder, filepath.Join(cwd, "evil\x1b[31m\u202e")} {
		if err := os.MkdirAll(made, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, []byte(hostileLog(cwd)), 0o600); err != nil {
		t.Fatal(err)
	}
	line, input, _ := strings.Cut(line, " < ")
	if input != "" {
		input = "{\"role\":\"user\",\"content\":" + quoted(evil) + "}\n" + evil + "\n{\"role\":" + quoted(evil) + "}\n"
	}
	args := []string{"-s", file}
	if mode == "json" {
		args = append(args, "--json")
	}
	for _, arg := range strings.Fields(line) {
		arg = strings.ReplaceAll(arg, "EVIL", evil[:strings.IndexByte(evil, 0)])
		args = append(args, strings.ReplaceAll(arg, "ROOT", folder))
	}
	streams, out, errs := terminal.Test(strings.NewReader(input))
	if mode == "terminal" {
		streams.ForceTerminal(80)
	}
	app := &App{
		IO: streams, Cwd: cwd, Now: time.Now, Random: rand.Reader,
		Lookup: func(name string) (string, bool) {
			value, ok := map[string]string{"HOME": dir, "TLOG_DIR": root, "TERM": "xterm", "TLOG_PAGER": "", "PAGER": ""}[name]
			return value, ok
		},
	}
	app.Run(t.Context(), append(args, "--no-pager"))
	for name, text := range map[string]string{"stdout": out.String(), "stderr": errs.String()} {
		if mode == "terminal" {
			text = style.ReplaceAllString(text, "")
		}
		if at, r := obeyed(text); at >= 0 && !verbatim(line, name, mode) {
			t.Errorf("tlog %s (%s): %s holds %U: %q", line, mode, name, r, text[max(0, at-60):min(len(text), at+20)])
		}
	}
}

// verbatim reports whether the bytes of the log itself are asked for, for a program and not for a terminal.
func verbatim(line, stream, mode string) bool {
	command := strings.Fields(line)
	return stream == "stdout" && mode != "terminal" &&
		(slices.Contains([]string{"cat-file", "context", "blob", "export"}, command[0]) || slices.Contains(command, "--files"))
}

// obeyed finds the first byte or character that a terminal obeys, or that is no UTF-8.
func obeyed(text string) (at int, r rune) {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		bad := r == utf8.RuneError && n == 1 || unicode.Is(unicode.C, r) || r == '\u2028' || r == '\u2029'
		if bad && r != '\n' && r != '\t' {
			return at, r
		}
		at += n
	}
	return -1, 0
}
