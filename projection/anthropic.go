package projection

import (
	"encoding/json"
	"slices"
	"strings"

	"tlog/objects"
)

// Request is a context in the form of a model API.
type Request struct {
	System   json.RawMessage // Anthropic: a string, nil if there is none; OpenAI: nil, it is the first message
	Messages []json.RawMessage
	Repairs  []Repair
}

// Anthropic gives the context as the messages of a request to Anthropic's
// Messages API: roles alternate, the first is user's, each tool_use is answered at the
// start of the next message. docs/projection.md lists what is mended.
func (c *Context) Anthropic() (Request, error) {
	conv := c.converse()
	a := anthropic{conversation: conv, ids: callIDs{max: maxAnthropicID, used: map[string]int{}}, model: c.Model}
	for i := range conv.units {
		u := &conv.units[i]
		if u.role == objects.RoleUser {
			a.add(objects.RoleUser, a.userParts(i))
			continue
		}
		a.add(objects.RoleAssistant, a.replyParts(i))
		a.add(objects.RoleUser, a.resultParts(i))
	}
	a.endTurn()
	a.beginWithUser()
	r := Request{Messages: a.finish(), Repairs: conv.all()}
	if conv.system != "" {
		r.System = quote(conv.system)
	}
	return r, nil
}

// anthropic builds the messages for Anthropic's API.
type anthropic struct {
	*conversation
	ids   callIDs
	model json.RawMessage
	turns []turn
}

// turn is one message of a request.
type turn struct {
	role  string
	parts []part
}

// part is a content block.
type part struct {
	kind objects.BlockKind
	unit int
	text string // of a text
	json []byte // of all others
}

// add adds parts to the turn of the role, which is a new one if the last is another's.
func (a *anthropic) add(role string, parts []part) {
	if len(parts) == 0 {
		return
	}
	if len(a.turns) > 0 && a.turns[len(a.turns)-1].role != role {
		a.endTurn() // which may take it away
	}
	if len(a.turns) == 0 || a.turns[len(a.turns)-1].role != role {
		a.turns = append(a.turns, turn{role: role})
	}
	last := &a.turns[len(a.turns)-1]
	last.parts = append(last.parts, parts...)
}

// endTurn takes thinking from the end of a reply, where the API refuses it, and the
// reply itself if nothing else is in it.
func (a *anthropic) endTurn() {
	if len(a.turns) == 0 {
		return
	}
	last := &a.turns[len(a.turns)-1]
	for n := len(last.parts); n > 0 && last.parts[n-1].kind == objects.BlockThinking; n-- {
		a.note(last.parts[n-1].unit, DroppedThinking, "a reply cannot end with thinking")
		last.parts = last.parts[:n-1]
	}
	if len(last.parts) == 0 {
		a.turns = a.turns[:len(a.turns)-1]
	}
}

// beginWithUser puts a message of the user before a reply that is the first.
func (a *anthropic) beginWithUser() {
	if len(a.turns) == 0 || a.turns[0].role == objects.RoleUser {
		return
	}
	unit := a.turns[0].parts[0].unit
	a.note(unit, AddedPrompt, "the context begins with a reply")
	a.turns = slices.Insert(a.turns, 0, turn{objects.RoleUser, []part{textPart(unit, gone)}})
}

func textPart(unit int, text string) part {
	return part{kind: objects.BlockText, unit: unit, text: text}
}

// blank reports whether the API would refuse a text as empty.
func blank(s string) bool { return strings.TrimSpace(s) == "" }

// userParts are the texts and pictures of a user's message.
func (a *anthropic) userParts(i int) []part {
	var parts []part
	for _, b := range a.units[i].blocks {
		parts = append(parts, a.userPart(i, b)...)
	}
	if len(parts) == 0 {
		a.note(i, EmptyMessage, "the message has no content")
	}
	return parts
}

// userPart is a block of what the user or a tool says; none if it cannot be sent.
func (a *anthropic) userPart(i int, b objects.Block) []part {
	switch b.Kind {
	case objects.BlockText:
		if !blank(b.Text) {
			return []part{textPart(i, b.Text)}
		}
		return nil
	case objects.BlockImage:
		if p, ok := pictureOf(b); ok {
			return []part{{kind: b.Kind, unit: i, json: p.anthropic()}}
		}
	}
	if isDocument(b) {
		return []part{asItIs(i, b)}
	}
	a.noteBlock(i, b)
	return nil
}

