package tally

import (
	"regexp"
	"strconv"
	"strings"
)

// runner recognises what a test runner says at its end.
type runner struct {
	name string
	// hint stands in everything that the pattern finds: most outputs are passed over by it.
	hint string
	// pattern finds the summary: its groups passed, failed and skipped hold the numbers, one that is missing is 0.
	pattern *regexp.Regexp
	// each: every match is a test or a package of its own, told by the group that it has.
	each bool
}

// runners are looked for in this order; the first one that finds something counts. A pattern is for whole lines, so that text which only speaks of tests is
// none.
var runners = []runner{
	// node --test and other TAP producers with a summary: "# pass 3", "# fail 1".
	{name: "tap", hint: " pass ", pattern: regexp.MustCompile(`(?m)^(?:#|ℹ) tests \d+\n(?:(?:#|ℹ) suites \d+\n)?(?:#|ℹ) pass (?P<passed>\d+)\n(?:#|ℹ) fail (?P<failed>\d+)(?:\n(?:#|ℹ) cancelled \d+)?(?:\n(?:#|ℹ) skipped (?P<skipped>\d+))?`)},
	// cargo test: one line a crate.
	{name: "cargo", hint: "test result: ", pattern: regexp.MustCompile(`(?m)^test result: (?:ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; (?P<skipped>\d+) ignored`)},
	// Jest: "Tests:       1 failed, 2 skipped, 11 passed, 14 total".
	{name: "jest", hint: "Tests: ", pattern: regexp.MustCompile(`(?m)^Tests: +(?:(?P<failed>\d+) failed, )?(?:(?P<skipped>\d+) skipped, )?(?:\d+ todo, )?(?:(?P<passed>\d+) passed, )?\d+ total`)},
	// Vitest: "      Tests  1 failed | 11 passed (12)".
	{name: "vitest", hint: "Tests ", pattern: regexp.MustCompile(`(?m)^ *Tests  +(?:(?P<failed>\d+) failed)?(?: \| )?(?:(?P<passed>\d+) passed)?(?: \| )?(?:(?P<skipped>\d+) skipped)? \(\d+\)`)},
	// Mocha: "  12 passing (30ms)", "  1 failing".
	{name: "mocha", hint: " passing (", pattern: regexp.MustCompile(`(?m)^ +(?P<passed>\d+) passing \([^)\n]+\)(?:\n +(?P<skipped>\d+) pending)?(?:\n +(?P<failed>\d+) failing)?`)},
	// pytest: "=== 1 failed, 11 passed, 2 skipped in 0.12s ===", with -q without the signs.
	{name: "pytest", hint: "ed", pattern: regexp.MustCompile(`(?m)^(?:=+ )?(?:(?P<failed>\d+) failed)?(?:, )?(?:(?P<passed>\d+) passed)?(?:, )?(?:(?P<skipped>\d+) skipped)?(?:, \d+ (?:deselected|xfailed|xpassed|warnings?|errors?|rerun))* in [0-9.]+s(?: \([0-9:]+\))?(?: =+)?$`)},
	// unittest: "Ran 3 tests in 0.001s" and "FAILED (failures=1)" or "OK".
	{name: "unittest", hint: "Ran ", pattern: regexp.MustCompile(`(?m)^Ran (?P<passed>\d+) tests? in [0-9.]+s\n\n(?:OK|FAILED)(?: \((?:failures=(?P<failed>\d+))?(?:, )?(?:errors=\d+)?(?:, )?(?:skipped=(?P<skipped>\d+))?\))?`)},
	// RSpec: "12 examples, 1 failure, 2 pending".
	{name: "rspec", hint: " example", pattern: regexp.MustCompile(`(?m)^(?P<passed>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?$`)},
	// Maven's Surefire: the last "Tests run: 12, Failures: 1, Errors: 0, Skipped: 2".
	{name: "surefire", hint: "Tests run: ", pattern: regexp.MustCompile(`(?m)^(?:\[(?:INFO|ERROR|WARNING)\] )?Tests run: (?P<passed>\d+), Failures: (?P<failed>\d+), Errors: \d+, Skipped: (?P<skipped>\d+)$`)},
	// dotnet test: "Failed!  - Failed:     1, Passed:    11, Skipped:     2, Total:    14".
	{name: "dotnet", hint: "Failed: ", pattern: regexp.MustCompile(`(?m)^(?:Passed|Failed)!  - Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+), Skipped: +(?P<skipped>\d+), Total:`)},
	// PHPUnit: "OK (12 tests, 20 assertions)", "Tests: 12, Assertions: 20, Failures: 1."
	{name: "phpunit", hint: " assertion", pattern: regexp.MustCompile(`(?m)^OK \((?P<passed>\d+) tests?, \d+ assertions?\)$`)},
	{name: "phpunit", hint: "Assertions: ", pattern: regexp.MustCompile(`(?m)^Tests: (?P<passed>\d+), Assertions: \d+(?:, Errors: \d+)?(?:, Failures: (?P<failed>\d+))?(?:, (?:Warnings|Incomplete|Risky): \d+)*(?:, Skipped: (?P<skipped>\d+))?\.$`)},
	// bun test: " 11 pass\n 1 fail".
	{name: "bun", hint: " pass\n", pattern: regexp.MustCompile(`(?m)^ +(?P<passed>\d+) pass\n(?: +(?P<skipped>\d+) skip\n)?(?: +\d+ todo\n)? +(?P<failed>\d+) fail$`)},
	// deno test: "ok | 11 passed | 0 failed (1s)".
	{name: "deno", hint: " passed", pattern: regexp.MustCompile(`(?m)^(?:ok|FAILED) \| (?P<passed>\d+) passed(?: \([^)\n]*\))? \| (?P<failed>\d+) failed(?: \([^)\n]*\))?(?: \| (?P<skipped>\d+) ignored)?`)},
	// go test -v: each test that is none of another's.
	{name: "go -v", hint: "--- ", each: true, pattern: regexp.MustCompile(`(?m)^--- (?:(?P<passed>PASS)|(?P<failed>FAIL)|(?P<skipped>SKIP)): \S+ \(`)},
	// go test: each package.
	{name: "go", hint: "\t", each: true, pattern: regexp.MustCompile(`(?m)^(?:(?P<passed>ok) {1,2}|(?P<failed>FAIL))\t\S+\t(?:[0-9.]+s|\(cached\)|\[build failed\])`)},
}

