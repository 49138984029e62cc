package store

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile is how much is read of a file that git keeps for a path, in bytes.
const maxGitFile = 8 << 10

// Repository is the folder that the git repository around cwd keeps its objects in, symlinks resolved. It is the same for all worktrees of
// a repository, so it stands for them. It is empty if there is no repository, or if cwd is not there any more.
//
// A worktree's `.git` is a file `gitdir: PATH`, and PATH/commondir names the repository's own folder.
func Repository(cwd string) string {
	if !filepath.IsAbs(cwd) {
		return ""
	}
	if _, err := os.Stat(cwd); err != nil {
		return ""
	}
	for at := filepath.Clean(cwd); ; at = filepath.Dir(at) {
		if common := commonFolder(filepath.Join(at, ".git")); common != "" {
			return common
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// commonFolder is the repository that a `.git` leads to, empty if it leads to none.
func commonFolder(git string) string {
	info, err := os.Stat(git)
	if err != nil {
		return ""
	}
	folder := git
	if !info.IsDir() {
		path, found := strings.CutPrefix(gitText(git), "gitdir:")
		if !found {
			return ""
		}
		folder = below(filepath.Dir(git), strings.TrimSpace(path))
	}
	if common := gitText(filepath.Join(folder, "commondir")); common != "" {
		folder = below(folder, common)
	}
	if _, err := os.Stat(filepath.Join(folder, "HEAD")); err != nil {
		return "" // as git has it, a folder without HEAD is no repository
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return ""
	}
	return real
}

// below is path, or the path below dir that it is if it is relative.
func below(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// gitText is the text of a small file, empty if it cannot be read.
func gitText(path string) string {
	f, _, err := openRegular(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, 0, maxGitFile))
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(text))
}

// Worktrees are the names of the projects in the worktrees of the git repository around cwd, cwd's own first.
func (s *Store) Worktrees(cwd string) ([]string, error) {
	names, err := s.Folders(cwd)
	if err != nil {
		return nil, err
	}
	repository := Repository(cwd)
	if repository == "" {
		return names, nil
	}
	projects, err := s.Projects()
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, name := range names {
		own[name] = true
	}
	for _, p := range projects {
		if p.Repository == repository && !own[p.Name] {
			names = append(names, p.Name)
		}
	}
	return names, nil
}
