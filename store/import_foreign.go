package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/blobs/disk"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// detectHead is how much of a file is looked at first to tell whose it is, in bytes.
const detectHead = 64 << 10

// detect finds the agent whose transcript a file is, by its first bytes; nil for a native file. A file that cannot be read is no
// agent's; what is wrong with it is told by who opens it as a log.
func (s *Store) detect(path string) (agents.Foreign, []byte) {
	head, err := s.readHead(path, detectHead)
	if err != nil {
		return nil, nil
	}
	agent, ok := s.foreign(head)
	if !ok {
		return s.detectFurther(path, head)
	}
	return agent, head
}

// readHead reads the first bytes of a file, at most size.
func (s *Store) readHead(path string, size int64) ([]byte, error) {
	f, info, err := s.open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, min(size, info.Size()))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head[:n], nil
}

// importForeign brings an agent's transcript into the store, with those of the subagents that its session began.
// An error of one of these does not keep the others out.
func (s *Store) importForeign(ctx context.Context, agent agents.Foreign, head []byte, path, cwd string, opt checkout.Options) (Imported, error) {
	im := &foreignImporter{placing: placing{store: s}, incoming: incoming{path: path, opt: opt}, agent: agent}
	result, err := im.run(ctx, head, cwd)
	if err != nil || result.Session == "" || im.id.Subagent != "" {
		return result, err
	}
	paths, listErr := agent.Subagents(path)
	errs := []error{listErr}
	family := &family{file: result.File}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		child := &foreignImporter{placing: placing{store: s}, incoming: incoming{path: path, opt: opt}, agent: agent, family: family}
		head, err := s.readHead(path, detectHead)
		if err == nil {
			var done Imported
			if done, err = child.run(ctx, head, im.cwd); err == nil && done.Session != "" {
				result.Children = append(result.Children, done)
			}
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return result, fmt.Errorf("subagents of session %s: %w", result.Session, err)
	}
	return result, nil
}

// foreignImporter brings one transcript of an agent into the store.
type foreignImporter struct {
	placing
	incoming
	agent  agents.Foreign
	id     transcript.Identity
	source *checkout.ForeignSource
	family *family // where the call of a subagent is looked for; nil if that is to be found out
}

