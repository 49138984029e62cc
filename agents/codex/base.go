package codex

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Base implements agents.Based: what a paginated rollout goes on from by reference (formats/codex.md sections 6 and 7). It is looked
// for beside the rollout, and in the client's folder that this lies in. The error is one of reading.
func (a Agent) Base(path string, head []byte) (transcript.Base, error) {
	base, err := a.base(path, head)
	if err != nil {
		return transcript.Base{}, fmt.Errorf("history base of %s: %w", path, err)
	}
	return base, nil
}

func (a Agent) base(path string, head []byte) (base transcript.Base, err error) {
	m, err := metaOf(path, head)
	if err != nil || m.base == "" {
		return base, err
	}
	var parts []part // the newest first
	seen := map[string]bool{path: true}
	for m.base != "" {
		file, err := findRollout(path, m.base)
		if err != nil {
			return base, err
		}
		if file == "" || seen[file] {
			base.Missing = objects.ID(m.base)
			if !base.Missing.Valid() {
				base.Missing = "unknown"
			}
			break
		}
		seen[file] = true
		base.Files = append(base.Files, file)
		data, err := readAll(file)
		if err != nil {
			return base, err
		}
		next := readMeta(data[:min(len(data), maxHead)])
		thread, segment := fileIDs(file)
		parts = append(parts, part{sessionID(next.id, thread, segment), before(data, m.baseEnd)})
		path, m = file, next
	}
	return base, readParts(&base, parts)
}

// part is what a rollout gives to those that go on from it.
type part struct {
	session objects.ID
	data    []byte
}

// readParts reads the parts, the newest first, as they are read when their own rollouts are imported.
func readParts(base *transcript.Base, parts []part) error {
	for _, p := range slices.Backward(parts) {
		r := NewReader(p.session)
		if base.Missing != "" {
			r.MissingBase(base.Missing)
		}
		for _, v := range base.Lines {
			e, err := objects.ParseEntry(v.Bytes())
			if err != nil {
				return err
			}
			r.Known(e)
		}
		for _, v := range r.Read(p.data) {
			v.Base = p.session
			base.Lines = append(base.Lines, v)
		}
	}
	return nil
}

// before gives the lines of a rollout up to the first one with that ordinal or a higher one.
func before(data []byte, end int64) []byte {
	at := 0
	for line := range bytes.Lines(data) {
		if n, ok := ordinalOf(objects.TrimLine(bytes.TrimSuffix(line, []byte{'\n'}))); ok && n >= end {
			break
		}
		at += len(line)
	}
	return data[:at]
}

func readAll(path string) (data []byte, err error) {
	f, info, err := transcript.Open(path)
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(io.NewSectionReader(f, 0, info.Size()))
	return data, errors.Join(err, f.Close())
}

// findRollout looks for the rollout of a thread or a segment; empty if there is none. A thread's own rollout comes before a segment of that
// name, as the client has it.
func findRollout(near, id string) (string, error) {
	if strings.ContainsAny(id, `/\`) {
		return "", nil
	}
	entries, err := os.ReadDir(filepath.Dir(near))
	if err != nil && !transcript.NotThere(err) {
		return "", err
	}
	best, rank := "", 0
	for _, entry := range entries {
		path := filepath.Join(filepath.Dir(near), entry.Name())
		if n := fits(entry.Name(), id); n > rank && transcript.IsFile(path, entry) {
			best, rank = path, n
		}
	}
	home := homeOf(near)
	if rank > 0 || home == "" {
		return best, nil
	}
	err = eachRollout(home, func(path string) {
		if n := fits(filepath.Base(path), id); n > rank {
			best, rank = path, n
		}
	})
	if best != "" {
		err = nil
	}
	return best, err
}

// fits tells how well a file's name fits a thread or segment: 2 for the thread, 1 for the segment, 0 for neither.
func fits(name, id string) int {
	if !isRollout(name) {
		return 0
	}
	thread, segment := fileIDs(name)
	switch {
	case thread == id && segment == "":
		return 2
	case segment == id:
		return 1
	}
	return 0
}
