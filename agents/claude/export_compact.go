package claude

import (
	"bytes"
	"slices"

	"tlog/agents/transcript"
	"tlog/objects"
)

// boundaryEdits makes the row of a compaction name only what stands in the file: the client keeps nothing of a list in which
// one is missing (formats/claude.md section 3, item 2).
func (e *exporter) boundaryEdits(r row) []edit {
	var edits []edit
	if r.logical != "" && !e.written[r.logical] {
		edits = append(edits, edit{name: "logicalParentUuid", value: objects.IDField("", objects.ID(e.last)).Value})
	}
	if len(r.metadata) == 0 || r.metadata[0] != '{' {
		return edits
	}
	metadata := e.preserved(r, r.metadata)
	if !bytes.Equal(metadata, r.metadata) {
		edits = append(edits, edit{name: "compactMetadata", value: metadata})
	}
	return edits
}

// preserved is the metadata of a compaction with what is kept as far as it stands in the file.
func (e *exporter) preserved(r row, metadata []byte) []byte {
	messages := objects.MemberOf(metadata, "preservedMessages")
	var first, last string // of those that are kept
	for _, name := range []string{"allUuids", "uuids"} {
		list := objects.MemberOf(messages, name)
		if list == nil {
			continue
		}
		kept := e.keptOf(list)
		if len(kept) > 0 {
			first, last = kept[0], kept[len(kept)-1]
		} else if name == "uuids" {
			return objects.RemoveMember(objects.RemoveMember(metadata, "preservedMessages"), "preservedSegment")
		}
		if value := stringList(kept); !sameList(list, kept) {
			messages = splice(messages, edit{name: name, value: value})
		}
	}
	if messages != nil && !bytes.Equal(messages, objects.MemberOf(metadata, "preservedMessages")) {
		metadata = splice(metadata, edit{name: "preservedMessages", value: messages})
	}
	metadata = e.anchored(r, metadata, "preservedMessages")
	return e.anchored(r, e.segment(metadata, first, last), "preservedSegment")
}

// keptOf are the uuids of a list that stand in the file, and the stand-ins behind them.
func (e *exporter) keptOf(list []byte) []string {
	var kept []string
	objects.Elements(list, func(value []byte) {
		if uuid := objects.StringOf(value); e.written[uuid] {
			kept = append(append(kept, uuid), e.made[uuid]...)
		}
	})
	return kept
}

// segment is the metadata with a preserved segment whose ends stand in the file; without them those of the list count.
func (e *exporter) segment(metadata []byte, first, last string) []byte {
	segment := objects.MemberOf(metadata, "preservedSegment")
	head, tail := objects.StringOf(objects.MemberOf(segment, "headUuid")), objects.StringOf(objects.MemberOf(segment, "tailUuid"))
	switch {
	case segment == nil || e.written[head] && e.written[tail]:
		return metadata
	case first == "":
		return objects.RemoveMember(metadata, "preservedSegment")
	}
	quote := func(s string) []byte { return objects.AppendQuote(nil, s) }
	segment = splice(segment, edit{name: "headUuid", value: quote(first)}, edit{name: "tailUuid", value: quote(last)})
	return splice(metadata, edit{name: "preservedSegment", value: segment})
}

// anchored sees to it that what is kept hangs behind a row that will be there: the compaction itself if the summary is not.
func (e *exporter) anchored(r row, metadata []byte, name string) []byte {
	value := objects.MemberOf(metadata, name)
	anchor := objects.StringOf(objects.MemberOf(value, "anchorUuid"))
	if anchor == "" || e.survey.uuids[anchor] {
		return metadata
	}
	value = splice(value, edit{name: "anchorUuid", value: objects.AppendQuote(nil, r.uuid)})
	return splice(metadata, edit{name: name, value: value})
}

// stringList is a JSON list of strings.
func stringList(values []string) []byte {
	out := []byte{'['}
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = objects.AppendQuote(out, v)
	}
	return append(out, ']')
}

// sameList reports whether a JSON list holds just these strings.
func sameList(list []byte, values []string) bool {
	var there []string
	objects.Elements(list, func(value []byte) { there = append(there, objects.StringOf(value)) })
	return slices.Equal(there, values)
}

// compactionRows are the rows of a compaction of tlog's own: the boundary, with what is kept, and the summary behind it.
func (e *exporter) compactionRows(entry transcript.Entry) []row {
	summary, _ := entry.Text("summary")
	when := e.timeOf(entry)
	words := "Earlier messages of this conversation were replaced by a summary.\n\n" + summary
	summaryID := string(objects.DerivedID(entry.EffectiveID, 1))
	metadata := []objects.Field{objects.StringField("trigger", "manual")}
	if tokens := entry.Get("tokensBefore"); isNumber(tokens) {
		metadata = append(metadata, objects.Field{Key: "preTokens", Value: tokens})
	}
	if kept := e.keptSince(entry); len(kept) > 0 {
		anchor, uuids := objects.StringField("anchorUuid", summaryID), stringList(kept)
		metadata = append(metadata,
			objects.Field{Key: "preservedSegment", Value: objects.Object(objects.StringField("headUuid", kept[0]), anchor,
				objects.StringField("tailUuid", kept[len(kept)-1]))},
			objects.Field{Key: "preservedMessages", Value: objects.Object(anchor, objects.Field{Key: "uuids", Value: uuids},
				objects.Field{Key: "allUuids", Value: uuids})})
	}
	yes := []byte("true")
	return e.number(entry, []row{
		e.newRow("system", "", when, nil,
			objects.Field{Key: "logicalParentUuid", Value: objects.IDField("", objects.ID(e.last)).Value},
			objects.StringField("subtype", boundarySubtype), objects.StringField("content", "Conversation compacted"),
			objects.StringField("level", "info"), objects.Field{Key: "compactMetadata", Value: objects.Object(metadata...)}),
		e.newRow("user", "", when, userContent([][]byte{textBlock(words)}),
			objects.Field{Key: "isCompactSummary", Value: yes}, objects.Field{Key: "isVisibleInTranscriptOnly", Value: yes}),
	})
}

// keptSince are the uuids of the rows in the file since the first entry that a compaction keeps.
func (e *exporter) keptSince(entry transcript.Entry) []string {
	first, _ := entry.Text("firstKeptEntryId")
	at, known := e.starts[objects.ID(first)]
	if !known {
		return nil
	}
	var kept []string
	for _, r := range e.rows[at:] {
		if !r.silent {
			kept = append(kept, r.uuid)
		}
	}
	return kept
}
