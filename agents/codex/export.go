package codex

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Export implements transcript.Writer: the items of the path, verbatim, as a rollout in the legacy dialect that needs no other (docs/codex.md
// "Export"). Entries is ranged over twice. The error wraps objects.ErrRefused, before anything is written, for what only a conversation can carry: edits and compactions
// of tlog's own, images to be left out.
func (Agent) Export(w io.Writer, x transcript.Export) (transcript.Report, error) {
	if x.Cwd == "" {
		x.Cwd = x.OldCwd
	}
	e := &exporter{x: x, rollout: rollout{w: bufio.NewWriterSize(w, 1<<16), time: x.Now}}
	if err := e.survey(); err != nil {
		return transcript.Report{}, err
	}
	e.raw(e.header())
	for entry, err := range x.Entries {
		if err != nil {
			return transcript.Report{}, err
		}
		e.take(entry)
	}
	if x.Name != "" {
		e.lose(transcript.DroppedName, "", "%s", x.Name)
	}
	if e.err == nil {
		e.err = e.w.Flush()
	}
	return e.report, e.err
}

// exporter writes a rollout of entries.
type exporter struct {
	rollout
	x transcript.Export
	// meta is the payload of the session's own session_meta, or of the first that is there; thread is its id.
	meta   []byte
	thread string
}

func (e *exporter) lose(kind transcript.RepairKind, id objects.ID, format string, args ...any) {
	e.report.Repairs = append(e.report.Repairs, transcript.Repair{Kind: kind, ID: id, Detail: fmt.Sprintf(format, args...)})
}

// survey finds the header, and what cannot be written.
func (e *exporter) survey() error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("export to codex: %w: %s", objects.ErrRefused, fmt.Sprintf(format, args...))
	}
	if e.x.NoImages || e.x.MaxImage > 0 {
		return refuse("images of its own lines cannot be left out")
	}
	own := false
	for entry, err := range e.x.Entries {
		if err != nil {
			return err
		}
		if !entry.Foreign() {
			switch entry.Type {
			case objects.TypeCompaction, objects.TypeContextEdit, objects.TypeBranchSummary, objects.TypeCustomMessage:
				return refuse("entry %s is a %s of tlog's own", entry.EffectiveID, entry.Type)
			}
			continue
		}
		if r := readRecord(entry.SourceObject()); r.kind == kindMeta && (e.meta == nil || !own && entry.Base == "") {
			e.meta, e.thread, own = r.payload, r.id, entry.Base == ""
		}
	}
	return nil
}

// ofOldFile are members of a session_meta that bind it to the old thread, its dialect, or a provider that the client may not be set up for (formats/codex.md section 4).
var ofOldFile = []string{
	"history_mode", "history_base", "forked_from_id", "forked_from_ordinal_exclusive", "model_provider", "session_id", "account_scoped",
}

// header is the first line.
func (e *exporter) header() []byte {
	payload := []byte("{}")
	if e.meta != nil {
		payload = e.text("", e.meta)
	}
	for _, name := range ofOldFile {
		payload = objects.RemoveMember(payload, name)
	}
	if objects.StringOf(objects.MemberOf(payload, "source")) == "exec" { // which the picker passes over
		payload = objects.RemoveMember(payload, "source")
	}
	for _, f := range []objects.Field{
		objects.StringField("id", string(e.x.Session)), objects.StringField("timestamp", stamp(e.x.Now)), objects.StringField("cwd", e.x.Cwd),
	} {
		payload = withMember(payload, f, true)
	}
	for _, f := range []objects.Field{
		objects.StringField("originator", "codex_cli_rs"), objects.StringField("cli_version", clientVersion), objects.StringField("source", "cli"),
	} {
		payload = withMember(payload, f, false)
	}
	return objects.Object(objects.StringField("timestamp", stamp(e.x.Now)), objects.StringField("type", kindMeta), objects.Field{Key: "payload", Value: payload})
}

// withMember is an object with a member, which takes the place of one that is there if it is to.
func withMember(value []byte, f objects.Field, replace bool) []byte {
	switch {
	case objects.MemberOf(value, f.Key) == nil:
		return objects.AppendMembers(value, append(append(objects.AppendQuote(nil, f.Key), ':'), f.Value...))
	case replace:
		return objects.ReplaceValue(value, f.Key, f.Value)
	}
	return value
}

