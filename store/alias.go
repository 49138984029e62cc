package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"tlog/blobs/disk"
	"tlog/objects"
)

// aliasesName is the file at the store's root that says which folders were moved: an object {"from","to"} a line.
const aliasesName = "aliases"

// An Alias says that the folder From is now at To. Both are absolute and resolved.
type Alias struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// aliases are the lines of the alias file.
type aliases struct {
	to    map[string]string // of each folder that was moved
	order []string          // the folders in the order of the file
	other [][]byte          // lines that were not understood; they are kept
}

// Aliases lists the folders that were moved, in the order in which they were told.
func (s *Store) Aliases() ([]Alias, error) {
	known, err := s.readAliases()
	if err != nil {
		return nil, err
	}
	list := make([]Alias, 0, len(known.order))
	for _, from := range known.order {
		list = append(list, Alias{From: from, To: known.to[from]})
	}
	return list, nil
}

func (s *Store) readAliases() (aliases, error) {
	known := aliases{to: map[string]string{}}
	data, err := os.ReadFile(filepath.Join(s.root, aliasesName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return known, fmt.Errorf("read aliases: %w", err)
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		var a Alias
		switch err := json.Unmarshal(line, &a); {
		case len(line) == 0:
		case err != nil || !filepath.IsAbs(a.From) || !filepath.IsAbs(a.To):
			known.other = append(known.other, line)
		default:
			known.set(a)
		}
	}
	return known, nil
}

func (k *aliases) set(a Alias) {
	k.remove(a.From)
	k.to[a.From] = a.To
	k.order = append(k.order, a.From)
}

func (k *aliases) remove(from string) {
	delete(k.to, from)
	k.order = slices.DeleteFunc(k.order, func(f string) bool { return f == from })
}

// follow is where a folder is now. A file that was edited by hand may lead in a circle, which ends where it closes.
func (k *aliases) follow(folder string) string {
	for seen := map[string]bool{}; !seen[folder]; {
		seen[folder] = true
		to, ok := k.to[folder]
		if !ok {
			break
		}
		folder = to
	}
	return folder
}

// sources are the folders whose history appears in a folder: those moved to it, those moved to these, and so on.
func (k *aliases) sources(folder string) []string {
	came := make(map[string][]string, len(k.to))
	for _, from := range k.order {
		came[k.to[from]] = append(came[k.to[from]], from)
	}
	seen := map[string]bool{folder: true}
	all := []string{folder}
	for i := 0; i < len(all); i++ {
		for _, from := range came[all[i]] {
			if !seen[from] {
				seen[from] = true
				all = append(all, from)
			}
		}
	}
	return all[1:]
}

// Alias says that the folder from was moved to the folder to: the sessions of from appear among those of to. It replaces what was said
// of from before. The error wraps objects.ErrInvalid for a path that is not absolute and objects.ErrRefused for a move that would end
// where it began; objects.ErrLocked if another process holds the file for longer than ctx allows.
func (s *Store) Alias(ctx context.Context, from, to string) (Alias, error) {
	a, err := newAlias(from, to)
	if err != nil {
		return Alias{}, err
	}
	err = s.changeAliases(ctx, func(known *aliases) error {
		if a.From == a.To || slices.Contains(append(known.sources(a.From), a.From), a.To) {
			return fmt.Errorf("alias %s to %s: %w: it would lead back to where it began", a.From, a.To, objects.ErrRefused)
		}
		known.set(a)
		return nil
	})
	return a, err
}

// newAlias resolves the paths.
func newAlias(from, to string) (a Alias, err error) {
	if _, a.From, err = Project(from); err != nil {
		return Alias{}, err
	}
	_, a.To, err = Project(to)
	return a, err
}

// RemoveAlias takes back what was said of a folder. The error wraps objects.ErrNotFound if nothing was.
func (s *Store) RemoveAlias(ctx context.Context, from string) (Alias, error) {
	_, resolved, err := Project(from)
	if err != nil {
		return Alias{}, err
	}
	a := Alias{From: resolved}
	err = s.changeAliases(ctx, func(known *aliases) error {
		to, ok := known.to[resolved]
		if !ok {
			return fmt.Errorf("alias of %s: %w", resolved, objects.ErrNotFound)
		}
		a.To = to
		known.remove(resolved)
		return nil
	})
	return a, err
}

// Times of waiting for the lock of the aliases.
const (
	aliasRetry   = 5 * time.Millisecond
	aliasTimeout = 10 * time.Second
)

// changeAliases writes the alias file anew, one process at a time.
func (s *Store) changeAliases(ctx context.Context, change func(*aliases) error) (err error) {
	if _, err := disk.MakeFolders(s.fs, s.root, false); err != nil {
		return fmt.Errorf("change aliases: %w", err)
	}
	path := filepath.Join(s.root, aliasesName)
	lock := flock.New(path+".lock", flock.SetPermissions(fileMode))
	limited, cancel := context.WithTimeout(ctx, aliasTimeout)
	defer cancel()
	locked, err := lock.TryLockContext(limited, aliasRetry)
	switch {
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), lock.Close())
	case !locked && (err == nil || errors.Is(err, context.DeadlineExceeded)):
		return errors.Join(fmt.Errorf("%s is %w by another process", path, objects.ErrLocked), lock.Close())
	case err != nil:
		return fmt.Errorf("lock %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	known, err := s.readAliases()
	if err != nil {
		return err
	}
	if err := change(&known); err != nil {
		return err
	}
	return replaceFile(s.fs, path, known.bytes())
}

// bytes is the file.
func (k *aliases) bytes() []byte {
	var b bytes.Buffer
	for _, line := range k.other {
		b.Write(append(line, '\n'))
	}
	for _, from := range k.order {
		b.WriteString(`{"from":`)
		b.Write(objects.AppendQuote(nil, from))
		b.WriteString(`,"to":`)
		b.Write(objects.AppendQuote(nil, k.to[from]))
		b.WriteString("}\n")
	}
	return b.Bytes()
}

// replaceFile writes a small file in one step, durable.
func replaceFile(fsys disk.FS, path string, content []byte) error {
	return disk.WriteFile(fsys, path, disk.WriteOptions{Replace: true}, writeBytes(content))
}

// MovedTo is where the folder cwd is now: cwd itself unless an alias says that it was moved.
func (s *Store) MovedTo(cwd string) (string, error) {
	_, resolved, err := Project(cwd)
	if err != nil {
		return "", err
	}
	known, err := s.readAliases()
	if err != nil {
		return "", err
	}
	return known.follow(resolved), nil
}

// Folders are the names of the folders that hold the sessions of a project: its own first, then those of the
// folders that were moved to it.
func (s *Store) Folders(cwd string) ([]string, error) {
	name, resolved, err := Project(cwd)
	if err != nil {
		return nil, err
	}
	known, err := s.readAliases()
	if err != nil {
		return nil, err
	}
	names := []string{name}
	for _, from := range known.sources(resolved) {
		if name, _, err = Project(from); err != nil {
			return nil, err
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}
