package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// options are those of a measurement.
type options struct {
	dir, corpus, pi string
	size            int64
	runs            int
}

// row is a comparison: what tlog does beside what something else does, in turn.
type row struct {
	what       string
	tlog, peer []string // command lines
	beside     string   // what peer is, if its command line does not tell
	bound      float64  // what the ratio of tlog to peer is to be at most; 0 for none
	slow       bool     // run a third as often
}

// outcome is what came of runs of one command.
type outcome struct {
	wall []time.Duration
	peak int64 // the most resident memory of any run, in kB
}

func (o outcome) median() time.Duration {
	slices.Sort(o.wall)
	return o.wall[len(o.wall)/2]
}

// measure makes what is needed and prints the table of docs/performance.md.
func measure(opt options, out io.Writer) error {
	if opt.dir == "" {
		dir, err := os.MkdirTemp("", "tlog-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		opt.dir = dir
	}
	rows, err := prepare(&opt)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| what | beside | tlog | other | ratio | at most | peak |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, r := range rows {
		if err := r.print(out, opt.runs); err != nil {
			return err
		}
	}
	return appends(out, opt)
}

// print runs both sides of a row in turn, so that what else the machine does falls on both.
func (r row) print(out io.Writer, runs int) error {
	if r.slow {
		runs = max(1, runs/3)
	}
	var ours, theirs outcome
	for range runs {
		if err := errors.Join(ours.run(r.tlog, 0, 1), theirs.run(r.peer, 0)); err != nil {
			return fmt.Errorf("%s: %w", r.what, err)
		}
	}
	bound := "-"
	if r.bound > 0 {
		bound = fmt.Sprintf("%.2g", r.bound)
	}
	_, err := fmt.Fprintf(out, "| %s | %s | %s | %s | %.3g | %s | %d MB |\n", r.what, cmp.Or(r.beside, "`"+strings.Join(short(r.peer), " ")+"`"), ours.median().Round(100*time.Microsecond),
		theirs.median().Round(100*time.Microsecond), float64(ours.median())/float64(theirs.median()), bound, ours.peak/1024)
	return err
}

// short is a command line without the folders of its files.
func short(args []string) []string {
	var words []string
	for _, arg := range args {
		if strings.HasPrefix(arg, "/") {
			arg = filepath.Base(arg)
		}
		words = append(words, arg)
	}
	return words
}

// run runs a command once, which has to end with one of the exit codes: fsck finds something, which is no failure.
func (o *outcome) run(args []string, codes ...int) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = io.Discard
	begun := time.Now()
	err := cmd.Run()
	o.wall = append(o.wall, time.Since(begun))
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.peak = max(o.peak, int64(usage.Maxrss))
	}
	if slices.Contains(codes, cmd.ProcessState.ExitCode()) {
		return nil
	}
	return err
}

// prepare builds tlog, makes the sessions and repositories, and gives the rows.
func prepare(opt *options) ([]row, error) {
	at := func(name string) string { return filepath.Join(opt.dir, name) }
	tlog, big, small := at("tlog"), at("big.jsonl"), at("small.jsonl")
	if err := command(".", "go", "build", "-o", tlog, "./cmd/tlog"); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for file, size := range map[string]int64{big: opt.size, small: opt.size / 100} {
		if _, err := os.Stat(file); err == nil {
			continue
		}
		// In a process of its own: what this one has in memory counts as the peak of every program that it starts.
		if err := command(".", self, "generate", "-size", strconv.FormatInt(size, 10), file); err != nil {
			return nil, err
		}
	}
	entries, err := countLines(big)
	if err != nil {
		return nil, err
	}
	for dir, commits := range map[string]int{at("one.git"): 1, at("many.git"): entries} {
		if err := repository(dir, commits); err != nil {
			return nil, err
		}
	}
	on := func(file string, args ...string) []string { return append([]string{tlog, "-s", file}, args...) }
	last := []string{"git", "-C", at("one.git"), "log", "-1"}
	graph := []string{"log", "--graph", "--all", "--oneline", "-n", "20"}
	rows := []row{
		{what: "`log -n 20`", tlog: on(big, "log", "--oneline", "-n", "20"), peer: []string{"wc", "-l", big}, bound: 5},
		{what: "`status`", tlog: on(big, "status"), peer: last, bound: 3},
		{what: "`show HEAD~1000`", tlog: on(big, "show", "HEAD~1000"), peer: last, bound: 3},
		{what: "`rev-parse HEAD~1000`", tlog: on(big, "rev-parse", "HEAD~1000"), peer: last, bound: 3},
		{what: "`branch`", tlog: on(big, "branch"), peer: last, bound: 3},
		{what: "`log -n 20`, 1/100 of the size", tlog: on(small, "log", "--oneline", "-n", "20"), peer: last, bound: 3},
		{what: "`log --graph --all -n 20`", tlog: on(big, graph...), peer: append([]string{"git", "-C", at("many.git")}, graph...), bound: 0.01},
		{what: "`fsck`", tlog: on(big, "fsck"), peer: []string{"jq", "-c", ".", big}, bound: 1.0 / 6, slow: true},
		{what: "`version`", tlog: []string{tlog, "version"}, peer: last},
	}
	if opt.pi != "" {
		rows = append(rows, piRow(*opt, on(big, "log", "--oneline", "-n", "20"), big))
	}
	if opt.corpus != "" {
		row, err := corpusRow(*opt, self, tlog)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// command runs a program that must succeed.
func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
