package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"tlog/agents"
	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
	"tlog/projection"
)

func newFsckCommand(a *App) *cobra.Command {
	strict := false
	cmd := &cobra.Command{
		Use:   "fsck [<file>]",
		Short: "Check a session",
		Long: "Read the whole session and report what is wrong with it: bad lines, ids, parents, the chain, blobs, times, refs, tool\n" +
			"calls and results without each other, usage that stands on more than one line. Nothing is changed. docs/format.md lists\n" +
			"the codes. Findings of severity error and warning make the answer 1, info does only with --strict.\n\n" +
			exitStatus(exitOK, exitNo, exitUsage, exitNotFound, exitCorrupt),
		Args: operands(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := a.sessionName()
			if len(args) == 1 {
				name = a.path(args[0])
			}
			return runFsck(a, name, strict)
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "answer 1 for findings of severity info, too")
	return cmd
}

func runFsck(a *App, name string, strict bool) error {
	s, err := a.open(name)
	if err != nil {
		return err
	}
	defer s.Close()
	found := fsckReport{app: a, seen: map[log.Code]bool{}}
	for f := range s.Log.Check() {
		if err := found.print(f); err != nil {
			return err
		}
	}
	later, err := checkAbove(s)
	if err != nil {
		return fmt.Errorf("fsck: %w", err)
	}
	for _, f := range later {
		if err := found.print(f); err != nil {
			return err
		}
	}
	found.hints()
	if found.ofSource {
		a.noteExportRepairs(s)
	}
	if found.matter || strict && len(found.codes) > 0 {
		return errNo
	}
	a.note("no findings that matter")
	return nil
}

// checkAbove are the findings on what stands above the log: names, tool calls, usage.
func checkAbove(s *checkout.Session) ([]log.Finding, error) {
	later := s.Refs.Check()
	for _, check := range []func(*log.Log) ([]log.Finding, error){projection.CheckPairs, projection.CheckUsage} {
		found, err := check(s.Log)
		if err != nil {
			return nil, err
		}
		later = append(later, found...)
	}
	later, err := withSourceLines(s.Log, later)
	slices.SortStableFunc(later, func(x, y log.Finding) int { return cmp.Compare(x.Line, y.Line) })
	return later, err
}

// fsckReport prints findings and knows what kinds there were.
type fsckReport struct {
	app      *App
	codes    []log.Code // in the order in which they came
	seen     map[log.Code]bool
	matter   bool // an error or a warning was among them
	ofSource bool // one of these an export does not hand on
}

func (r *fsckReport) print(f log.Finding) error {
	if !r.seen[f.Code] {
		r.seen[f.Code] = true
		r.codes = append(r.codes, f.Code)
	}
	if f.Code.Severity() != log.Info {
		r.matter = true
		r.ofSource = r.ofSource || repairedByExport(f.Code)
	}
	return printFinding(r.app, f)
}

// hints says for each kind of finding once what to do about it; in JSON it stands with each.
func (r *fsckReport) hints() {
	if r.app.JSON {
		return
	}
	for _, code := range r.codes {
		r.app.note("%s: %s", code, code.Hint())
	}
}

// repairedByExport reports whether a finding on an agent's transcript is one that an export does not hand on.
func repairedByExport(code log.Code) bool {
	switch code {
	case log.BadLine, log.TornTail, log.NULBytes, log.GluedLines, log.InvalidUTF8, log.BOM, log.DuplicateID,
		log.MissingParent, log.Cycle, log.UnansweredCall, log.OrphanResult:
		return true
	}
	return false
}

// noteExportRepairs says what to do about the damage of an imported transcript: it is kept as it is, in the store and in the source.
func (a *App) noteExportRepairs(s *checkout.Session) {
	header := s.Log.Header()
	if _, ok := agents.LookupForeign(header.Agent); !ok || header.Source == nil {
		return
	}
	if _, ok := agents.LookupTarget(header.Agent); ok {
		a.note("'tlog export --to %s' repairs these in what it writes", header.Agent)
	}
}

// withSourceLines are findings on an import of an agent's transcript with the lines that they concern there.
func withSourceLines(l *log.Log, found []log.Finding) ([]log.Finding, error) {
	if len(found) == 0 || l.Header().Source == nil {
		return found, nil
	}
	lines, err := l.SourceLines()
	for i, f := range found {
		if line, ok := lines[f.Line]; ok {
			found[i].Message = fmt.Sprintf("line %d of the source: %s", line, f.Message)
		}
	}
	return found, err
}

func printFinding(a *App, f log.Finding) error {
	severity := f.Code.Severity()
	if a.JSON {
		o := new(jsonout.Object).String("severity", string(severity)).String("code", string(f.Code))
		o.Int("line", int64(f.Line)).Int("offset", f.Offset).Known("id", f.ID)
		return a.printJSON(o.String("message", f.Message).String("hint", f.Code.Hint()))
	}
	style := terminal.Dim
	switch severity {
	case log.Error:
		style = terminal.Red
	case log.Warning:
		style = terminal.Yellow
	}
	place := fmt.Sprintf("line %d, offset %d: ", f.Line, f.Offset)
	if f.ID != "" {
		place += f.ID + ": "
	}
	return a.IO.Out.Println(terminal.Line(place), style.Paint(string(severity)+" "+string(f.Code)), terminal.Line(": "+f.Message))
}
