package claude

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tlog/agents/transcript"
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
func (a Agent) SideFiles(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	return a.SideFileReader()(path, id)
}

// SideFileReader implements agents.Foreign. The history of prompts is read anew when its size or time has changed.
func (Agent) SideFileReader() func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	shared := new(history)
	return func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
		files, err := sideFiles(path, id, shared)
		if err != nil {
			return nil, fmt.Errorf("side files of %s: %w", path, err)
		}
		return files, nil
	}
}

func sideFiles(path string, id transcript.Identity, shared *history) ([]transcript.SideFile, error) {
	files, err := toolResults(strings.TrimSuffix(path, transcriptSuffix))
	projects := filepath.Dir(filepath.Dir(path))
	if err != nil || id.Subagent != "" || filepath.Base(projects) != projectsFolder {
		return files, err
	}
	config := filepath.Dir(projects)
	lines, err := shared.linesOf(filepath.Join(config, historyFile), id.ID)
	if err != nil || len(lines) == 0 {
		return files, err
	}
	files = append(files, transcript.SideFile{Name: historyFile, Data: bytes.Join(lines, []byte{'\n'})})
	for _, hash := range pastesIn(lines) {
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
