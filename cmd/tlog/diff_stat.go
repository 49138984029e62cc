package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/projection/tally"
)

// printStat prints all numbers.
func (d *comparison) printStat() error {
	both, err := d.tallies(true)
	if err != nil {
		return err
	}
	rows := tableOf(both, []measure{{"turns", turnsText}, {"entries", entriesText}, {"user words", wordsText}, {"tool calls", callsText}})
	rows = append(rows, toolRows(both)...)
	rows = append(rows, tableOf(both, []measure{
		{"commands", commandsText}, {"tests", testsText}, {"  all runs", allTestsText}, {"files read", readText}, {"files changed", changedText},
	})...)
	rows = append(rows, fileRows(both)...)
	rows = append(rows, tableOf(both, []measure{
		{"tokens in", tokenCount(func(t tallied) int64 { return t.Usage.Input })},
		{"  cache written", tokenCount(func(t tallied) int64 { return t.Usage.CacheWrite })},
		{"  cache read", tokenCount(func(t tallied) int64 { return t.Usage.CacheRead })},
		{"tokens out", tokenCount(func(t tallied) int64 { return t.Usage.Output })},
		{"  reasoning", tokenCount(func(t tallied) int64 { return t.Usage.Reasoning })},
		{"cost", costText}, {"wall time", wallText}, {"active time", activeText}, {"models", repliesText},
		{"compactions", func(t tallied) string { return strconv.Itoa(t.Compactions) }},
	})...)
	d.app.IO.Out.Println()
	return d.printTable(rows)
}

// toolRows has a row a tool, by the calls on both sides.
func toolRows(both [2]tallied) (rows []row) {
	counts := map[string][2]tally.ToolCount{}
	var names []string
	for i, t := range both {
		for _, tool := range t.Tools {
			c, ok := counts[tool.Name]
			if !ok {
				names = append(names, tool.Name)
			}
			c[i] = tool
			counts[tool.Name] = c
		}
	}
	slices.SortFunc(names, func(x, y string) int {
		a, b := counts[x], counts[y]
		return cmp.Or(cmp.Compare(b[0].Calls+b[1].Calls, a[0].Calls+a[1].Calls), cmp.Compare(x, y))
	})
	for _, name := range names {
		c := counts[name]
		rows = append(rows, row{"  " + name, callsOf(c[0]), callsOf(c[1])})
	}
	return rows
}

// fileRows has a row a file that was changed.
func fileRows(both [2]tallied) (rows []row) {
	texts := map[string][2]string{}
	for i, t := range both {
		for _, f := range t.Files {
			if f.Changes == 0 && f.Failed == 0 {
				continue
			}
			c := texts[f.Path]
			c[i] = fileText(f)
			texts[f.Path] = c
		}
	}
	for path, c := range texts {
		rows = append(rows, row{"  " + path, c[0], c[1]})
	}
	slices.SortFunc(rows, func(x, y row) int { return cmp.Compare(x.name, y.name) })
	return rows
}

// fileText is "+12 -3, derived".
func fileText(f tally.FileCount) string {
	var parts []string
	switch {
	case f.Changes == 0:
	case f.Deleted:
		parts = append(parts, "deleted")
	case f.Counted:
		parts = append(parts, fmt.Sprintf("+%d -%d", f.Added, f.Removed))
	default:
		parts = append(parts, fmt.Sprintf("%d %s", f.Changes, plural(f.Changes, "change", "changes")))
	}
	if f.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", f.Failed))
	}
	if f.Graded && f.Changes > 0 {
		parts = append(parts, f.Grade.String())
	}
	return strings.Join(parts, ", ")
}

func readText(t tallied) string {
	n := 0
	for _, f := range t.Files {
		if f.Reads > 0 {
			n++
		}
	}
	return strconv.Itoa(n)
}

func allTestsText(t tallied) string {
	if t.Tests.Runs == 0 {
		return notRecorded
	}
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.Tests.Passed, t.Tests.Failed, t.Tests.Skipped)
}

func tokenCount(of func(tallied) int64) func(tallied) string {
	return func(t tallied) string {
		if !t.Usage.Recorded {
			return notRecorded
		}
		return strconv.FormatInt(of(t), 10)
	}
}

func repliesText(t tallied) string {
	if len(t.Models) == 0 {
		return notRecorded
	}
	parts := make([]string, len(t.Models))
	for i, m := range t.Models {
		parts[i] = fmt.Sprintf("%s (%d %s)", m.Model, m.Replies, plural(m.Replies, "reply", "replies"))
	}
	return strings.Join(parts, ", ")
}

// tallyObject is a side in numbers; what nothing is recorded of is null.
func tallyObject(t tallied) *jsonout.Object {
	o := new(jsonout.Object).Int("turns", int64(t.Turns)).Int("entries", int64(t.Entries)).Int("userWords", int64(t.Words))
	var tools, changed, models jsonout.Array
	for _, tool := range t.Tools {
		tools.Object(new(jsonout.Object).String("name", tool.Name).Int("calls", int64(tool.Calls)).
			Int("failed", int64(tool.Failed)).Int("pending", int64(tool.Pending)))
	}
	o.Array("tools", tools)
	o.Object("commands", new(jsonout.Object).Int("run", int64(t.Commands)).Int("failed", int64(t.CommandsBad)).Int("pending", int64(t.CommandsOpen)))
	o.Object("tests", testsObject(t.Tests))
	for _, f := range t.Files {
		file := new(jsonout.Object).String("path", f.Path).Int("reads", int64(f.Reads)).Int("changes", int64(f.Changes)).Int("failed", int64(f.Failed))
		if f.Counted {
			file.Int("added", int64(f.Added)).Int("removed", int64(f.Removed))
		} else {
			file.Raw("added", nil).Raw("removed", nil)
		}
		grade := ""
		if f.Graded {
			grade = f.Grade.String()
		}
		changed.Object(file.Bool("created", f.Created).Bool("deleted", f.Deleted).Known("grade", grade))
	}
	o.Array("files", changed).Object("tokens", tokensObject(t.Usage))
	if t.Timed {
		o.Time("first", t.First).Time("last", t.Last).Int("wallMilliseconds", t.Wall.Milliseconds()).Int("activeMilliseconds", t.Active.Milliseconds())
	} else {
		o.Raw("first", nil).Raw("last", nil).Raw("wallMilliseconds", nil).Raw("activeMilliseconds", nil)
	}
	for _, m := range t.Models {
		models.Object(new(jsonout.Object).Known("provider", m.Provider).String("modelId", m.Model).Int("replies", int64(m.Replies)))
	}
	return o.Array("models", models).Int("compactions", int64(t.Compactions))
}

func testsObject(c tally.TestCount) *jsonout.Object {
	if c.Runs == 0 {
		return nil
	}
	o := new(jsonout.Object).Int("runs", int64(c.Runs)).Int("passed", int64(c.Passed)).Int("failed", int64(c.Failed)).Int("skipped", int64(c.Skipped))
	return o.Int("lastPassed", int64(c.LastPassed)).Int("lastFailed", int64(c.LastFailed))
}
