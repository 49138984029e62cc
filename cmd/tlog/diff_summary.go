package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/diff"
	"tlog/projection/files"
	"tlog/projection/tally"
)

const notRecorded = "not recorded"

// tallied is one side in numbers.
type tallied struct {
	tally.Tally
	files *files.Replay // nil if states are not asked for
}

// tallies counts both sides, once. With states, files are counted by what was in them.
func (d *comparison) tallies(states bool) ([2]tallied, error) {
	if d.totals != nil && (!states || d.totals[0].files != nil) {
		return *d.totals, nil
	}
	var both [2]tallied
	for i, s := range []struct {
		path *diff.Path
		only []int
	}{{d.A, d.OnlyA}, {d.B, d.OnlyB}} {
		var err error
		opt := tally.Options{Entries: s.only}
		if states {
			opt.Changes = tally.NewFileChanges(s.only)
			if opt.Files, err = files.New(s.path.History, files.Options{Each: opt.Changes.Add}); err != nil {
				return both, err
			}
			both[i].files = opt.Files
		}
		if both[i].Tally, err = tally.Count(s.path.History, opt); err != nil {
			return both, err
		}
	}
	d.totals = &both
	return both, nil
}

// relations are the words for how the common part was found.
var relations = map[diff.Relation]string{diff.ByGraph: "graph", diff.ByID: "id", diff.ByContent: "content", diff.Unrelated: "none"}

// printHead names the sides and what they have in common.
func (d *comparison) printHead() error {
	out := d.app.IO.Out
	for _, s := range []struct {
		mark  string
		style terminal.Style
		side
	}{{"a", terminal.Red, d.a}, {"b", terminal.Green, d.b}} {
		line := []terminal.Text{s.style.Paint(s.mark), terminal.Line("  "), terminal.Yellow.Paint(s.short())}
		if s.name != s.short() {
			line = append(line, terminal.Line("  "+s.name))
		}
		if d.a.log != d.b.log {
			line = append(line, terminal.Line("  session "+string(s.log.Header().ID)))
		}
		out.Println(line...)
	}
	out.Println()
	return out.Println(d.commonText())
}

// commonText says what is common.
func (d *comparison) commonText() terminal.Text {
	if d.Relation == diff.Unrelated {
		return terminal.Line("nothing in common")
	}
	shown := d.commonShown()
	words := fmt.Sprintf("%d %s in common, up to ", shown, plural(shown, "entry", "entries"))
	how := map[diff.Relation]string{diff.ByID: " (by id)", diff.ByContent: " (by what they say)"}[d.Relation]
	return terminal.Concat(terminal.Line(words), terminal.Yellow.Paint(d.a.log.Short(d.BaseA)), terminal.Line(how))
}

// commonShown is how many entries of the common part log shows, undone ones among them.
func (d *comparison) commonShown() int {
	shown := 0
	for _, at := range d.CommonA {
		if d.a.log.Record(at).Visible() {
			shown++
		}
	}
	return shown
}

// row is a line of the table.
type row struct{ name, a, b string }

// printTable prints rows of two columns, of which the right ones line up.
func (d *comparison) printTable(rows []row) error {
	out := d.app.IO.Out
	rows = slices.Insert(rows, 0, row{"", "a", "b"})
	var width [2]int
	for i, r := range rows {
		r = row{terminal.SafeLine(r.name), terminal.SafeLine(r.a), terminal.SafeLine(r.b)}
		rows[i] = r
		width[0] = max(width[0], terminal.Width(r.name))
		width[1] = max(width[1], terminal.Width(r.a))
	}
	for i, r := range rows {
		styles := [2]terminal.Style{}
		if i == 0 {
			styles = [2]terminal.Style{terminal.Red, terminal.Green}
		}
		line := []terminal.Text{terminal.Line(terminal.Pad(r.name, width[0]+2))}
		if r.b == "" {
			line = append(line, styles[0].Paint(r.a))
		} else {
			line = append(line, styles[0].Paint(terminal.Pad(r.a, width[1]+2)), styles[1].Paint(r.b))
		}
		if err := out.Println(line...); err != nil {
			return err
		}
	}
	return nil
}

