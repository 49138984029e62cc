package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tlog/blobs/disk"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// Imported says what an import did.
type Imported struct {
	checkout.Imported
	Session       objects.ID
	File          string
	Created       bool
	ParentSession objects.ID
	ParentEntry   objects.ID
	Original      string // the file that keeps the whole source, empty if none is needed
	Subagent      string // the subagent whose transcript it is, empty for a session of its own
	// MissingBase names the transcript that this one goes on from by reference and that is nowhere; empty for none.
	MissingBase objects.ID
	// LateBase is the file of what this one goes on from, if that came up after the session had been made without it. It stays out of the session.
	LateBase string
	// Children are the sessions of the subagents that it began, imported with it.
	Children []Imported
	// State is what the source was against what had been imported of it before: SourceGrown for one that only went on.
	// It is SourceUnknown for a new session. Of a source that is gone nothing was imported now.
	State SourceState
}

// Import brings a transcript into the store, into the project of its own cwd (of cwd if it names none). A session of the same id, or for a
// bare message log one whose source this one continues, takes what is new; nothing that it holds is ever lost by that. An empty source makes no session (Session is empty then).
// The source is never written to. A source that is gone, and was imported before, is no error: Imported.State says so.
// The error wraps objects.ErrRefused for a file that lies in the store, objects.ErrVersion for one of a newer format, and
// is otherwise that of [log.Open] or of writing.
func (s *Store) Import(ctx context.Context, path, cwd string, opt checkout.Options) (Imported, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Imported{}, fmt.Errorf("import: %w", err)
	}
	if s.Contains(path) {
		return Imported{}, fmt.Errorf("import %s: %w: it is a session of this store already", path, objects.ErrRefused)
	}
	// A pipe would block, and could not be read twice.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return Imported{}, fmt.Errorf("import %s: %w: expected a regular file", path, objects.ErrInvalid)
	}
	if agent, head := s.detect(path); agent != nil {
		return s.importForeign(ctx, agent, head, path, cwd, opt)
	}
	source, err := log.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if info, ok := s.importedFrom(path); ok {
			return s.sourceGone(info, opt)
		}
	}
	if err != nil {
		return Imported{}, err
	}
	im := &importer{
		placing:  placing{store: s},
		incoming: incoming{path: path, size: source.Size(), opt: opt, modified: modifiedAt(path)},
		source:   source,
	}
	result, err := im.run(ctx, cwd)
	return result, errors.Join(err, source.Close())
}

// importer brings one source into the store.
type importer struct {
	placing
	incoming
	source *log.Log
}

// placing finds out where in a store a session belongs.
type placing struct {
	store  *Store
	folder string // of the project
	cwd    string // resolved
	owned  bool   // the source names the project itself
}

func (im *importer) run(ctx context.Context, cwd string) (Imported, error) {
	version := im.source.Version()
	switch {
	case version > objects.Version:
		return Imported{}, fmt.Errorf("import %s: %w: expected at most %d, got %d", im.path, objects.ErrVersion, objects.Version, version)
	case version == 0 && im.source.Len() == 0:
		return Imported{Imported: checkout.Imported{
			Tracking: checkout.SourceKind(version), Damaged: len(im.source.Damaged()),
		}}, nil
	}
	if err := im.place(im.source.Header().Cwd, cwd); err != nil {
		return Imported{}, fmt.Errorf("import %s: %w", im.path, err)
	}
	file, err := im.known(ctx)
	if err != nil {
		return Imported{}, err
	}
	if file == "" {
		result, err := im.create(ctx)
		if !errors.Is(err, fs.ErrExist) || version == 0 {
			return result, err
		}
		// Somebody else has imported it in this moment.
		if file, err = im.known(ctx); err != nil {
			return Imported{}, err
		}
	}
	return im.update(ctx, file)
}

// place finds the project: that of the source's own working folder, else of cwd.
func (p *placing) place(own, cwd string) (err error) {
	if own != "" {
		if p.folder, p.cwd, err = p.store.folder(own); err == nil {
			p.owned = true
			return nil
		}
		if !errors.Is(err, objects.ErrInvalid) {
			return err
		}
	}
	p.folder, p.cwd, err = p.store.folder(cwd)
	return err
}

// knownAs is the file of the session with an id that was made of the source before, empty if there is none.
func (p *placing) knownAs(id objects.ID) (string, error) {
	name, err := fileName(id)
	if err != nil {
		return "", err
	}
	file := filepath.Join(p.folder, name)
	if _, err := os.Lstat(file); err == nil {
		return file, nil
	}
	if p.owned {
		return "", nil // one of the same id elsewhere is another project's
	}
	files, err := p.store.namedFiles(id)
	if err != nil || len(files) != 1 {
		return "", err
	}
	return files[0], nil
}

// known is the file of the session that was made of this source before, empty if there is none.
func (im *importer) known(ctx context.Context) (string, error) {
	if im.source.Version() == 0 {
		return im.knownMessages(ctx)
	}
	return im.knownAs(im.source.Header().ID)
}

// knownMessages looks for the session of a bare message log, which has no id: one
// whose source began with the same line and had the same lines as far as both go.
func (im *importer) knownMessages(ctx context.Context) (string, error) {
	first, err := checkout.FirstLine(im.source)
	if err != nil {
		return "", err
	}
	files, err := logFiles(im.folder)
	if err != nil {
		return "", err
	}
	p := newPeeker(im.store.open)
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if err := p.ends.readHeader(file); err != nil || sourceText(p.ends.header, "first") != first {
			continue
		}
		if same, err := im.continues(file); err == nil && same {
			return file, nil
		}
	}
	return "", nil
}

