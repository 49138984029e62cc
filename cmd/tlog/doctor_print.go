package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tlog/agents"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/objects"
	"tlog/store"
)

// maxTold is how many things of a kind are told to people, --json has all. Of sessions whose number alone matters it is maxSessions.
const (
	maxTold     = 20
	maxSessions = 10
)

// print tells of an agent.
func (x *examination) print(a *App) error {
	out := a.IO.Out
	name := terminal.Bold.Paint(x.agent.Name())
	if !x.here {
		where := "its folder is not known"
		if x.folder != "" {
			where = "no folder '" + x.folder + "'"
		}
		out.Println(name, terminal.Line(": not here, "+where))
	} else if exporting, ok := x.agent.(agents.Exporting); ok {
		out.Println(name, terminal.Line(": "+x.folder))
		x.row(out, "sessions", terminal.Plain, "not read: %s", exporting.HowTo())
		return out.Err()
	} else {
		out.Println(name, terminal.Line(": "+x.folder))
		x.row(out, "sessions", terminal.Plain, "%d, and %d of subagents, %s", x.sessions, x.subagents, view.Size(x.size))
		x.printStored(out)
	}
	x.printGone(out)
	if x.here {
		x.printCleanUp(out, a.Now())
		x.printDamaged(out)
		x.printBroken(out)
	}
	for _, err := range x.errs {
		x.row(out, "error", terminal.Red, "%v", err)
	}
	return out.Err()
}

// row prints a line of what was found.
func (x *examination) row(out *terminal.Writer, key string, style terminal.Style, format string, args ...any) {
	out.Println(terminal.Line(fmt.Sprintf("  %-9s ", key)), style.Paint(fmt.Sprintf(format, args...)))
}

func (x *examination) printStored(out *terminal.Writer) {
	style := terminal.Green
	parts := []string{fmt.Sprintf("%d in the store", x.stored)}
	for _, more := range []struct {
		n    int
		text string
	}{{len(x.missing), "%d not yet"}, {len(x.changed), "%d changed since"}} {
		if more.n > 0 {
			style = terminal.Yellow
			parts = append(parts, fmt.Sprintf(more.text, more.n))
		}
	}
	if n := len(x.copies); n > 0 {
		parts = append(parts, fmt.Sprintf("%d older %s of what is there", n, plural(n, "copy", "copies")))
	}
	x.row(out, "store", style, "%s", strings.Join(parts, ", "))
	x.printSurveyed(out, "not yet", x.missing)
	x.printSurveyed(out, "changed", x.changed)
}

// printSurveyed lists transcripts, the first ones of many.
func (x *examination) printSurveyed(out *terminal.Writer, what string, list []store.Surveyed) {
	for i, seen := range list {
		if i == maxSessions {
			x.row(out, "", terminal.Plain, "and %d more", len(list)-i)
			return
		}
		x.row(out, "", terminal.Plain, "%s: %s  %s", what, seen.Session, seen.Path)
	}
}

// printGone lists the sessions that the agent has no more.
func (x *examination) printGone(out *terminal.Writer) {
	if len(x.gone) == 0 {
		return
	}
	x.row(out, "kept", terminal.Plain, "%d gone from there, kept in the store; 'tlog -s <session> export --original --install' puts one back", len(x.gone))
	gone := map[objects.ID]bool{}
	for _, info := range x.gone {
		gone[info.ID] = true
	}
	// A subagent's comes back with the session that began it.
	list := slices.DeleteFunc(slices.Clone(x.gone), func(info store.Info) bool { return info.Subagent && gone[info.ParentSession] })
	for i, info := range list {
		if i == maxSessions {
			x.row(out, "", terminal.Plain, "and %d more", len(list)-i)
			return
		}
		x.row(out, "", terminal.Plain, "gone: %s  %s", info.ID, info.Source.Path)
	}
}

// printBroken lists the transcripts whose rows do not hang together.
func (x *examination) printBroken(out *terminal.Writer) {
	if len(x.broken) == 0 {
		return
	}
	n := len(x.broken)
	x.row(out, "gaps", terminal.Plain, "in %d %s; 'tlog export --to %s' closes them in what it writes", n, plural(n, "transcript", "transcripts"), x.agent.Name())
	for i, file := range x.broken {
		if i == maxTold {
			x.row(out, "", terminal.Plain, "and in %d more", n-i)
			return
		}
		x.row(out, "", terminal.Plain, "%s: %s", file.path, file.breaks)
	}
}

