package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

type catFileOptions struct {
	kind, size, print, exists, batch, batchCheck, raw, source bool
}

func newCatFileCommand(a *App) *cobra.Command {
	var opt catFileOptions
	cmd := &cobra.Command{
		Use:   "cat-file {-t | -s | -p | -e} <rev> | --batch | --batch-check",
		Short: "Print the type, the size or the bytes of an entry",
		Long: "Print an entry's type (-t), its size in bytes (-s), or its bytes as they came in (-p): with what lies in\n" +
			"blobs, and without what tlog adds at the end of a line; --raw gives them as they stand in the log,\n" +
			"--source those of the line of an agent's file that the entry holds, or of the file beside it. With --batch,\n" +
			"revisions are read from standard input and each is answered by '<id> <type> <size>', a line end, the bytes, and a\n" +
			"line end; --batch-check leaves out the bytes. What is not found is answered by '<revision> missing' or '<revision>\n" +
			"ambiguous', an entry whose blobs are not there by '<revision> damaged'.\n\n" +
			exitStatus(exitOK, exitNo, exitUsage, exitNotFound, exitCorrupt),
		Example: "  tlog cat-file -p HEAD\n  tlog log --json | jq -r .id | tlog cat-file --batch-check",
		Args:    operands(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen := 0
			for _, on := range []bool{opt.kind, opt.size, opt.print, opt.exists, opt.batch, opt.batchCheck} {
				if on {
					chosen++
				}
			}
			batch := opt.batch || opt.batchCheck
			if chosen != 1 || batch == (len(args) == 1) {
				return usagef("cat-file: expected one of -t, -s, -p, -e with a revision, or --batch, or --batch-check")
			}
			if err := checkExclusive(cmd, "raw", "source"); err != nil {
				return err
			}
			return runCatFile(cmd, a, opt, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&opt.kind, "type", "t", false, "the type")
	flags.BoolVar(&opt.size, "size", false, "the size in bytes")
	flags.BoolVarP(&opt.print, "print", "p", false, "the bytes")
	flags.BoolVarP(&opt.exists, "exists", "e", false, "only say by the exit code whether it is there")
	flags.BoolVar(&opt.batch, "batch", false, "type, size and bytes of each revision on standard input")
	flags.BoolVar(&opt.batchCheck, "batch-check", false, "type and size of each revision on standard input")
	flags.BoolVar(&opt.raw, "raw", false, "the bytes as they stand in the log: placeholders for what lies in blobs, blobs, ref and chain included")
	flags.BoolVar(&opt.source, "source", false, "the bytes of the agent's own line, damaged ones too")
	return cmd
}

func runCatFile(cmd commandContext, a *App, opt catFileOptions, args []string) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	resolver := a.resolver(s)
	if opt.batch || opt.batchCheck {
		return catBatch(cmd.Context(), a, opt, resolver)
	}
	e, id, err := catEntry(a, opt, resolver, args[0])
	if opt.exists && errors.Is(err, objects.ErrNotFound) {
		return errNo
	}
	if err != nil {
		return fmt.Errorf("cat-file: %w", err)
	}
	return catOne(a, opt, e, id)
}

// entryBytes are the bytes of an entry as cat-file gives them, with its type.
type entryBytes struct {
	kind  objects.Type
	bytes []byte
}

func catEntry(a *App, opt catFileOptions, resolver *refs.Resolver, name string) (entryBytes, objects.ID, error) {
	rev, err := resolver.Resolve(name)
	if err == nil && rev.ID() == "" {
		rev, err = resolver.ResolveTree(name)
	}
	if err != nil {
		return entryBytes{}, "", err
	}
	l := rev.State.Log()
	found := entryBytes{kind: l.Record(rev.At).Type}
	switch {
	case opt.exists, opt.kind && !a.JSON:
	case opt.source:
		found.bytes, err = sourceBytes(l, rev.At)
	case opt.raw:
		var e objects.Entry
		e, err = l.Entry(rev.At)
		found.bytes = e.Raw
	default:
		found.bytes, err = l.Body(rev.At)
	}
	return found, rev.ID(), err
}

// sourceBytes are the bytes of the line in an agent's file that an entry holds, or of a file beside it.
func sourceBytes(l *log.Log, at int) ([]byte, error) {
	e, err := l.Whole(at)
	if err != nil {
		return nil, err
	}
	if line, ok := e.SourceLine(); ok {
		return line, nil
	}
	if _, ok := e.Text("file"); ok && e.Type == objects.TypeMeta {
		if content, ok := e.Text("contentBase64"); ok {
			if data, err := base64.StdEncoding.DecodeString(content); err == nil {
				return data, nil
			}
		}
		if content, ok := e.Text("content"); ok {
			return []byte(content), nil
		}
	}
	return nil, fmt.Errorf("entry %s: %w: it holds no line of an agent's file", l.Short(at), objects.ErrNotFound)
}

func catOne(a *App, opt catFileOptions, e entryBytes, id objects.ID) error {
	out := a.IO.Out
	switch {
	case opt.exists:
		return nil
	case a.JSON:
		o := new(jsonout.Object).ID("id", id).String("type", string(e.kind)).Int("size", int64(len(e.bytes)))
		switch {
		case !opt.source:
			o.Raw("entry", e.bytes)
		case objects.Scan(e.bytes, nil) == nil && utf8.Valid(e.bytes) && bytes.IndexByte(e.bytes, '\r') < 0:
			o.Raw("entry", e.bytes).Raw("base64", nil)
		default:
			o.Raw("entry", nil).String("base64", base64.StdEncoding.EncodeToString(e.bytes))
		}
		return a.printJSON(o)
	case opt.kind:
		return out.Printf("%s\n", string(e.kind))
	case opt.size:
		return out.Printf("%d\n", len(e.bytes))
	}
	body := e.bytes
	switch {
	case out.IsTerminal() && opt.source:
		return out.Println(terminal.Block(string(body))) // it need not be JSON
	case out.IsTerminal():
		body = terminal.EscapeJSON(body)
	}
	_, err := out.Raw().Write(append(body[:len(body):len(body)], '\n'))
	return err
}

// catBatch answers each line of standard input at once, so that a program can ask one after the other.
func catBatch(ctx context.Context, a *App, opt catFileOptions, resolver *refs.Resolver) error {
	lines := readLines(ctx, a.IO.In)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return nil
			}
			if line.err != nil {
				return line.err
			}
			if err := catBatchLine(a, opt, resolver, string(line.bytes)); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func catBatchLine(a *App, opt catFileOptions, resolver *refs.Resolver, name string) error {
	out := a.IO.Out
	e, id, err := catEntry(a, opt, resolver, name)
	switch {
	case errors.Is(err, objects.ErrAmbiguous):
		out.Printf("%s ambiguous\n", name)
	case errors.Is(err, objects.ErrNotFound), errors.Is(err, objects.ErrInvalid):
		out.Printf("%s missing\n", name)
	case errors.Is(err, objects.ErrCorrupt):
		out.Printf("%s damaged\n", name)
	case err != nil:
		return fmt.Errorf("cat-file: %w", err)
	default:
		out.Printf("%s %s %d\n", id, string(e.kind), len(e.bytes))
		if opt.batch {
			raw := out.Raw()
			raw.Write(e.bytes)
			raw.Write([]byte{'\n'})
		}
	}
	return out.Flush()
}