// replyParts are the blocks of a message of the assistant.
func (a *anthropic) replyParts(i int) []part {
	u := &a.units[i]
	var parts []part
	calls, answered := u.calls, serverTools(u.msg.Blocks)
	for _, b := range u.msg.Blocks {
		switch b.Kind {
		case objects.BlockText:
			if !blank(b.Text) {
				parts = append(parts, textPart(i, b.Text))
			}
		case objects.BlockThinking:
			if thinking := a.thinking(i, b); thinking != nil {
				parts = append(parts, part{kind: b.Kind, unit: i, json: thinking})
			}
		case objects.BlockToolCall:
			c := calls[0]
			calls = calls[1:]
			c.sent = a.ids.next(c.CallID)
			parts = append(parts, part{kind: b.Kind, unit: i, json: object(
				field{"type", quote("tool_use")}, field{"id", quote(c.sent)},
				field{"name", quote(fit(c.Name, maxToolName, "tool"))}, field{"input", arguments(c.Arguments)})})
		case objects.BlockToolResult: // is with its call
		default:
			if answered[serverCall(b)] {
				parts = append(parts, asItIs(i, b))
			} else {
				a.noteBlock(i, b)
			}
		}
	}
	if len(parts) == 0 {
		a.note(i, EmptyMessage, "the reply has no content")
	}
	return parts
}

// thinking is a block of thinking as the API takes it back: signed, and by the
// model that goes on. nil if it does not.
func (a *anthropic) thinking(i int, b objects.Block) []byte {
	m := a.units[i].msg
	signature := text(b.Raw, "thinkingSignature")
	if signature == "" {
		signature = text(b.Raw, "signature")
	}
	if b.Type == "redacted_thinking" {
		signature = text(b.Raw, "data")
	}
	api := text(m.Raw, "api")
	switch {
	case signature == "":
		a.note(i, DroppedThinking, "it has no signature")
		return nil
	case m.Provider != text(a.model, "provider") || m.Model != text(a.model, "modelId") || api != "" && api != "anthropic-messages":
		a.note(i, DroppedThinking, "it is of another model than the one that goes on")
		return nil
	case b.Type == "redacted_thinking" || truthy(member(b.Raw, "redacted")):
		return object(field{"type", quote("redacted_thinking")}, field{"data", quote(signature)})
	}
	return object(field{"type", quote("thinking")}, field{"thinking", quote(b.Text)}, field{"signature", quote(signature)})
}

// resultParts answer the calls of a reply, in their order. The pictures of a
// failed call follow behind all results, as the API takes only text in those.
func (a *anthropic) resultParts(i int) []part {
	var results, after []part
	for _, c := range a.units[i].calls {
		id := field{"tool_use_id", quote(c.sent)}
		typ := field{"type", quote("tool_result")}
		failed := field{"is_error", []byte("true")}
		if c.result == nil {
			results = append(results, part{kind: objects.BlockToolResult, unit: i,
				json: object(typ, id, field{"content", quote(interrupted)}, failed)})
			continue
		}
		if !c.result.IsError {
			failed.value = nil
		}
		var content [][]byte
		for _, b := range resultParts(*c.result) {
			for _, p := range a.userPart(i, b) {
				if p.kind != objects.BlockText && c.result.IsError {
					what := "An image"
					if p.kind != objects.BlockImage {
						what = "A document"
					}
					after = append(after, textPart(i, what+" of the result of the call "+c.sent+":"), p)
				} else {
					content = append(content, p.block())
				}
			}
		}
		if len(content) == 0 {
			content = [][]byte{textPart(i, noOutput).block()}
		}
		results = append(results, part{kind: objects.BlockToolResult, unit: i, json: object(typ, id, field{"content", array(content)}, failed)})
	}
	return append(results, after...)
}

func (p part) block() []byte {
	if p.kind == objects.BlockText {
		return object(field{"type", quote("text")}, field{"text", quote(p.text)})
	}
	return p.json
}

// finish makes the messages. A reply at the very end is one that the model is to go
// on with: the API refuses white space behind its text.
func (a *anthropic) finish() []json.RawMessage {
	var out []json.RawMessage
	for i, t := range a.turns {
		if i == len(a.turns)-1 && t.role == objects.RoleAssistant {
			last := &t.parts[len(t.parts)-1]
			last.text = strings.TrimRight(last.text, " \t\r\n")
		}
		blocks := make([][]byte, len(t.parts))
		for j, p := range t.parts {
			blocks[j] = p.block()
		}
		out = append(out, object(field{"role", quote(t.role)}, field{"content", array(blocks)}))
	}
	return slices.Clip(out)
}