// printSummary prints the numbers that tell most.
func (d *comparison) printSummary() error {
	both, err := d.tallies(false)
	if err != nil {
		return err
	}
	rows := tableOf(both, []measure{
		{"turns", turnsText}, {"entries", entriesText}, {"tool calls", callsText}, {"commands", commandsText}, {"tests", testsText},
		{"files changed", changedText}, {"tokens", tokensLine}, {"cost", costText}, {"time", wallText}, {"active", activeText},
	})
	if a, b := modelsText(both[0]), modelsText(both[1]); a != b {
		rows = append(rows, row{"models", a, b})
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { // --stat says so
		return r.a == r.b && (r.a == "0" || r.a == notRecorded)
	})
	d.app.IO.Out.Println()
	return d.printTable(rows)
}

// measure is a row of a table: what it is called, and how a side has it.
type measure struct {
	name string
	text func(tallied) string
}

func tableOf(both [2]tallied, measures []measure) (rows []row) {
	for _, m := range measures {
		rows = append(rows, row{m.name, m.text(both[0]), m.text(both[1])})
	}
	return rows
}

func turnsText(t tallied) string   { return strconv.Itoa(t.Turns) }
func entriesText(t tallied) string { return strconv.Itoa(t.Entries) }
func wordsText(t tallied) string   { return strconv.Itoa(t.Words) }

func callsText(t tallied) string {
	var sum tally.ToolCount
	for _, tool := range t.Tools {
		sum.Calls += tool.Calls
		sum.Failed += tool.Failed
		sum.Pending += tool.Pending
	}
	return callsOf(sum)
}

// callsOf is "7 (2 failed, 1 without a result)".
func callsOf(c tally.ToolCount) string {
	return withNotes(c.Calls, note(c.Failed, "failed"), note(c.Pending, "without a result"))
}

func note(n int, words string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, words)
}

func withNotes(n int, notes ...string) string {
	notes = slices.DeleteFunc(notes, func(s string) bool { return s == "" })
	if len(notes) == 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d (%s)", n, strings.Join(notes, ", "))
}

func commandsText(t tallied) string {
	return withNotes(t.Commands, note(t.CommandsBad, "failed"), note(t.CommandsOpen, "without a result"))
}

// testsText is what the last run of tests said.
func testsText(t tallied) string {
	if t.Tests.Runs == 0 {
		return notRecorded
	}
	text := fmt.Sprintf("%d passed, %d failed", t.Tests.LastPassed, t.Tests.LastFailed)
	if t.Tests.Runs > 1 {
		text += fmt.Sprintf(" in the last of %d runs", t.Tests.Runs)
	}
	return text
}

func changedText(t tallied) string {
	changed, added, removed, counted := 0, 0, 0, true
	for _, f := range t.Files {
		if f.Changes == 0 {
			continue
		}
		changed++
		added, removed, counted = added+f.Added, removed+f.Removed, counted && f.Counted
	}
	return strconv.Itoa(changed) + linesText(changed, added, removed, counted)
}

// linesText is " (+12 -3)"; with a "?" where some lines are not known.
func linesText(changed, added, removed int, counted bool) string {
	switch {
	case changed == 0:
		return ""
	case !counted && added+removed == 0:
		return " (lines " + notRecorded + ")"
	case !counted:
		return fmt.Sprintf(" (at least +%d -%d)", added, removed)
	}
	return fmt.Sprintf(" (+%d -%d)", added, removed)
}

func tokensLine(t tallied) string {
	if !t.Usage.Recorded {
		return notRecorded
	}
	text := view.Count(t.Usage.Input+t.Usage.CacheWrite) + " in, " + view.Count(t.Usage.Output) + " out"
	if t.Usage.CacheRead > 0 {
		text += ", " + view.Count(t.Usage.CacheRead) + " cached"
	}
	return text
}

func costText(t tallied) string {
	if !t.Usage.Priced {
		return notRecorded
	}
	return "$" + strconv.FormatFloat(t.Usage.Cost, 'f', 4, 64)
}

func wallText(t tallied) string {
	if !t.Timed {
		return notRecorded
	}
	return durationText(t.Wall)
}

func activeText(t tallied) string {
	if !t.Timed {
		return notRecorded
	}
	return durationText(t.Active)
}

// durationText is "1h 2m 3s"; below ten seconds with tenths.
func durationText(d time.Duration) string {
	if d < 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	}
	text := d.Round(time.Second).String() // 1h2m3s
	return strings.TrimSuffix(strings.NewReplacer("h", "h ", "m", "m ").Replace(text), " ")
}

func modelsText(t tallied) string {
	if len(t.Models) == 0 {
		return notRecorded
	}
	names := make([]string, len(t.Models))
	for i, m := range t.Models {
		names[i] = m.Model
	}
	return strings.Join(names, ", ")
}
