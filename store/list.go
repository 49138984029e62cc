package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tlog/checkout"
	"tlog/objects"
)

// Info is what a listing tells of a session without reading all of it.
type Info struct {
	ID            objects.ID
	File          string
	Project       string // the folder's name
	Cwd           string
	Name          string // of the last session_info seen at the ends of the file, the last line of an agent that names it, or the header
	named         bool   // it is that of a session_info
	FirstPrompt   string // the first user text at the head of the file
	Agent         string
	Subagent      bool // it was begun by another session, not by a user
	Version       int
	ParentSession objects.ID
	ParentEntry   objects.ID
	Created       time.Time // zero if the header has none
	Modified      time.Time // of the file
	Size          int64
	Entries       int    // -1 unless the whole file was read
	Branch        string // of HEAD; empty if HEAD is detached or not known
	HeadKnown     bool   // Branch is what the file says
	// Source is what was imported. Only its Path is known where the last import is not within what was
	// read, or was made before marks were written. It is zero for a session that is no import.
	Source checkout.SourceMark
}

// Detached reports whether HEAD is known to be on no branch.
func (info *Info) Detached() bool { return info.HeadKnown && info.Branch == "" }

// Sessions lists the sessions of a project, newest first; of all projects if cwd is empty. Those of folders that
// were moved here (see [Store.Alias]) are among them.
// Files that are no sessions are given to skipped (which may be nil) and left out.
// A store or project that does not exist has no sessions.
func (s *Store) Sessions(cwd string, skipped func(file string, err error)) ([]Info, error) {
	if cwd == "" {
		projects, err := s.projects()
		if err != nil {
			return nil, err
		}
		return s.SessionsIn(projects, skipped)
	}
	files, err := s.files(cwd)
	if err != nil {
		return nil, err
	}
	return s.list(files, skipped), nil
}

// SessionsIn is Sessions of the projects whose folders have the names. A folder that cannot be read is
// given to skipped too; without skipped it is an error.
func (s *Store) SessionsIn(projects []string, skipped func(file string, err error)) ([]Info, error) {
	files, err := s.filesIn(projects, skipped)
	if err != nil {
		return nil, err
	}
	return s.list(files, skipped), nil
}

func (s *Store) list(files []string, skipped func(file string, err error)) []Info {
	infos := s.peekAll(files, (*peeker).info, skipped)
	slices.SortFunc(infos, newerFirst)
	return infos
}

// peekAll peeks into files, several at a time, those that are no sessions left out. The order is that of files.
func (s *Store) peekAll(files []string, peek func(*peeker, string) (Info, error), skipped func(file string, err error)) []Info {
	infos, errs := make([]Info, len(files)), make([]error, len(files))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			p := newPeeker(s.open)
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				infos[i], errs[i] = peek(p, files[i])
			}
		})
	}
	wg.Wait()
	n := 0
	for i, err := range errs {
		if err == nil {
			infos[n] = infos[i]
			n++
		} else if skipped != nil {
			skipped(files[i], err)
		}
	}
	return infos[:n]
}

// newerFirst orders by the time of the last change, then by id and file, so
// that the order is the same each time.
func newerFirst(a, b Info) int {
	return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(string(b.ID), string(a.ID)), strings.Compare(a.File, b.File))
}

// Newest is the session of the project that was changed last; those of subagents do not count. objects.ErrNotFound if there is none.
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
	p := newPeeker(s.open)
	for _, file := range files {
		if len(newest) > 0 && !modified[file].Equal(modified[newest[0].File]) {
			break
		}
		if info, err := p.info(file); err == nil && !info.Subagent {
			newest = append(newest, info)
		}
	}
	if len(newest) == 0 {
		return Info{}, fmt.Errorf("no session for %s: %w", cwd, objects.ErrNotFound)
	}
	return slices.MinFunc(newest, newerFirst), nil
}

// files are the files that may be sessions of the project, of all projects if cwd is empty.
func (s *Store) files(cwd string) ([]string, error) {
	var projects []string
	var err error
	if cwd != "" {
		projects, err = s.Folders(cwd)
	} else {
		projects, err = s.projects()
	}
	if err != nil {
		return nil, err
	}
	return s.filesIn(projects, nil)
}

// everywhere are the files of all projects. A project that cannot be read must not hide the others.
func (s *Store) everywhere() ([]string, error) {
	projects, err := s.projects()
	if err != nil {
		return nil, err
	}
	return s.filesIn(projects, func(string, error) {})
}

func (s *Store) filesIn(projects []string, skipped func(file string, err error)) ([]string, error) {
	var files []string
	for _, name := range projects {
		folder := filepath.Join(s.root, projectsFolder, name)
		more, err := logFiles(folder)
		if err != nil && skipped == nil {
			return nil, err
		}
		if err != nil {
			skipped(folder, err)
		}
		files = append(files, more...)
	}
	return files, nil
}

// projects are the names of all projects' folders.
func (s *Store) projects() ([]string, error) {
	root := filepath.Join(s.root, projectsFolder)
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list projects: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		} else if info, err := os.Stat(filepath.Join(root, entry.Name())); err == nil && info.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// projectOf is the name of the folder that a session's file lies in.
func projectOf(file string) string { return filepath.Base(filepath.Dir(file)) }

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
