package codex

import (
	"bufio"
	"io"
	"strings"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

// clientVersion is the version of the client whose rollouts are written here.
const clientVersion = "0.171.0"

// WriteConversation implements transcript.ConversationWriter: a rollout in the legacy dialect, which the client resumes and lists
// (formats/codex.md section 10). The session's id has to be a UUID.
func (Agent) WriteConversation(w io.Writer, c transcript.Conversation) (transcript.Report, error) {
	r := &rollout{w: bufio.NewWriterSize(w, 1<<16), time: c.Now}
	if len(c.Messages) > 0 && !c.Messages[0].Time.IsZero() {
		r.time = c.Messages[0].Time
	}
	r.line("session_meta", objects.Object(
		objects.StringField("id", string(c.Session)),
		objects.StringField("timestamp", stamp(c.Now)),
		objects.StringField("cwd", c.Cwd),
		objects.StringField("originator", "codex_cli_rs"),
		objects.StringField("cli_version", clientVersion),
		objects.StringField("source", "cli"), // without it the picker passes the thread over
	))
	for _, m := range c.Messages {
		if !m.Time.IsZero() {
			r.time = m.Time
		}
		r.message(m)
		r.report.Messages++
	}
	if c.Name != "" {
		// Names are in an index of the client's, which is its own to write.
		r.report.Repairs = append(r.report.Repairs, transcript.Repair{Kind: transcript.DroppedName, Detail: c.Name})
	}
	if r.err == nil {
		r.err = r.w.Flush()
	}
	return r.report, r.err
}

// rollout writes the lines of a rollout.
type rollout struct {
	w      *bufio.Writer
	report transcript.Report
	time   time.Time // of the newest message that has one
	err    error
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (r *rollout) line(kind string, payload []byte) {
	line := objects.Object(objects.StringField("timestamp", stamp(r.time)), objects.StringField("type", kind), objects.Field{Key: "payload", Value: payload})
	if r.err != nil {
		return
	}
	r.report.Lines++
	if _, r.err = r.w.Write(append(line, '\n')); r.err != nil {
		r.report.Lines--
	}
}

func (r *rollout) item(kind string, fields ...objects.Field) {
	r.line("response_item", objects.Object(append([]objects.Field{objects.StringField("type", kind)}, fields...)...))
}

// message writes a message, and the event without which the screen and the list of threads do not show it.
func (r *rollout) message(m transcript.Message) {
	switch m.Role {
	case objects.RoleAssistant:
		r.reply(m)
	case objects.RoleToolResult:
		r.item("function_call_output", objects.StringField("call_id", m.CallID), objects.Field{Key: "output", Value: outputOf(m)})
	default:
		var parts, images [][]byte
		var texts []string
		for _, p := range m.Parts {
			parts = append(parts, inputPart(p))
			if p.Kind == objects.BlockImage {
				images = append(images, objects.AppendQuote(nil, dataURL(p)))
			} else {
				texts = append(texts, p.Text)
			}
		}
		r.item("message", objects.StringField("role", "user"), objects.Field{Key: "content", Value: list(parts...)})
		event := []objects.Field{objects.StringField("type", "user_message"), objects.StringField("message", strings.Join(texts, "\n"))}
		if len(images) > 0 {
			event = append(event, objects.Field{Key: "images", Value: list(images...)})
		}
		r.line("event_msg", objects.Object(event...))
	}
}

// reply writes a reply: its texts and calls are items of their own.
func (r *rollout) reply(m transcript.Message) {
	for _, p := range m.Parts {
		if p.Kind == objects.BlockToolCall {
			r.item("function_call", objects.StringField("name", p.Name), objects.StringField("arguments", string(p.Arguments)),
				objects.StringField("call_id", p.CallID))
			continue
		}
		r.line("event_msg", objects.Object(objects.StringField("type", "agent_message"), objects.StringField("message", p.Text)))
		text := objects.Object(objects.StringField("type", "output_text"), objects.StringField("text", p.Text))
		r.item("message", objects.StringField("role", "assistant"), objects.Field{Key: "content", Value: list(text)})
	}
}

// failedCall begins the output of a call that failed. An output has no flag for that; these are the client's own words.
const failedCall = "execution error: "

// outputOf is the output of a call: a string, or a list if there are images in it.
func outputOf(m transcript.Message) []byte {
	var parts [][]byte
	var texts []string
	images := false
	if m.Failed {
		m.Parts = failedParts(m.Parts)
	}
	for _, p := range m.Parts {
		parts = append(parts, inputPart(p))
		texts = append(texts, p.Text)
		images = images || p.Kind == objects.BlockImage
	}
	if images {
		return list(parts...)
	}
	return objects.AppendQuote(nil, strings.Join(texts, "\n"))
}

// failedParts are the parts of the result of a call that failed.
func failedParts(parts []transcript.Part) []transcript.Part {
	text := transcript.Part{Kind: objects.BlockText, Text: failedCall}
	if len(parts) > 0 && parts[0].Kind == objects.BlockText {
		text.Text += parts[0].Text
		parts = parts[1:]
	}
	return append([]transcript.Part{text}, parts...)
}

// inputPart is a text or an image as a model is given it.
func inputPart(p transcript.Part) []byte {
	if p.Kind == objects.BlockImage {
		return objects.Object(objects.StringField("type", "input_image"), objects.StringField("image_url", dataURL(p)))
	}
	return objects.Object(objects.StringField("type", "input_text"), objects.StringField("text", p.Text))
}

func dataURL(p transcript.Part) string { return "data:" + p.MimeType + ";base64," + p.Data }
