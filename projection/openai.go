package projection

import (
	"encoding/json"
	"strings"

	"tlog/objects"
)

// OpenAI gives the context as the messages of a request to OpenAI's Chat
// Completions API: the system prompt first, each tool call answered by a message of
// role tool right behind it. Thinking is left out, that API does not take it
// back. docs/projection.md lists what is mended.
func (c *Context) OpenAI() (Request, error) {
	conv := c.converse()
	o := openAI{conversation: conv, ids: callIDs{max: maxOpenAIID, used: map[string]int{}}}
	if conv.system != "" {
		o.say("system", quote(conv.system))
	}
	for i := range conv.units {
		if conv.units[i].role == objects.RoleUser {
			o.user(i)
			continue
		}
		o.reply(i)
		o.results(i)
	}
	return Request{Messages: o.messages, Repairs: conv.all()}, nil
}

// openAI builds the messages for OpenAI's API.
type openAI struct {
	*conversation
	ids      callIDs
	messages []json.RawMessage
}

func (o *openAI) say(role string, content []byte, more ...field) {
	fields := append([]field{{"role", quote(role)}, {"content", content}}, more...)
	o.messages = append(o.messages, object(fields...))
}

// user writes a user's message: a plain string if it is one text.
func (o *openAI) user(i int) {
	var texts []string
	var parts [][]byte
	for _, b := range o.units[i].blocks {
		if t, p := o.userPart(i, b); p != nil {
			parts = append(parts, p)
			if t != "" {
				texts = append(texts, t)
			}
		}
	}
	switch {
	case len(parts) == 0:
		o.note(i, EmptyMessage, "the message has no content")
	case len(parts) == 1 && len(texts) == 1:
		o.say("user", quote(texts[0]))
	default:
		o.say("user", array(parts))
	}
}

// userPart is a block of what the user or a tool says; nil if it cannot be sent.
func (o *openAI) userPart(i int, b objects.Block) (text string, json []byte) {
	switch b.Kind {
	case objects.BlockText:
		if blank(b.Text) {
			return "", nil
		}
		return b.Text, openAIText(b.Text)
	case objects.BlockImage:
		if p, ok := pictureOf(b); ok {
			return "", p.openAI()
		}
	}
	o.noteBlock(i, b)
	return "", nil
}

func openAIText(s string) []byte {
	return object(field{"type", quote("text")}, field{"text", quote(s)})
}

// reply writes a message of the assistant.
func (o *openAI) reply(i int) {
	var texts []string
	for _, b := range o.units[i].blocks {
		switch b.Kind {
		case objects.BlockText:
			if !blank(b.Text) {
				texts = append(texts, b.Text)
			}
		case objects.BlockThinking:
			o.note(i, DroppedThinking, "the API takes no thinking back")
		default:
			o.noteBlock(i, b)
		}
	}
	var calls [][]byte
	for _, c := range o.units[i].calls {
		c.sent = o.ids.next(c.CallID)
		function := object(field{"name", quote(fit(c.Name, maxToolName, "tool"))}, field{"arguments", quote(string(arguments(c.Arguments)))})
		calls = append(calls, object(field{"id", quote(c.sent)}, field{"type", quote("function")}, field{"function", function}))
	}
	content := quote(strings.Join(texts, "\n"))
	switch {
	case len(calls) == 0 && len(texts) == 0:
		o.note(i, EmptyMessage, "the reply has no content")
	case len(calls) == 0:
		o.say("assistant", content)
	case len(texts) == 0:
		o.say("assistant", []byte("null"), field{"tool_calls", array(calls)})
	default:
		o.say("assistant", content, field{"tool_calls", array(calls)})
	}
}

// results answers the calls of a reply. A message of role tool holds text only;
// pictures follow behind all of them in one of the user.
func (o *openAI) results(i int) {
	var after [][]byte
	for _, c := range o.units[i].calls {
		id := field{"tool_call_id", quote(c.sent)}
		if c.result == nil {
			o.say("tool", quote(interrupted), id)
			continue
		}
		var texts []string
		for _, b := range resultParts(*c.result) {
			switch t, p := o.userPart(i, b); {
			case t != "":
				texts = append(texts, t)
			case p != nil:
				after = append(after, openAIText("An image of the result of the call "+c.sent+":"), p)
			}
		}
		content := strings.Join(texts, "\n")
		if content == "" {
			content = noOutput
		}
		o.say("tool", quote(content), id)
	}
	if len(after) > 0 {
		o.say("user", array(after))
	}
}
