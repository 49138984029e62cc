package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tlog/objects"
)

// Info is what a listing tells of a session without reading all of it.
type Info struct {
	ID            objects.ID
	File          string
	Project       string // the folder's name
	Cwd           string
	Name          string // of the header or the last session_info seen at the ends of the file
	FirstPrompt   string // the first user text at the head of the file
	Agent         string
	Version       int
	ParentSession objects.ID
	Created       time.Time // zero if the header has none
	Modified      time.Time // of the file
	Size          int64
}

// newInfo tells of the session whose ends were read.
func newInfo(file string, e ends) Info {
	info := Info{
		ID:       e.header.ID,
		File:     file,
		Project:  filepath.Base(filepath.Dir(file)),
		Cwd:      e.header.Cwd,
		Agent:    e.header.Agent,
		Version:  e.header.Version,
		Created:  e.created(),
		Modified: e.mod,
		Size:     e.size,
	}
	// pi names its parent by a path there, which is no session id.
	if parent := objects.ID(e.header.ParentSession); parent.Valid() {
		info.ParentSession = parent
	}
	return info
}

// Sessions lists the sessions of a project, newest first; of all projects if cwd is empty.
// Files that are no sessions are given to skipped (which may be nil) and left out.
// A store or project that does not exist has no sessions.
func (s *Store) Sessions(cwd string, skipped func(file string, err error)) ([]Info, error) {
	files, err := s.files(cwd)
	if err != nil {
		return nil, err
	}
	infos := make([]Info, 0, len(files))
	for _, file := range files {
		e, err := readEnds(file, true)
		if err != nil {
			if skipped != nil {
				skipped(file, err)
			}
			continue
		}
		info := newInfo(file, e)
		info.Name, info.FirstPrompt = e.name(), e.firstPrompt()
		infos = append(infos, info)
	}
	slices.SortFunc(infos, newerFirst)
	return infos, nil
}

// newerFirst orders by the time of the last change, then by id and file, so
// that the order is the same each time.
func newerFirst(a, b Info) int {
	return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(string(b.ID), string(a.ID)), strings.Compare(a.File, b.File))
}

// Newest is the session of the project that was changed last. objects.ErrNotFound if there is none.
func (s *Store) Newest(cwd string) (Info, error) {
	files, err := s.files(cwd)
	if err != nil {
		return Info{}, err
	}
	modified := make(map[string]time.Time, len(files))
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			modified[file] = info.ModTime()
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return modified[b].Compare(modified[a]) })
	var newest []Info // those of one time
	for _, file := range files {
		if len(newest) > 0 && !modified[file].Equal(modified[newest[0].File]) {
			break
		}
		if info, err := readInfo(file); err == nil {
			newest = append(newest, info)
		}
	}
	if len(newest) == 0 {
		return Info{}, fmt.Errorf("no session for %s: %w", cwd, objects.ErrNotFound)
	}
	return slices.MinFunc(newest, newerFirst), nil
}

// readInfo reads what a session's file tells at both ends.
func readInfo(file string) (Info, error) {
	e, err := readEnds(file, true)
	if err != nil {
		return Info{}, err
	}
	info := newInfo(file, e)
	info.Name, info.FirstPrompt = e.name(), e.firstPrompt()
	return info, nil
}

// files are the files that may be sessions of the project, of all projects if cwd is empty.
func (s *Store) files(cwd string) ([]string, error) {
	if cwd != "" {
		folder, _, err := s.folder(cwd)
		if err != nil {
			return nil, err
		}
		return logFiles(folder)
	}
	folders, err := s.projects()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, folder := range folders {
		more, err := logFiles(folder)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

// projects are the folders of all projects.
func (s *Store) projects() ([]string, error) {
	root := filepath.Join(s.root, projectsFolder)
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list projects: %w", err)
	}
	var folders []string
	for _, entry := range entries {
		folder := filepath.Join(root, entry.Name())
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			folders = append(folders, folder)
		}
	}
	return folders, nil
}

// logFiles are the *.jsonl directly in a folder.
func logFiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	var files []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), logSuffix) && !entry.IsDir() {
			files = append(files, filepath.Join(folder, entry.Name()))
		}
	}
	return files, nil
}
