package opencode

import (
	"cmp"

	"tlog/objects"
)

// noteReminder is the note of a message of the user in which the user said nothing.
const noteReminder = "reminder"

// The names of errors of the client, and what it says of a compaction in the user's name (formats/others.md "Message data").
const (
	abortedError = "MessageAbortedError"
	askSummary   = "What did we do so far?"
)

// Message implements objects.Decoder. An entry of type compaction holds the reply that has the summary.
func (Agent) Message(e objects.Entry) (objects.Message, bool) {
	if e.Type != objects.TypeMessage && e.Type != objects.TypeCompaction {
		return objects.Message{}, false
	}
	object := e.SourceObject()
	if object == nil {
		return objects.Message{}, false
	}
	return readRecord(object).decode()
}

// decode is the message in a record.
func (rec record) decode() (objects.Message, bool) {
	role := rec.role
	if !rec.known || role != roleUser && role != roleAssistant {
		return objects.Message{}, false
	}
	c := contentOf(rec)
	fields := []objects.Field{objects.StringField("role", role), {Key: "content", Value: list(c.blocks())}}
	if rec.err != nil {
		if stop := rec.stopReason(c); stop != "" {
			fields = append(fields, objects.StringField("stopReason", stop))
		}
		fields = append(fields, objects.StringField("errorMessage", rec.errorText()))
	}
	m, ok := decodeMessage(fields...)
	if !ok {
		return m, false
	}
	c.finish(m.Blocks)
	if role == roleUser {
		if c.unsaid() {
			m.Note = noteReminder
		}
		return m, true
	}
	m.Provider, m.Model, m.ReplyID = rec.provider, rec.model, rec.id
	m.Usage = rec.usage()
	return m, true
}

// finish tells the results among the blocks of a message what is not in their bytes.
func (c content) finish(blocks []objects.Block) {
	results := c.results
	for i := range blocks {
		if b := &blocks[i]; b.Kind == objects.BlockToolResult && len(results) > 0 {
			if b.State = results[0].state; results[0].shown != nil {
				b.Text = objects.StringOf(results[0].shown)
			}
			results = results[1:]
		}
	}
}

func decodeMessage(fields ...objects.Field) (objects.Message, bool) {
	raw := objects.Object(objects.Field{Key: "message", Value: objects.Object(fields...)})
	return objects.DecodeMessage(objects.Entry{Type: objects.TypeMessage, Raw: raw})
}

// stopReason says that the client does not send a reply that failed. One that the user broke off it does, if there is more in it than thoughts.
func (rec record) stopReason(c content) string {
	switch {
	case objects.StringOf(objects.MemberOf(rec.err, "name")) != abortedError:
		return "error"
	case c.sent:
		return ""
	}
	return "aborted"
}

// errorText is the error of a reply: {name, data: {message}}.
func (rec record) errorText() string {
	return cmp.Or(
		objects.StringOf(objects.MemberOf(objects.MemberOf(rec.err, "data"), "message")), objects.StringOf(objects.MemberOf(rec.err, "name")), "the reply failed",
	)
}

// Compaction implements objects.Decoder: a summary stands for all before the message that asked for it, as the client sends it
// (formats/others.md "Compaction").
func (Agent) Compaction(e objects.Entry) (objects.Compaction, bool) {
	if e.Type != objects.TypeCompaction {
		return objects.Compaction{}, false
	}
	object := e.SourceObject()
	if object == nil {
		return objects.Compaction{}, false
	}
	summary, ok := readRecord(object).decode()
	if !ok {
		return objects.Compaction{}, false
	}
	asked, _ := decodeMessage(objects.StringField("role", roleUser), objects.StringField("content", askSummary))
	kept, _ := e.Text("firstKeptEntryId")
	return objects.Compaction{
		Summary: summary.Text(), FirstKept: objects.ID(kept), Replaces: true, Replacement: []objects.Message{asked, summary},
	}, true
}
