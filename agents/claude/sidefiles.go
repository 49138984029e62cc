package claude

import (
	"bytes"
	"fmt"
	"io/fs"
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
// lines of the history of prompts and the pastes that they name (docs/claude.md "Sessions"). What cannot be taken is told of as Skipped.
func (a Agent) SideFiles(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	return a.SideFileReader()(path, id)
}

// SideFileReader implements agents.Foreign. The history of prompts is read anew when its size or time has changed.
func (Agent) SideFileReader() func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	shared := new(history)
	return func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
		return sideFiles(path, id, shared), nil
	}
}

func sideFiles(path string, id transcript.Identity, shared *history) []transcript.SideFile {
	files := toolResults(strings.TrimSuffix(path, transcriptSuffix))
	projects := filepath.Dir(filepath.Dir(path))
	if id.Subagent != "" || filepath.Base(projects) != projectsFolder {
		return files
	}
	config := filepath.Dir(projects)
	lines, err := shared.linesOf(filepath.Join(config, historyFile), id.ID)
	if err != nil {
		return append(files, transcript.SideFile{Name: historyFile, Skipped: err})
	}
	if len(lines) == 0 {
		return files
	}
	files = append(files, transcript.SideFile{Name: historyFile, Data: bytes.Join(lines, []byte{'\n'})})
	for _, hash := range pastesIn(lines) {
		name := hash + pasteSuffix
		paste := filepath.Join(config, pastesFolder, name)
		if info, err := os.Lstat(paste); err == nil {
			files = appendFile(files, pastesFolder+"/"+name, paste, info.Mode())
		} else if !transcript.NotThere(err) {
			files = append(files, transcript.SideFile{Name: pastesFolder + "/" + name, Skipped: err})
		}
	}
	return files
}

// toolResults are the outputs that were too large for a line, in the folder of a session.
func toolResults(session string) (files []transcript.SideFile) {
	folder := filepath.Join(session, resultsFolder)
	info, err := os.Lstat(folder)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return appendFile(nil, resultsFolder, folder, info.Mode())
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !transcript.NotThere(err) {
		files = append(files, transcript.SideFile{Name: resultsFolder, Skipped: err})
	}
	for _, entry := range entries {
		files = appendFile(files, resultsFolder+"/"+entry.Name(), filepath.Join(folder, entry.Name()), entry.Type())
	}
	return files
}

// appendFile appends what lies at path: a regular file as one to be taken, a folder not at all. Links are not followed, since they
// may lead to anything that was never part of the session.
func appendFile(files []transcript.SideFile, name, path string, mode fs.FileMode) []transcript.SideFile {
	switch {
	case mode.IsRegular():
		return append(files, transcript.SideFile{Name: name, Path: path})
	case mode.IsDir():
		return files
	}
	what := "no file"
	if mode&fs.ModeSymlink != 0 {
		what = "a link"
	}
	return append(files, transcript.SideFile{Name: name, Skipped: fmt.Errorf("%w: expected a regular file, got %s", objects.ErrInvalid, what)})
}

// Beside implements agents.Keeper: the tool results are the session's own, the history of prompts and the pastes are not.
func (Agent) Beside(path, name string) (file string, ok bool) {
	folder, base, _ := strings.Cut(name, "/")
	if folder != resultsFolder || base == "" || base == "." || base == ".." || strings.ContainsAny(base, "/\\\x00") {
		return "", false
	}
	return filepath.Join(strings.TrimSuffix(path, transcriptSuffix), resultsFolder, base), true
}

// MetaFile implements agents.Keeper.
func (Agent) MetaFile(path string) string {
	return strings.TrimSuffix(path, transcriptSuffix) + metaSuffix
}
