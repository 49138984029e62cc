package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// AgentName takes a name of the form `<agent>:<id>` apart. ok is false if it has not that form or no agent has the name.
func AgentName(name string) (agent agents.Agent, id string, ok bool) {
	first, id, found := strings.Cut(name, ":")
	if !found {
		return nil, "", false
	}
	agent, ok = agents.Lookup(first)
	return agent, id, ok
}

// FindAgent looks a session up by id or id prefix in an agent's own folder. Of several transcripts of one thread it is the one that the agent
// goes on from, unless prefix says more than the thread's id. env looks up the environment. The
// errors are those of [Store.Find]. Nothing may be written to the session's file.
func FindAgent(agent agents.Agent, env func(string) string, prefix string) (Info, error) {
	fail := func(err error) (Info, error) { return Info{}, fmt.Errorf("%s: %w", agent.Name(), err) }
	if prefix == "" {
		return fail(fmt.Errorf("session %q: %w: expected an id or the beginning of one", prefix, objects.ErrInvalid))
	}
	found, err := agent.Locate(env)
	if err != nil && len(found) == 0 {
		return fail(err)
	}
	outside := Open("")
	all := outside.transcripts(agent, found, prefix)
	known := func(info Info) objects.ID { return info.ID }
	if threaded, ok := agent.(agents.Threaded); ok {
		all, known = liveOf(threaded, all, prefix)
	}
	for _, match := range []func(Info) bool{
		func(info Info) bool { return string(known(info)) == prefix },
		func(info Info) bool { return known(info).HasPrefix(prefix) },
	} {
		info, hit, err := only(prefix, all, match)
		if err == nil && hit {
			if _, foreign := agent.(agents.Foreign); !foreign {
				info, err = newPeeker(outside.open).info(info.File)
			}
		}
		if err != nil {
			return fail(err)
		}
		if hit {
			return info, nil
		}
	}
	return fail(errors.Join(fmt.Errorf("session %q: %w", prefix, objects.ErrNotFound), err))
}

// liveOf leaves of each thread the session that its agent goes on from, and those that prefix names itself. known is the id by which each is looked up.
func liveOf(agent agents.Threaded, all []Info, prefix string) (live []Info, known func(Info) objects.ID) {
	known = func(info Info) objects.ID {
		if thread := agent.Thread(info.ID); len(prefix) <= len(thread) {
			return thread
		}
		return info.ID
	}
	at := map[objects.ID]int{}
	for _, info := range all {
		id := known(info)
		i, again := at[id]
		switch {
		case !again:
			at[id] = len(live)
			live = append(live, info)
		case agent.Supersedes(info.File, live[i].File):
			live[i] = info
		}
	}
	return live, known
}

// transcripts tells of an agent's sessions what their beginnings tell. Where the names of files say which of them may be meant by
// prefix, no other is read.
func (s *Store) transcripts(agent agents.Agent, found []transcript.Found, prefix string) []Info {
	foreign, ok := agent.(agents.Foreign)
	files := make([]string, 0, len(found))
	for _, f := range found {
		if ok && strings.Contains(strings.ToLower(filepath.Base(f.Path)), strings.ToLower(prefix)) {
			files = append(files, f.Path)
		}
	}
	if len(files) == 0 {
		for _, f := range found {
			files = append(files, f.Path)
		}
	}
	if !ok {
		return s.headers(files)
	}
	return s.peekAll(files, func(_ *peeker, path string) (Info, error) {
		info, _, err := s.transcript(foreign, path, surveyHead)
		return info, err
	}, nil)
}

// TranscriptOf finds the agent whose transcript, in a form of the agent's own, the file at path is.
func TranscriptOf(path string) (agents.Foreign, bool) {
	agent, _ := Open("").detect(path)
	return agent, agent != nil
}

// OpenForeign opens an agent's transcript at path as the session that an import would make of it; ok is false if it is no such
// transcript. Nothing is written but a file in the folder temp, which is gone when OpenForeign returns: the session can only be read. Close it after use.
func OpenForeign(ctx context.Context, path, temp string, opt checkout.Options) (session *checkout.Session, ok bool, err error) {
	return Open("").OpenForeign(ctx, path, temp, opt)
}

// OpenForeign is the function of that name.
func (s *Store) OpenForeign(ctx context.Context, path, temp string, opt checkout.Options) (session *checkout.Session, ok bool, err error) {
	agent, head := s.detect(path)
	if agent == nil {
		return nil, false, nil
	}
	fail := func(err error) (*checkout.Session, bool, error) {
		return nil, true, fmt.Errorf("read transcript %s: %w", path, err)
	}
	id, err := agent.Identify(path, head)
	if err != nil {
		return fail(err)
	}
	f, info, err := openRegular(path)
	if err != nil {
		return fail(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	folder, err := os.MkdirTemp(temp, "tlog-")
	if err != nil {
		return fail(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	opt.Write = log.WriteOptions{Durability: log.DurabilityOS, Blobs: log.BlobOptions{Threshold: -1}}
	source := checkout.NewForeignSource(agent, id.ID, path, f, info.Size())
	if source.Base, err = baseOf(agent, path, head); err != nil {
		return fail(err)
	}
	session, _, err = checkout.CreateForeign(ctx, filepath.Join(folder, "session"+logSuffix), checkout.ForeignHeader(agent.Name(), path, id), source, opt)
	if err != nil {
		return fail(err)
	}
	session.Log.GoBy(path) // the file stays readable while it is open
	return session, true, nil
}
