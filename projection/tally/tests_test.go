package tally

import "testing"

// What runners say, in words written for this test after their form.
func TestRunners(t *testing.T) {
	for name, test := range map[string]struct {
		output string
		want   TestCount
	}{
		"go":             {"ok  \texample.com/a\t0.010s\nFAIL\texample.com/b\t0.2s\nok  \texample.com/c\t(cached)\n?   \texample.com/d\t[no test files]\nFAIL\n", TestCount{Runs: 1, Passed: 2, Failed: 1, LastPassed: 2, LastFailed: 1}},
		"go -v":          {"=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/sub (0.00s)\n--- FAIL: TestB (0.01s)\n--- SKIP: TestC (0.00s)\nFAIL\nFAIL\texample.com/a\t0.010s\n", TestCount{Runs: 1, Passed: 1, Failed: 1, Skipped: 1, LastPassed: 1, LastFailed: 1}},
		"node":           {"TAP version 13\nok 1 - a\n1..2\n# tests 2\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n", TestCount{Runs: 1, Passed: 1, Failed: 1, LastPassed: 1, LastFailed: 1}},
		"node, spec":     {"✔ a (0.1ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\n", TestCount{Runs: 1, Passed: 1, LastPassed: 1}},
		"jest":           {"Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 2 skipped, 11 passed, 14 total\nTime: 1 s\n", TestCount{Runs: 1, Passed: 11, Failed: 1, Skipped: 2, LastPassed: 11, LastFailed: 1}},
		"jest, coloured": {"\x1b[1mTests:       \x1b[22m\x1b[32m3 passed\x1b[39m, 3 total\r\n", TestCount{Runs: 1, Passed: 3, LastPassed: 3}},
		"vitest":         {" Test Files  1 failed (1)\n      Tests  1 failed | 11 passed (12)\n", TestCount{Runs: 1, Passed: 11, Failed: 1, LastPassed: 11, LastFailed: 1}},
		"mocha":          {"\n  12 passing (30ms)\n  1 failing\n", TestCount{Runs: 1, Passed: 12, Failed: 1, LastPassed: 12, LastFailed: 1}},
		"pytest":         {"..F\n=========== 1 failed, 11 passed, 2 skipped in 0.12s ===========\n", TestCount{Runs: 1, Passed: 11, Failed: 1, Skipped: 2, LastPassed: 11, LastFailed: 1}},
		"pytest -q":      {"...\n3 passed in 0.01s\n", TestCount{Runs: 1, Passed: 3, LastPassed: 3}},
		"unittest":       {"----\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n", TestCount{Runs: 1, Passed: 2, Failed: 1, LastPassed: 2, LastFailed: 1}},
		"cargo":          {"test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n", TestCount{Runs: 1, Passed: 4, Failed: 2, Skipped: 1, LastPassed: 4, LastFailed: 2}},
		"rspec":          {"12 examples, 1 failure, 2 pending\n", TestCount{Runs: 1, Passed: 9, Failed: 1, Skipped: 2, LastPassed: 9, LastFailed: 1}},
		"surefire":       {"[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 2\n", TestCount{Runs: 1, Passed: 9, Failed: 1, Skipped: 2, LastPassed: 9, LastFailed: 1}},
		"dotnet":         {"Failed!  - Failed:     1, Passed:    11, Skipped:     2, Total:    14, Duration: 1 s\n", TestCount{Runs: 1, Passed: 11, Failed: 1, Skipped: 2, LastPassed: 11, LastFailed: 1}},
		"phpunit":        {"OK (12 tests, 20 assertions)\n", TestCount{Runs: 1, Passed: 12, LastPassed: 12}},
		"bun":            {" 11 pass\n 1 fail\n 20 expect() calls\n", TestCount{Runs: 1, Passed: 11, Failed: 1, LastPassed: 11, LastFailed: 1}},
		"deno":           {"ok | 11 passed | 0 failed (1s)\n", TestCount{Runs: 1, Passed: 11, LastPassed: 11}},
		"prose":          {"I ran 3 tests and 2 passed in 0.1s, then 1 failed.\nTests: all 12 of them\n", TestCount{}},
		"a listing":      {"ok\nFAIL\n-rw-r--r-- 1 a a 12 tests.go\nfinished in 0.10s\n", TestCount{}},
		"nothing":        {"", TestCount{}},
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
