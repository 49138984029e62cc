package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/objects/sharedtest"
)

// sharedFiles are the transcripts of the shared material.
func sharedFiles(t *testing.T) (files []string) {
	t.Helper()
	for _, dir := range []string{"corpus", "samples"} {
		err := filepath.WalkDir(sharedtest.Dir(t, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains([]string{".jsonl", ".json"}, filepath.Ext(path)) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// runApp runs one command line in this process.
func runApp(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	streams, out, errs := terminal.Test(strings.NewReader(""))
	app := &App{
		IO:     streams,
		Lookup: func(name string) (string, bool) { return dir, name == "HOME" },
		Cwd:    dir, Now: time.Now, Random: rand.Reader,
	}
	code = app.Run(t.Context(), args)
	return code, out.String(), errs.String()
}

// TestSharedFiles puts every transcript of every agent before the commands that look. None may
// panic; what cannot be read is a clear error.
func TestSharedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts the command a thousand times")
	}
	dir := t.TempDir()
	known := []int{exitOK, exitNo, exitCorrupt, exitVersion}
	read := 0
	for _, file := range sharedFiles(t) {
		for _, args := range [][]string{
			{"log", "--all", "--graph", "--oneline"},
			{"log", "--turns", "--skipped"},
			{"branch"}, {"reflog"}, {"status", "--json"}, {"fsck", "--json"}, {"show"},
			{"context", "--explain"}, {"context", "--format", "anthropic"}, {"context", "--format", "text"},
		} {
			code, out, errs := runApp(t, dir, append([]string{"-s", file}, args...)...)
			empty := args[0] == "show" && code == exitNotFound
			if !slices.Contains(known, code) && !empty {
				t.Errorf("%s: tlog %s: exit code %d: %s", file, strings.Join(args, " "), code, errs)
			}
			if code == exitCorrupt && errs == "" {
				t.Errorf("%s: tlog %s says nothing", file, strings.Join(args, " "))
			}
			if code == exitOK && args[0] == "status" {
				read++
				if !json.Valid([]byte(out)) {
					t.Errorf("%s: status is no JSON: %.200s", file, out)
				}
			}
		}
	}
	t.Logf("%d files were read as sessions", read)
}

// TestSharedLog holds what log lists of a real pi session against its lines.
func TestSharedLog(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts the command a thousand times")
	}
	dir := t.TempDir()
	sessions := 0
	for _, file := range sharedFiles(t) {
		want := entryIDsOf(t, file)
		if !strings.Contains(filepath.ToSlash(file), "/pi/") || want == nil {
			continue
		}
		sessions++
		code, out, errs := runApp(t, dir, "-s", file, "log", "--all", "--json", "--reverse")
		if code != exitOK {
			t.Errorf("%s: exit code %d: %s", file, code, errs)
			continue
		}
		var got []string
		for line := range strings.Lines(out) {
			var entry struct{ ID string }
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				t.Fatalf("%s: %v: %.200s", file, err, line)
			}
			got = append(got, entry.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: log lists %d entries, expected %d", file, len(got), len(want))
		}
	}
	t.Logf("%d sessions", sessions)
}

// entryIDsOf are the ids of the lines of a pi session in their order, by another reader; nil if
// the file is none or has lines whose ids tlog has to make.
func entryIDsOf(t *testing.T, file string) (ids []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, line := range bytes.Split(data, []byte("\n")) {
		var entry struct{ Type, ID string }
		err := json.Unmarshal(line, &entry)
		switch {
		case i == 0 && (err != nil || entry.Type != "session"):
			return nil
		case err != nil || entry.Type == "session":
			continue
		case entry.ID == "" || seen[entry.ID]:
			return nil
		}
		seen[entry.ID] = true
		ids = append(ids, entry.ID)
	}
	return ids
}
