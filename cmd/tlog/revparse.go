package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

type revParseOptions struct {
	verify, short, abbrevRef bool
}

func newRevParseCommand(a *App) *cobra.Command {
	var opt revParseOptions
	cmd := &cobra.Command{
		Use:   "rev-parse [--verify] [--short] [--abbrev-ref] <rev>...",
		Short: "Print the ids that revisions stand for",
		Long: "Print the full id of each revision. A range a..b prints b and ^a. With -q an unknown revision\n" +
			"is answered by the exit code alone.\n\n" + exitStatus(exitOK, exitUsage, exitNotFound),
		Example: "  tlog rev-parse HEAD~2\n  tlog rev-parse --abbrev-ref HEAD",
		Args:    operands(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			if opt.verify && len(args) != 1 {
				return usagef("rev-parse --verify takes one revision, got %d", len(args))
			}
			return runRevParse(a, opt, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&opt.verify, "verify", false, "exactly one revision")
	flags.BoolVar(&opt.short, "short", false, "short ids")
	flags.BoolVar(&opt.abbrevRef, "abbrev-ref", false, "the name of the ref")
	return cmd
}

func runRevParse(a *App, opt revParseOptions, revs []string) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	resolver := a.resolver(s)
	for _, spec := range revs {
		if err := revParse(a, opt, resolver, spec); err != nil {
			if a.Quiet && (errors.Is(err, objects.ErrNotFound) || errors.Is(err, objects.ErrAmbiguous)) {
				return silentError{err}
			}
			return err
		}
	}
	return nil
}

func revParse(a *App, opt revParseOptions, resolver *refs.Resolver, spec string) error {
	if opt.abbrevRef {
		return abbrevRef(a, resolver, spec)
	}
	if !strings.Contains(spec, "..") {
		rev, err := resolver.Resolve(spec)
		if err == nil && rev.At == log.None {
			_, err = resolver.ResolveTree(spec)
		}
		if err != nil {
			return err
		}
		return printRev(a, opt, "", rev)
	}
	rg, err := resolver.ResolveRange(spec)
	if err != nil {
		return err
	}
	if err := printRev(a, opt, "", rg.To); err != nil || !rg.HasFrom {
		return err
	}
	if !rg.Symmetric {
		return printRev(a, opt, "^", rg.From)
	}
	if err := printRev(a, opt, "", rg.From); err != nil || rg.Base == log.None {
		return err
	}
	return printRev(a, opt, "^", refs.Rev{State: rg.To.State, At: rg.Base})
}

func printRev(a *App, opt revParseOptions, prefix string, rev refs.Rev) error {
	id := string(rev.ID())
	if opt.short {
		id = rev.State.Log().Short(rev.At)
	}
	if a.JSON {
		o := new(jsonout.Object).ID("id", rev.ID()).String("short", rev.State.Log().Short(rev.At))
		return a.printJSON(o.Bool("excluded", prefix != "").Known("ref", rev.Name))
	}
	return a.IO.Out.Printf("%s%s\n", prefix, id)
}

// abbrevRef prints the name of a ref; HEAD that is detached is "HEAD", as in git.
func abbrevRef(a *App, resolver *refs.Resolver, spec string) error {
	name := ""
	if spec == "HEAD" || spec == "@" {
		if name = resolver.State.Head().Branch; name == "" {
			name = "HEAD"
		}
	} else {
		rev, err := resolver.Resolve(spec)
		if err != nil {
			return err
		}
		if name = rev.Name; name == "" {
			return fmt.Errorf("'%s' is no name of a ref: %w", spec, objects.ErrNotFound)
		}
	}
	if a.JSON {
		return a.printJSON(new(jsonout.Object).String("ref", name))
	}
	return a.IO.Out.Printf("%s\n", name)
}
