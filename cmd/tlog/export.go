package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
	"tlog/store"
)

type exportOptions struct {
	output   string
	name     string
	flatten  bool
	original bool
	force    bool
	missing  bool
	redact   bool
	to       toOptions
}

// session opens the session that is exported.
func (opt exportOptions) session(a *App) (*checkout.Session, *redaction, error) {
	s, err := a.session()
	if err != nil || !opt.redact {
		return s, nil, err
	}
	return s, redact(s), nil
}

func newExportCommand(a *App) *cobra.Command {
	var opt exportOptions
	cmd := &cobra.Command{
		Use:   "export [<rev>] [-o <file>] [--flatten | --original [--install] | --to {<agent> [--install] | <format>}]",
		Short: "Fork a session: the path to an entry as a session of its own",
		Long: "Copy the path to HEAD or to an entry into a new session of this project, or into a file, and\n" +
			"print its id. Entries keep their ids and bytes; the header names the session and the entry that it\n" +
			"was forked from. --flatten leaves out what is undone. A file outside of the store holds all that lies in\n" +
			"blobs; a blob that is missing is an error unless --allow-missing is given. --redact masks what 'tlog scan' finds in\n" +
			"what is written, in whatever form; what is stored stays as it is. --original gives back an\n" +
			"imported file byte for byte instead, to standard output or a file; with --install to where it was imported from, with\n" +
			"its side files and the transcripts of its subagents, each only where nothing is.\n\n" + toHelp +
			exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt, exitRefused),
		Example: "  tlog export HEAD~4\n  tlog export --flatten -o clean.jsonl\n  tlog export --original > session.jsonl\n  tlog -s 5f2c export --original --install\n  tlog export HEAD~2 --to claude --install",
		Args:    operands(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(checkExclusive(cmd, "flatten", "original"), checkExclusive(cmd, "allow-missing", "original"), checkExclusive(cmd, "redact", "original")); err != nil {
				return err
			}
			if err := opt.to.check(cmd, opt); err != nil {
				return err
			}
			if opt.to.page() {
				return runExportPage(a, opt, args)
			}
			if opt.to.agent != "" {
				return runExportTo(a, opt, args)
			}
			if err := opt.checkOriginal(cmd, args); err != nil {
				return err
			}
			return runExport(cmd, a, opt, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&opt.output, "output", "o", "", "write `file` ('-' for standard output) instead of a session in the store")
	flags.StringVar(&opt.name, "name", "", "what the new session is called")
	flags.BoolVar(&opt.flatten, "flatten", false, "leave out what is undone")
	flags.BoolVar(&opt.original, "original", false, "the imported file, byte for byte")
	flags.BoolVar(&opt.missing, "allow-missing", false, "go on where a blob is missing or damaged, with a marked placeholder")
	flags.BoolVar(&opt.redact, "redact", false, "mask tokens, keys and passwords in what is written")
	flags.BoolVarP(&opt.force, "force", "f", false, "overwrite the file")
	opt.to.addFlags(flags)
	return cmd
}

// checkOriginal checks what goes with --original.
func (opt exportOptions) checkOriginal(cmd *cobra.Command, args []string) error {
	switch {
	case !opt.original:
		return nil
	case len(args) > 0:
		return usagef("export --original takes no revision: it is the whole file")
	case opt.to.install:
		return errors.Join(checkExclusive(cmd, "install", "output"), checkExclusive(cmd, "install", "force"))
	}
	return nil
}

func runExport(cmd commandContext, a *App, opt exportOptions, args []string) error {
	s, masked, err := opt.session(a)
	if err != nil {
		return err
	}
	defer s.Close()
	if opt.original {
		if err := exportOriginal(a, s, opt); err != nil {
			return fmt.Errorf("export --original: %w", err)
		}
		return nil
	}
	at, err := a.revision(s, args)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := a.noteUndone(s, at, opt); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	fork, err := s.Fork(at, checkout.ForkOptions{Flatten: opt.flatten, Name: opt.name, AllowMissing: opt.missing})
	if err == nil {
		err = writeFork(cmd.Context(), a, fork, opt)
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	masked.note(a)
	return nil
}

// noteNewest says that commands without a session's name go on in the fork.
func (a *App) noteNewest(fork checkout.Fork, file string) {
	st, err := a.store()
	if err != nil || !st.InProject(a.Cwd, file) {
		return
	}
	if pinned, err := st.Pinned(a.Cwd); err == nil && pinned == "" && a.sessionName() == "" {
		a.note("the fork is this project's newest session now; 'tlog use %s' goes back to the other one", fork.Header.ParentSession)
	}
}

// noteUndone says that other programs do not know what is undone in the fork.
func (a *App) noteUndone(s *checkout.Session, at int, opt exportOptions) error {
	if opt.flatten || at == log.None {
		return nil
	}
	history, err := refs.NewHistory(s.Log, at)
	if err != nil {
		return err
	}
	if n := len(history.Skipped()); n > 0 {
		a.note("%d undone %s in the fork, which other programs will see; --flatten leaves them out", n, plural(n, "entry is", "entries are"))
	}
	return nil
}

func writeFork(_ context.Context, a *App, fork checkout.Fork, opt exportOptions) error {
	if opt.output == "-" {
		return forkToOutput(a, fork)
	}
	file, err := opt.output, error(nil)
	if file == "" {
		var st *store.Store
		if err := a.configure(); err != nil {
			return err
		}
		if st, err = a.store(); err == nil {
			file, err = st.WriteFork(fork, forkFolder(a, fork), a.options().Write)
		}
	} else {
		file = a.path(file)
		err = writeForkFile(a, file, fork, opt.force)
	}
	if errors.Is(err, fs.ErrExist) {
		return withHint(fmt.Errorf("'%s' is there already: %w", file, objects.ErrRefused), "--force overwrites it")
	}
	if err != nil {
		return err
	}
	if opt.output == "" {
		a.notePinned(fork.Header.ID, file)
		a.noteNewest(fork, file)
	}
	if a.JSON {
		o := new(jsonout.Object).ID("session", fork.Header.ID).String("file", file)
		o.Int("entries", int64(fork.Entries)).Int("new", int64(fork.Entries)).Int("damaged", 0)
		return a.printJSON(o.Known("parentSession", fork.Header.ParentSession).ID("parentEntry", fork.Header.ParentEntry))
	}
	return a.IO.Out.Printf("%s\n", fork.Header.ID)
}

// writeForkFile writes a fork to a file that the user named; its folder must be there.
func writeForkFile(a *App, file string, fork checkout.Fork, force bool) error {
	if err := checkFolder(file); err != nil {
		return err
	}
	if force {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return log.WriteFile(file, fork.Header, fork.Lines, inline(a.options().Write))
}

// checkFolder refuses a file to be written whose folder is missing. Its error is none of
// "not found": that is what the user asked to read.
func checkFolder(file string) error {
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return fmt.Errorf("cannot write '%s': no such folder", file)
	}
	return nil
}

// forkFolder is the project of a fork: that of its own working folder.
func forkFolder(a *App, fork checkout.Fork) string {
	if fork.Header.Cwd != "" {
		return fork.Header.Cwd
	}
	return a.Cwd
}

// forkToOutput writes a fork to standard output by way of a temporary file, since its chain is made in writing.
func forkToOutput(a *App, fork checkout.Fork) error {
	dir, err := os.MkdirTemp("", "tlog-export-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "fork.jsonl")
	opt := inline(log.WriteOptions{Durability: log.DurabilityOS})
	if err := log.WriteFile(file, fork.Header, fork.Lines, opt); err != nil {
		return err
	}
	return copyFile(a.IO.Out.Raw(), file)
}

// inline keeps every string in its line: a file outside of the store has no blobs beside it.
func inline(opt log.WriteOptions) log.WriteOptions {
	opt.Blobs.Threshold = -1
	return opt
}

func copyFile(w io.Writer, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

func exportOriginal(a *App, s *checkout.Session, opt exportOptions) error {
	if opt.to.install {
		return a.putBack(s)
	}
	st, err := a.store()
	if err != nil {
		return err
	}
	r, err := st.Original(store.Info{ID: s.Log.Header().ID, File: s.Log.Path()}, s)
	if err != nil {
		return err
	}
	defer r.Close()
	if opt.output == "" || opt.output == "-" {
		_, err = io.Copy(a.IO.Out.Raw(), r)
		return err
	}
	if err := checkFolder(a.path(opt.output)); err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if opt.force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(a.path(opt.output), flags, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return withHint(fmt.Errorf("'%s' is there already: %w", opt.output, objects.ErrRefused), "--force overwrites it")
	}
	if err != nil {
		return err
	}
	if _, err = io.Copy(f, r); err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
