package tally

import (
	"strings"
	"testing"
)

// What runners say, in words written for this test after their form.
func TestRunners(t *testing.T) {
	for name, test := range map[string]struct {
		output string
		want   TestCount
	}{
		"go":                       {"ok  \texample.com/a\t0.010s\nFAIL\texample.com/b\t0.2s\nok  \texample.com/c\t(cached)\n?   \texample.com/d\t[no test files]\nFAIL\n", TestCount{Runs: 1, Passed: 2, Failed: 1, LastPassed: 2, LastFailed: 1}},
		"go, a test named":         {"--- FAIL: TestB (0.01s)\n    b_test.go:3: no\nFAIL\nFAIL\texample.com/b\t0.2s\nok  \texample.com/c\t0.1s\tcoverage: 50.0% of statements\nFAIL\n", TestCount{Runs: 1, Passed: 1, Failed: 1, LastPassed: 1, LastFailed: 1}},
		"go, a build":              {"# example.com/b\nb.go:3:1: no\nFAIL\texample.com/b [build failed]\nok  \texample.com/c\t0.1s\nok  \texample.com/d\t0.1s [no tests to run]\nFAIL\n", TestCount{Runs: 1, Passed: 1, Failed: 1, LastPassed: 1, LastFailed: 1}},
		"go, all cached":           {"ok  \texample.com/a\t(cached)\n", TestCount{Runs: 1, Passed: 1, LastPassed: 1}},
		"go, cut to what failed":   {"--- FAIL: TestB (0.01s)\n    --- FAIL: TestB/sub (0.01s)\n--- FAIL: TestC (0.01s)\n", TestCount{Runs: 1, Failed: 2, LastFailed: 2}},
		"go -v":                    {"=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/sub (0.00s)\n--- FAIL: TestB (0.01s)\n--- SKIP: TestC (0.00s)\nFAIL\nFAIL\texample.com/a\t0.010s\n", TestCount{Runs: 1, Passed: 1, Failed: 1, Skipped: 1, LastPassed: 1, LastFailed: 1}},
		"go -v, cut to what ended": {"--- PASS: TestA (0.00s)\nok  \texample.com/a\t0.010s\n--- PASS: TestB (0.00s)\nok  \texample.com/b\t0.010s\n", TestCount{Runs: 1, Passed: 2, LastPassed: 2}},
		"go -json":                 {"{\"Time\":\"2026-01-01T00:00:00Z\",\"Action\":\"run\",\"Package\":\"a\",\"Test\":\"TestA\"}\n{\"Time\":\"2026-01-01T00:00:00Z\",\"Action\":\"output\",\"Package\":\"a\",\"Test\":\"TestA\",\"Output\":\"--- PASS: TestA (0.00s)\\n\"}\n{\"Time\":\"2026-01-01T00:00:00Z\",\"Action\":\"pass\",\"Package\":\"a\",\"Test\":\"TestA/sub\",\"Elapsed\":0}\n{\"Time\":\"2026-01-01T00:00:00Z\",\"Action\":\"pass\",\"Package\":\"a\",\"Test\":\"TestA\",\"Elapsed\":0}\n{\"Action\":\"fail\",\"Package\":\"a\",\"Test\":\"TestB\",\"Elapsed\":0.1}\n{\"Action\":\"skip\",\"Package\":\"a\",\"Test\":\"TestC\"}\n{\"Action\":\"fail\",\"Package\":\"a\",\"Elapsed\":0.2}\n", TestCount{Runs: 1, Passed: 1, Failed: 1, Skipped: 1, LastPassed: 1, LastFailed: 1}},
		"node":                     {"TAP version 13\nok 1 - a\n1..2\n# tests 2\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 3\n", TestCount{Runs: 1, Passed: 1, Failed: 1, LastPassed: 1, LastFailed: 1}},
		"node, spec":               {"✔ a (0.1ms)\nℹ tests 5\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 1\nℹ skipped 2\nℹ todo 1\nℹ duration_ms 3\n", TestCount{Runs: 1, Passed: 1, Failed: 1, Skipped: 3, LastPassed: 1, LastFailed: 1}},
		"tape":                     {"1..3\n# tests 3\n# pass  2\n# fail  1\n", TestCount{Runs: 1, Passed: 2, Failed: 1, LastPassed: 2, LastFailed: 1}},
		"tape, all well":           {"1..3\n# tests 3\n# pass  3\n\n# ok\n", TestCount{Runs: 1, Passed: 3, LastPassed: 3}},
		"jest":                     {"Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 2 skipped, 1 todo, 11 passed, 15 total\nTime: 1 s\n", TestCount{Runs: 1, Passed: 11, Failed: 1, Skipped: 3, LastPassed: 11, LastFailed: 1}},
		"jest, coloured":           {"\x1b[1mTests:       \x1b[22m\x1b[32m3 passed\x1b[39m, 3 total\r\n", TestCount{Runs: 1, Passed: 3, LastPassed: 3}},
		"vitest":                   {" Test Files  1 failed (1)\n      Tests  1 failed | 11 passed | 2 skipped | 1 todo (15)\n", TestCount{Runs: 1, Passed: 11, Failed: 1, Skipped: 3, LastPassed: 11, LastFailed: 1}},
		"vitest, all well":         {" \x1b[2mTest Files \x1b[22m \x1b[32m1 passed\x1b[39m (1)\n\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m12 passed\x1b[39m\x1b[22m\x1b[90m (12)\x1b[39m\n", TestCount{Runs: 1, Passed: 12, LastPassed: 12}},
		"mocha":                    {"\n  12 passing (30ms)\n  2 pending\n  1 failing\n\n  1) a\n", TestCount{Runs: 1, Passed: 12, Failed: 1, Skipped: 2, LastPassed: 12, LastFailed: 1}},
		"mocha, none passed":       {"  0 passing (3ms)\n  1 failing\n", TestCount{Runs: 1, Failed: 1, LastFailed: 1}},
		"pytest":                   {"..F\n=========== 1 failed, 11 passed, 2 skipped, 1 xfailed, 3 warnings, 1 error in 0.12s ===========\n", TestCount{Runs: 1, Passed: 11, Failed: 2, Skipped: 2, LastPassed: 11, LastFailed: 2}},
		"pytest -q":                {"...\n3 passed in 0.01s\n", TestCount{Runs: 1, Passed: 3, LastPassed: 3}},
		"pytest, long":             {"=== 3 passed, 1 warning in 61.50s (0:01:01) ===\n", TestCount{Runs: 1, Passed: 3, LastPassed: 3}},
		"pytest, an error alone":   {"=== 1 error in 0.05s ===\n", TestCount{Runs: 1, Failed: 1, LastFailed: 1}},
		"pytest, written over":     {"\r collecting 3 items\r                   \r3 passed in 0.01s\r\n", TestCount{Runs: 1, Passed: 3, LastPassed: 3}},
		"unittest":                 {"----\nRan 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n", TestCount{Runs: 1, Passed: 2, Failed: 2, Skipped: 1, LastPassed: 2, LastFailed: 2}},
		"unittest, all well":       {"----\nRan 1 test in 0.001s\n\nOK\n", TestCount{Runs: 1, Passed: 1, LastPassed: 1}},
		"cargo":                    {"test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n", TestCount{Runs: 1, Passed: 4, Failed: 2, Skipped: 1, LastPassed: 4, LastFailed: 2}},
		"rspec":                    {"12 examples, 1 failure, 2 pending\n", TestCount{Runs: 1, Passed: 9, Failed: 1, Skipped: 2, LastPassed: 9, LastFailed: 1}},
		"minitest":                 {"12 runs, 20 assertions, 1 failures, 1 errors, 2 skips\n", TestCount{Runs: 1, Passed: 8, Failed: 2, Skipped: 2, LastPassed: 8, LastFailed: 2}},
		"surefire, two modules":    {"[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in a.B\n[INFO] Results:\n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n[ERROR] Tests run: 12, Failures: 1, Errors: 1, Skipped: 2\n", TestCount{Runs: 1, Passed: 10, Failed: 2, Skipped: 2, LastPassed: 10, LastFailed: 2}},
		"junit 4":                  {"Time: 0.01\n\nOK (3 tests)\n", TestCount{Runs: 1, Passed: 3, LastPassed: 3}},
		"junit 4, failed":          {"FAILURES!!!\nTests run: 3,  Failures: 1\n", TestCount{Runs: 1, Passed: 2, Failed: 1, LastPassed: 2, LastFailed: 1}},
		"junit 5":                  {"[         5 tests found           ]\n[         1 tests skipped         ]\n[         4 tests started         ]\n[         1 tests aborted         ]\n[         2 tests successful      ]\n[         1 tests failed          ]\n", TestCount{Runs: 1, Passed: 2, Failed: 1, Skipped: 2, LastPassed: 2, LastFailed: 1}},
		"gradle":                   {"12 tests completed, 1 failed, 2 skipped\n", TestCount{Runs: 1, Passed: 9, Failed: 1, Skipped: 2, LastPassed: 9, LastFailed: 1}},
		"dotnet":                   {"Failed!  - Failed:     1, Passed:    11, Skipped:     2, Total:    14, Duration: 1 s\nPassed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 1 s\n", TestCount{Runs: 1, Passed: 14, Failed: 1, Skipped: 2, LastPassed: 14, LastFailed: 1}},
		"dotnet, a summary":        {"Test summary: total: 14, failed: 1, succeeded: 11, skipped: 2, duration: 1.0s\n", TestCount{Runs: 1, Passed: 11, Failed: 1, Skipped: 2, LastPassed: 11, LastFailed: 1}},
		"phpunit":                  {"OK (12 tests, 20 assertions)\n", TestCount{Runs: 1, Passed: 12, LastPassed: 12}},
		"phpunit, failed":          {"FAILURES!\nTests: 12, Assertions: 20, Errors: 1, Failures: 1, Warnings: 3, Skipped: 2, Incomplete: 1.\n", TestCount{Runs: 1, Passed: 7, Failed: 2, Skipped: 3, LastPassed: 7, LastFailed: 2}},
		"bun":                      {" 11 pass\n 2 skip\n 1 todo\n 1 fail\n 20 expect() calls\n", TestCount{Runs: 1, Passed: 11, Failed: 1, Skipped: 3, LastPassed: 11, LastFailed: 1}},
		"deno":                     {"ok | 11 passed (2 steps) | 1 failed | 2 ignored (1s)\n", TestCount{Runs: 1, Passed: 11, Failed: 1, Skipped: 2, LastPassed: 11, LastFailed: 1}},
		"linked":                   {"\x1b]8;;file:///a\x07\x1b]8;;\x1b\\3 passed in 0.01s\n", TestCount{Runs: 1, Passed: 3, LastPassed: 3}},
		"prose":                    {"I ran 3 tests and 2 passed in 0.1s, then 1 failed.\nTests: all 12 of them\n", TestCount{}},
		"a listing":                {"ok\nFAIL\n-rw-r--r-- 1 a a 12 tests.go\nfinished in 0.10s\n", TestCount{}},
		"nothing":                  {"", TestCount{}},
		"no tests":                 {"no tests ran in 0.01s\n2 deselected in 0.01s\nok  \texample.com/a\t0.1s [no tests to run]\n", TestCount{}},
		"a cut line":               {"1" + strings.Repeat("2 passed in 0.1s ", maxOutput/17+1) + "2 passed in 0.1s", TestCount{}},
		"long":                     {strings.Repeat("x\n", maxOutput) + "2 passed in 0.1s\n", TestCount{Runs: 1, Passed: 2, LastPassed: 2}},
	} {
		var got TestCount
		got.take(test.output)
		if got != test.want {
			t.Errorf("%s: got %+v, expected %+v", name, got, test.want)
		}
	}
	var twice TestCount
	twice.take("1 failed, 2 passed in 0.1s\n")
	twice.take("3 passed in 0.1s\n")
	if want := (TestCount{Runs: 2, Passed: 5, Failed: 1, LastPassed: 3}); twice != want {
		t.Errorf("two runs: got %+v, expected %+v", twice, want)
	}
}

func FuzzRunners(f *testing.F) {
	f.Add("ok  \ta\t0.1s\n")
	f.Add("1 failed, 2 passed in 0.1s\n")
	f.Fuzz(func(t *testing.T, output string) {
		var got TestCount
		got.take(output)
		if got.Runs > 1 || got.Passed < 0 || got.Failed < 0 || got.Skipped < 0 || got.Runs == 0 && got != (TestCount{}) {
			t.Fatalf("got %+v", got)
		}
	})
}

// TestPatternsCompile asks for every pattern: they are made when they are needed.
func TestPatternsCompile(t *testing.T) {
	for _, r := range runners {
		if r.pattern().NumSubexp() == 0 {
			t.Errorf("%s counts nothing", r.name)
		}
	}
}
