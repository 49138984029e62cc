package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
	"tlog/projection/secrets"
)

func newScanCommand(a *App) *cobra.Command {
	return &cobra.Command{
		Use:   "scan [<file>]",
		Short: "Look for tokens, keys and passwords in a session",
		Long: "List what looks like a credential in any entry of the session, undone ones and other branches included, with the entry and\n" +
			"the kind; never all of it. Nothing is changed, and nothing can be taken out of a log: 'tlog export --redact' masks\n" +
			"them in what it writes. The answer is 1 if there are any. That none is found proves nothing.\n\n" +
			exitStatus(exitOK, exitNo, exitUsage, exitNotFound, exitCorrupt),
		Example: "  tlog scan\n  tlog scan --json\n  tlog export --redact --to markdown -o talk.md",
		Args:    operands(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := a.sessionName()
			if len(args) == 1 {
				name = a.path(args[0])
			}
			return runScan(a, name)
		},
	}
}

func runScan(a *App, name string) error {
	s, err := a.open(name)
	if err != nil {
		return err
	}
	defer s.Close()
	n, holes := 0, 0
	for i := range s.Log.Len() {
		if s.Log.Record(i).RepeatOf != log.None {
			continue
		}
		e, err := s.Log.Whole(i)
		switch {
		case e.Raw == nil && err != nil:
			return fmt.Errorf("scan: %w", err)
		case err != nil:
			holes++
		}
		for _, f := range secrets.InJSON(e.Raw) {
			n++
			if err := printFind(a, s.Log, i, f); err != nil {
				return err
			}
		}
	}
	if holes > 0 {
		a.note("%d %s not be looked at whole: blobs are missing", holes, plural(holes, "entry could", "entries could"))
	}
	if n > 0 {
		a.note("%d found; they stay in the log, 'tlog export --redact' masks them in what it writes", n)
		return errNo
	}
	a.note("none of the kinds that are known")
	return nil
}

func printFind(a *App, l *log.Log, i int, f secrets.Located) error {
	r := l.Record(i)
	if a.JSON {
		o := new(jsonout.Object).ID("id", r.ID).String("short", l.Short(i)).Int("line", int64(r.Line))
		return a.printJSON(o.String("kind", f.Kind).Known("member", f.Member).String("shown", f.Shown).Int("size", int64(f.End-f.Start)))
	}
	where := ""
	if f.Member != "" {
		where = " in " + f.Member
	}
	return a.IO.Out.Println(terminal.Yellow.Paint(l.Short(i)), terminal.Line("  "+f.String()+where))
}

// redaction is what was masked of what left a session.
type redaction struct {
	masked map[string]bool // the masked strings, each once however often its entry is read
}

// redact makes a session give its entries masked.
func redact(s *checkout.Session) *redaction {
	r := &redaction{masked: map[string]bool{}}
	s.Log.Redact(func(object []byte) []byte {
		masked, found := secrets.RedactJSON(object)
		for _, f := range found {
			r.masked[string(object[f.Begin:f.Behind])] = true
		}
		return masked
	})
	return r
}

// note says what was done. That of no redaction says nothing.
func (r *redaction) note(a *App) {
	if r == nil {
		return
	}
	a.note("%d %s masked in what was written; the log keeps them", len(r.masked), plural(len(r.masked), "secret", "secrets"))
}
