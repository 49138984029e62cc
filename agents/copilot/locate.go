package copilot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Names in the agent's folder (docs/copilot.md "Sessions").
const (
	homeFolder   = ".copilot"
	stateFolder  = "session-state"
	eventsFile   = "events.jsonl"
	eventsSuffix = ".jsonl"
)

// Folder implements agents.Agent. It is empty if the environment tells of no home.
func (Agent) Folder(env func(string) string) string {
	if home := env("HOME"); home != "" {
		return filepath.Join(home, homeFolder)
	}
	return ""
}

// Locate implements agents.Agent: a file or a folder for each session, by name. A folder that cannot be read is told of by the error, and all others
// are given.
func (a Agent) Locate(env func(string) string) ([]transcript.Found, error) {
	root := a.Folder(env)
	if root == "" {
		return nil, nil
	}
	folder := filepath.Join(root, stateFolder)
	entries, err := readFolder(folder)
	errs := []error{err}
	var found []transcript.Found
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if !entry.IsDir() {
			if strings.HasSuffix(entry.Name(), eventsSuffix) && transcript.IsFile(path, entry) {
				found = append(found, transcript.Found{Path: path})
			}
			continue
		}
		inside, err := readFolder(path)
		errs = append(errs, err)
		for _, entry := range inside {
			if events := filepath.Join(path, eventsFile); entry.Name() == eventsFile && transcript.IsFile(events, entry) {
				found = append(found, transcript.Found{Path: events})
			}
		}
	}
	return found, errors.Join(errs...)
}

// readFolder reads a folder; one that is not there is empty.
func readFolder(path string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(path)
	if err != nil && !transcript.NotThere(err) {
		return entries, fmt.Errorf("list sessions: %w", err)
	}
	return entries, nil
}

// besides are the files in a session's folder that come along.
var besides = []string{"workspace.yaml", "plan.md"}

// SideFiles implements agents.Foreign: what the client notes of a session that has a folder.
func (Agent) SideFiles(path string, _ transcript.Identity) ([]transcript.SideFile, error) {
	if filepath.Base(path) != eventsFile {
		return nil, nil
	}
	var files []transcript.SideFile
	for _, name := range besides {
		file := filepath.Join(filepath.Dir(path), name)
		switch info, err := os.Lstat(file); {
		case err != nil && transcript.NotThere(err):
		case err != nil:
			return files, err
		case !info.Mode().IsRegular(): // a link may lead to anything
			files = append(files, transcript.SideFile{Name: name, Skipped: fmt.Errorf("%w: expected a regular file, got %s", objects.ErrInvalid, info.Mode().Type())})
		default:
			files = append(files, transcript.SideFile{Name: name, Path: file})
		}
	}
	return files, nil
}

// SideFileReader implements agents.Foreign. No two sessions share a file.
func (a Agent) SideFileReader() func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	return a.SideFiles
}
