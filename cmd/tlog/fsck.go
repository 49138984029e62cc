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
	return &cobra.Command{
		Use:   "fsck [<file>]",
		Short: "Check a session",
		Long: "Read the whole session and report what is wrong with it: bad lines, ids, parents, the chain, refs, tool calls and\n" +
			"results without each other. Nothing is changed. docs/format.md lists the codes. Findings of severity error and\n" +
			"warning make the answer 1, info does not.\n\n" +
			exitStatus(exitOK, exitNo, exitUsage, exitNotFound, exitCorrupt),
		Args: operands(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := a.sessionName()
			if len(args) == 1 {
				name = a.path(args[0])
			}
			return runFsck(a, name)
		},
	}
}

func runFsck(a *App, name string) error {
	s, err := a.open(name)
	if err != nil {
		return err
	}
	defer s.Close()
	counts, ofSource := map[log.Severity]int{}, 0
	report := func(f log.Finding) error {
		counts[f.Code.Severity()]++
		if f.Code.Severity() != log.Info && repairedByExport(f.Code) {
			ofSource++
		}
		return printFinding(a, f)
	}
	for f := range s.Log.Check() {
		if err := report(f); err != nil {
			return err
		}
	}
	later := s.Refs.Check()
	pairs, err := projection.CheckPairs(s.Log)
	if err != nil {
		return fmt.Errorf("fsck: %w", err)
	}
	later = append(later, pairs...)
	if later, err = withSourceLines(s.Log, later); err != nil {
		return fmt.Errorf("fsck: %w", err)
	}
	slices.SortStableFunc(later, func(x, y log.Finding) int { return cmp.Compare(x.Line, y.Line) })
	for _, f := range later {
		if err := report(f); err != nil {
			return err
		}
	}
	if ofSource > 0 {
		a.noteExportRepairs(s)
	}
	if counts[log.Error]+counts[log.Warning] > 0 {
		return errNo
	}
	a.note("no findings that matter")
	return nil
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
		return a.printJSON(o.String("message", f.Message))
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
