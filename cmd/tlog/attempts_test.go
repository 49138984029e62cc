package main

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tlog/cmd/tlog/internal/terminal"
)

// attemptsFile is a session in which one task is tried twice (testdata/attempts/README.md).
var attemptsFile = filepath.Join(projectRoot, "testdata", "attempts", "session.jsonl")

// attempt are the numbers of a side that do not differ from one recording to the next.
type attempt struct {
	Turns, Entries, UserWords int
	Tools                     []struct {
		Name                   string
		Calls, Failed, Pending int
	}
	Commands struct{ Run, Failed, Pending int }
	Tests    struct{ Runs, Passed, Failed, Skipped, LastPassed, LastFailed int }
	Files    []struct {
		Path                                   string
		Reads, Changes, Failed, Added, Removed int
		Created, Deleted                       bool
		Grade                                  string
	}
	Tokens struct{ Input, CacheWrite, CacheRead, Output, Reasoning, Replies int }
	Models []struct {
		ModelID string
		Replies int
	}
	Compactions int
}

// The first attempt, counted by hand in the rows 3 to 21 of the file:
//
//	turns      row 3 "Make the test pass." (4 words), row 20 "What was wrong with it?" (5 words)
//	entries    19 rows, all of them said by somebody
//	calls      Read in row 5, Bash in 6, 13, 17, Edit in 9, 11, 15
//	failed     Bash in 8 and 14 (exit code 1), Edit in 10 (text not found)
//	tests      row 8: 1 failed, 1 passed; row 14: 2 failed, 0 passed; row 18: 2 passed
//	calc.sh    read once; Edit in 11 and 15 replace one line each: +2 -2; Edit in 9 failed; sh test.sh may have changed it since
//	tokens     eight replies: rows 4 to 6 are one of them; then 9, 11, 13, 15, 17, 19, 21
//	           in           110+120+130+140+150+160+170+180 = 1160
//	           written      1+2+3+4+5+6+7+8 = 36
//	           read         1000+2000+3000+4000+5000+6000+7000+8000 = 36000
//	           out          31+32+33+34+35+36+37+38 = 276
const firstAttempt = `{
	"turns": 2, "entries": 19, "userWords": 9,
	"tools": [{"name":"Bash","calls":3,"failed":2,"pending":0},{"name":"Edit","calls":3,"failed":1,"pending":0},{"name":"Read","calls":1,"failed":0,"pending":0}],
	"commands": {"run":3,"failed":2,"pending":0},
	"tests": {"runs":3,"passed":3,"failed":3,"skipped":0,"lastPassed":2,"lastFailed":0},
	"files": [{"path":"/home/ada/calc/calc.sh","reads":1,"changes":2,"failed":1,"added":2,"removed":2,"created":false,"deleted":false,"grade":"unknown"}],
	"tokens": {"input":1160,"cacheWrite":36,"cacheRead":36000,"output":276,"reasoning":0,"replies":8},
	"models": [{"modelId":"claude-opus-5-5","replies":8}], "compactions": 0
}`

// The second one, in the rows 22 to 29:
//
//	turns      row 22 "Make the test pass." (4 words)
//	calls      Read in row 23, Write in 25, Bash in 27; none failed
//	tests      row 28: 2 passed
//	calc.sh    read once; Write in 25: of two lines the second one is replaced by two others: +2 -1
//	tokens     four replies: 23, 25, 27, 29
//	           in           210+220+230+240 = 900
//	           written      11+12+13+14 = 50
//	           read         11000+12000+13000+14000 = 50000
//	           out          41+42+43+44 = 170
const secondAttempt = `{
	"turns": 1, "entries": 8, "userWords": 4,
	"tools": [{"name":"Bash","calls":1,"failed":0,"pending":0},{"name":"Read","calls":1,"failed":0,"pending":0},{"name":"Write","calls":1,"failed":0,"pending":0}],
	"commands": {"run":1,"failed":0,"pending":0},
	"tests": {"runs":1,"passed":2,"failed":0,"skipped":0,"lastPassed":2,"lastFailed":0},
	"files": [{"path":"/home/ada/calc/calc.sh","reads":1,"changes":1,"failed":0,"added":2,"removed":1,"created":false,"deleted":false,"grade":"unknown"}],
	"tokens": {"input":900,"cacheWrite":50,"cacheRead":50000,"output":170,"reasoning":0,"replies":4},
	"models": [{"modelId":"claude-opus-5-5","replies":4}], "compactions": 0
}`

