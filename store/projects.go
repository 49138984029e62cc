package store

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tlog/objects"
)

// ProjectInfo is what a listing tells of a project.
type ProjectInfo struct {
	Name       string // of its folder
	Cwd        string // its working folder; empty if no header tells
	Sessions   int    // those of subagents included
	Newest     time.Time
	Size       int64  // of the logs, in bytes
	Repository string // see [Repository]; empty if the working folder lies in none or is gone
	MovedTo    string // where an alias says that the working folder is now, else empty
}

// Projects lists the projects that have sessions, those changed last first.
func (s *Store) Projects() ([]ProjectInfo, error) {
	files, err := s.files("")
	if err != nil {
		return nil, err
	}
	known, err := s.readAliases()
	if err != nil {
		return nil, err
	}
	var list []ProjectInfo
	for _, info := range s.headers(files) { // those of one folder are in a row
		if len(list) == 0 || list[len(list)-1].Name != info.Project {
			list = append(list, ProjectInfo{Name: info.Project})
		}
		p := &list[len(list)-1]
		p.Sessions++
		p.Size += info.Size
		if info.Modified.After(p.Newest) {
			p.Newest = info.Modified
		}
		if p.Cwd == "" && belongs(info) {
			p.Cwd = info.Cwd
		}
	}
	for i := range list {
		p := &list[i]
		if p.Cwd == "" {
			continue
		}
		now := known.follow(p.Cwd)
		if now != p.Cwd {
			p.MovedTo = now
		}
		p.Repository = Repository(now)
	}
	slices.SortStableFunc(list, func(a, b ProjectInfo) int {
		return cmp.Or(b.Newest.Compare(a.Newest), strings.Compare(a.Name, b.Name))
	})
	return list, nil
}

// belongs reports whether a session lies in the folder of the working folder that it names.
func belongs(info Info) bool {
	name, resolved, err := Project(info.Cwd)
	return err == nil && name == info.Project && resolved == info.Cwd
}

// FindProject finds a project by the name of its folder, or by what that ends in before its hash: the last folders of the
// working folder, joined by dashes. The error wraps objects.ErrNotFound or objects.ErrAmbiguous.
func (s *Store) FindProject(name string) (string, error) {
	projects, err := s.projects()
	if err != nil {
		return "", err
	}
	if slices.Contains(projects, name) {
		return name, nil
	}
	var found []string
	for _, project := range projects {
		slug := project
		if end := len(project) - hashLen - 1; end > 0 && project[end] == '-' {
			slug = project[:end]
		}
		if slug == name || strings.HasSuffix(slug, "-"+name) {
			found = append(found, project)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("project %q: %w", name, objects.ErrNotFound)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("project %q is %w: %s", name, objects.ErrAmbiguous, strings.Join(found, ", "))
}

// Elsewhere tells of the sessions with the ids, in which folders of projects they lie; it goes by the names of files and
// opens none.
func (s *Store) Elsewhere(ids map[objects.ID]bool) (map[objects.ID]string, error) {
	files, err := s.files("")
	if err != nil {
		return nil, err
	}
	found := map[objects.ID]string{}
	for _, file := range files {
		if id := objects.ID(strings.TrimSuffix(filepath.Base(file), logSuffix)); ids[id] {
			found[id] = projectOf(file)
		}
	}
	return found, nil
}
