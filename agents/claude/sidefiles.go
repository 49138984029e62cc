package claude

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tlog/agents/transcript"
	"tlog/objects"
)

const (
	historyFile   = "history.jsonl"
	pastesFolder  = "paste-cache"
	resultsFolder = "tool-results"
	pasteSuffix   = ".txt"
	maxPasteHash  = 64 // characters
)

// SideFiles implements agents.Foreign: the tool results beside the transcript, and where it lies in the client's own folder, the session's
// lines of the history of prompts and the pastes that they name (docs/claude.md "Sessions").
func (Agent) SideFiles(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	files, err := toolResults(strings.TrimSuffix(path, transcriptSuffix))
	if err != nil {
		return nil, fmt.Errorf("side files of %s: %w", path, err)
	}
	projects := filepath.Dir(filepath.Dir(path))
	if id.Subagent != "" || filepath.Base(projects) != projectsFolder {
		return files, nil
	}
	config := filepath.Dir(projects)
	history, err := readHistory(filepath.Join(config, historyFile), id.ID)
	if err != nil {
		return nil, fmt.Errorf("side files of %s: %w", path, err)
	}
	if history.lines == nil {
		return files, nil
	}
	files = append(files, transcript.SideFile{Name: historyFile, Data: history.lines})
	for _, hash := range history.pastes {
		name := hash + pasteSuffix
		paste := filepath.Join(config, pastesFolder, name)
		if info, err := os.Stat(paste); err == nil && info.Mode().IsRegular() {
			files = append(files, transcript.SideFile{Name: pastesFolder + "/" + name, Path: paste})
		}
	}
	return files, nil
}

// toolResults are the outputs that were too large for a line, in the folder of a session.
func toolResults(session string) ([]transcript.SideFile, error) {
	folder := filepath.Join(session, resultsFolder)
	entries, err := os.ReadDir(folder)
	if err != nil && !missing(err) {
		return nil, err
	}
	var files []transcript.SideFile
	for _, entry := range entries {
		if path := filepath.Join(folder, entry.Name()); isFile(path, entry) {
			files = append(files, transcript.SideFile{Name: resultsFolder + "/" + entry.Name(), Path: path})
		}
	}
	return files, nil
}

// history is what the history of all prompts holds of one session.
type history struct {
	lines  []byte   // verbatim, joined by "\n"; nil for none
	pastes []string // hashes, each once
	seen   map[string]bool
}

func readHistory(file string, session objects.ID) (history, error) {
	h := history{seen: map[string]bool{}}
	info, err := os.Stat(file)
	if err != nil && missing(err) || err == nil && !info.Mode().IsRegular() {
		return h, nil
	}
	all, err := os.ReadFile(file)
	if err != nil {
		return h, err
	}
	// The history may be large and few of its lines are this session's: they are found by its id before anything is parsed.
	for rest := all; ; {
		at := bytes.Index(rest, []byte(session))
		if at < 0 {
			return h, nil
		}
		start := bytes.LastIndexByte(rest[:at], '\n') + 1
		end := len(rest)
		if i := bytes.IndexByte(rest[at:], '\n'); i >= 0 {
			end = at + i
		}
		h.take(rest[start:end], session)
		rest = rest[min(end+1, len(rest)):]
	}
}

// take takes a line in if it is one of the session.
func (h *history) take(line []byte, session objects.ID) {
	var owner string
	var pastes []byte
	err := objects.Scan(objects.TrimLine(line), func(m objects.Member) {
		switch {
		case m.Is("sessionId"):
			owner, _ = objects.Unquote(m.Value)
		case m.Is("pastedContents"):
			pastes = m.Value
		}
	})
	if err != nil || owner != string(session) {
		return
	}
	if h.lines != nil {
		h.lines = append(h.lines, '\n')
	}
	h.lines = append(h.lines, line...)
	objects.Scan(pastes, func(paste objects.Member) {
		objects.Scan(paste.Value, func(m objects.Member) {
			if !m.Is("contentHash") {
				return
			}
			// It becomes a part of a path, so it must not be one that leads elsewhere.
			if hash, _ := objects.Unquote(m.Value); isHex(hash) && len(hash) <= maxPasteHash && !h.seen[hash] {
				h.seen[hash] = true
				h.pastes = append(h.pastes, hash)
			}
		})
	})
}
