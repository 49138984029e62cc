package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/objects"
	"tlog/store"
)

// importFile is a file that is to be imported.
type importFile struct {
	path  string // absolute
	shown string // as the user named it
	named bool   // by the user, and not only the folder that it is in
	agent string // that keeps it among its transcripts; empty for other files
	// seen is what is known of it beforehand; without a Path nothing is.
	seen store.Surveyed
}

// current reports whether all of the file is known to be in the store.
func (f importFile) current() bool { return f.seen.Path != "" && isStored(f.seen.State) }

// isStored reports whether the store has all of a source.
func isStored(state store.SourceState) bool {
	return state == store.SourceCurrent || state == store.SourceCopy
}

// leftOut reports whether a file that could not be imported is only none of those that were looked for: not every *.jsonl
// below a folder is a transcript.
func (f importFile) leftOut(err error) bool {
	return !f.named && f.agent == "" && errors.Is(err, objects.ErrCorrupt)
}

// importFinder finds the files of an import.
type importFinder struct {
	app    *App
	store  *store.Store
	args   []string
	agents []agents.Agent
	all    bool
	single bool // one file was named
	looks  bool // files are looked for in folders
	// here are the projects whose transcripts are wanted; nil for all.
	here map[string]bool
	// homes are the projects of the transcripts that agents keep, by their paths.
	homes map[string]home
}

// home is the project of a transcript, empty as long as it does not name a working folder.
type home struct {
	project string
	size    int64 // of the transcript when it was looked at, in bytes
}

func newImportFinder(a *App, st *store.Store, opt importOptions, args []string) (*importFinder, error) {
	f := &importFinder{app: a, store: st, args: args, all: opt.all, homes: map[string]home{}}
	f.looks = len(args) == 0 || slices.ContainsFunc(args, func(arg string) bool { return isFolder(a.path(arg)) })
	f.single = len(args) == 1 && !f.looks
	if len(args) > 0 {
		return f, nil
	}
	var err error
	if f.agents, err = agentsNamed(opt.agent); err != nil || opt.all {
		return f, err
	}
	names, err := st.Folders(a.Cwd)
	f.here = map[string]bool{}
	for _, name := range names {
		f.here[name] = true
	}
	return f, err
}

// find gives the files, with what the store knows of those that were not named one by one. The error is all that kept from looking.
func (f *importFinder) find(ctx context.Context, survey bool) ([]importFile, error) {
	files, err := f.operands()
	errs := []error{err}
	at := map[string]int{}
	var paths []string
	for i, file := range files {
		if survey || !file.named {
			at[file.path] = i
			paths = append(paths, file.path)
		}
	}
	for seen, err := range f.store.SurveyFiles(ctx, paths) {
		if seen.Path == "" {
			errs = append(errs, err)
		} else if err == nil { // else the import says what is wrong
			files[at[seen.Path]].seen = seen
		}
	}
	for _, agent := range f.agents {
		for seen, err := range f.store.Survey(ctx, agent, f.app.env) {
			switch {
			case seen.Path == "":
				errs = append(errs, err)
			case f.wanted(seen):
				files = append(files, importFile{path: seen.Path, shown: seen.Path, agent: agent.Name(), seen: seen})
			}
		}
	}
	return files, errors.Join(errs...)
}

// again gives the files once more. Only what came up since the last time is looked into.
func (f *importFinder) again(ctx context.Context) ([]importFile, error) {
	files, err := f.operands()
	errs := []error{err}
	for _, agent := range f.agents {
		found, err := agent.Locate(f.app.env)
		errs = append(errs, err)
		var unknown []string
		for _, t := range found {
			if f.here != nil && !f.known(t.Path) {
				unknown = append(unknown, t.Path)
			} else if f.here == nil || f.here[f.homes[t.Path].project] {
				files = append(files, importFile{path: t.Path, shown: t.Path, agent: agent.Name()})
			}
		}
		for seen, err := range f.store.SurveyFiles(ctx, unknown) {
			switch {
			case seen.Path == "":
				errs = append(errs, err)
			case f.wanted(seen):
				files = append(files, importFile{path: seen.Path, shown: seen.Path, agent: agent.Name()})
			}
		}
	}
	return files, errors.Join(errs...)
}

// wanted reports whether a transcript belongs to a project whose transcripts are wanted, and remembers to which.
func (f *importFinder) wanted(seen store.Surveyed) bool {
	if f.here == nil {
		return true
	}
	project, _, err := store.Project(seen.Cwd)
	if err != nil {
		project = ""
	}
	f.homes[seen.Path] = home{project, seen.Size}
	return f.here[project]
}

// known reports whether it is known to which project a transcript belongs. One that names none may do so when it has grown.
func (f *importFinder) known(path string) bool {
	home, ok := f.homes[path]
	if !ok || home.project != "" {
		return ok
	}
	info, err := os.Stat(path)
	return err != nil || info.Size() == home.size
}

// operands gives the files that were named, and those in folders that were.
func (f *importFinder) operands() (files []importFile, err error) {
	var errs []error
	for _, arg := range f.args {
		path := f.app.path(arg)
		if !isFolder(path) {
			files = append(files, importFile{path: path, shown: arg, named: true})
			continue
		}
		below, err := f.walk(path, arg)
		files, errs = append(files, below...), append(errs, err)
	}
	return files, errors.Join(errs...)
}

// walk finds the *.jsonl in a folder and below, links to folders left alone. What lies in the store is no source.
func (f *importFinder) walk(root, shown string) (files []importFile, err error) {
	var errs []error
	root = filepath.Clean(root)
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("import: %w", err))
		case entry.IsDir() && path == f.store.Root():
			return fs.SkipDir
		case !entry.IsDir() && isTranscriptName(path) && isFile(path):
			below, _ := filepath.Rel(root, path)
			files = append(files, importFile{path: path, shown: filepath.Join(shown, below)})
		}
		return nil
	})
	return files, errors.Join(errs...)
}

// isTranscriptName reports whether a file is one that import takes from a folder, packed or not.
func isTranscriptName(path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(path, transcript.PackedSuffix), ".jsonl")
}

// agentsNamed is the agent of a name, all of them for none.
func agentsNamed(name string) ([]agents.Agent, error) {
	if name == "" {
		return agents.All(), nil
	}
	agent, ok := agents.Lookup(name)
	if !ok {
		return nil, usagef("--agent '%s': expected one of %s", name, agentNames())
	}
	return []agents.Agent{agent}, nil
}

// agentNames are the names of all agents, for people.
func agentNames() string {
	var names []string
	for _, agent := range agents.All() {
		names = append(names, agent.Name())
	}
	return strings.Join(names, ", ")
}
