package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tlog/blobs/disk/disktest"
)

// mutation is a command that changes a store, and what has to be done before.
type mutation struct {
	name  string
	setup []call
	call
	// again: the same command may be refused when it has been done in part.
	again []int
}

type call struct {
	args  string // separated by white space; @file is a file of world.files
	stdin string
}

const newSession = "new --name first"

// longText is more than stays in a line.
func longText(word string) string {
	return `{"role":"user","content":"` + strings.Repeat(word+" is a long text that goes into a blob ", 200) + `"}` + "\n"
}

var history = []call{
	{newSession, ""},
	{"append", `{"role":"user","content":"one"}` + "\n" + `{"role":"assistant","content":"two"}` + "\n"},
	{"append", longText("one")},
	{"branch side HEAD~1", ""},
	{"append", `{"role":"user","content":"three"}` + "\n" + `{"role":"assistant","content":"four"}` + "\n"},
}

// mutations are all commands that write to a store.
var mutations = []mutation{
	{name: "new", call: call{newSession, ""}},
	{name: "append", setup: history, call: call{"append", `{"role":"user","content":"five"}` + "\n" + longText("one") + longText("two")}},
	{name: "append to a branch", setup: history, call: call{"append --to side", `{"role":"user","content":"five"}` + "\n"}},
	{name: "append --stream", setup: history, call: call{"append --stream", strings.Repeat(`{"role":"user","content":"more"}`+"\n", 5) + longText("two")}},
	{name: "checkout", setup: history, call: call{"checkout HEAD~2", ""}},
	{name: "checkout -b", setup: history, call: call{"checkout -b other HEAD~2", ""}, again: []int{exitUsage, exitRefused}},
	{name: "branch", setup: history, call: call{"branch other", ""}, again: []int{exitUsage, exitRefused}},
	{name: "branch -m", setup: history, call: call{"branch -m side renamed", ""}, again: []int{exitNotFound, exitUsage}},
	{name: "branch -d", setup: history, call: call{"branch -D side", ""}, again: []int{exitNotFound}},
	{name: "label", setup: history, call: call{"label good HEAD~1", ""}, again: []int{exitUsage, exitRefused}},
	{name: "undo", setup: history, call: call{"undo", ""}},
	{name: "redo", setup: append(slices.Clone(history), call{"undo", ""}), call: call{"redo", ""}, again: []int{exitNo, exitNotFound, exitUsage, exitRefused}},
	{name: "cherry-pick", setup: history, call: call{"cherry-pick main --onto side", ""}},
	{name: "import pi", call: call{"import @v3.jsonl", ""}},
	{name: "import an old file", call: call{"import @v1.jsonl", ""}},
	{name: "import claude", call: call{"import @tools.jsonl", ""}},
	{name: "import what has grown", setup: []call{{"import @grows.jsonl", ""}, {"!grow", ""}}, call: call{"import @grows.jsonl", ""}},
	{name: "import what was rewritten", setup: []call{{"import @grows.jsonl", ""}, {"!rewrite", ""}}, call: call{"import @grows.jsonl", ""}},
	{
		name:  "import what was rewritten twice",
		setup: []call{{"import @grows.jsonl", ""}, {"!rewrite", ""}, {"import @grows.jsonl", ""}, {"!rewrite again", ""}},
		call:  call{"import @grows.jsonl", ""},
	},
	{name: "export", setup: history, call: call{"export", ""}},
	{name: "migrate", setup: []call{{"!oldlog", ""}}, call: call{"migrate", ""}},
	{name: "repair", setup: history, call: call{"repair", ""}},
	{name: "use", setup: history, call: call{"use HEAD-SESSION", ""}},
	{name: "project alias", setup: history, call: call{"project alias /srv/gone .", ""}, again: []int{exitUsage, exitRefused}},
	{name: "gc", setup: append(slices.Clone(history), call{"!garbage", ""}), call: call{"gc --prune", ""}},
}

