package claude

import (
	"tlog/agents/transcript"
	"tlog/objects"
)

// bound are the types of the lines that bind to the place or the state of the session that wrote them.
func bound(kind string) bool {
	switch kind {
	case "last-prompt", "relocated", "continued-in", "session-owner", "bridge-session", "history-suppression", "resume-head-vouch",
		"ended-by-model", "worktree-state", "fork-context-ref", "observer-ref", "frame-link":
		return true
	}
	return false
}

// writeSide writes a line that is no node of the history: a side line, a progress row, or a row of a subagent in the main
// file, if that may come along.
func (e *exporter) writeSide(entry transcript.Entry) error {
	object := e.objectOf(entry)
	if object == nil {
		return nil
	}
	r := readRowObject(object)
	if bound(r.kind) {
		return nil
	}
	edits := e.sessionEdits()
	if r.uuid == "" && (r.spoken() || r.kind == "attachment" || r.kind == "system") {
		e.repaired(transcript.DroppedLine, entry.EffectiveID, "a row without an id")
		return nil
	}
	if r.uuid != "" && r.kind != "" {
		known := r.parent == "" || e.parents[r.parent] || r.sidechain && e.written[r.parent]
		switch {
		case e.written[r.uuid], e.survey.uuids[r.uuid]:
			return nil
		case r.sidechain:
			if !known {
				edits = append(edits, edit{name: "parentUuid", value: []byte("null")})
			}
		case r.kind != "progress" || !known:
			return nil // it is of another branch
		}
		e.written[r.uuid] = true
		e.parents[r.uuid] = !r.sidechain
	}
	if cwd, moved := e.moved(r.cwd); moved && r.uuid != "" {
		edits = append(edits, edit{"cwd", objects.AppendQuote(nil, cwd), atString})
	}
	return e.writeLine(e.withoutImages(splice(object, edits...), entry.EffectiveID, true))
}

// title is the line that names the session.
func (e *exporter) title(name string) []byte {
	return objects.Object(
		objects.StringField("type", "custom-title"),
		objects.StringField("customTitle", name),
		objects.StringField("sessionId", string(e.x.Session)))
}

// renaming is the line for an entry of tlog's own that renames the session; nil for any other entry.
func (e *exporter) renaming(entry transcript.Entry) []byte {
	if entry.Foreign() || entry.Type != objects.TypeSessionInfo {
		return nil
	}
	if name, ok := entry.Text("name"); ok && name != "" {
		return e.title(name)
	}
	return nil
}

// Aside reports whether an entry is no node of the session's history although it is a row: that of a subagent in the main file, as
// old clients wrote them.
func (Agent) Aside(e objects.Entry) bool {
	return isTrue(objects.MemberOf(e.SourceObject(), "isSidechain"))
}