// continues reports whether the session in file was made of this source.
func (im *importer) continues(file string) (same bool, err error) {
	session, err := checkout.Open(file, im.opt)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	return session.Continues(im.source)
}

// create makes a new session of the source.
func (im *importer) create(ctx context.Context) (Imported, error) {
	if im.source.Version() == objects.Version {
		return im.copyLog(ctx)
	}
	header, err := im.newHeader()
	if err != nil {
		return Imported{}, err
	}
	name, err := fileName(header.ID)
	if err != nil {
		return Imported{}, fmt.Errorf("import %s: %w", im.path, err)
	}
	if _, err := disk.MakeFolders(im.fs(), im.folder, im.opt.Write.Durability == log.DurabilityOS); err != nil {
		return Imported{}, fmt.Errorf("import: %w", err)
	}
	file := filepath.Join(im.folder, name)
	result := Imported{File: file, Created: true}
	// The original comes first, so that no session ever names one that is not there.
	if original := sourceText(header, "original"); original != "" {
		if _, err := os.Lstat(file); err == nil {
			return Imported{}, fmt.Errorf("import %s: %w", im.path, fs.ErrExist)
		}
		result.Original = filepath.Join(im.folder, original)
		if err := im.keepOriginal(result.Original); err != nil {
			return Imported{}, err
		}
	}
	session, done, err := checkout.CreateImport(ctx, file, header, im.source, im.opt)
	if err != nil {
		return Imported{}, err
	}
	im.dateLog(file, time.Time{})
	result.Imported = done
	result.describe(session)
	return result, session.Close()
}

// copyLog makes a new session of a log of tlog's own: its copy, chain and names included.
func (im *importer) copyLog(ctx context.Context) (result Imported, err error) {
	name, err := fileName(im.source.Header().ID)
	if err != nil {
		return Imported{}, fmt.Errorf("import %s: %w", im.path, err)
	}
	file := filepath.Join(im.folder, name)
	if err := im.source.Copy(file, im.opt.Write); err != nil {
		return Imported{}, fmt.Errorf("import %s: %w", im.path, err)
	}
	// The copy is complete, so that this finds nothing more; it counts.
	result, err = im.update(ctx, file)
	result.Created, result.New = true, result.Entries
	im.dateLog(file, time.Time{})
	return result, err
}

// newHeader is the header of a new session for the source.
func (im *importer) newHeader() (objects.Header, error) {
	id := im.source.Header().ID
	if im.source.Version() == 0 {
		var err error
		if id, err = objects.NewID(im.opt.Now(), im.opt.Random); err != nil {
			return objects.Header{}, err
		}
	}
	original := ""
	needed, err := checkout.NeedsOriginal(im.source)
	if err != nil {
		return objects.Header{}, err
	}
	if needed {
		original = string(id) + originalSuffix
	}
	header, err := checkout.ImportHeader(im.source, im.path, original)
	if err != nil {
		return objects.Header{}, err
	}
	header.ID, header.Cwd = id, im.cwd
	header.ParentSession = string(im.parent())
	return header, nil
}

// parent is the session that the source was forked from, if it has been imported: pi
// names its file (formats/pi.md section 2), whose name ends with the session's id.
func (im *importer) parent() objects.ID {
	path := im.source.Header().ParentSession
	if path == "" {
		return ""
	}
	_, last, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), logSuffix), "_")
	id := objects.ID(last)
	if parent, err := newPeeker(im.store.open).header(path); err == nil {
		id = parent.ID
	}
	if files, err := im.store.namedFiles(id); err != nil || len(files) == 0 {
		return ""
	}
	return id
}

// update brings what is new into a session that is there.
func (im *importer) update(ctx context.Context, file string) (result Imported, err error) {
	session, err := checkout.Open(file, im.opt)
	if err != nil {
		return Imported{}, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	if v := session.Log.Version(); v < objects.Version {
		return Imported{}, fmt.Errorf("import into %s: %w: it is of format version %d and must be migrated first", file, objects.ErrRefused, v)
	}
	result = Imported{File: file, State: im.stateSince(session)}
	original := originalPath(file, session.Log.Header().ID)
	if older, err := im.olderThan(original); older || err != nil {
		result.Tracking = checkout.SourceKind(im.source.Version())
		result.Entries, result.Damaged, result.Original = session.Entries(), len(im.source.Damaged()), original
		result.describe(session)
		return result, err
	}
	before, modified := session.Log.Size(), modifiedAt(file)
	if result.Imported, err = session.Import(ctx, im.source); err != nil {
		return Imported{}, err
	}
	if session.Log.Size() != before {
		im.dateLog(file, modified)
	}
	result.describe(session)
	if session.Log.Header().Source == nil || im.source.Version() == objects.Version {
		return result, nil // a log of tlog's own has no other original
	}
	result.Original, err = im.keepIfNeeded(session, original, result.Missing > 0 && result.New == 0)
	return result, err
}

// describe fills in what the session's header tells.
func (r *Imported) describe(session *checkout.Session) {
	header := session.Log.Header()
	r.Session = header.ID
	r.ParentSession, r.ParentEntry = objects.ID(header.ParentSession), header.ParentEntry
	r.Subagent = sourceText(header, "subagent")
}

// sourceText is a text in the header's source.
func sourceText(header objects.Header, key string) string {
	if header.Source == nil {
		return ""
	}
	source, err := objects.ParseEntry(header.Source)
	if err != nil {
		return ""
	}
	text, _ := source.Text(key)
	return text
}
