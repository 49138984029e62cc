package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"tlog/checkout"
	"tlog/objects"
	"tlog/store"
)

// sessionName is the session that the user named: -s, then TLOG_SESSION.
func (a *App) sessionName() string {
	if a.sessionFlag != "" {
		return a.sessionFlag
	}
	return a.env("TLOG_SESSION")
}

// find gives the file of a session: a path, an id prefix, `agent:id` in the agent's own folder, or for "" the session that is pinned here,
// else the newest of this project.
func (a *App) find(name string) (string, error) {
	if looksLikePath(name) {
		return a.path(name), nil
	}
	var agentErr error
	if agent, id, ok := store.AgentName(name); ok {
		info, err := store.FindAgent(agent, a.env, id)
		if !errors.Is(err, objects.ErrNotFound) {
			return info.File, err
		}
		agentErr = err // ids may hold a colon
	}
	st, err := a.store()
	if err != nil {
		return "", err
	}
	if name == "" {
		info, err := st.Current(a.Cwd)
		var gone *store.PinError
		if errors.As(err, &gone) || errors.Is(err, objects.ErrInvalid) {
			return "", hintUnpin(err)
		}
		if errors.Is(err, objects.ErrNotFound) {
			err = withHint(fmt.Errorf("no session in this project: %w", err),
				"'tlog new' begins one, 'tlog import FILE' brings one in, 'tlog sessions --all' lists those of other projects")
		}
		return info.File, err
	}
	file := a.path(name)
	if strings.HasSuffix(name, ".jsonl") && isFile(file) {
		return file, nil
	}
	info, err := st.Find(a.Cwd, name)
	if errors.Is(err, objects.ErrNotFound) {
		if isFile(file) {
			return file, nil
		}
		err = cmp.Or(agentErr, err)
	}
	return info.File, err
}

// looksLikePath tells a path of a session from its id.
func looksLikePath(name string) bool {
	return strings.ContainsAny(name, `/\`)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// session opens the session that the command works on, for reading.
func (a *App) session() (*checkout.Session, error) {
	return a.open(a.sessionName())
}

// open opens a session by id prefix or path. An agent's transcript is opened as what an import would make of it.
func (a *App) open(name string) (*checkout.Session, error) {
	file, err := a.find(name)
	if err != nil {
		return nil, err
	}
	opt := a.options()
	if st, err := a.store(); err != nil || !st.Contains(file) {
		opt.Write = inline(opt.Write)
		if s, ok, err := store.OpenForeign(context.Background(), file, os.TempDir(), opt); ok {
			return s, err
		}
	}
	s, err := checkout.Open(file, opt)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("session '%s': %w", name, fs.ErrNotExist)
	}
	return s, err
}

// writable opens the session that the command changes. An older file is migrated if it lies in the
// store; elsewhere it belongs to somebody else and is refused.
func (a *App) writable(cmd commandContext) (*checkout.Session, error) {
	if err := a.configure(); err != nil {
		return nil, err
	}
	s, err := a.session()
	if err == nil {
		err = a.refuseAgents(s)
	}
	if err != nil || s.Log.Version() >= objects.Version {
		return s, err
	}
	file := s.Log.Path()
	err = a.migrateOwn(cmd, s)
	s.Close()
	if err != nil {
		return nil, err
	}
	return checkout.Open(file, a.options())
}

// refuseAgents refuses, and closes, a session that was named as one in an agent's own folder, or that is an agent's transcript: tlog only
// reads these.
func (a *App) refuseAgents(s *checkout.Session) error {
	if st, err := a.store(); err == nil && st.Contains(s.Log.Path()) {
		return nil
	}
	agent, _, ok := store.AgentName(a.sessionName())
	if !ok {
		agent, ok = store.TranscriptOf(s.Log.Path())
	}
	if !ok {
		return nil
	}
	err := fmt.Errorf("session '%s' is %s's own and was opened read-only: %w", a.sessionName(), agent.Name(), objects.ErrRefused)
	return errors.Join(withHint(err, "'tlog import "+s.Log.Path()+"' makes a session of it"), s.Close())
}

// migrateOwn migrates the file of a session that lies in the store.
func (a *App) migrateOwn(cmd commandContext, s *checkout.Session) error {
	st, err := a.store()
	if err != nil {
		return err
	}
	if !st.Contains(s.Log.Path()) {
		return withHint(fmt.Errorf("'%s' has format version %d and was opened read-only: %w", s.Log.Path(), s.Log.Version(), objects.ErrRefused),
			"'tlog import FILE' makes a session of it, 'tlog migrate FILE' turns the file itself into version 4")
	}
	kept, err := s.Log.Rewrite(cmd.Context(), a.options().Write)
	if err == nil {
		a.note("migrated to version %d, the original is %s", objects.Version, kept)
	}
	return err
}