func (x *examination) printCleanUp(out *terminal.Writer, now time.Time) {
	clean := x.cleanUp
	switch {
	case clean.AtStart:
		x.row(out, "clean-up", terminal.Red, "deletes all sessions at its next start (%s)", clean.By)
	case clean.Days > 0:
		x.row(out, "clean-up", terminal.Plain, "deletes what was not changed for %d days (%s); %d within a week", clean.Days, clean.By, len(x.expiring))
	case clean.By != "":
		x.row(out, "clean-up", terminal.Plain, "never (%s)", clean.By)
	}
	for i, e := range x.expiring {
		if i == maxTold {
			x.row(out, "", terminal.Plain, "and %d more", len(x.expiring)-i)
			break
		}
		safety, style := "in the store", terminal.Dim
		switch e.safety() {
		case 0:
			safety, style = "NOT IN THE STORE", terminal.Red
		case 1:
			safety, style = "changed since it came into the store", terminal.Yellow
		}
		x.row(out, "", style, "%s  %s, %s", e.when(now), e.Path, safety)
	}
}

// when says when a session is deleted.
func (e expiry) when(now time.Time) string {
	switch {
	case e.at.IsZero():
		return "next start"
	case e.at.Before(now):
		return "any moment"
	}
	return e.at.In(now.Location()).Format(time.DateOnly)
}

func (x *examination) printDamaged(out *terminal.Writer) {
	switch {
	case x.quick:
		x.row(out, "damage", terminal.Dim, "not looked for")
		return
	case len(x.damaged) == 0:
		x.row(out, "damage", terminal.Green, "none")
		return
	}
	x.row(out, "damage", terminal.Red, "in %d %s", len(x.damaged), plural(len(x.damaged), "transcript", "transcripts"))
	for i, file := range x.damaged {
		if i == maxTold {
			x.row(out, "", terminal.Plain, "and in %d more", len(x.damaged)-i)
			return
		}
		x.row(out, "", terminal.Plain, "%s", file.path)
		for _, fault := range file.faults {
			x.row(out, "", terminal.Plain, "  line %d, offset %d: %s: %s", fault.Line, fault.Offset, fault.Code, fault.Reason)
		}
		if more := file.total - len(file.faults); more > 0 {
			x.row(out, "", terminal.Plain, "  and %d more", more)
		}
	}
}

// object is an agent as --json prints it.
func (x *examination) object() *jsonout.Object {
	o := new(jsonout.Object).String("agent", x.agent.Name()).Bool("here", x.here).Known("folder", x.folder)
	o.Int("sessions", int64(x.sessions)).Int("subagents", int64(x.subagents)).Int("size", x.size).Int("stored", int64(x.stored))
	o.Array("missing", surveyedArray(x.missing)).Array("changed", surveyedArray(x.changed)).Array("copies", surveyedArray(x.copies))
	var gone, expiring, damaged, broken jsonout.Array
	for _, info := range x.gone {
		gone.Object(new(jsonout.Object).ID("session", info.ID).String("file", info.File).String("source", info.Source.Path))
	}
	for _, e := range x.expiring {
		expiring.Object(surveyedObject(e.Surveyed).Time("deletedFrom", e.at))
	}
	for _, file := range x.damaged {
		damaged.Object(file.object())
	}
	for _, file := range x.broken {
		broken.Object(new(jsonout.Object).String("source", file.path).Int("gaps", int64(file.gaps)).
			Int("calls", int64(file.calls)).Int("results", int64(file.results)))
	}
	o.Array("gone", gone).Object("cleanUp", x.cleanUpObject()).Array("expiring", expiring)
	if x.quick || !x.here {
		o.Raw("damaged", nil).Raw("broken", nil)
	} else {
		o.Array("damaged", damaged).Array("broken", broken)
	}
	errs := make([]string, 0, len(x.errs))
	for _, err := range x.errs {
		errs = append(errs, err.Error())
	}
	return o.Strings("errors", errs).Bool("care", x.needsCare())
}

// cleanUpObject is nil for an agent that deletes nothing, or of which that is not known.
func (x *examination) cleanUpObject() *jsonout.Object {
	if x.cleanUp.By == "" {
		return nil
	}
	o := new(jsonout.Object)
	if x.cleanUp.Days > 0 {
		o.Int("days", int64(x.cleanUp.Days))
	} else {
		o.Raw("days", nil)
	}
	return o.Bool("atStart", x.cleanUp.AtStart).String("by", x.cleanUp.By)
}

func surveyedArray(list []store.Surveyed) (array jsonout.Array) {
	for _, seen := range list {
		array.Object(surveyedObject(seen))
	}
	return array
}

func surveyedObject(seen store.Surveyed) *jsonout.Object {
	o := new(jsonout.Object).ID("session", seen.Session).Known("file", seen.File).String("source", seen.Path)
	return o.Known("state", string(seen.State)).Bool("subagent", seen.Subagent).Int("size", seen.Size).Time("modified", seen.ModTime)
}

func (d damagedFile) object() *jsonout.Object {
	var faults jsonout.Array
	for _, f := range d.faults {
		faults.Object(new(jsonout.Object).String("code", string(f.Code)).Int("line", int64(f.Line)).Int("offset", f.Offset).String("message", f.Reason))
	}
	return new(jsonout.Object).String("source", d.path).Int("faults", int64(d.total)).Array("first", faults)
}
