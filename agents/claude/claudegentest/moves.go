package claudegentest

import "slices"

// Checkpoint writes the line that says where the session stands, as the client does at its end.
func (t *Transcript) Checkpoint(lastPrompt string) {
	t.Side("last-prompt", "lastPrompt", lastPrompt, "leafUuid", t.parent)
}

// CheckpointAt writes a checkpoint on another row, at which the client goes on from then: it counts more than later rows of another branch.
func (t *Transcript) CheckpointAt(row *Row) {
	t.Side("last-prompt", "lastPrompt", "before", "leafUuid", row.UUID)
	t.truth.Leaf = row
}

// Rewind goes back before a prompt: the next one hangs where that one hung.
func (t *Transcript) Rewind(prompt *Row) {
	t.at, t.parent, t.rewound = prompt.Prev, "", true
	if t.at != nil {
		t.parent = t.at.UUID
	}
}

// Title writes a name that the user gave the session.
func (t *Transcript) Title(name string) {
	t.Side("custom-title", "customTitle", name)
	t.truth.Title = name
}

// Left writes what is in a transcript when the user renamed the session and went away: commands in rows of the
// client's own, the reminder of the name, and commands behind it. Returned is what Resumed needs.
func (t *Transcript) Left(name, output string) (reminder *Row, behind []*Row) {
	t.localCommand(commandText("rename", name))
	t.localCommand("<local-command-stdout>" + output + "</local-command-stdout>")
	reminder = t.said("<system-reminder>\nThe session has a name now: "+name+"\n</system-reminder>", true)
	behind = append(behind, t.localCommand(commandText("color", "red")))
	return reminder, append(behind, t.localCommand("<local-command-stdout>red</local-command-stdout>"))
}

func (t *Transcript) localCommand(text string) *Row {
	row := t.system("local_command", "content", text)
	row.Visible, row.Hidden, row.role, row.parts = true, true, "user", []Part{{Kind: "text", Text: text}}
	return row
}

// Resumed writes the reply that the client makes up when it goes on with a session that ends in a row of the user. It
// hangs at that row, and the commands behind it are not sent any more.
func (t *Transcript) Resumed(leaf *Row, behind []*Row) *Row {
	for _, row := range behind {
		row.unled = true
	}
	id := t.uuid()
	text := "No response requested."
	message := object("id", id, "model", "<synthetic>", "role", "assistant", "stop_reason", "stop_sequence", "stop_sequence", "",
		"type", "message", "usage", object("input_tokens", 0, "output_tokens", 0), "content", list(object("type", "text", "text", text)))
	row := &Row{Visible: true, role: "assistant", reply: id, parts: []Part{{Kind: "text", Text: text}}}
	return t.add(row, leaf.UUID, t.at, "type", "assistant", "message", message, "isApiErrorMessage", false)
}

const summaryHead = "This session is being continued from a previous conversation that ran out of context. "

// Compact writes a compaction of all that is in the context. A manual one keeps the last reply.
func (t *Transcript) Compact(summary string, manual bool) {
	trigger := "auto"
	var kept []*Row
	if manual {
		trigger = "manual"
		kept = t.lastReply()
	}
	t.compact(summary, trigger, t.at, kept, false)
	if manual {
		t.Command("compact", "", "Compacted")
	}
}

// lastReply are the row of the last reply and what stands behind it, if it is a reply of one row.
func (t *Transcript) lastReply() (rows []*Row) {
	for row := t.at; row != nil; row = row.Prev {
		rows = append(rows, row)
		if row.role == "assistant" {
			slices.Reverse(rows)
			if row.parts[0].Kind != "text" || row.Prev == nil || row.Prev.reply == row.reply {
				return nil
			}
			return rows
		}
		if row.role != "" {
			return nil
		}
	}
	return nil
}

// SummarizeUpTo writes the compaction of what stands before a prompt; that and what follows is kept.
func (t *Transcript) SummarizeUpTo(prompt *Row, summary string) {
	path := Path(t.at)
	t.compact(summary, "manual", prompt.Prev, path[slices.Index(path, prompt):], false)
}

// SummarizeFrom writes the compaction of a prompt and what follows; what stands before it is kept.
func (t *Transcript) SummarizeFrom(prompt *Row, summary string) {
	t.compact(summary, "manual", prompt.Prev, Path(prompt.Prev), true)
}

// compact writes the boundary and the summary. The kept rows stand behind the summary, or before it.
func (t *Transcript) compact(summary, trigger string, logical *Row, kept []*Row, before bool) {
	boundary := &Row{UUID: t.uuid(), Visible: true, boundary: &compaction{kept: kept}}
	said := &Row{UUID: t.uuid(), Visible: true, Hidden: true, role: "user", parts: []Part{{Kind: "text", Text: summaryHead + summary}}}
	anchor := said.UUID
	if before {
		anchor = boundary.UUID
	} else {
		boundary.boundary.afterAnchor = said
	}
	meta := []any{"trigger", trigger, "preTokens", 1000 + t.rng.IntN(150000)}
	if len(kept) > 0 {
		var uuids []string
		for _, row := range kept {
			uuids = append(uuids, row.UUID)
		}
		meta = append(meta,
			"preservedSegment", object("headUuid", uuids[0], "anchorUuid", anchor, "tailUuid", uuids[len(uuids)-1]),
			"preservedMessages", object("anchorUuid", anchor, "uuids", uuids, "allUuids", uuids))
	}
	t.put(boundary, "", t.at, "logicalParentUuid", logical.UUID, "type", "system", "subtype", "compact_boundary",
		"content", "Conversation compacted", "level", "info", "compactMetadata", object(meta...))
	t.put(said, boundary.UUID, boundary, "type", "user", "message", object("role", "user", "content", summaryHead+summary),
		"isCompactSummary", true)
}
