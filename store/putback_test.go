package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/claude"
	"tlog/log"
	"tlog/objects"
	"tlog/store"
)

// TestPutBack puts a session back whose transcript, with what belongs to it, is gone.
func TestPutBack(t *testing.T) {
	f := newForeign(t)
	folder := strings.TrimSuffix(f.path, ".jsonl")
	files := map[string]string{
		filepath.Join(folder, "tool-results", "a.txt"):                   "long",
		filepath.Join(folder, "tool-results", "b.bin"):                   "\x00\xff",
		filepath.Join(folder, "subagents", "agent-ab.jsonl"):             `{"parentUuid":null,"type":"user","isSidechain":true,"agentId":"ab","uuid":"w1","message":{"role":"user","content":"x"}}` + "\n",
		filepath.Join(folder, "subagents", "agent-ab.meta.json"):         `{"toolUseId":"c1"}`,
		filepath.Join(folder, "subagents", "deep", "agent-cd.jsonl"):     `{"parentUuid":null,"type":"user","isSidechain":true,"agentId":"cd","uuid":"w2","message":{"role":"user","content":"y"}}`,
		filepath.Join(folder, "subagents", "deep", "agent-cd.meta.json"): `{}`,
	}
	for path, content := range files {
		writeFile(t, path, []byte(content))
	}
	data := []byte(row("u1", "", "hello") + "\n\x00\n" + row("u2", "u1", "there")) // no "\n" at its end
	got := f.put(data)
	files[f.path] = string(data)
	if err := os.RemoveAll(filepath.Dir(f.path)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		session := open(t, got.File)
		done, err := f.s.PutBack(session)
		if err != nil {
			t.Fatal(err)
		}
		if done.Written != want || len(done.Files) != len(files)-1 || done.Path != f.path || done.Session != got.Session {
			t.Errorf("round %d: %+v", i, done)
		}
		for _, file := range done.Files {
			if file.Written != want {
				t.Errorf("round %d: %+v", i, file)
			}
		}
		for path, content := range files {
			if got := readFile(t, path); string(got) != content {
				t.Errorf("%s: %q, expected %q", path, got, content)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v %v", path, info.Mode(), err)
			}
		}
	}
	if again := importFile(t, f.s, f.path, f.cwd); again.New != 0 || again.State != store.SourceCurrent {
		t.Errorf("imported again: %+v", again)
	}
	writeFile(t, f.path, data[:20])
	if _, err := f.s.PutBack(open(t, got.File)); !errors.Is(err, objects.ErrRefused) || !bytes.Equal(readFile(t, f.path), data[:20]) {
		t.Errorf("over another one: %v", err)
	}
}

// TestPutBackStaysAway: a log may come from anywhere, so neither its source's path nor the names of side files lead to what is no transcript's.
func TestPutBackStaysAway(t *testing.T) {
	s, _ := newStore(t)
	root := t.TempDir()
	for name, source := range map[string]string{
		"a program's file": `{"path":"` + filepath.Join(root, ".bashrc") + `"}`,
		"a relative path":  `{"path":"x.jsonl"}`,
		"no path":          `{}`,
	} {
		file := filepath.Join(t.TempDir(), "s1.jsonl")
		if err := log.WriteFile(file, objects.Header{ID: "s1", Agent: claude.Name, Source: []byte(source)}, nil, options(1).Write); err != nil {
			t.Fatal(err)
		}
		if _, err := s.PutBack(open(t, file)); !errors.Is(err, objects.ErrRefused) && !errors.Is(err, objects.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"tool-results/../../../x", "tool-results/a/../../../x", "tool-results/..", "tool-results/", "/etc/x", "../x", "history.jsonl", "paste-cache/ab.txt", "tool-results/a\x00b", ""} {
		if file, ok := (claude.Agent{}).Beside(filepath.Join(root, "s1.jsonl"), name); ok {
			t.Errorf("%q lies at %s", name, file)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
		t.Errorf("%v %v", entries, err)
	}
}
