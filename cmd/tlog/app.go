package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"tlog/agents"
	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
	"tlog/store"
)

// App is what every command works with: the streams, the world outside, and the global flags.
type App struct {
	IO     *terminal.Streams
	Lookup func(string) (string, bool) // of the environment
	Cwd    string
	Now    func() time.Time
	Random io.Reader

	cwdErr error
	config store.Config

	// Global flags.
	JSON          bool
	Quiet         bool
	sessionFlag   string
	storeFlag     string
	noPager       bool
	durability    string
	blobThreshold string
	lockTimeout   time.Duration
}

func (a *App) env(name string) string {
	value, _ := a.Lookup(name)
	return value
}

// options are what package checkout takes from outside.
func (a *App) options() checkout.Options {
	write := log.WriteOptions{LockTimeout: a.lockTimeout, Blobs: a.config.Blobs}
	if a.durability == "os" {
		write.Durability = log.DurabilityOS
	}
	return checkout.Options{Now: a.Now, Random: a.Random, Write: write}
}

// configure reads the store's settings; flags win over them. A store that cannot be found has none, and is missed by those who need it.
func (a *App) configure() error {
	if a.blobThreshold != "" {
		n, err := store.ParseThreshold(a.blobThreshold)
		if err != nil {
			return usagef("--blob-threshold: %w", err)
		}
		a.config.Blobs.Threshold = n
		return nil
	}
	st, err := a.store()
	if err != nil {
		return nil
	}
	a.config, err = st.Config()
	return err
}

// store is the store that the command works on.
func (a *App) store() (*store.Store, error) {
	if a.cwdErr != nil {
		return nil, fmt.Errorf("working folder: %w", a.cwdErr)
	}
	dir := a.storeFlag
	if dir == "" {
		dir = a.env("TLOG_DIR")
	}
	if dir != "" && !filepath.IsAbs(dir) {
		dir = filepath.Join(a.Cwd, dir)
	}
	root, err := store.Locate(dir, a.Cwd, a.env("XDG_DATA_HOME"), a.env("HOME"))
	if err != nil {
		return nil, err
	}
	return store.Open(root), nil
}

// path makes a path from the command line absolute.
func (a *App) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.Cwd, name)
}

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

// open opens a session by id prefix or path.
func (a *App) open(name string) (*checkout.Session, error) {
	file, err := a.find(name)
	if err != nil {
		return nil, err
	}
	opt := a.options()
	if st, err := a.store(); err != nil || !st.Contains(file) {
		opt.Write = inline(opt.Write)
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

// refuseAgents refuses, and closes, a session that was named as one in an agent's own folder: tlog only reads there.
func (a *App) refuseAgents(s *checkout.Session) error {
	agent, _, ok := store.AgentName(a.sessionName())
	if !ok {
		return nil
	}
	if st, err := a.store(); err == nil && st.Contains(s.Log.Path()) {
		return nil
	}
	err := fmt.Errorf("session '%s' is %s's own and was opened read-only: %w", a.sessionName(), agent.Name, objects.ErrRefused)
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

// resolver resolves revisions in s, and across sessions.
func (a *App) resolver(s *checkout.Session) *refs.Resolver {
	return &refs.Resolver{State: s.Refs, Open: func(name string) (*refs.State, error) {
		if _, ok := agents.Lookup(name); ok { // the id behind the next colon is a part of the name
			return nil, fmt.Errorf("session '%s': %w", name, objects.ErrNotFound)
		}
		other, err := a.open(name)
		if err != nil {
			return nil, err
		}
		return other.Refs, nil
	}}
}

// note tells the user something that is no output, unless --quiet.
func (a *App) note(format string, args ...any) {
	if !a.Quiet {
		a.IO.Out.Flush() // what was printed before stands before it
		a.IO.Err.Printf(format+"\n", args...)
	}
}

// printJSON prints one object on a line.
func (a *App) printJSON(o *jsonout.Object) error { return writeJSON(a.IO.Out, o) }

// writeJSON prints an object on a line. On a terminal, characters that it might obey become escapes of the same value.
func writeJSON(w *terminal.Writer, o *jsonout.Object) error {
	line := o.Bytes()
	if !utf8.Valid(line) { // a tool's arguments or usage, as they stand in a damaged line
		line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	}
	if w.IsTerminal() {
		line = terminal.EscapeJSON(line)
	}
	_, err := w.Raw().Write(append(line, '\n'))
	return err
}

// page sends long output for people through the pager.
func (a *App) page() {
	if a.JSON || a.noPager {
		return
	}
	a.IO.StartPager(terminal.PagerCommand(a.Lookup, nil))
}
