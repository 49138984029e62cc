package tally

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// runner recognises what a test runner says at its end.
type runner struct {
	name string
	// hint stands in everything that the pattern finds: most outputs are passed over by it.
	hint string
	// pattern finds the summary: its groups whose names begin with passed, failed and skipped hold the numbers, one that is missing is 0. A
	// group total holds all, of which those that are not named passed.
	pattern func() *regexp.Regexp
	// each: every match is a test or a package of its own, told by the group that it has.
	each bool
}

// compiled compiles a pattern when it is first asked for: no command but those that count shall wait for it.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// goTest is a test of go test -v that is none of another's, goPackage a package: without -v the tests that passed are not named.
var (
	goTest    = compiled(`(?m)^--- (?:(?P<passed>PASS)|(?P<failed>FAIL)|(?P<skipped>SKIP)): \S+ \(`)
	goPackage = compiled(`(?m)^(?:(?P<passed>ok) {1,2}\t\S+\t(?:[0-9.]+s|\(cached\))(?:\tcoverage: [^\n]*)?|(?P<failed>FAIL)\t\S+(?:\t[0-9.]+s| \[(?:build|setup) failed\]))$`)
)

// runners are looked for in this order; the first one that finds something counts. A pattern is for whole lines, so that text which only speaks of tests is
// none. What a runner calls an error, or cancelled, failed; what it calls pending, todo or incomplete was skipped.
var runners = []runner{
	// node --test and other TAP producers with a summary: "# pass 3", "# fail 1".
	{name: "tap", hint: " pass ", pattern: compiled(`(?m)^(?:#|ℹ) tests +\d+\n(?:(?:#|ℹ) suites \d+\n)?(?:#|ℹ) pass +(?P<passed>\d+)(?:\n(?:#|ℹ) fail +(?P<failed>\d+))?(?:\n(?:#|ℹ) cancelled (?P<failed2>\d+))?(?:\n(?:#|ℹ) skipped (?P<skipped>\d+))?(?:\n(?:#|ℹ) todo (?P<skipped2>\d+))?$`)},
	// cargo test: one line a crate.
	{name: "cargo", hint: "test result: ", pattern: compiled(`(?m)^test result: (?:ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; (?P<skipped>\d+) ignored`)},
	// Jest: "Tests:       1 failed, 2 skipped, 11 passed, 14 total".
	{name: "jest", hint: "Tests: ", pattern: compiled(`(?m)^Tests: +(?:(?P<failed>\d+) failed, )?(?:(?P<skipped>\d+) skipped, )?(?:(?P<skipped2>\d+) todo, )?(?:(?P<passed>\d+) passed, )?\d+ total$`)},
	// Vitest: "      Tests  1 failed | 11 passed (12)".
	{name: "vitest", hint: "Tests ", pattern: compiled(`(?m)^ *Tests  +(?:(?P<failed>\d+) failed)?(?: \| )?(?:(?P<passed>\d+) passed)?(?: \| )?(?:\d+ expected fail)?(?: \| )?(?:(?P<skipped>\d+) skipped)?(?: \| )?(?:(?P<skipped2>\d+) todo)? \(\d+\)$`)},
	// Mocha: "  12 passing (30ms)", "  1 failing".
	{name: "mocha", hint: " passing (", pattern: compiled(`(?m)^ +(?P<passed>\d+) passing \([^)\n]+\)(?:\n +(?P<skipped>\d+) pending)?(?:\n +(?P<failed>\d+) failing)?$`)},
	// pytest: "=== 1 failed, 11 passed, 2 skipped in 0.12s ===", with -q without the signs.
	{name: "pytest", hint: "s", pattern: compiled(`(?m)^(?:=+ )?(?:(?P<failed>\d+) failed(?:, )?)?(?:(?P<passed>\d+) passed(?:, )?)?(?:(?P<skipped>\d+) skipped(?:, )?)?(?:\d+ (?:deselected|xfailed|xpassed|warnings?)(?:, )?)*(?:(?P<failed2>\d+) errors?(?:, )?)?(?:\d+ rerun)? in [0-9.]+s(?: \([0-9:]+\))?(?: =+)?$`)},
	// unittest: "Ran 3 tests in 0.001s" and "FAILED (failures=1)" or "OK".
	{name: "unittest", hint: "Ran ", pattern: compiled(`(?m)^Ran (?P<total>\d+) tests? in [0-9.]+s\n\n(?:OK|FAILED)(?: \((?:failures=(?P<failed>\d+))?(?:, )?(?:errors=(?P<failed2>\d+))?(?:, )?(?:skipped=(?P<skipped>\d+))?(?:, )?(?:expected failures=\d+)?(?:, )?(?:unexpected successes=(?P<failed3>\d+))?\))?$`)},
	// RSpec: "12 examples, 1 failure, 2 pending".
	{name: "rspec", hint: " example", pattern: compiled(`(?m)^(?P<total>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?$`)},
	// minitest: "12 runs, 20 assertions, 1 failures, 0 errors, 2 skips".
	{name: "minitest", hint: " assertions, ", pattern: compiled(`(?m)^(?P<total>\d+) (?:runs|tests), \d+ assertions, (?P<failed>\d+) failures, (?P<failed2>\d+) errors, (?P<skipped>\d+) skips$`)},
	// Maven's Surefire: "Tests run: 12, Failures: 1, Errors: 0, Skipped: 2" for a module; the lines of its classes say the time too.
	{name: "surefire", hint: "Tests run: ", pattern: compiled(`(?m)^(?:\[(?:INFO|ERROR|WARNING)\] )?Tests run: (?P<total>\d+), Failures: (?P<failed>\d+), Errors: (?P<failed2>\d+), Skipped: (?P<skipped>\d+)$`)},
	// JUnit 4 by itself: "OK (12 tests)", "Tests run: 12,  Failures: 1".
	{name: "junit 4", hint: "OK (", pattern: compiled(`(?m)^OK \((?P<passed>\d+) tests?\)$`)},
	{name: "junit 4", hint: ",  Failures: ", pattern: compiled(`(?m)^Tests run: (?P<total>\d+),  Failures: (?P<failed>\d+)$`)},
	// JUnit 5 by itself: "[        11 tests successful      ]", and so on.
	{name: "junit 5", hint: " tests successful ", pattern: compiled(`(?m)^\[ +(?P<skipped>\d+) tests skipped +\]\n\[ +\d+ tests started +\]\n\[ +(?P<skipped2>\d+) tests aborted +\]\n\[ +(?P<passed>\d+) tests successful +\]\n\[ +(?P<failed>\d+) tests failed +\]$`)},
	// Gradle, if any failed: "12 tests completed, 1 failed, 2 skipped".
	{name: "gradle", hint: " completed, ", pattern: compiled(`(?m)^(?P<total>\d+) tests? completed, (?P<failed>\d+) failed(?:, (?P<skipped>\d+) skipped)?$`)},
	// dotnet test: "Failed!  - Failed:     1, Passed:    11, Skipped:     2, Total:    14", a line an assembly.
	{name: "dotnet", hint: "Failed: ", pattern: compiled(`(?m)^(?:Passed|Failed|Skipped)!  - Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+), Skipped: +(?P<skipped>\d+), Total:`)},
	{name: "dotnet", hint: "Test summary: ", pattern: compiled(`(?m)^Test summary: total: \d+, failed: (?P<failed>\d+), succeeded: (?P<passed>\d+), skipped: (?P<skipped>\d+), duration: `)},
	// PHPUnit: "OK (12 tests, 20 assertions)", "Tests: 12, Assertions: 20, Failures: 1."
	{name: "phpunit", hint: " assertion", pattern: compiled(`(?m)^OK \((?P<passed>\d+) tests?, \d+ assertions?\)$`)},
	{name: "phpunit", hint: "Assertions: ", pattern: compiled(`(?m)^Tests: (?P<total>\d+), Assertions: \d+(?:, Errors: (?P<failed>\d+))?(?:, Failures: (?P<failed2>\d+))?(?:, (?:PHPUnit )?(?:Warnings|Deprecations|Notices): \d+)*(?:, Skipped: (?P<skipped>\d+))?(?:, Incomplete: (?P<skipped2>\d+))?(?:, Risky: \d+)?\.$`)},
	// bun test: " 11 pass\n 1 fail".
	{name: "bun", hint: " pass\n", pattern: compiled(`(?m)^ +(?P<passed>\d+) pass\n(?: +(?P<skipped>\d+) skip\n)?(?: +(?P<skipped2>\d+) todo\n)? +(?P<failed>\d+) fail$`)},
	// deno test: "ok | 11 passed | 0 failed (1s)".
	{name: "deno", hint: " passed", pattern: compiled(`(?m)^(?:ok|FAILED) \| (?P<passed>\d+) passed(?: \([^)\n]*\))? \| (?P<failed>\d+) failed(?: \([^)\n]*\))?(?: \| (?P<skipped>\d+) ignored)?`)},
	// go test -json: each test that is none of another's.
	{name: "go -json", hint: `"Action":"`, each: true, pattern: compiled(`(?m)^\{(?:"Time":"[^"]*",)?"Action":"(?:(?P<passed>pass)|(?P<failed>fail)|(?P<skipped>skip))","Package":"[^"]*","Test":"[^"/\\]*"`)},
	{name: "go -v", hint: "=== RUN ", each: true, pattern: goTest},
	{name: "go -v", hint: "--- PASS: ", each: true, pattern: goTest},
	{name: "go", hint: "\t", each: true, pattern: goPackage},
	{name: "go", hint: "--- FAIL: ", each: true, pattern: goTest},
}