// inSession imports a transcript into a store of its own, and gives what runs commands on it.
func inSession(t *testing.T, file string) func(args ...string) string {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		streams, out, errs := terminal.Test(strings.NewReader(""))
		app := &App{IO: streams, Cwd: dir, Now: time.Now, Random: rand.Reader, Lookup: func(name string) (string, bool) {
			value, ok := map[string]string{"HOME": dir, "TLOG_DIR": filepath.Join(dir, "store")}[name]
			return value, ok
		}}
		if code := app.Run(t.Context(), args); code != exitOK {
			t.Fatalf("tlog %s: exit code %d: %s", strings.Join(args, " "), code, errs)
		}
		return out.String()
	}
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	session := strings.Fields(run("import", file))[0]
	return func(args ...string) string { return run(append([]string{"-s", session}, args...)...) }
}

// checkAttempts compares both attempts in a session with what was counted.
func checkAttempts(t *testing.T, file string) {
	t.Helper()
	tlog := inSession(t, file)
	var summary struct {
		Relation string
		Stat     struct{ A, B attempt }
	}
	if err := json.Unmarshal([]byte(tlog("diff", "--json", "--stat", oldLeaf(t, tlog), "main")), &summary); err != nil {
		t.Fatal(err)
	}
	var want struct{ A, B attempt }
	for text, to := range map[string]*attempt{firstAttempt: &want.A, secondAttempt: &want.B} {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatal(err)
		}
	}
	if summary.Relation != "graph" {
		t.Errorf("the relation is %s", summary.Relation)
	}
	if d := cmp.Diff(want.A, summary.Stat.A); d != "" {
		t.Errorf("first attempt: %s", d)
	}
	if d := cmp.Diff(want.B, summary.Stat.B); d != "" {
		t.Errorf("second attempt: %s", d)
	}
}

// oldLeaf is the tip that no branch has: the first attempt's.
func oldLeaf(t *testing.T, tlog func(...string) string) string {
	t.Helper()
	for line := range strings.Lines(tlog("branch")) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "(no branch)"); ok {
			return strings.Fields(rest)[0]
		}
	}
	t.Fatal("the session has one branch only")
	return ""
}

// Two real attempts at one task come out right to the last number, those of time too.
func TestAttempts(t *testing.T) {
	checkAttempts(t, attemptsFile)
	tlog := inSession(t, attemptsFile)
	old := oldLeaf(t, tlog)
	checkTimes(t, tlog("diff", "--json", "--stat", old, "main"))
	checkGolden(t, filepath.Join(filepath.Dir(attemptsFile), "stat.golden"), tlog("diff", "--stat", old, "main"))
	checkGolden(t, filepath.Join(filepath.Dir(attemptsFile), "diff.golden"), tlog("diff", old, "main"))
	checkGolden(t, filepath.Join(filepath.Dir(attemptsFile), "files.golden"), tlog("diff", "--files", old, "main"))
	if got := tlog("diff", "--name-status", old, "main"); got != "X\t/home/ada/calc/calc.sh\n" {
		t.Errorf("the files that differ: %q", got)
	}
}

// checkTimes compares the times of both attempts with those that were counted by hand, in this recording:
//
//	first    row 3 at 54.455 to row 21 at 55.326: 871 ms; of these the user took from row 19 at 54.860 to row 20 at 55.256: 396 ms
//	second   row 22 at 55.726 to row 29 at 55.977: 251 ms, without a prompt in it
func checkTimes(t *testing.T, summary string) {
	t.Helper()
	type side struct{ WallMilliseconds, ActiveMilliseconds int }
	var got struct{ Stat struct{ A, B side } }
	if err := json.Unmarshal([]byte(summary), &got); err != nil {
		t.Fatal(err)
	}
	if want := (side{871, 871 - 396}); got.Stat.A != want {
		t.Errorf("the times of the first attempt are %+v, expected %+v", got.Stat.A, want)
	}
	if want := (side{251, 251}); got.Stat.B != want {
		t.Errorf("the times of the second attempt are %+v, expected %+v", got.Stat.B, want)
	}
}

// checkGolden compares a text with a file; -update writes it.
func checkGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s: %s", file, d)
	}
}
