package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testedMark, on a line of its own in a page of docs/, says that its examples are run. Those of README.md always are.
var testedMark = regexp.MustCompile(`(?m)^<!-- examples are tested -->$`)

// TestExamples runs what the documents show: the lines of indented blocks that begin with "$ ", in
// order, in one new project for each document, and compares what they print. docs/testing.md has the rules.
func TestExamples(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell to run the examples: ", err)
	}
	pages, err := filepath.Glob(filepath.Join(projectRoot, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append([]string{filepath.Join(projectRoot, "README.md")}, pages...) {
		text, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			t.Logf("%s is not there", file)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) == "README.md" || testedMark.Match(text) {
			t.Run(filepath.Base(file), func(t *testing.T) { testDocument(t, file, string(text)) })
		}
	}
}

func testDocument(t *testing.T, file, text string) {
	run := newExampleRunner(t)
	examples := findExamples(text)
	if len(examples) == 0 {
		t.Errorf("%s shows no command", file)
	}
	lines := strings.Split(text, "\n")
	changed := false
	for _, e := range slices.Backward(runAll(run, examples)) {
		if e.same() {
			continue
		}
		if *update {
			lines = slices.Replace(lines, e.first, e.first+len(e.want), indent(e.got)...)
			changed = true
			continue
		}
		t.Errorf("%s:%d: $ %s\nprints\n%s\nthe document has\n%s", file, e.first, e.command, strings.Join(e.got, "\n"), strings.Join(e.want, "\n"))
	}
	if changed {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// example is a command of a document and what it shows of its output.
type example struct {
	command string
	first   int      // the index of the line behind the command
	want    []string // without their indentation
	got     []string
	silent  bool // the document shows the command alone, in a block without "$"
}

func (e example) same() bool { return e.silent || matches(e.got, e.want) }

var shownCommand = regexp.MustCompile(`^ {4}(\$ )?((?:tlog|go run \./cmd/tlog) .*)$`)

// findExamples gives the examples of a document in their order. "$ " begins one, and its output goes on to the next
// or to the end of the block. A block of one line without "$ " that runs tlog is run, its output is not compared.
func findExamples(text string) (list []example) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line, indented := strings.CutPrefix(lines[i], "    ")
		command, prompted := strings.CutPrefix(line, "$ ")
		if !indented {
			continue
		}
		if !prompted {
			if shownCommand.MatchString(lines[i]) && isBlank(lines, i-1) && isBlank(lines, i+1) {
				list = append(list, example{command: line, first: i + 1, silent: true})
			}
			continue
		}
		e := example{command: command, first: i + 1}
		for j := i + 1; j < len(lines); j++ {
			output, inside := strings.CutPrefix(lines[j], "    ")
			if !inside && (lines[j] != "" || j+1 >= len(lines) || !strings.HasPrefix(lines[j+1], "    ")) || strings.HasPrefix(output, "$ ") {
				break
			}
			e.want = append(e.want, output)
		}
		list = append(list, e)
	}
	return list
}

func isBlank(lines []string, i int) bool {
	return i < 0 || i >= len(lines) || strings.TrimSpace(lines[i]) == ""
}

func runAll(run *exampleRunner, examples []example) []example {
	for i := range examples {
		run.run(&examples[i])
	}
	return examples
}

// exampleRunner runs the commands of one document in one project.
type exampleRunner struct {
	t   *testing.T
	dir string
	env []string
	ids map[string]string // an id in the document -> the one that stands for it in this run
	doc map[string]string // and back, in short forms
}

func newExampleRunner(t *testing.T) *exampleRunner {
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS(filepath.Join(projectRoot, "testdata"))); err != nil {
		t.Fatal(err)
	}
	env, err := projectEnv(dir)
	if err != nil {
		t.Fatal(err)
	}
	return &exampleRunner{t, dir, append(env, "PATH="+os.Getenv("PATH")), map[string]string{}, map[string]string{}}
}

