package codex

import (
	"slices"
	"strings"

	"tlog/objects"
)

// provider is whose the models of Codex are.
const provider = "openai"

// Message implements objects.Decoder: an item is a message (docs/codex.md "Messages").
func (Agent) Message(e objects.Entry) (objects.Message, bool) {
	if e.Type != objects.TypeMessage {
		return objects.Message{}, false
	}
	object := e.SourceObject()
	if object == nil {
		return objects.Message{}, false
	}
	r := readRecord(object)
	m, ok := decodeItem(r)
	if !ok {
		return m, false
	}
	switch {
	case r.compacts:
		m.Note = noteSummary
	case m.Note == "" && e.Hidden && m.Role == objects.RoleUser:
		m.Note = noteReminder // its text lies in a blob
	}
	if state, _ := e.Text("state"); state != "" && familyOf(r.sub) == answered {
		b := &m.Blocks[0]
		if b.IsError = true; state != stateFailed {
			b.State = state
		}
	}
	if m.Role == objects.RoleAssistant {
		if m.Model, _ = e.Text("model"); m.Model != "" {
			m.Provider = provider
		}
	}
	return m, true
}

// decodeItem is the message of an item.
func decodeItem(r record) (objects.Message, bool) {
	built := messageOf(r)
	if built == nil {
		return objects.Message{}, false
	}
	m, ok := objects.DecodeMessage(objects.Entry{
		Type: objects.TypeMessage, Raw: objects.Object(objects.Field{Key: "message", Value: built}),
	})
	if !ok {
		return m, false
	}
	switch familyOf(r.sub) {
	case said:
		m.Note = r.note()
		m.Blocks = withoutImageTags(m.Blocks)
	case answered:
		b := &m.Blocks[0]
		o := ended(objects.MemberOf(built, "content"))
		b.State = o.state
		if o.text != "" || b.Text != "" {
			b.Text = o.text
		}
	case served:
		b := &m.Blocks[0]
		b.Kind, b.Type = objects.BlockOther, strings.TrimSuffix(r.sub, "_call")
		if action := objects.MemberOf(r.payload, "action"); isObject(action) {
			b.Arguments = action
		}
	case opaque:
		m.Blocks[0].Kind, m.Blocks[0].Type = objects.BlockOther, r.sub
	}
	return m, true
}

// withoutImageTags leaves out the texts that the client puts around an image that the user gave (formats/codex.md section 9).
func withoutImageTags(blocks []objects.Block) []objects.Block {
	if !slices.ContainsFunc(blocks, func(b objects.Block) bool { return b.Kind == objects.BlockImage }) {
		return blocks
	}
	return slices.DeleteFunc(blocks, func(b objects.Block) bool {
		text := strings.TrimSpace(b.Text)
		return b.Kind == objects.BlockText && (text == "</image>" || text == "<image>" ||
			strings.HasPrefix(text, "<image name=") && strings.HasSuffix(text, ">") && !strings.Contains(text, "\n"))
	})
}

// Compaction implements objects.Decoder (formats/codex.md section 8): a replacement history stands for all before it; without one
// the user's words stay, and the summary stands behind them as one of theirs.
func (Agent) Compaction(e objects.Entry) (objects.Compaction, bool) {
	if e.Type != objects.TypeCompaction {
		return objects.Compaction{}, false
	}
	object := e.SourceObject()
	if object == nil {
		return objects.Compaction{}, false
	}
	r := readRecord(object)
	if r.kind != kindCompacted {
		return objects.Compaction{}, false
	}
	words := objects.MemberOf(r.payload, "message")
	c := objects.Compaction{Summary: summaryOf(objects.StringOf(words)), Replaces: true}
	if !r.replaces {
		c.KeepsPrompts = true
		if m, ok := decodeItem(record{sub: itemMessage, role: objects.RoleUser, content: orEmpty(words)}); ok {
			c.Replacement = append(c.Replacement, m)
		}
		return c, true
	}
	objects.Elements(objects.MemberOf(r.payload, "replacement_history"), func(item []byte) {
		if !isObject(item) {
			return
		}
		inner := record{kind: kindItem, payload: item}
		_ = objects.Scan(item, inner.member)
		if m, ok := decodeItem(inner); ok {
			c.Replacement = append(c.Replacement, m)
		}
	})
	return c, true
}

// summaryOf is a summary without what the client tells the next model about it.
func summaryOf(text string) string {
	if strings.HasPrefix(text, "Another language model started to solve this problem") {
		if _, summary, found := strings.Cut(text, ":\n"); found {
			return summary
		}
	}
	return text
}
