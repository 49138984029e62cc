package main

import (
	"slices"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/store"
)

// nameInstalled gives what was installed its name, where the agent keeps names beside its transcripts. It comes last, so that nothing is named that is
// not there. A name that could not be written is reported as one that is missing.
func (t *telling) nameInstalled() {
	agent, ok := t.agent.(agents.NameTarget)
	name := t.export.Name
	if name == "" {
		name = t.session.Refs.Name()
	}
	if !ok || name == "" {
		return
	}
	t.report.Repairs = slices.DeleteFunc(t.report.Repairs, func(r transcript.Repair) bool { return r.Kind == transcript.DroppedName })
	file, line := agent.NameLine(t.app.env, t.export.Session, name, t.app.Now())
	if err := store.AppendLine(file, line); err != nil {
		t.report.Repairs = append(t.report.Repairs, transcript.Repair{Kind: transcript.DroppedName, Detail: name + ": " + err.Error()})
	}
}
