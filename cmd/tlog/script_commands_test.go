package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gofrs/flock"
	"github.com/rivo/uniseg"
	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are the commands of the scripts besides tlog and those of testscript. A FILE may
// be "stdout" or "stderr", what the last command printed; lines count from 1, or from -1 backwards.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":   scriptExits,
	"line":    scriptLine,
	"json":    scriptJSON,
	"column":  scriptColumn,
	"fields":  scriptFields,
	"count":   scriptCount,
	"is":      scriptIs,
	"grew":    scriptGrew,
	"expand":  scriptExpand,
	"addtext": scriptAddText,
	"many":    scriptMany,
	"lock":    scriptLock,
	"head":    scriptHead,

	"harmless": scriptHarmless,
	"narrow":   scriptNarrow,
}

// exits CODE ARG...: tlog ARG... ends with exactly this exit code.
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(operand(ts, neg, args, 1, -1)[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec("tlog", args[1:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("tlog did not run: %v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("tlog %s: exit code %d, expected %d", strings.Join(args[1:], " "), code, want)
	}
}

// line NAME FILE N: sets $NAME to line N.
func scriptLine(ts *testscript.TestScript, neg bool, args []string) {
	operand(ts, neg, args, 3, 3)
	ts.Setenv(args[0], pickLine(ts, args[1], args[2]))
}

// json NAME FILE N PATH: sets $NAME to a value of the object on line N, such as head.id.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	operand(ts, neg, args, 4, 4)
	ts.Setenv(args[0], valueAt(ts, pickLine(ts, args[1], args[2]), args[3]))
}

// column FILE PATH...: prints these values of the object on every line, with a blank between.
func scriptColumn(ts *testscript.TestScript, neg bool, args []string) {
	operand(ts, neg, args, 2, -1)
	var out strings.Builder
	for _, line := range fileLines(ts, args[0]) {
		values := make([]string, 0, len(args)-1)
		for _, path := range args[1:] {
			values = append(values, valueAt(ts, line, path))
		}
		out.WriteString(strings.Join(values, " ") + "\n")
	}
	_, err := ts.Stdout().Write([]byte(out.String()))
	ts.Check(err)
}

// fields FILE PATH NAME...: the object at PATH ("." is the whole) of every line has these keys,
// in this order, and no other.
func scriptFields(ts *testscript.TestScript, neg bool, args []string) {
	operand(ts, neg, args, 3, -1)
	lines := fileLines(ts, args[0])
	if len(lines) == 0 {
		ts.Fatalf("%s has no line", args[0])
	}
	for _, line := range lines {
		if args[1] != "." {
			line = valueAt(ts, line, args[1])
		}
		if got := keysOf(ts, line); !slices.Equal(got, args[2:]) {
			ts.Fatalf("%s at %s has the keys\n%s\nexpected\n%s", args[0], args[1], strings.Join(got, " "), strings.Join(args[2:], " "))
		}
	}
}

// count FILE N: FILE has N lines.
func scriptCount(ts *testscript.TestScript, neg bool, args []string) {
	operand(ts, neg, args, 2, 2)
	if got := strconv.Itoa(len(fileLines(ts, args[0]))); got != args[1] {
		ts.Fatalf("%s has %s lines, expected %s", args[0], got, args[1])
	}
}

// is GOT WANT: the two texts are the same, as in 'is $ID $WANT'. ! is: they differ.
func scriptIs(ts *testscript.TestScript, neg bool, args []string) {
	operand(ts, false, args, 2, 2)
	if (args[0] == args[1]) == neg {
		ts.Fatalf("got %q and %q", args[0], args[1])
	}
}

// grew OLD NEW: NEW begins with all bytes of OLD and is longer. ! grew: they are the same.
func scriptGrew(ts *testscript.TestScript, neg bool, args []string) {
	old, now := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	switch {
	case !strings.HasPrefix(now, old):
		ts.Fatalf("%s does not begin with the bytes of %s", args[1], args[0])
	case !neg && len(now) == len(old):
		ts.Fatalf("%s has not grown", args[1])
	case neg && len(now) != len(old):
		ts.Fatalf("%s has grown by %q", args[1], now[len(old):])
	}
}

// expand FROM TO: writes FROM to TO with $VARIABLES filled in and with [[NEST n]] as n arrays in each other.
func scriptExpand(ts *testscript.TestScript, neg bool, args []string) {
	operand(ts, neg, args, 2, 2)
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	before, rest, ok := strings.Cut(text, "[[NEST ")
	for ok {
		digits, after, _ := strings.Cut(rest, "]]")
		n, err := strconv.Atoi(digits)
		ts.Check(err)
		text = before + strings.Repeat("[", n) + strings.Repeat("]", n) + after
		before, rest, ok = strings.Cut(text, "[[NEST ")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// addtext FILE TEXT...: appends bytes to FILE, as a program that crashes or pays no heed would. \n, \x00 are escapes.
func scriptAddText(ts *testscript.TestScript, neg bool, args []string) {
	operand(ts, neg, args, 2, 2)
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY|os.O_APPEND, 0)
	ts.Check(err)
	_, err = f.WriteString(text)
	ts.Check(errors.Join(err, f.Close()))
}

// many N FILE: writes N bare messages to FILE.
func scriptMany(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(operand(ts, neg, args, 2, 2)[0])
	ts.Check(err)
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"role":"user","content":"message %d"}`+"\n", i)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o600))
}

// harmless FILE...: no FILE is empty or holds a byte or character that a terminal obeys, but for line ends.
func scriptHarmless(ts *testscript.TestScript, neg bool, args []string) {
	for _, file := range operand(ts, neg, args, 1, -1) {
		text := ts.ReadFile(file)
		if text == "" {
			ts.Fatalf("%s is empty", file)
		}
		for i, r := range text {
			if r != '\n' && r != '\t' && (unicode.Is(unicode.C, r) || r == '\u2028' || r == utf8.RuneError) {
				ts.Fatalf("%s holds %U: %q", file, r, text[max(0, i-40):min(len(text), i+40)])
			}
		}
	}
}

// narrow FILE N: no line of FILE is wider than N cells.
func scriptNarrow(ts *testscript.TestScript, neg bool, args []string) {
	limit, err := strconv.Atoi(operand(ts, neg, args, 2, 2)[1])
	ts.Check(err)
	for _, line := range fileLines(ts, args[0]) {
		if width := uniseg.StringWidth(line); width > limit {
			ts.Fatalf("%d cells wide, expected at most %d: %s", width, limit, line)
		}
	}
}

// lock FILE: holds the lock of a session file. ! lock: gives all locks back.
func scriptLock(ts *testscript.TestScript, neg bool, args []string) {
	held := ts.Value(lockKey{}).(*heldLocks)
	if neg {
		held.release()
		return
	}
	lock := flock.New(ts.MkAbs(operand(ts, neg, args, 1, 1)[0]) + ".lock")
	ok, err := lock.TryLock()
	ts.Check(err)
	if !ok {
		ts.Fatalf("the lock of %s is held already", args[0])
	}
	held.locks = append(held.locks, lock)
}

// lockKey finds the heldLocks of a script.
type lockKey struct{}

// heldLocks are the locks that a script holds.
type heldLocks struct{ locks []*flock.Flock }

func (h *heldLocks) release() {
	for _, lock := range h.locks {
		lock.Unlock()
	}
	h.locks = nil
}

// head N ARG...: runs tlog ARG..., takes N lines of its output and goes away, as head(1) does. tlog
// must end soon and say nothing. The lines are printed.
func scriptHead(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(operand(ts, neg, args, 2, -1)[0])
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tlog", args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "XDG_DATA_HOME", "TLOG_PAGER"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	r, w, err := os.Pipe()
	ts.Check(err)
	cmd.Stdout = w
	ts.Check(cmd.Start())
	w.Close()
	var got []byte
	one := make([]byte, 1)
	for bytes.Count(got, []byte("\n")) < n {
		if _, err := r.Read(one); err != nil {
			break
		}
		got = append(got, one[0])
	}
	r.Close()
	cmd.Wait()
	if ctx.Err() != nil {
		ts.Fatalf("tlog goes on although nobody reads")
	}
	if stderr.Len() > 0 {
		ts.Fatalf("tlog says: %s", stderr.String())
	}
	_, err = ts.Stdout().Write(got)
	ts.Check(err)
}

// operand checks how many operands a command has; max < 0 is no limit.
func operand(ts *testscript.TestScript, neg bool, args []string, min, max int) []string {
	if neg || len(args) < min || max >= 0 && len(args) > max {
		ts.Fatalf("the command takes %d to %d operands and no '!', see cmd/tlog/script_commands_test.go", min, max)
	}
	return args
}

func fileLines(ts *testscript.TestScript, file string) []string {
	text := strings.TrimSuffix(ts.ReadFile(file), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func pickLine(ts *testscript.TestScript, file, number string) string {
	lines := fileLines(ts, file)
	n, err := strconv.Atoi(number)
	ts.Check(err)
	if n < 0 {
		n += len(lines) + 1
	}
	if n < 1 || n > len(lines) {
		ts.Fatalf("%s has no line %s", file, number)
	}
	return lines[n-1]
}

// valueAt is the value at a path of a line: keys and numbers with dots between. A string is given without its quotes.
func valueAt(ts *testscript.TestScript, line, path string) string {
	value := json.RawMessage(line)
	for _, key := range strings.Split(path, ".") {
		var list []json.RawMessage
		var object map[string]json.RawMessage
		if i, err := strconv.Atoi(key); err == nil && json.Unmarshal(value, &list) == nil {
			if i >= len(list) {
				ts.Fatalf("no %s in %s", path, line)
			}
			value = list[i]
			continue
		}
		if err := json.Unmarshal(value, &object); err != nil {
			ts.Fatalf("no %s in %s: %v", path, line, err)
		}
		next, ok := object[key]
		if !ok {
			ts.Fatalf("no %s in %s", path, line)
		}
		value = next
	}
	var text string
	if bytes.HasPrefix(value, []byte{'"'}) && json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func keysOf(ts *testscript.TestScript, object string) []string {
	dec := json.NewDecoder(strings.NewReader(object))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		ts.Fatalf("no object: %s", object)
	}
	var keys []string
	for dec.More() {
		key, err := dec.Token()
		ts.Check(err)
		keys = append(keys, fmt.Sprint(key))
		var value json.RawMessage
		ts.Check(dec.Decode(&value))
	}
	return keys
}
