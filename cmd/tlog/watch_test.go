package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// watching is a running 'tlog import --watch'.
type watching struct {
	t      *testing.T
	cmd    *exec.Cmd
	lines  chan string // of standard output
	errors *os.File
}

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// startWatch starts tlog in a project of its own.
func startWatch(t *testing.T, dir string, args ...string) *watching {
	t.Helper()
	vars, err := projectEnv(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := &watching{t: t, lines: make(chan string, 100)}
	if w.errors, err = os.CreateTemp(t.TempDir(), "stderr"); err != nil {
		t.Fatal(err)
	}
	w.cmd = exec.Command("tlog", append([]string{"import", "--watch", "--interval", "10ms"}, args...)...)
	w.cmd.Dir, w.cmd.Env, w.cmd.Stderr = dir, append(vars, "PATH="+os.Getenv("PATH")), w.errors
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.cmd.Process.Kill() })
	go func() {
		defer close(w.lines)
		for r := bufio.NewReader(out); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			w.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	return w
}

// expect waits for a line that has the text.
func (w *watching) expect(text string) {
	w.t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case line, ok := <-w.lines:
			if !ok {
				w.t.Fatalf("it ended before %q: %s", text, w.said())
			}
			if strings.Contains(line, text) {
				return
			}
			w.t.Errorf("got %q, expected %q", line, text)
		case <-deadline:
			w.t.Fatalf("no %q came: %s", text, w.said())
		}
	}
}

// said is what stands on standard error.
func (w *watching) said() string {
	data, err := os.ReadFile(w.errors.Name())
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// expectSaid waits for a text on standard error.
func (w *watching) expectSaid(text string) {
	w.t.Helper()
	for deadline := time.Now().Add(patience); !strings.Contains(w.said(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("no %q on standard error: %s", text, w.said())
		}
	}
}

// interrupt ends it as Ctrl-C does; that is no failure.
func (w *watching) interrupt() {
	w.t.Helper()
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		w.t.Fatal(err)
	}
	for range w.lines { // what is left, so that it can end
	}
	if err := w.cmd.Wait(); err != nil {
		w.t.Errorf("interrupted: %v: %s", err, w.said())
	}
}

// talk is a line of Claude Code's.
func talk(session string, n int) string {
	parent := "null"
	if n > 1 {
		parent = fmt.Sprintf(`"%s-u%d"`, session, n-1)
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"type":"user","uuid":"%s-u%d","sessionId":"%s","cwd":"/srv/shop","timestamp":"2026-01-01T10:00:%02d.000Z","message":{"role":"user","content":"say %d"}}`+"\n",
		parent, session, n, session, n, n)
}

func addTo(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = io.WriteString(f, text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, ".home", ".claude", "projects", "-srv-shop")
	if err := os.MkdirAll(kept, 0o700); err != nil {
		t.Fatal(err)
	}
	const one, two = "aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"
	first, second := filepath.Join(kept, one+".jsonl"), filepath.Join(kept, two+".jsonl")
	addTo(t, first, talk(one, 1)+talk(one, 2))
	w := startWatch(t, dir, "--agent", "claude", "--all")
	w.expect(one + "  2 new of 2 entries")
	w.expectSaid("1 session: 1 new")
	w.expectSaid("watching")

	addTo(t, first, talk(one, 3))
	w.expect(one + "  1 new of 3 entries")

	// One that comes up is taken, one that cannot be read is told of once and does not keep the others out.
	addTo(t, second, talk(two, 1))
	w.expect(two + "  1 new of 1 entries")
	bad := filepath.Join(kept, "\x1b[31mbad.jsonl")
	addTo(t, bad, "this is no transcript\n")
	w.expectSaid("bad.jsonl")

	// A line that is being written waits.
	line := talk(one, 4)
	addTo(t, first, line[:len(line)/2])
	addTo(t, second, talk(two, 2))
	w.expect(two + "  1 new of 2 entries")
	addTo(t, first, line[len(line)/2:len(line)-1])
	addTo(t, second, talk(two, 3))
	w.expect(two + "  1 new of 3 entries")
	addTo(t, first, "\n"+talk(one, 5))
	w.expect(one + "  2 new of 5 entries")

	w.interrupt()
	if said := w.said(); strings.Count(said, "bad.jsonl") != 1 || strings.Contains(said, "\x1b") {
		t.Errorf("standard error: %q", said)
	}
}

// What is watched by name need not be there yet, and may be gone again.
func TestWatchFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "later.jsonl")
	w := startWatch(t, dir, file)
	w.expectSaid("watching")
	const one = "bbbbbbbb-0000-4000-8000-000000000001"
	addTo(t, file+".part", talk(one, 1))
	if err := os.Rename(file+".part", file); err != nil {
		t.Fatal(err)
	}
	w.expect(one + "  1 new of 1 entries")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.expectSaid("is gone")
	addTo(t, file+".part", talk(one, 1)+talk(one, 2))
	if err := os.Rename(file+".part", file); err != nil {
		t.Fatal(err)
	}
	w.expect(one + "  1 new of 2 entries")
	w.interrupt()
}
