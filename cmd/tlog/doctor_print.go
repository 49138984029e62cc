package main

import (
	"fmt"
	"strings"
	"time"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/store"
)

// maxTold is how many things of a kind are told to people, --json has all.
const maxTold = 20

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
	} else {
		out.Println(name, terminal.Line(": "+x.folder))
		x.row(out, "sessions", terminal.Plain, "%d, and %d of subagents, %s", x.sessions, x.subagents, view.Size(x.size))
		x.printStored(out)
	}
	if n := len(x.gone); n > 0 {
		x.row(out, "kept", terminal.Plain, "%d gone from there, kept in the store", n)
	}
	if x.here {
		x.printCleanUp(out, a.Now())
		x.printDamaged(out)
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
	x.row(out, "store", style, "%s", strings.Join(parts, ", "))
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
	o.Array("missing", surveyedArray(x.missing)).Array("changed", surveyedArray(x.changed))
	var gone, expiring, damaged jsonout.Array
	for _, info := range x.gone {
		gone.Object(new(jsonout.Object).ID("session", info.ID).String("file", info.File).String("source", info.Source.Path))
	}
	for _, e := range x.expiring {
		expiring.Object(surveyedObject(e.Surveyed).Time("deletedFrom", e.at))
	}
	for _, file := range x.damaged {
		damaged.Object(file.object())
	}
	o.Array("gone", gone).Object("cleanUp", x.cleanUpObject()).Array("expiring", expiring)
	if x.quick || !x.here {
		o.Raw("damaged", nil)
	} else {
		o.Array("damaged", damaged)
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
