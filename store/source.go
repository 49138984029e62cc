package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"tlog/checkout"
)

// SourceState says what became of a source since it was imported.
type SourceState string

// The states of a source.
const (
	SourceUnknown   SourceState = ""          // the import noted nothing to compare with
	SourceNew       SourceState = "new"       // it was never imported
	SourceGone      SourceState = "gone"      // it is not there any more
	SourceShrunk    SourceState = "shrunk"    // it is shorter than what was imported
	SourceCopy      SourceState = "copy"      // it is an older copy, at another path, of what was imported
	SourceRewritten SourceState = "rewritten" // what was imported stands there no more
	SourceCurrent   SourceState = "current"   // it is as it was
	SourceGrown     SourceState = "grown"     // more stands behind what was imported
)

// StateOf compares a source with what its import noted. It reads 8 KiB at most, so a change in the middle of a source that
// keeps its length is not seen. The error is one of reading.
func StateOf(mark checkout.SourceMark) (SourceState, error) {
	if mark.Path == "" {
		return SourceUnknown, nil
	}
	f, info, err := openRegular(mark.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return SourceGone, nil
	case err != nil:
		return SourceUnknown, err
	}
	defer f.Close()
	switch {
	case mark.Hash == "":
		return SourceUnknown, nil
	case info.Size() < mark.Size:
		return SourceShrunk, nil
	}
	hash, err := checkout.HashSource(f, mark.Size)
	switch {
	case err != nil:
		return SourceUnknown, err
	case hash != mark.Hash:
		return SourceRewritten, nil
	case info.Size() > mark.Size:
		return SourceGrown, nil
	}
	return SourceCurrent, nil
}

// SourceOf is the mark of an open session's last import, or only the path that its header names; zero for a
// session that is no import.
func SourceOf(session *checkout.Session) (checkout.SourceMark, error) {
	mark, ok, err := session.SourceMark()
	if !ok && err == nil {
		mark.Path = sourceText(session.Log.Header(), "path")
	}
	return mark, err
}

// importedFrom finds the session that was imported from a path. It is asked for only when nothing is at the path.
func (s *Store) importedFrom(path string) (Info, bool) {
	if _, err := os.Lstat(path); err == nil {
		return Info{}, false
	}
	path = filepath.Clean(path)
	infos, err := s.Sessions("", nil)
	if err != nil {
		return Info{}, false
	}
	for _, info := range infos {
		if info.Source.Path == path {
			return info, true
		}
	}
	return Info{}, false
}

// sourceGone tells of the session whose source is not there any more.
func (s *Store) sourceGone(info Info, opt checkout.Options) (Imported, error) {
	session, err := checkout.Open(info.File, opt)
	if err != nil {
		return Imported{}, err
	}
	result := Imported{File: info.File, State: SourceGone}
	result.Tracking = session.Log.Header().Agent
	result.Entries, result.Missing = session.Entries(), session.Entries()
	result.describe(session)
	return result, session.Close()
}

// stateSince compares the source with what the session's last import noted of it, wherever it lay then.
func (in *incoming) stateSince(session *checkout.Session) SourceState {
	mark, ok, err := session.SourceMark()
	if err != nil || !ok {
		return SourceUnknown
	}
	from := mark.Path
	mark.Path = in.path
	state, err := StateOf(mark)
	switch {
	case err != nil:
		return SourceUnknown // the import itself will say what is wrong
	case state == SourceShrunk && isElsewhere(in.path, from) && isOlderCopy(in.path, session):
		return SourceCopy
	}
	return state
}

// isElsewhere reports whether two paths lead to different files, or one to none.
func isElsewhere(path, other string) bool {
	if path == other {
		return false
	}
	a, err := os.Stat(path)
	if err != nil {
		return true
	}
	b, err := os.Stat(other)
	return err != nil || !os.SameFile(a, b)
}

// isOlderCopy reports whether what was imported begins with all that stands in the file at path. What cannot be read does not.
func isOlderCopy(path string, session *checkout.Session) bool {
	f, info, err := openRegular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	imported, err := Open("").Original(Info{}, session)
	if err != nil {
		return false
	}
	defer imported.Close()
	relation, err := compare(io.NewSectionReader(f, 0, info.Size()), imported)
	return err == nil && relation == older
}