// terminalStyle is how runners colour what they say, and link it.
var terminalStyle = compiled("\x1b(?:\\[[0-9;?]*[A-Za-z]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\\(B)")

// maxOutput is how much of a result is looked at, from its end, in bytes: runners say what came out last.
const maxOutput = 64 << 10

// take counts what a test runner says in the output of a command, if one does.
func (t *TestCount) take(output string) {
	if cut := len(output) - maxOutput; cut > 0 {
		// A part of a line may say another number than the line.
		_, output, _ = strings.Cut(output[cut-1:], "\n")
	}
	if !strings.ContainsAny(output, "0123456789") && !strings.Contains(output, "\t(cached)") {
		return
	}
	output = shown(output)
	for _, r := range runners {
		if !strings.Contains(output, r.hint) || r.name == "pytest" && !strings.Contains(output, " in ") {
			continue
		}
		passed, failed, skipped, ok := r.find(output)
		if !ok {
			continue
		}
		t.Runs++
		t.Passed += passed
		t.Failed += failed
		t.Skipped += skipped
		t.LastPassed, t.LastFailed = passed, failed
		return
	}
}

// shown is what a terminal shows of an output: no colours, and of a line that was written over the last text.
func shown(output string) string {
	if strings.Contains(output, "\x1b") {
		output = terminalStyle().ReplaceAllString(output, "")
	}
	if !strings.Contains(output, "\r") {
		return output
	}
	var b strings.Builder
	for line := range strings.Lines(output) {
		text, end := strings.TrimRight(strings.TrimSuffix(line, "\n"), "\r"), ""
		if strings.HasSuffix(line, "\n") {
			end = "\n"
		}
		b.WriteString(text[strings.LastIndexByte(text, '\r')+1:])
		b.WriteString(end)
	}
	return b.String()
}

// find reads the numbers of a runner. Several summaries are of parts of one run, and are added up.
func (r runner) find(output string) (passed, failed, skipped int, ok bool) {
	for _, m := range r.pattern().FindAllStringSubmatch(output, -1) {
		if strings.Join(m[1:], "") == "" {
			continue // pytest's "in 0.1s" alone says nothing
		}
		p, f, s := r.number(m, "passed"), r.number(m, "failed"), r.number(m, "skipped")
		p = max(p, r.number(m, "total")-f-s)
		passed, failed, skipped, ok = passed+p, failed+f, skipped+s, true
	}
	return passed, failed, skipped, ok
}

// number is the sum of the groups whose names begin so; of a test of its own it is 1.
func (r runner) number(match []string, group string) (sum int) {
	for at, name := range r.pattern().SubexpNames() {
		if !strings.HasPrefix(name, group) || match[at] == "" {
			continue
		}
		if r.each {
			return 1
		}
		if n, err := strconv.Atoi(match[at]); err == nil && n <= 1e6 {
			sum += n
		}
	}
	return sum
}