// inclusive are the runners whose first number counts all tests that ran.
var inclusive = map[string]bool{"unittest": true, "rspec": true, "surefire": true, "phpunit": true}

// terminalStyle is how runners colour what they say.
var terminalStyle = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// maxOutput is how much of a result is looked at, from its end, in bytes: runners say what came out last.
const maxOutput = 64 << 10

// take counts what a test runner says in the output of a command, if one does.
func (t *TestCount) take(output string) {
	if len(output) > maxOutput {
		output = output[len(output)-maxOutput:]
	}
	if !strings.ContainsAny(output, "0123456789") {
		return
	}
	output = strings.ReplaceAll(terminalStyle.ReplaceAllString(output, ""), "\r\n", "\n")
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

// find reads the numbers of a runner. Several summaries, of parts of one run, are added up; of Maven's, whose last one is the sum, that counts.
func (r runner) find(output string) (passed, failed, skipped int, ok bool) {
	matches := r.pattern.FindAllStringSubmatch(output, -1)
	if r.name == "surefire" && len(matches) > 1 {
		matches = matches[len(matches)-1:]
	}
	for _, m := range matches {
		p, f, s := r.number(m, "passed"), r.number(m, "failed"), r.number(m, "skipped")
		if !r.each && p+f+s == 0 && r.name == "pytest" {
			continue // "in 0.1s" alone says nothing
		}
		if inclusive[r.name] {
			p = max(0, p-f-s)
		}
		passed, failed, skipped, ok = passed+p, failed+f, skipped+s, true
	}
	return passed, failed, skipped, ok
}

// number is that of a group; of a test of its own it is 1.
func (r runner) number(match []string, group string) int {
	at := r.pattern.SubexpIndex(group)
	if at < 0 || match[at] == "" {
		return 0
	}
	if r.each {
		return 1
	}
	n, err := strconv.Atoi(match[at])
	if err != nil || n > 1e6 {
		return 0
	}
	return n
}