// raw writes a line as it is.
func (e *exporter) raw(line []byte) {
	if e.err != nil {
		return
	}
	if _, e.err = e.w.Write(append(line[:len(line):len(line)], '\n')); e.err == nil {
		e.report.Lines++
	}
}

// take writes an entry.
func (e *exporter) take(entry transcript.Entry) {
	if !entry.Foreign() {
		e.native(entry)
		return
	}
	source := entry.SourceObject()
	line, _ := entry.SourceLine()
	if source == nil {
		if len(objects.TrimLine(line)) > 0 {
			e.lose(transcript.DroppedLine, entry.EffectiveID, "a line that holds no record")
		}
		return
	}
	r := readRecord(source)
	switch {
	case entry.OnPath:
		if len(line) != len(source) || string(entry.Get("joined")) == "true" {
			e.lose(transcript.CleanedLine, entry.EffectiveID, "something around the record")
		}
		e.item(entry, r)
	case r.kind == "turn_context", r.kind == "world_state":
		e.raw(e.clean(entry, r)) // from which the client knows what it has told its model
	}
}

// item writes a line of the path, and the event that shows it on the screen and in the list of threads.
func (e *exporter) item(entry transcript.Entry, r record) {
	if r.timestamp != "" {
		if at, err := time.Parse(time.RFC3339Nano, r.timestamp); err == nil {
			e.time = at
		}
	}
	e.raw(e.clean(entry, r))
	m, ok := Agent{}.Message(entry.Entry)
	if !ok {
		return
	}
	e.report.Messages++
	var texts []string
	for _, b := range m.Blocks {
		if (b.Kind == objects.BlockText || b.Kind == objects.BlockThinking) && strings.TrimSpace(b.Text) != "" {
			texts = append(texts, b.Text)
		}
	}
	text := strings.Join(texts, "\n")
	event := func(kind, member string) {
		e.line("event_msg", objects.Object(objects.StringField("type", kind), objects.StringField(member, text)))
	}
	switch {
	case m.Note != "" || entry.Hidden || text == "" && m.Role != objects.RoleUser:
	case m.Role == objects.RoleUser:
		event("user_message", "message")
	case familyOf(r.sub) == thought:
		event("agent_reasoning", "text")
	case familyOf(r.sub) == said:
		event("agent_message", "message")
	}
}

// native writes a message of tlog's own.
func (e *exporter) native(entry transcript.Entry) {
	m, ok := objects.DecodeMessage(entry.Entry)
	if !entry.OnPath || !ok || entry.Type != objects.TypeMessage {
		return
	}
	at, _ := time.Parse(time.RFC3339Nano, entry.Timestamp)
	said := transcript.Message{ID: entry.EffectiveID, Time: at, Role: m.Role}
	if m.StopReason == "error" || m.StopReason == "aborted" || m.Role != objects.RoleUser && m.Role != objects.RoleAssistant && m.Role != objects.RoleToolResult {
		e.lose(transcript.DroppedBlock, entry.EffectiveID, "a message of role %q that ended with %q", m.Role, m.StopReason)
		return
	}
	var results []transcript.Message
	for _, b := range m.Blocks {
		switch {
		case b.Kind == objects.BlockText && strings.TrimSpace(b.Text) != "":
			said.Parts = append(said.Parts, transcript.Part{Kind: b.Kind, Text: b.Text})
		case b.Kind == objects.BlockImage && len(b.Data) > 0 && m.Role == objects.RoleUser:
			said.Parts = append(said.Parts, transcript.Part{Kind: b.Kind, MimeType: b.MimeType, Data: string(b.Data)})
		case b.Kind == objects.BlockToolCall && m.Role == objects.RoleAssistant:
			said.Parts = append(said.Parts, transcript.Part{Kind: b.Kind, CallID: b.CallID, Name: b.Name, Arguments: b.Arguments})
		case b.Kind == objects.BlockToolResult:
			results = append(results, transcript.Message{
				Time: at, Role: objects.RoleToolResult, CallID: b.CallID, Failed: b.IsError, Parts: []transcript.Part{{Kind: objects.BlockText, Text: b.Text}},
			})
		default:
			e.lose(transcript.DroppedBlock, entry.EffectiveID, "a block of type %q", b.Type)
		}
	}
	if len(said.Parts) > 0 {
		results = append(results, said)
	}
	for _, m := range results {
		if !m.Time.IsZero() {
			e.time = m.Time
		}
		e.rollout.message(m)
		e.report.Messages++
	}
}
