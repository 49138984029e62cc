package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"time"
	"unicode/utf8"

	"tlog/agents"
	"tlog/blobs/disk"
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
	FS     disk.FS // of the store; nil is the real one

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
	write := log.WriteOptions{LockTimeout: a.lockTimeout, Blobs: a.config.Blobs, FS: a.FS}
	if a.durability == "os" {
		write.Durability = log.DurabilityOS
	}
	return checkout.Options{Now: a.Now, Random: a.Random, Write: write}
}

// checkFlags checks the global flags that cobra does not.
func (a *App) checkFlags() error {
	if a.durability != "disk" && a.durability != "os" {
		return usagef("--durability '%s': expected 'disk' or 'os'", a.durability)
	}
	if a.blobThreshold == "" {
		return nil
	}
	n, err := store.ParseThreshold(a.blobThreshold)
	if err != nil {
		return usagef("--blob-threshold: %w", err)
	}
	a.config.Blobs.Threshold = n
	return nil
}

// configure reads the store's settings, for commands that write: a broken setting must not keep
// anybody from reading. Flags win. A store that cannot be found has none, and is missed by those who need it.
func (a *App) configure() error {
	if a.blobThreshold != "" {
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
	return store.OpenOn(a.FS, root), nil
}

// path makes a path from the command line absolute.
func (a *App) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.Cwd, name)
}

// resolver resolves revisions in s, and across sessions.
func (a *App) resolver(s *checkout.Session) *refs.Resolver {
	opened := map[string]*refs.State{s.Log.Path(): s.Refs} // by file: two revisions of one session are of one log
	return &refs.Resolver{State: s.Refs, Open: func(name string) (*refs.State, error) {
		if _, ok := agents.Lookup(name); ok { // the id behind the next colon is a part of the name
			return nil, fmt.Errorf("session '%s': %w", name, objects.ErrNotFound)
		}
		if known, ok := opened[a.path(name)]; ok {
			return known, nil
		}
		other, err := a.open(name)
		if err != nil {
			return nil, err
		}
		state := other.Refs
		if known, ok := opened[other.Log.Path()]; ok {
			state, err = known, other.Close()
		}
		opened[other.Log.Path()], opened[a.path(name)] = state, state
		return state, err
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

// writeJSON prints an object on a line. Characters that a terminal might obey become escapes of the same value.
func writeJSON(w *terminal.Writer, o *jsonout.Object) error {
	line := o.Bytes()
	if !utf8.Valid(line) { // a tool's arguments or usage, as they stand in a damaged line
		line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	}
	_, err := w.Raw().Write(append(terminal.EscapeJSON(line), '\n')) // a pipe may lead to a terminal
	return err
}

// page sends long output for people through the pager.
func (a *App) page() {
	if a.JSON || a.noPager {
		return
	}
	a.IO.StartPager(terminal.PagerCommand(a.Lookup, nil))
}
