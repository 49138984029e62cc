//go:build unix

package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDiffSpeed runs the built `tlog diff`, start-up included, in turn with `tlog log --oneline` of both sides, on two branches of 100,000 and of 200,000 entries
// that say the same but in the middle, and on two sessions of these. It prints medians, ratios pair by pair, and the peak of memory:
//
//	TLOG_MEASURE=1 go test ./cmd/tlog -run DiffSpeed -v
func TestDiffSpeed(t *testing.T) {
	if os.Getenv("TLOG_MEASURE") == "" {
		t.Skip("TLOG_MEASURE is not set")
	}
	dir := t.TempDir()
	tlog := filepath.Join(dir, "tlog")
	if out, err := exec.Command("go", "build", "-o", tlog, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, kind := range []string{"one session", "two sessions"} {
		last := 0.0
		for _, entries := range []int{100_000, 200_000} {
			a, b := writeBranches(t, filepath.Join(dir, strings.ReplaceAll(kind, " ", "-")+strconv.Itoa(entries)), entries, kind == "two sessions")
			took := measureDiff(t, tlog, kind, a, b, entries)
			if last > 0 && took > 2.3*last {
				t.Errorf("%s: %d entries a side took %.1f times as long as half of them, expected at most 2.3", kind, entries, took/last)
			}
			last = took
		}
	}
}

// benchSide is a side of a comparison: the file of a session and the entry.
type benchSide struct{ file, id string }

// measureDiff gives the median of the times that the diff took, in seconds.
func measureDiff(t *testing.T, tlog, kind string, a, b benchSide, entries int) float64 {
	t.Helper()
	const rounds = 5
	spec := func(s benchSide) string { return s.file + ":" + s.id }
	var diffs, logs, ratios, peaks []float64
	for range rounds {
		diff, peak := timeCommand(t, tlog, "-s", a.file, "diff", spec(a), spec(b))
		logA, _ := timeCommand(t, tlog, "-s", a.file, "log", "--oneline", a.id)
		logB, _ := timeCommand(t, tlog, "-s", b.file, "log", "--oneline", b.id)
		diffs, logs = append(diffs, diff), append(logs, logA+logB)
		ratios, peaks = append(ratios, diff/(logA+logB)), append(peaks, peak/float64(2*entries))
	}
	took, ratio, peak := median(diffs), median(ratios), median(peaks)
	t.Logf("%s, %d entries a side: diff %.2f s, both logs %.2f s, ratio %.2f, peak %.0f bytes an entry", kind, entries, took, median(logs), ratio, peak)
	if ratio > 3 {
		t.Errorf("%s, %d entries a side: %.2f times as long as both logs, expected at most 3", kind, entries, ratio)
	}
	if peak > 1000 {
		t.Errorf("%s, %d entries a side: %.0f bytes an entry, expected at most 1000", kind, entries, peak)
	}
	return took
}

// timeCommand runs a command, and gives the seconds it took and the peak of its memory in bytes.
func timeCommand(t *testing.T, name string, args ...string) (seconds, peak float64) {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	seconds = time.Since(start).Seconds()
	if err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, stderr.String())
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return seconds, 0
	}
	if runtime.GOOS == "darwin" {
		return seconds, float64(usage.Maxrss)
	}
	return seconds, float64(usage.Maxrss) * 1024
}

// writeBranches writes two branches behind a common prompt, in one log or each with the prompt in its own. They say the same but in a fifth of the entries in the middle.
func writeBranches(t *testing.T, base string, entries int, apart bool) (a, b benchSide) {
	t.Helper()
	a.file = base + ".jsonl"
	if b.file = a.file; apart {
		b.file = base + "b.jsonl"
	}
	w := &branchWriter{rng: rand.New(rand.NewPCG(31, 32))}
	w.open(t, a.file)
	w.words = rand.New(rand.NewPCG(33, 34))
	a.id = w.branch("a", entries)
	if apart {
		w.close(t)
		w.open(t, b.file)
	}
	w.words = rand.New(rand.NewPCG(33, 34))
	b.id = w.branch("b", entries)
	w.close(t)
	return a, b
}

// branchWriter writes the lines of a session.
type branchWriter struct {
	file       *os.File
	buf        *bufio.Writer
	rng, words *rand.Rand // what each branch has for itself, and what they have in common
}

func (w *branchWriter) open(t *testing.T, path string) {
	t.Helper()
	var err error
	if w.file, err = os.Create(path); err != nil {
		t.Fatal(err)
	}
	w.buf = bufio.NewWriter(w.file)
	fmt.Fprintf(w.buf, `{"type":"session","version":4,"id":"%s","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/work"}`+"\n", filepath.Base(path))
	w.entry("prompt-"+filepath.Base(path), "null", `"role":"user","content":"begin"`)
}

func (w *branchWriter) close(t *testing.T) {
	t.Helper()
	if err := w.buf.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := w.file.Close(); err != nil {
		t.Fatal(err)
	}
}

func (w *branchWriter) entry(id, parent, message string) {
	fmt.Fprintf(w.buf, `{"type":"message","id":"%s","parentId":%s,"timestamp":"2026-11-30T10:00:00.000Z","message":{%s}}`+"\n", id, parent, message)
}

// branch writes a branch of turns with calls and results, and gives the id of its end.
func (w *branchWriter) branch(name string, entries int) (end string) {
	parent := `"prompt-` + filepath.Base(w.file.Name()) + `"`
	for i := range entries {
		end = fmt.Sprintf("0000000%s-0000-4000-8000-%012d", name, i)
		text := w.text(w.words)
		if i > entries*2/5 && i < entries*3/5 {
			text = w.text(w.rng)
		}
		w.entry(end, parent, benchMessage(i, text))
		parent = `"` + end + `"`
	}
	return end
}

func benchMessage(i int, text string) string {
	switch {
	case i%10 == 0:
		return fmt.Sprintf(`"role":"user","content":"%s"`, text)
	case i%10 == 9:
		return fmt.Sprintf(`"role":"assistant","content":[{"type":"text","text":"%s"}],"model":"m1","usage":{"input":%d,"output":10}`, text, i)
	case i%2 == 1:
		return fmt.Sprintf(`"role":"assistant","content":[{"type":"toolCall","id":"c%d","name":"bash","arguments":{"command":"%s"}}],"model":"m1","usage":{"input":%d,"output":10}`, i, text, i)
	}
	return fmt.Sprintf(`"role":"toolResult","toolCallId":"c%d","toolName":"bash","content":[{"type":"text","text":"%s"}],"isError":false`, i-1, text)
}

// text are some words, 300 bytes long.
func (w *branchWriter) text(rng *rand.Rand) string {
	words := [...]string{"parser", "line", "reads", "text", "fails", "empty", "two", "fix", "now", "test", "file", "writes", "the", "a", "and", "of"}
	var sb strings.Builder
	for sb.Len() < 300 {
		fmt.Fprintf(&sb, "%s%d ", words[rng.IntN(len(words))], rng.IntN(40))
	}
	return sb.String()
}
