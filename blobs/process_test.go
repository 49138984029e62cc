//go:build unix

package blobs

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSixteenProcesses(t *testing.T) {
	s := newStore(t)
	var cmds []*exec.Cmd
	var starts []io.Closer
	var output [16]bytes.Buffer
	for i := range output {
		cmd := child(t, "put", s.Dir())
		cmd.Stderr = &output[i]
		start, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds, starts = append(cmds, cmd), append(starts, start)
	}
	time.Sleep(50 * time.Millisecond) // most have come to their barrier; it only makes the race tighter
	for _, start := range starts {
		_ = start.Close()
	}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, &output[i])
		}
	}
	checkOneBlob(t, s, random(7, 3<<20))
}

// A writer that is killed at any moment leaves each blob that it has named, each right, and temporary files at most.
func TestKilledWriter(t *testing.T) {
	s := newStore(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var named []string
	for range 15 {
		named = append(named, runAndKill(t, s.Dir(), time.Duration(rng.IntN(30_000))*time.Microsecond)...)
	}
	for _, name := range named {
		h, err := ParseHash(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Get(h); err != nil {
			t.Errorf("named, but: %v", err)
		}
	}
	for info, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Get(info.Hash); err != nil {
			t.Errorf("not named, but there: %v", err)
		}
	}
	t.Logf("%d named blobs, %d leftovers", len(named), len(temps(t, s)))
}

// runAndKill gives what the writer named before it died.
func runAndKill(t *testing.T, dir string, after time.Duration) (named []string) {
	t.Helper()
	cmd := child(t, "forever", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if named = append(named, strings.TrimSuffix(line, "\n")); len(named) == 1 {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the writer ended by itself")
	}
	return named
}

// The folder's lock is one between processes: a child that finds it held waits.
func TestLockHoldsBetweenProcesses(t *testing.T) {
	s := newStore(t)
	content := random(7, 3<<20)
	h, err := s.Put(content, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.openFolderAt(filepath.Dir(s.Path(h)))
	if err != nil {
		t.Fatal(err)
	}
	defer at.close()
	unlock, err := at.lock(exclusive)
	if err != nil {
		t.Fatal(err)
	}
	age(t, s.Path(h), longAgo)
	cmd := child(t, "put", s.Dir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		t.Fatalf("the child did not wait: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	// What a collection does while it holds the lock.
	if err := os.Remove(s.Path(h)); err != nil {
		t.Fatal(err)
	}
	unlock()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	checkOneBlob(t, s, content)
}
