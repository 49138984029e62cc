package store

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/checkout"
	"tlog/objects"
)

// surveyHead is how much is read of the beginning of a transcript to know what it is, in bytes.
const surveyHead = 16 << 10

// Surveyed is a transcript where an agent keeps it.
type Surveyed struct {
	Path     string
	Size     int64 // bytes
	ModTime  time.Time
	Session  objects.ID // empty if it holds none
	Cwd      string     // as recorded; empty if it is not
	Parent   objects.ID // of a subagent's: the session that it is a part of
	Subagent bool
	File     string // the session's log in the store, empty if it is not there
	// State is what became of it since it was imported: SourceNew if it never was, SourceUnknown if the log does not tell.
	State SourceState
}

// Survey tells of every transcript that an agent keeps, and whether it is in the store. It reads the beginning of each, and 8 KiB of
// those that are. An error concerns the transcript in its pair, or without a Path a folder; the others follow. env looks
// up the environment.
func (s *Store) Survey(ctx context.Context, agent agents.Agent, env func(string) string) iter.Seq2[Surveyed, error] {
	return func(yield func(Surveyed, error) bool) {
		found, err := agent.Locate(env)
		if err != nil && !yield(Surveyed{}, fmt.Errorf("%s: %w", agent.Name(), err)) {
			return
		}
		files, err := s.everywhere()
		if err != nil {
			yield(Surveyed{}, err)
			return
		}
		v := surveyor{store: s, agent: agent, peeker: newPeeker(s.open), logs: map[string][]string{}}
		for _, file := range files {
			id := strings.TrimSuffix(filepath.Base(file), logSuffix)
			v.logs[id] = append(v.logs[id], file)
		}
		for _, f := range found {
			if err := ctx.Err(); err != nil {
				yield(Surveyed{}, err)
				return
			}
			if !yield(v.look(f)) {
				return
			}
		}
	}
}

// surveyor looks at transcripts.
type surveyor struct {
	store  *Store
	agent  agents.Agent
	peeker *peeker
	logs   map[string][]string // those of the store, by the session's id
}

// look tells of one transcript.
func (v *surveyor) look(f transcript.Found) (Surveyed, error) {
	seen := Surveyed{Path: f.Path, Subagent: f.Subagent, State: SourceNew}
	info, err := os.Stat(f.Path)
	if err != nil {
		return seen, err
	}
	seen.Size, seen.ModTime = info.Size(), info.ModTime()
	if info.Size() == 0 {
		return seen, nil
	}
	if err := v.identify(&seen); err != nil {
		return seen, err
	}
	log, ok := v.logOf(seen)
	if !ok {
		return seen, nil
	}
	seen.File = log.File
	mark := log.Source
	mark.Path = f.Path
	seen.State, err = StateOf(mark)
	if seen.State == SourceShrunk && isElsewhere(f.Path, log.Source.Path) && v.isOlderCopy(seen) {
		seen.State = SourceCopy
	}
	return seen, err
}

// isOlderCopy reports whether all of a transcript is in the store by another, longer one.
func (v *surveyor) isOlderCopy(seen Surveyed) bool {
	session, err := checkout.Open(seen.File, checkout.Options{})
	if err != nil {
		return false // fsck tells what is wrong with it
	}
	defer session.Close()
	return isOlderCopy(seen.Path, session)
}

// identify finds out which session a transcript is.
func (v *surveyor) identify(seen *Surveyed) error {
	foreign, ok := v.agent.(agents.Foreign)
	if !ok {
		info, err := v.peeker.header(seen.Path)
		seen.Session, seen.Cwd = info.ID, info.Cwd
		return err
	}
	head, err := v.store.readHead(seen.Path, surveyHead)
	if err != nil {
		return err
	}
	id, err := foreign.Identify(seen.Path, head)
	seen.Session, seen.Cwd, seen.Parent = id.ID, id.Cwd, id.Parent
	seen.Subagent = seen.Subagent || id.Subagent != ""
	return err
}

// logOf finds the session's log, where an import would find it first.
func (v *surveyor) logOf(seen Surveyed) (log Info, found bool) {
	folder := ""
	if name, _, err := Project(seen.Cwd); err == nil {
		folder = name
	}
	ids := []objects.ID{seen.Session}
	if seen.Subagent && seen.Parent != "" {
		ids = append(ids, seen.Session+"."+seen.Parent)
	}
	for _, id := range ids {
		for _, file := range v.logs[string(id)] {
			if folder != "" && projectOf(file) != folder {
				continue
			}
			info, err := v.peeker.source(file)
			if err != nil || info.Agent != v.agent.Name() || seen.Subagent && seen.Parent != "" && info.ParentSession != seen.Parent {
				continue
			}
			return info, true
		}
	}
	return Info{}, false
}