// run runs the command of an example, with the ids that this run has in place of the document's.
func (r *exampleRunner) run(e *example) {
	command := idPattern.ReplaceAllStringFunc(e.command, func(id string) string {
		if actual, ok := r.ids[id]; ok {
			return actual
		}
		return id
	})
	command = strings.ReplaceAll(command, "go run ./cmd/tlog", "tlog")
	if strings.HasPrefix(command, "go ") {
		e.silent = true // building and testing the project is not this test's
		return
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	if err != nil && e.silent {
		r.t.Errorf("%s: %v\n%s", e.command, err, out)
	}
	if text := strings.TrimRight(string(out), "\n"); text != "" {
		e.got = strings.Split(text, "\n")
	}
	r.learn(e)
}

// learn pairs the ids of an output with those that the document shows in their places.
func (r *exampleRunner) learn(e *example) {
	want := idPattern.FindAllString(strings.Join(e.want, "\n"), -1)
	got := idPattern.FindAllString(strings.Join(e.got, "\n"), -1)
	if len(want) != len(got) {
		return
	}
	for i, id := range want {
		short, actual := shortID(id), shortID(got[i])
		if known, ok := r.ids[short]; ok && known != actual {
			r.t.Errorf("$ %s: %s stands for %s, and before for %s", e.command, id, got[i], known)
		}
		if known, ok := r.doc[actual]; ok && known != short {
			r.t.Errorf("$ %s: %s stands where it was %s before", e.command, id, known)
		}
		r.ids[short], r.doc[actual] = actual, short
		if len(id) > len(short) {
			r.ids[id] = got[i]
		}
	}
}

// idPattern finds UUIDs and their short forms.
var idPattern = regexp.MustCompile(`\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{7,12})\b`)

func shortID(id string) string { return id[max(0, strings.LastIndexByte(id, '-')+1):][:7] }

// varying are the parts of an output that differ from run to run, with what stands for them.
var varying = []struct {
	pattern *regexp.Regexp
	mask    string
}{
	{idPattern, "<id>"},
	{regexp.MustCompile(`\b\d+ (?:second|minute|hour|day|week|month|year)s? ago\b`), "<ago>"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z`), "<time>"},
	{regexp.MustCompile(`\b[\d.]+ (?:bytes|kB|MB)`), "<size>"},
	{regexp.MustCompile(`/[^\s"']*/project(?:s/\S+)?\b`), "<path>"},
	{regexp.MustCompile(` +`), " "},
}

func masked(line string) string {
	for _, v := range varying {
		line = v.pattern.ReplaceAllString(line, v.mask)
	}
	return strings.TrimRight(line, " ")
}

// matches compares an output with what a document shows. A line "..." or "…" of the document stands for any number of lines.
func matches(got, want []string) bool {
	for i, line := range want {
		if line = strings.TrimSpace(line); line == "..." || line == "…" {
			for skip := i; skip <= len(got); skip++ {
				if matches(got[skip:], want[i+1:]) {
					return true
				}
			}
			return false
		}
		if i >= len(got) || masked(got[i]) != masked(want[i]) {
			return false
		}
	}
	return len(got) == len(want)
}

func indent(lines []string) []string {
	indented := make([]string, len(lines))
	for i, line := range lines {
		indented[i] = strings.TrimRight("    "+line, " ")
	}
	return indented
}

// TestExampleRules shows the rules of TestExamples to a document that keeps and breaks them.
func TestExampleRules(t *testing.T) {
	list := findExamples("text\n\n    $ tlog a\n    one\n\n    two\n    $ tlog b\n\nmore\n\n    go run ./cmd/tlog c\n\n    key: value\n")
	got := fmt.Sprintf("%+v", list)
	if len(list) != 3 || list[0].command != "tlog a" || !slices.Equal(list[0].want, []string{"one", "", "two"}) ||
		list[1].command != "tlog b" || len(list[1].want) != 0 || !list[2].silent {
		t.Errorf("got %s", got)
	}
	for _, c := range []struct {
		got, want string
		same      bool
	}{
		{"a\nb", "a\nb", true},
		{"a\nb", "a", false},
		{"a", "a\nb", false},
		{"a\nb\nc", "a\n...\nc", true},
		{"a\nc", "a\n…\nc", true},
		{"a\nb", "a\n…", true},
		{"a\nb", "…\na", false},
		{"1a2b3c4  3 minutes ago", "7f7f7f7 1 hour ago", true},
		{"1a2b3c4 user x", "7f7f7f7 user y", false},
		{"at 2026-01-01T10:00:00.000Z", "at 2027-02-02T11:11:11.111Z", true},
	} {
		if matches(strings.Split(c.got, "\n"), strings.Split(c.want, "\n")) != c.same {
			t.Errorf("%q and %q: expected the same: %v", c.got, c.want, c.same)
		}
	}
	if shortID("01a22eb4-4e9d-7268-86c0-2427a02a44ef") != "2427a02" {
		t.Errorf("short form is %s", shortID("01a22eb4-4e9d-7268-86c0-2427a02a44ef"))
	}
}