func (im *foreignImporter) run(ctx context.Context, head []byte, cwd string) (result Imported, err error) {
	if im.id, err = im.agent.Identify(im.path, head); err != nil {
		return Imported{}, fmt.Errorf("import %s: %w", im.path, err)
	}
	if err := im.place(im.id.Cwd, cwd); err != nil {
		return Imported{}, fmt.Errorf("import %s: %w", im.path, err)
	}
	f, info, err := openRegular(im.path)
	if err != nil {
		return Imported{}, fmt.Errorf("import: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	im.size, im.modified = info.Size(), info.ModTime()
	file, err := im.known()
	if err != nil {
		return Imported{}, err
	}
	if im.packed, err = transcript.Packed(im.path); err != nil {
		return Imported{}, fmt.Errorf("import: %w", err)
	}
	im.source = checkout.NewForeignSource(im.agent, im.id.ID, im.path, f, im.size)
	im.source.LeaveOpenLine, im.source.CompareAll, im.source.MaxTranscript = im.opt.LeaveOpenLine, im.opt.CompareAll, im.opt.MaxTranscript
	if im.source.Beside, err = im.store.beside.of(im.agent)(im.path, im.id); err != nil {
		im.source.Beside = append(im.source.Beside, transcript.SideFile{Name: "side files", Skipped: err})
	}
	if file == "" {
		if im.opt.LeaveOpenLine && im.size <= int64(len(head)) && bytes.IndexByte(head, '\n') < 0 {
			return Imported{Imported: checkout.Imported{Tracking: im.agent.Name(), Agent: im.agent.Name()}}, nil
		}
		if im.source.Base, err = baseOf(im.agent, im.path, head); err != nil {
			return Imported{}, fmt.Errorf("import %s: %w", im.path, err)
		}
		result, err := im.create(ctx)
		if !errors.Is(err, fs.ErrExist) {
			return result, err
		}
		// Somebody else has imported it in this moment.
		if file, err = im.known(); err != nil {
			return Imported{}, err
		}
	}
	return im.update(ctx, file, head)
}

// known is the file of the session that was made of this transcript before, empty if there is none. Agents number their subagents anew
// in each session, so that two of one project may have one id: then the parent's stands behind it.
func (im *foreignImporter) known() (string, error) {
	file, err := im.knownAs(im.id.ID)
	if err != nil || file == "" || im.id.Subagent == "" || im.id.Parent == "" {
		return file, err
	}
	info, err := newPeeker(im.store.open).header(file)
	if err != nil || info.ParentSession == im.id.Parent {
		return file, err
	}
	apart := im.id.ID + "." + im.id.Parent
	if !apart.Valid() {
		apart = objects.DerivedID(im.id.Parent, len(im.id.ID)) // hardly ever: both are long
	}
	im.id.ID = apart
	return im.knownAs(apart)
}

// create makes a new session of the transcript.
func (im *foreignImporter) create(ctx context.Context) (Imported, error) {
	name, err := fileName(im.id.ID)
	if err != nil {
		return Imported{}, fmt.Errorf("import %s: %w", im.path, err)
	}
	if _, err := disk.MakeFolders(im.fs(), im.folder, im.opt.Write.Durability == log.DurabilityOS); err != nil {
		return Imported{}, fmt.Errorf("import: %w", err)
	}
	header := checkout.ForeignHeader(im.agent.Name(), im.path, im.id)
	header.Cwd = im.cwd
	if header.ParentEntry, err = im.callEntry(); err != nil {
		return Imported{}, err
	}
	if header.ParentEntry == "" {
		header.ParentEntry = lastNode(im.source.Base.Lines)
	}
	result := Imported{File: filepath.Join(im.folder, name), Created: true, MissingBase: im.source.Base.Missing}
	session, done, err := checkout.CreateForeign(ctx, result.File, header, im.source, im.opt)
	if err != nil {
		return Imported{}, err
	}
	im.dateLog(result.File, time.Time{})
	result.Imported, im.size = done, im.source.Imported()
	result.describe(session)
	if !im.source.Exact() || im.packed {
		result.Original, err = im.keepIfNeeded(session, originalPath(result.File, result.Session), false)
	}
	return result, errors.Join(err, session.Close())
}

// update brings what is new into a session that is there.
func (im *foreignImporter) update(ctx context.Context, file string, head []byte) (result Imported, err error) {
	session, err := checkout.Open(file, im.opt)
	if err != nil {
		return Imported{}, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	result = Imported{File: file, State: im.stateSince(session)}
	var based Imported
	if err := im.lookAgain(session, head, &based); err != nil {
		return Imported{}, err
	}
	defer func() { result.MissingBase, result.LateBase = based.MissingBase, based.LateBase }()
	original := originalPath(file, session.Log.Header().ID)
	if older, err := im.olderThan(original); older || err != nil {
		result.Tracking, result.Agent = im.agent.Name(), im.agent.Name()
		result.Entries, result.Original = session.Entries(), original
		result.describe(session)
		return result, err
	}
	im.source.CompareAll = im.source.CompareAll || exists(original)
	before, modified := session.Log.Size(), modifiedAt(file)
	if result.Imported, err = session.ImportForeign(ctx, im.source); err != nil {
		return Imported{}, err
	}
	if session.Log.Size() != before {
		im.dateLog(file, modified)
	}
	if result.State == SourceRewritten && im.source.Document() && result.Missing == 0 {
		result.State = SourceGrown // that is how a document grows
	}
	im.size = im.source.Imported()
	result.describe(session)
	if im.source.Continued() && im.source.Exact() && !im.packed && !exists(original) {
		return result, nil // so the lines give the source back, as they did before
	}
	result.Original, err = im.keepIfNeeded(session, original, session.Log.Size() == before)
	return result, err
}

// lastNode is the last of the lines that is a node of the history, empty if none is.
func lastNode(lines []objects.Envelope) objects.ID {
	for _, v := range slices.Backward(lines) {
		if !v.Type.Journal() {
			return v.ID
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// callEntry is the entry in which the call stands that began the subagent, empty if it is not known.
func (im *foreignImporter) callEntry() (objects.ID, error) {
	if im.id.Call == "" || im.id.Parent == "" {
		return "", nil
	}
	if im.family == nil {
		files, err := im.store.namedFiles(im.id.Parent)
		if err != nil || len(files) == 0 {
			return "", err
		}
		im.family = &family{file: files[0]}
		for _, file := range files {
			if filepath.Dir(file) == im.folder {
				im.family.file = file
			}
		}
	}
	return im.family.entryOf(im.id.Call)
}

// family knows the calls in a session.
type family struct {
	file  string
	calls map[string]objects.ID // the entry that each call stands in; nil until they are asked for
}

// entryOf is the entry in which a call stands, empty if none does. The session is read once.
func (f *family) entryOf(call string) (objects.ID, error) {
	if f.calls == nil {
		calls, err := checkout.Calls(f.file)
		if err != nil {
			return "", err
		}
		f.calls = calls
	}
	return f.calls[call], nil
}
