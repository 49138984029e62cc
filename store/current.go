package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tlog/blobs/disk"
	"tlog/objects"
)

// currentName is the file in a project's folder that names the session which commands take there.
const currentName = "current"

// A PinError says that the pinned session is not there any more.
type PinError struct{ ID objects.ID }

// Error names the session.
func (e *PinError) Error() string {
	return fmt.Sprintf("the session %s, which is pinned here, is gone", e.ID)
}

// Unwrap makes the error an objects.ErrNotFound.
func (e *PinError) Unwrap() error { return objects.ErrNotFound }

// Pin makes a session the one that commands take in a project. It need not be one of the project's own.
func (s *Store) Pin(cwd string, id objects.ID) error {
	if !id.Valid() {
		return fmt.Errorf("pin session %.40q: %w id", string(id), objects.ErrInvalid)
	}
	folder, _, err := s.folder(cwd)
	if err != nil {
		return err
	}
	if _, err := disk.MakeFolders(s.fs, folder, false); err != nil {
		return fmt.Errorf("pin session: %w", err)
	}
	if err := replaceFile(s.fs, filepath.Join(folder, currentName), []byte(id+"\n")); err != nil {
		return fmt.Errorf("pin session: %w", err)
	}
	return nil
}

// Unpin makes commands take the newest session of a project again. was reports whether one was pinned.
func (s *Store) Unpin(cwd string) (was bool, err error) {
	folder, _, err := s.folder(cwd)
	if err != nil {
		return false, err
	}
	err = s.fs.Remove(filepath.Join(folder, currentName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("unpin session: %w", err)
	}
	return true, s.fs.SyncFolder(folder)
}

// Pinned is the session that is pinned in a project, empty if none is. It may be gone. The
// error wraps objects.ErrInvalid if what was noted is no id.
func (s *Store) Pinned(cwd string) (objects.ID, error) {
	folder, _, err := s.folder(cwd)
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, currentName)
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("pinned session: %w", err)
	}
	id := objects.ID(strings.TrimSpace(string(data)))
	if !id.Valid() {
		return "", fmt.Errorf("%s: %w: expected the id of a session, got %.40q", file, objects.ErrInvalid, string(id))
	}
	return id, nil
}

// Current is the session that commands take in a project: the pinned one, else the newest. The error is a
// *PinError if the pinned one is gone, and wraps objects.ErrNotFound if there is no session.
func (s *Store) Current(cwd string) (Info, error) {
	id, err := s.Pinned(cwd)
	switch {
	case err != nil:
		return Info{}, err
	case id == "":
		return s.Newest(cwd)
	}
	info, found, err := s.findExact(cwd, id)
	if err == nil && !found {
		err = &PinError{ID: id}
	}
	return info, err
}
