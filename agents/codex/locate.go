package codex

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Names in the agent's folder (formats/codex.md section 1).
const (
	homeFolder     = ".codex"
	sessionsFolder = "sessions"
	archiveFolder  = "archived_sessions"
	rolloutPrefix  = "rollout-"
	rolloutSuffix  = ".jsonl"
)

// Folder implements agents.Agent. It is empty if the environment tells of no home.
func (Agent) Folder(env func(string) string) string {
	if dir := env("CODEX_HOME"); dir != "" {
		return filepath.Clean(dir)
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, homeFolder)
	}
	return ""
}

// Locate implements agents.Agent: the rollouts of all days, and those that were archived, packed ones too, in the order of their names. A folder that
// cannot be read is told of by the error, and all others are given.
func (a Agent) Locate(env func(string) string) ([]transcript.Found, error) {
	root := a.Folder(env)
	if root == "" {
		return nil, nil
	}
	var found []transcript.Found
	err := eachRollout(root, func(path string) { found = append(found, transcript.Found{Path: path}) })
	return found, err
}

// eachRollout calls each for the rollouts in a folder of the client's.
func eachRollout(root string, each func(path string)) error {
	var errs []error
	for _, name := range []string{sessionsFolder, archiveFolder} {
		top := filepath.Join(root, name)
		filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil && path == top && transcript.NotThere(err):
			case err != nil:
				errs = append(errs, fmt.Errorf("list rollouts: %w", err))
			case !entry.IsDir() && isRollout(entry.Name()) && transcript.IsFile(path, entry):
				each(path)
			}
			return nil
		})
	}
	return errors.Join(errs...)
}

func isRollout(name string) bool {
	return strings.HasPrefix(name, rolloutPrefix) && strings.HasSuffix(strings.TrimSuffix(name, transcript.PackedSuffix), rolloutSuffix)
}

// homeOf is the client's folder that a rollout lies in, empty if it lies in none.
func homeOf(path string) string {
	for at := filepath.Dir(path); at != filepath.Dir(at); at = filepath.Dir(at) {
		if name := filepath.Base(at); name == sessionsFolder || name == archiveFolder {
			return filepath.Dir(at)
		}
	}
	return ""
}

// Thread implements agents.Threaded: the segments of a thread are sessions of their own.
func (Agent) Thread(session objects.ID) objects.ID {
	thread, _, _ := strings.Cut(string(session), "_")
	return objects.ID(thread)
}

// Supersedes implements agents.Threaded: the client goes on from the newest segment by the time in its name, of two of one time from the one of the
// greater id (formats/codex.md section 7).
func (Agent) Supersedes(path, other string) bool {
	when, id := segmentOrder(path)
	otherWhen, otherID := segmentOrder(other)
	return cmp.Or(strings.Compare(when, otherWhen), strings.Compare(id, otherID)) > 0
}

// segmentOrder is the time in a rollout's name, and the last id there.
func segmentOrder(path string) (when, id string) {
	thread, segment := fileIDs(path)
	when, _, _ = strings.Cut(strings.TrimPrefix(filepath.Base(path), rolloutPrefix), "-"+thread)
	return when, cmp.Or(segment, thread)
}

// Subagents implements agents.Foreign. Nothing in a rollout's place tells of those that it began; each says itself whose it is.
func (Agent) Subagents(string) ([]string, error) { return nil, nil }

// InstallPath implements agents.Foreign. The folder and the name have the time that the session's id tells, a UUIDv7; of another id the
// beginning of 1970, which the client takes as well.
func (a Agent) InstallPath(env func(string) string, _ string, session objects.ID) string {
	thread, _, _ := strings.Cut(string(session), "_")
	begun := time.UnixMilli(0).UTC()
	if id, err := uuid.Parse(thread); err == nil && id.Version() == 7 {
		seconds, nanos := id.Time().UnixTime()
		begun = time.Unix(seconds, nanos).Local()
	}
	name := rolloutPrefix + begun.Format("2006-01-02T15-04-05") + "-" + string(session) + rolloutSuffix
	return filepath.Join(a.Folder(env), sessionsFolder, begun.Format("2006"), begun.Format("01"), begun.Format("02"), name)
}

// Resume implements agents.Foreign. Of a thread with segments the client goes on from the newest.
func (Agent) Resume(cwd string, session objects.ID) transcript.Command {
	thread, _, _ := strings.Cut(string(session), "_")
	return transcript.Command{Dir: cwd, Args: []string{"codex", "resume", thread}}
}

// CleanUp implements agents.Foreign: the client deletes nothing by itself.
func (Agent) CleanUp(func(string) string) (transcript.CleanUp, error) {
	return transcript.CleanUp{}, nil
}
