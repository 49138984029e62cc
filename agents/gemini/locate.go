package gemini

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tlog/agents/transcript"
)

// Names in the agent's folder (formats/others.md "Where").
const (
	homeFolder     = ".gemini"
	projectsFolder = "tmp"
	chatsFolder    = "chats"
	outputsFolder  = "tool-outputs"
	rootFile       = ".project_root"
	projectsFile   = "projects.json"

	sessionPrefix  = "session-"
	linesSuffix    = ".jsonl"
	documentSuffix = ".json"
)

// Folder implements agents.Agent. It is empty if the environment tells of no home.
func (Agent) Folder(env func(string) string) string {
	if home := env("HOME"); home != "" {
		return filepath.Join(home, homeFolder)
	}
	return ""
}

// Locate implements agents.Agent: the sessions of all projects in the order of their names, each with its subagents behind it. A document of which there is
// a copy as lines beside it, which the client goes on from, is left out. A folder that cannot be read is told of by the error, and all others are given.
func (a Agent) Locate(env func(string) string) ([]transcript.Found, error) {
	root := a.Folder(env)
	if root == "" {
		return nil, nil
	}
	var l listing
	projects := filepath.Join(root, projectsFolder)
	for _, project := range l.entries(projects) {
		if project.IsDir() {
			l.chats(filepath.Join(projects, project.Name(), chatsFolder))
		}
	}
	return l.found, errors.Join(l.errs...)
}

// Subagents implements agents.Foreign: those in the folder beside the session that is called by its id.
func (Agent) Subagents(path string) ([]string, error) {
	session, err := sessionIn(path)
	if err != nil || session == "" {
		return nil, err
	}
	var l listing
	l.subagents(filepath.Join(filepath.Dir(path), session))
	var files []string
	for _, found := range l.found {
		files = append(files, found.Path)
	}
	return files, errors.Join(l.errs...)
}

// sessionIn is the client's id of the session in a file that lies where it keeps them, as long as that can be part of a path; else empty.
func sessionIn(path string) (string, error) {
	if filepath.Base(filepath.Dir(path)) != chatsFolder {
		return "", nil
	}
	head, err := readHead(path)
	session := fileHeadOf(head).session
	if err != nil || session == "" || session == ".." || session == "." || strings.ContainsAny(session, "/\\\x00") {
		return "", err
	}
	return session, nil
}

// listing collects session files, and what kept from reading folders.
type listing struct {
	found []transcript.Found
	errs  []error
}

// chats lists the sessions of a project, and behind them their subagents.
func (l *listing) chats(folder string) {
	entries := l.entries(folder)
	names := map[string]bool{}
	for _, entry := range entries {
		names[entry.Name()] = true
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		switch {
		case entry.IsDir():
			l.subagents(path)
		case isSession(entry.Name()) && transcript.IsFile(path, entry):
			stem, document := strings.CutSuffix(entry.Name(), documentSuffix)
			if !document || !names[stem+linesSuffix] {
				l.found = append(l.found, transcript.Found{Path: path})
			}
		}
	}
}

// subagents lists the files of the subagents of a session, in the folder that is called by its id.
func (l *listing) subagents(folder string) {
	for _, entry := range l.entries(folder) {
		path := filepath.Join(folder, entry.Name())
		if strings.HasSuffix(entry.Name(), linesSuffix) && entry.Type().IsRegular() {
			l.found = append(l.found, transcript.Found{Path: path, Subagent: true})
		}
	}
}

func isSession(name string) bool {
	return strings.HasPrefix(name, sessionPrefix) && (strings.HasSuffix(name, linesSuffix) || strings.HasSuffix(name, documentSuffix))
}

// entries reads a folder; one that is not there is empty.
func (l *listing) entries(folder string) []fs.DirEntry {
	entries, err := os.ReadDir(folder)
	if err != nil && !transcript.NotThere(err) {
		l.errs = append(l.errs, fmt.Errorf("list sessions: %w", err))
	}
	return entries
}