// crashes is how many of the states are looked at that one crash can leave.
func crashes() int {
	if testing.Short() {
		return 2
	}
	return 20
}

// Every command that writes is stopped at each of its operations, by an error and by a crash: all that was acknowledged before is there, what it
// itself has acknowledged too, the store reads, and the command can be given again (docs/reliability.md).
func TestFaults(t *testing.T) {
	for _, m := range mutations {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			base := newWorld(t)
			base.prepare(m)
			base.seed = 99
			before := base.read("before")
			calls, after := base.undisturbed(m)
			for n := range len(calls) {
				how := fmt.Sprintf("%s, operation %d of %d, %s", m.name, n+1, len(calls), calls[n])
				for _, fault := range []error{syscall.ENOSPC, syscall.EIO} {
					base.fails(m, n+1, fault, how, before)
				}
				base.crashes(m, n+1, how, before)
				if t.Failed() {
					t.FailNow()
				}
			}
			base.crashes(m, len(calls)+1, m.name+", done", after)
		})
	}
}

// undisturbed does the mutation on a copy, and gives its operations and what the store holds then.
func (w world) undisturbed(m mutation) (calls []string, after facts) {
	w.t.Helper()
	c := w.copyTo(filepath.Join(w.t.TempDir(), "store"))
	fsys := c.faulty()
	c.fs = fsys
	code, out, errs := c.run(m.call)
	if code != exitOK {
		w.t.Fatalf("%s: exit code %d: %s", m.args, code, errs)
	}
	if len(fsys.Calls()) == 0 {
		w.t.Fatalf("%s does nothing", m.args)
	}
	c.printed("undisturbed", out)
	return fsys.Calls(), c.read("undisturbed")
}

func (w world) faulty() *disktest.FS {
	w.t.Helper()
	fsys, err := disktest.New(w.root)
	if err != nil {
		w.t.Fatal(err)
	}
	return fsys
}

// fails makes one operation fail.
func (w world) fails(m mutation, n int, fault error, how string, before facts) {
	w.t.Helper()
	how = fmt.Sprintf("%s fails: %v", how, fault)
	c := w.copyTo(filepath.Join(w.t.TempDir(), "store"))
	fsys := c.faulty()
	fsys.FailAt(n, fault)
	c.fs = fsys
	code, out, errs := c.run(m.call)
	if code != exitOK && !strings.Contains(errs, fault.Error()) {
		w.t.Errorf("%s: the error does not say so: %s", how, errs)
	}
	c.fs = nil
	c.holds(how, before)
	c.printed(how, out)
	c.goesOn(m, how, before)
}

// crashes stops the machine before one operation.
func (w world) crashes(m mutation, n int, how string, want facts) {
	w.t.Helper()
	c := w.copyTo(filepath.Join(w.t.TempDir(), "store"))
	fsys := c.faulty()
	fsys.FreezeAt(n)
	c.fs = fsys
	_, out, _ := c.run(m.call)
	for seed := range crashes() {
		clone := c
		clone.fs, clone.crashed, clone.root = nil, true, filepath.Join(w.t.TempDir(), "store")
		if err := fsys.Crash(rand.New(rand.NewPCG(uint64(n), uint64(seed))), clone.root); err != nil {
			w.t.Fatal(err)
		}
		how := fmt.Sprintf("%s: crash %d", how, seed)
		clone.holds(how, want)
		clone.printed(how, out)
		clone.goesOn(m, how, want)
	}
}

// goesOn checks that the command can be given again, and that the store holds what it held.
func (w world) goesOn(m mutation, how string, want facts) {
	w.t.Helper()
	w.seed = 7
	code, out, errs := w.run(m.call)
	if code != exitOK && !slices.Contains(m.again, code) {
		w.t.Errorf("%s: given again: exit code %d: %s", how, code, errs)
	}
	w.holds(how+": given again", want)
	w.printed(how+": given again", out)
}
