package codex

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

const (
	indexFile   = "session_index.jsonl"
	historyFile = "history.jsonl"
)

// nameOf is what the client's index calls a thread: the last line of an id counts (formats/codex.md section 1).
func nameOf(path, thread string) (string, error) {
	home := homeOf(path)
	if home == "" || thread == "" {
		return "", nil
	}
	index, err := readOwn(filepath.Join(home, indexFile))
	if err != nil {
		return "", err
	}
	for end := len(index); end > 0; {
		at := bytes.LastIndex(index[:end], []byte(thread))
		if at < 0 {
			break
		}
		start := bytes.LastIndexByte(index[:at], '\n') + 1
		line, _, _ := bytes.Cut(index[start:], []byte{'\n'})
		line = objects.TrimLine(line)
		if objects.StringOf(objects.MemberOf(line, "id")) == thread {
			return strings.TrimSpace(objects.StringOf(objects.MemberOf(line, "thread_name"))), nil
		}
		end = start
	}
	return "", nil
}

// readOwn reads a file of the client's; one that is not there, or is no file, is empty.
func readOwn(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil && transcript.NotThere(err) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// SideFiles implements agents.Foreign: the thread's lines of the history of prompts that were typed.
func (a Agent) SideFiles(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	return a.SideFileReader()(path, id)
}

// SideFileReader implements agents.Foreign.
func (Agent) SideFileReader() func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	shared := new(history)
	return func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
		home := homeOf(path)
		if home == "" {
			return nil, nil
		}
		thread, _, _ := strings.Cut(string(id.ID), "_")
		data, err := shared.linesOf(filepath.Join(home, historyFile), thread)
		if err != nil {
			return nil, fmt.Errorf("side files of %s: %w", path, err)
		}
		if len(data) == 0 {
			return nil, nil
		}
		return []transcript.SideFile{{Name: historyFile, Data: data}}, nil
	}
}

// NameLine implements agents.NameTarget: a line of the client's index, as it writes them itself. Its picker takes the name from there (formats/codex.md
// section 1).
func (a Agent) NameLine(env func(string) string, session objects.ID, name string, now time.Time) (file string, line []byte) {
	return filepath.Join(a.Folder(env), indexFile), objects.Object(
		objects.StringField("id", string(session)), objects.StringField("thread_name", name), objects.StringField("updated_at", now.UTC().Format(time.RFC3339Nano)))
}
