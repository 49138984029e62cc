package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tlog/blobs"
	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/log"
	"tlog/objects"
)

func newBlobCommand(a *App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "blob",
		Short: "Look at the large content that lies beside a session",
		Long: "Long strings and images of a session lie in files beside its log, named after the BLAKE3 hash of their bytes.\n\n" +
			exitStatus(exitOK, exitUsage),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBlobListCommand(a),
		newBlobOneCommand(a, "cat", "Print a blob, its hash checked", runBlobCat),
		newBlobOneCommand(a, "path", "Print the path of a blob's file", runBlobPath))
	return cmd
}

func newBlobListCommand(a *App) *cobra.Command {
	return &cobra.Command{
		Use:   "ls [<rev>...]",
		Short: "List the blobs that entries name, of the whole session by default",
		Long: "List the blobs that entries name, by default all entries of the session: hash, size, encoding, the entry and the\n" +
			"place in it. One that is not there is marked; 'tlog fsck' checks their content.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt),
		Example: "  tlog blob ls\n  tlog blob ls HEAD",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := runBlobList(a, args); err != nil {
				return fmt.Errorf("blob ls: %w", err)
			}
			return nil
		},
	}
}

func newBlobOneCommand(a *App, name, short string, run func(*App, *blobs.Store, blobs.Hash) error) *cobra.Command {
	return &cobra.Command{
		Use:     name + " <hash>",
		Short:   short,
		Long:    short + ". The beginning of the hash is enough if only one blob of the project has it.\n\n" + exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt),
		Example: "  tlog blob " + name + " 9d2ef1a0",
		Args:    operands(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			err := withSession(a, func(s *checkout.Session) error {
				hash, err := findBlob(s.Log.Blobs(), args[0])
				if err != nil {
					return err
				}
				return run(a, s.Log.Blobs(), hash)
			})
			if err != nil {
				return fmt.Errorf("blob %s: %w", name, err)
			}
			return nil
		},
	}
}

// withSession opens the session for do.
func withSession(a *App, do func(*checkout.Session) error) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

func runBlobList(a *App, revs []string) error {
	return withSession(a, func(s *checkout.Session) error {
		resolver := a.resolver(s)
		if len(revs) == 0 {
			a.page()
			for at := range s.Log.Len() {
				if err := listBlobs(a, s.Log, at); err != nil {
					return err
				}
			}
			return nil
		}
		for _, name := range revs {
			rev, err := resolver.ResolveTree(name)
			if err != nil {
				return err
			}
			if err := listBlobs(a, rev.State.Log(), rev.At); err != nil {
				return err
			}
		}
		return nil
	})
}

// listBlobs prints the table of an entry. Rows that cannot be read are left to fsck.
func listBlobs(a *App, l *log.Log, at int) error {
	if !l.Record(at).Blobs {
		return nil
	}
	e, err := l.Entry(at)
	if err != nil {
		return err
	}
	table, err := e.BlobTable()
	if err != nil {
		a.note("line %d: %v", l.Record(at).Line, err)
	}
	for _, row := range table {
		state := blobState(l.Blobs(), row)
		if a.JSON {
			o := new(jsonout.Object).String("hash", row.Hash).Int("size", row.Size).String("encoding", string(row.Encoding))
			o.Int("lines", int64(row.Lines)).ID("id", l.Record(at).ID).String("at", row.At)
			if err := a.printJSON(o.Bool("there", state == nil)); err != nil {
				return err
			}
			continue
		}
		line := fmt.Sprintf("  %s  %s  %s  %s", terminal.PadLeft(view.Size(row.Size), 10), terminal.Pad(string(row.Encoding), 6), l.Short(at), row.At)
		if state != nil {
			line += "  (missing)"
		}
		if err := a.IO.Out.Println(terminal.Yellow.Paint(row.Hash), terminal.Line(line)); err != nil {
			return err
		}
	}
	return nil
}

// blobState is why a blob cannot be read, as far as can be told without reading it.
func blobState(s *blobs.Store, row objects.Blob) error {
	hash, err := blobs.ParseHash(row.Hash)
	if err == nil {
		_, err = s.Stat(hash)
	}
	return err
}

// minHash is how much of a hash has to be given, in digits.
const minHash = 4

// findBlob finds a blob by the beginning of its hash.
func findBlob(s *blobs.Store, prefix string) (blobs.Hash, error) {
	prefix = strings.ToLower(prefix)
	if hash, err := blobs.ParseHash(prefix); err == nil {
		return hash, nil
	}
	if len(prefix) < minHash || len(prefix) > 64 || strings.Trim(prefix, "0123456789abcdef") != "" {
		return blobs.Hash{}, usagef("'%s': expected %d to 64 hex digits", prefix, minHash)
	}
	var found []blobs.Hash
	for info, err := range s.All() {
		if err != nil {
			return blobs.Hash{}, err
		}
		if strings.HasPrefix(info.Hash.String(), prefix) {
			found = append(found, info.Hash)
		}
	}
	switch len(found) {
	case 0:
		return blobs.Hash{}, withHint(fmt.Errorf("blob '%s': %w", prefix, objects.ErrNotFound), "'tlog blob ls' lists the blobs of a session")
	case 1:
		return found[0], nil
	}
	return blobs.Hash{}, fmt.Errorf("blob '%s' is %w: %s and %d more", prefix, objects.ErrAmbiguous, found[0], len(found)-1)
}

// runBlobCat prints a blob. On a terminal a text is made harmless, and anything else refused.
func runBlobCat(a *App, s *blobs.Store, hash blobs.Hash) error {
	out := a.IO.Out
	if out.IsTerminal() {
		content, err := s.Get(hash)
		if err != nil {
			return blobError(err)
		}
		if !utf8.Valid(content) {
			return withHint(fmt.Errorf("blob %s is no text and was not sent to the terminal: %w", hash, objects.ErrRefused), "send the output to a file, or open what 'tlog blob path' prints")
		}
		a.page()
		return out.Print(terminal.Block(string(content)))
	}
	r, err := s.Reader(hash)
	if err != nil {
		return blobError(err)
	}
	_, err = io.Copy(out.Raw(), r)
	return errors.Join(blobError(err), r.Close())
}

func runBlobPath(a *App, s *blobs.Store, hash blobs.Hash) error {
	info, err := s.Stat(hash)
	if err != nil {
		return blobError(err)
	}
	path := s.Path(hash)
	if a.JSON {
		return a.printJSON(new(jsonout.Object).String("hash", hash.String()).String("path", path).Int("size", info.Size))
	}
	return a.IO.Out.Printf("%s\n", path)
}

// blobError sorts an error of package blobs, which knows nothing of exit codes.
func blobError(err error) error {
	switch {
	case errors.Is(err, blobs.ErrMissing):
		return fmt.Errorf("%w: %w", objects.ErrNotFound, err)
	case errors.Is(err, blobs.ErrCorrupt):
		return fmt.Errorf("%w: %w", objects.ErrCorrupt, err)
	}
	return err
}
