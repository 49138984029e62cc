package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/blobs/disk"
	"tlog/checkout"
	"tlog/objects"
)

// PutBack says what was put back of an imported session.
type PutBack struct {
	Session objects.ID
	Path    string // of the transcript, where it was imported from
	Written bool   // else it was there already, as it was imported
	// Files are what else belongs to it: its side files, the transcripts of its subagents with theirs.
	Files []PutBackFile
}

// PutBackFile is a file that belongs to a session.
type PutBackFile struct {
	Path    string
	Written bool // else something was there, which was left alone
}

// PutBack writes an imported session's transcript to where it was imported from, byte for byte, and with it what only this session has beside it and the
// transcripts of its subagents, each where nothing is. Nothing that is there is ever changed. The error wraps objects.ErrRefused if
// the transcript is there and is not as it was imported, and objects.ErrNotFound if the session is no import or something of it is missing; what was
// written by then is told.
func (s *Store) PutBack(session *checkout.Session) (PutBack, error) {
	b := &putBack{store: s}
	err := b.session(session)
	if err != nil {
		err = fmt.Errorf("put session %s back: %w", session.Log.Header().ID, err)
	}
	return b.done, err
}

// putBack puts a session back. Its transcript comes last, so that a session that is there is there with all that belongs to it.
type putBack struct {
	store *Store
	done  PutBack
}

func (b *putBack) session(session *checkout.Session) error {
	path, err := b.store.placeOf(session)
	if err != nil {
		return err
	}
	b.done.Session, b.done.Path = session.Log.Header().ID, path
	there, err := b.store.isThere(path, session)
	if err != nil {
		return err
	}
	if err := b.beside(path, session); err != nil {
		return err
	}
	if err := b.subagents(session); err != nil || there {
		return err
	}
	err = putNew(path, b.store.writeSource(session))
	b.done.Written = err == nil
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("'%s' is there already: %w", path, objects.ErrRefused)
	}
	return err
}

// placeOf is where a session was imported from.
func (s *Store) placeOf(session *checkout.Session) (string, error) {
	mark, err := SourceOf(session)
	switch {
	case err != nil:
		return "", err
	case mark.Path == "" || session.Log.Header().Source == nil:
		return "", fmt.Errorf("%w: the session is no import", objects.ErrNotFound)
	// The path stands in a log, which may come from anywhere: what is written is a transcript, and nothing that any program starts.
	case !filepath.IsAbs(mark.Path) || !strings.HasSuffix(strings.TrimSuffix(mark.Path, transcript.PackedSuffix), logSuffix):
		return "", fmt.Errorf("%w: it was imported from '%s', which is no place for a transcript", objects.ErrRefused, mark.Path)
	case s.Contains(mark.Path):
		return "", fmt.Errorf("%w: '%s' lies in the store", objects.ErrRefused, mark.Path)
	}
	return mark.Path, nil
}

// isThere reports whether the transcript is at path as it was imported. Anything else there is refused.
func (s *Store) isThere(path string, session *checkout.Session) (bool, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%w: '%s' is no regular file", objects.ErrRefused, path)
	}
	if err != nil {
		return false, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	imported, err := s.Original(Info{}, session)
	if err != nil {
		return false, errors.Join(err, f.Close())
	}
	found, err := compare(f, imported)
	if err = errors.Join(err, imported.Close(), f.Close()); err == nil && found != same {
		err = fmt.Errorf("'%s' is there and is not what was imported: %w", path, objects.ErrRefused)
	}
	return err == nil, err
}

// beside puts back what the agent keeps beside a transcript.
func (b *putBack) beside(path string, session *checkout.Session) error {
	header := session.Log.Header()
	agent, _ := agents.Lookup(header.Agent)
	keeper, ok := agent.(agents.Keeper)
	if !ok {
		return nil
	}
	for file, err := range session.SideFiles() {
		if err != nil {
			return err
		}
		if to, ok := keeper.Beside(path, file.Name); ok {
			if err := b.put(to, writeBytes(file.Data)); err != nil {
				return err
			}
		}
	}
	source, err := objects.ParseEntry(header.Source)
	if err != nil {
		return fmt.Errorf("source in the header: %w", err)
	}
	if meta := source.Get("meta"); meta != nil {
		return b.put(keeper.MetaFile(path), writeBytes(meta))
	}
	return nil
}

// subagents puts the transcripts of the subagents back that the session began.
func (b *putBack) subagents(session *checkout.Session) error {
	files, err := logFiles(filepath.Dir(session.Log.Path()))
	if err != nil {
		return err
	}
	id := session.Log.Header().ID
	for _, info := range b.store.headers(files) {
		if !info.Subagent || info.ParentSession != id {
			continue
		}
		if err := b.subagent(info.File); err != nil {
			return fmt.Errorf("subagent %s: %w", info.ID, err)
		}
	}
	return nil
}

func (b *putBack) subagent(file string) error {
	session, err := checkout.Open(file, checkout.Options{})
	if err != nil {
		return err
	}
	defer session.Close()
	path, err := b.store.placeOf(session)
	if err != nil {
		return err
	}
	if err := b.beside(path, session); err != nil {
		return err
	}
	return b.put(path, b.store.writeSource(session))
}

// put writes a file unless something is there.
func (b *putBack) put(path string, write func(io.Writer) error) error {
	file := PutBackFile{Path: path}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		err := putNew(path, write)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		file.Written = err == nil
	} else if err != nil {
		return err
	}
	b.done.Files = append(b.done.Files, file)
	return nil
}

// putNew writes a new file and the folders that it lies in.
func putNew(path string, write func(io.Writer) error) error {
	if _, err := disk.MakeFolders(disk.OS, filepath.Dir(path), false); err != nil {
		return err
	}
	return WriteNew(path, false, write)
}

// writeSource writes what a session was imported from.
func (s *Store) writeSource(session *checkout.Session) func(io.Writer) error {
	return func(w io.Writer) error {
		imported, err := s.Original(Info{}, session)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, imported)
		return errors.Join(err, imported.Close())
	}
}

func writeBytes(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(data))
		return err
	}
}
