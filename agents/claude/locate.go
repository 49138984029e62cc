package claude

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tlog/agents/transcript"
)

// Names in the agent's folder (formats/claude.md section 1).
const (
	configFolder     = ".claude"
	projectsFolder   = "projects"
	subagentsFolder  = "subagents"
	transcriptSuffix = ".jsonl"
	subagentPrefix   = "agent-"
)

// Folder implements agents.Foreign (formats/claude.md section 1). It is empty if the environment tells of no home.
func (Agent) Folder(env func(string) string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Clean(dir)
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, configFolder)
	}
	return ""
}

// Locate implements agents.Agent: the transcripts of all projects, those of subagents behind the session that began them, in the
// order of their names. A folder that cannot be read is told of by the error, and all others are given.
func (a Agent) Locate(env func(string) string) ([]transcript.Found, error) {
	root := a.Folder(env)
	if root == "" {
		return nil, nil
	}
	var l listing
	projects := filepath.Join(root, projectsFolder)
	for _, entry := range l.entries(projects) {
		if folder := filepath.Join(projects, entry.Name()); isOwnFolder(folder, entry, projects) {
			l.project(folder)
		}
	}
	return l.found, errors.Join(l.errs...)
}

// isOwnFolder reports whether an entry of the folder of projects is a folder whose transcripts are not listed anyway: a
// link to another one of them would give each a second time.
func isOwnFolder(folder string, entry fs.DirEntry, projects string) bool {
	if entry.IsDir() {
		return true
	}
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() {
		return false
	}
	target, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(projects)
	return err != nil || filepath.Dir(target) != real
}

// Subagents implements agents.Foreign: the transcripts of the subagents of the session whose transcript is at path. Those that old
// versions put beside it are not told apart by their names, and are not among them.
func (Agent) Subagents(path string) ([]string, error) {
	var l listing
	l.subagents(sessionFolder(path))
	var files []string
	for _, found := range l.found {
		files = append(files, found.Path)
	}
	return files, errors.Join(l.errs...)
}

// sessionFolder is the folder of the session whose transcript is at path: it has the name of that, or, beside a copy under another name, the id of the
// session.
func sessionFolder(path string) string {
	folder := strings.TrimSuffix(path, transcriptSuffix)
	if _, err := os.Lstat(folder); err == nil {
		return folder
	}
	head, err := firstBytes(path)
	if err != nil {
		return folder
	}
	if id, err := (Agent{}).Identify(path, head); err == nil && id.Subagent == "" {
		return filepath.Join(filepath.Dir(path), string(id.ID))
	}
	return folder
}

func firstBytes(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(f, maxHead))
	return head, errors.Join(err, f.Close())
}

// listing collects transcripts, and what kept from reading folders.
type listing struct {
	found []transcript.Found
	errs  []error
}

// project lists the transcripts of one project.
func (l *listing) project(folder string) {
	entries := l.entries(folder)
	sessions := map[string]bool{}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if session, ok := strings.CutSuffix(path, transcriptSuffix); ok && transcript.IsFile(path, entry) {
			if !strings.HasPrefix(entry.Name(), subagentPrefix) {
				sessions[session] = true
				l.found = append(l.found, transcript.Found{Path: path})
				l.subagents(session)
			}
		}
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		switch {
		case entry.IsDir() && !sessions[path]: // the session's own transcript is gone
			l.subagents(path)
		case isSubagentFile(entry.Name()) && transcript.IsFile(path, entry):
			l.found = append(l.found, transcript.Found{Path: path, Subagent: true})
		}
	}
}

// subagents lists the transcripts below the subagents folder of a session; newer versions make folders in it.
func (l *listing) subagents(session string) {
	root := filepath.Join(session, subagentsFolder)
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root && transcript.NotThere(err):
		case err != nil:
			l.failed(err)
		case !entry.IsDir() && isSubagentFile(entry.Name()) && transcript.IsFile(path, entry) && !leads(path, entry, session):
			l.found = append(l.found, transcript.Found{Path: path, Subagent: true})
		}
		return nil
	})
}

// leads reports whether an entry is a link that leads out of a session's folder: what it leads to is no part of the session.
func leads(path string, entry fs.DirEntry, session string) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return false
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return true
	}
	real, err := filepath.EvalSymlinks(session)
	if err != nil {
		return true
	}
	within, err := filepath.Rel(real, target)
	return err != nil || !filepath.IsLocal(within)
}

// entries reads a folder; one that is not there is empty.
func (l *listing) entries(folder string) []fs.DirEntry {
	entries, err := os.ReadDir(folder)
	if err != nil && !transcript.NotThere(err) {
		l.failed(err)
	}
	return entries
}

func (l *listing) failed(err error) {
	l.errs = append(l.errs, fmt.Errorf("list transcripts: %w", err))
}

func isSubagentFile(name string) bool {
	return strings.HasPrefix(name, subagentPrefix) && strings.HasSuffix(name, transcriptSuffix)
}
