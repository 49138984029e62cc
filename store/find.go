package store

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tlog/objects"
)

// maxListed is how many candidates an error names.
const maxListed = 10

// AmbiguousError lists the sessions that a prefix may stand for.
type AmbiguousError struct {
	Prefix     string
	Candidates []Info
}

// Error names the candidates, the first of them if there are many.
func (e *AmbiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "session %q is ambiguous:", e.Prefix)
	for i, info := range e.Candidates {
		if i == maxListed {
			fmt.Fprintf(&b, " and %d more", len(e.Candidates)-i)
			break
		}
		fmt.Fprintf(&b, " %s (%s)", info.ID, info.Cwd)
	}
	return b.String()
}

// Unwrap makes the error an objects.ErrAmbiguous.
func (e *AmbiguousError) Unwrap() error { return objects.ErrAmbiguous }

// Find looks a session up by id or id prefix, first in the project, then in all; an exact id comes
// before any prefix. The error wraps objects.ErrNotFound, or objects.ErrAmbiguous (an
// *AmbiguousError) and lists the candidates. It reads headers only, so that Name is that of a candidate's header, and FirstPrompt empty.
func (s *Store) Find(cwd, prefix string) (Info, error) {
	if prefix == "" {
		return Info{}, fmt.Errorf("session %q: %w: expected an id or the beginning of one", prefix, objects.ErrInvalid)
	}
	var here []Info
	if cwd != "" {
		files, err := s.files(cwd)
		if err != nil {
			return Info{}, err
		}
		here = s.headers(files)
	}
	byName, err := s.namedFiles(objects.ID(prefix))
	if err != nil {
		return Info{}, err
	}
	exact := func(info Info) bool { return string(info.ID) == prefix }
	begins := func(info Info) bool { return info.ID.HasPrefix(prefix) }
	// A file is named after its session, so the exact id is found without reading every header of the store.
	for _, try := range []struct {
		among []Info
		match func(Info) bool
	}{{here, exact}, {s.headers(byName), exact}, {here, begins}} {
		if info, found, err := only(prefix, try.among, try.match); found || err != nil {
			return s.whole(info, err)
		}
	}
	files, err := s.everywhere()
	if err != nil {
		return Info{}, err
	}
	all := s.headers(files)
	for _, match := range []func(Info) bool{exact, begins} {
		if info, found, err := only(prefix, all, match); found || err != nil {
			return s.whole(info, err)
		}
	}
	return Info{}, fmt.Errorf("session %q: %w", prefix, objects.ErrNotFound)
}

// findExact looks a session up by its whole id, first in the project, then in all.
func (s *Store) findExact(cwd string, id objects.ID) (info Info, found bool, err error) {
	named, err := s.namedFiles(id)
	if err != nil {
		return Info{}, false, err
	}
	here, err := s.Folders(cwd)
	if err != nil {
		return Info{}, false, err
	}
	slices.SortStableFunc(named, func(a, b string) int {
		return cmp.Compare(rank(here, projectOf(a)), rank(here, projectOf(b)))
	})
	p := newPeeker(s.open)
	for _, file := range named {
		if info, err := p.info(file); err == nil && info.ID == id {
			return info, true, nil
		}
	}
	// A file may have any name.
	files, err := s.everywhere()
	if err != nil {
		return Info{}, false, err
	}
	for _, info := range s.headers(files) {
		if info.ID == id {
			info, err := p.info(info.File)
			return info, true, err
		}
	}
	return Info{}, false, nil
}

// rank is the place of name in names, behind all of them if it is none.
func rank(names []string, name string) int {
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	return len(names)
}

// only gives the one session that matches.
func only(prefix string, among []Info, match func(Info) bool) (info Info, found bool, err error) {
	var matches []Info
	for _, info := range among {
		if match(info) {
			matches = append(matches, info)
		}
	}
	switch len(matches) {
	case 0:
		return Info{}, false, nil
	case 1:
		return matches[0], true, nil
	}
	slices.SortFunc(matches, newerFirst)
	return Info{}, false, &AmbiguousError{Prefix: prefix, Candidates: matches}
}

// whole tells of a session that was found by its header what both ends of its file tell.
func (s *Store) whole(info Info, err error) (Info, error) {
	if err != nil {
		return Info{}, err
	}
	return newPeeker(s.open).info(info.File)
}

// headers reads the headers of files, those that are no sessions left out.
func (s *Store) headers(files []string) []Info { return s.peekAll(files, (*peeker).header, nil) }

// namedFiles are the files of any project that bear the name of a session.
func (s *Store) namedFiles(id objects.ID) ([]string, error) {
	name, err := fileName(id)
	if err != nil {
		return nil, nil // no session has that id
	}
	projects, err := s.projects()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, project := range projects {
		file := filepath.Join(s.root, projectsFolder, project, name)
		if _, err := os.Lstat(file); err == nil {
			files = append(files, file)
		}
	}
	return files, nil
}
