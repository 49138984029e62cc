package claude

import (
	"io"

	"tlog/agents/transcript"
	"tlog/objects"
)

// WriteConversation implements transcript.ConversationWriter: each message is written as one of tlog's own is (docs/claude.md "Export").
func (a Agent) WriteConversation(w io.Writer, c transcript.Conversation) (transcript.Report, error) {
	var entries []transcript.Entry
	var pictures []transcript.Part // of failed calls, whose results may hold texts alone
	var owner transcript.Message
	add := func(m transcript.Message) error {
		e, err := messageEntry(m)
		entries = append(entries, e)
		return err
	}
	for i, m := range c.Messages {
		if m.Role == objects.RoleToolResult && m.Failed {
			m, pictures = splitPictures(m, pictures)
			owner = m
		}
		if err := add(m); err != nil {
			return transcript.Report{}, err
		}
		last := i+1 == len(c.Messages) || c.Messages[i+1].Role != objects.RoleToolResult
		if last && len(pictures) > 0 {
			shown := transcript.Message{ID: objects.DerivedID(owner.ID+".images", 1), Time: owner.Time, Role: objects.RoleUser, Parts: pictures}
			if err := add(shown); err != nil {
				return transcript.Report{}, err
			}
			pictures = nil
		}
	}
	return a.Export(w, transcript.Export{
		Session: c.Session, Now: c.Now, Cwd: c.Cwd, Name: c.Name,
		Entries: func(yield func(transcript.Entry, error) bool) {
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
			}
		},
	})
}

// splitPictures takes the images out of the result of a failed call, behind those of others.
func splitPictures(m transcript.Message, pictures []transcript.Part) (transcript.Message, []transcript.Part) {
	var texts []transcript.Part
	for _, p := range m.Parts {
		if p.Kind != objects.BlockImage {
			texts = append(texts, p)
			continue
		}
		pictures = append(pictures, transcript.Part{Kind: objects.BlockText, Text: "An image of the result of the call " + m.CallID + ":"}, p)
	}
	m.Parts = texts
	return m, pictures
}

// messageEntry is a message as an entry of tlog's own.
func messageEntry(m transcript.Message) (transcript.Entry, error) {
	var blocks [][]byte
	for _, p := range m.Parts {
		blocks = append(blocks, partBlock(p))
	}
	fields := []objects.Field{objects.StringField("role", m.Role)}
	switch m.Role {
	case objects.RoleAssistant:
		if m.Model != "" {
			fields = append(fields, objects.StringField("provider", m.Provider), objects.StringField("model", m.Model))
		}
	case objects.RoleToolResult:
		fields = append(fields, objects.StringField("toolCallId", m.CallID), objects.StringField("toolName", m.Tool))
		if m.Failed {
			fields = append(fields, objects.Field{Key: "isError", Value: []byte("true")})
		}
	}
	fields = append(fields, objects.Field{Key: "content", Value: list(blocks)})
	timestamp := ""
	if !m.Time.IsZero() {
		timestamp = m.Time.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	raw := objects.Build(objects.TypeMessage, m.ID, "", timestamp, objects.Field{Key: "message", Value: objects.Object(fields...)})
	e, err := objects.ParseEntry(raw)
	return transcript.Entry{Entry: e, EffectiveID: m.ID, OnPath: true}, err
}

// partBlock is a part of a message in tlog's words.
func partBlock(p transcript.Part) []byte {
	switch p.Kind {
	case objects.BlockImage:
		return objects.Object(objects.StringField("type", "image"), objects.StringField("mimeType", p.MimeType), objects.StringField("data", p.Data))
	case objects.BlockToolCall:
		return objects.Object(objects.StringField("type", "toolCall"), objects.StringField("id", p.CallID), objects.StringField("name", p.Name),
			objects.Field{Key: "arguments", Value: p.Arguments})
	}
	return textBlock(p.Text)
}

// NativeEntries implements agents.NativeTarget.
func (Agent) NativeEntries() (withEdits bool) { return false }
