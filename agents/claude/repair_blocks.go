package claude

import (
	"bytes"
	"slices"

	"tlog/agents/transcript"
	"tlog/objects"
)

// maxName is how long a name or id of a tool call may be. The API takes ^[a-zA-Z0-9_-]{1,128}$.
const maxName = 128

// fitName is a name or an id of a call that the API takes; a fit one stays.
func fitName(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	fit := []byte(name)
	for i, c := range fit {
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '-') {
			fit[i] = '-' // the client takes an id that ends in _ and a number for a copy of the one before it
		}
	}
	return string(fit[:min(len(fit), maxName)])
}

// block is an element of a message's content.
type block struct {
	kind string // its type; empty if it is no object
	raw  []byte
}

// eachBlock gives the blocks of a row's message in their order; a content that is no list has none.
func eachBlock(r row, use func(block)) {
	objects.Elements(objects.MemberOf(r.message, "content"), func(raw []byte) {
		use(block{objects.StringOf(objects.MemberOf(raw, "type")), raw})
	})
}

// repairContent makes a row's message one that the API takes. It reports whether anything is left of it.
func (e *exporter) repairContent(r *row) bool {
	if !r.spoken() {
		return true
	}
	if len(r.message) == 0 || r.message[0] != '{' {
		e.repaired(transcript.DroppedBlock, r.entry, "no message")
		return false
	}
	content := objects.MemberOf(r.message, "content")
	switch {
	case len(content) > 2 && content[0] == '"':
		return true
	case len(content) == 0 || content[0] != '[':
		e.repaired(transcript.DroppedBlock, r.entry, "a message without content")
		return false
	}
	kept := make([][]byte, 0, 4)
	changed, count := false, 0
	eachBlock(*r, func(b block) {
		count++
		repaired := e.repairBlock(*r, b)
		if repaired == nil {
			changed = true
			return
		}
		changed = changed || !bytes.Equal(repaired, b.raw)
		kept = append(kept, repaired)
	})
	if len(kept) == 0 {
		if count == 0 {
			e.repaired(transcript.DroppedBlock, r.entry, "a message without content")
		}
		return false
	}
	if changed {
		content = slices.Concat([]byte{'['}, bytes.Join(kept, []byte{','}), []byte{']'})
		r.object = splice(r.object, edit{name: "message", value: splice(r.message, edit{name: "content", value: content})})
		*r = r.again()
	}
	return true
}

// repairBlock is a block as the API takes it; nil to leave it out.
func (e *exporter) repairBlock(r row, b block) []byte {
	switch b.kind {
	case "text":
		if objects.StringOf(objects.MemberOf(b.raw, "text")) == "" {
			e.repaired(transcript.DroppedBlock, r.entry, "an empty text")
			return nil
		}
	case "thinking", "redacted_thinking":
		return e.repairThinking(r, b)
	case "tool_use":
		if r.kind == "assistant" {
			return e.repairCall(r, b)
		}
		e.repaired(transcript.DroppedBlock, r.entry, "a tool call in a message of the user")
		return nil
	case "tool_result":
		return e.repairResult(r, b)
	case "image":
		return e.repairImage(r, b.raw)
	case "":
		if text := objects.StringOf(b.raw); text != "" {
			e.repaired(transcript.DroppedBlock, r.entry, "a text without a block became one")
			return textBlock(text)
		}
		e.repaired(transcript.DroppedBlock, r.entry, "content that is no block")
		return nil
	}
	return b.raw
}

// repairThinking leaves out thinking that the API refuses: without text, or without its signature.
func (e *exporter) repairThinking(r row, b block) []byte {
	text, sign := "thinking", "signature"
	if b.kind == "redacted_thinking" {
		text, sign = "data", "data"
	}
	switch {
	case objects.StringOf(objects.MemberOf(b.raw, text)) == "":
		e.repaired(transcript.DroppedThinking, r.entry, "thinking without text")
	case objects.StringOf(objects.MemberOf(b.raw, sign)) == "":
		e.repaired(transcript.DroppedThinking, r.entry, "thinking without a signature")
	case r.kind != "assistant":
		e.repaired(transcript.DroppedThinking, r.entry, "thinking in a message of the user")
	default:
		return b.raw
	}
	return nil
}

// repairCall gives a call the id that is planned for it, a name and arguments that the API takes.
func (e *exporter) repairCall(r row, b block) []byte {
	planned := e.plan.calls[e.calls]
	e.calls++
	out := b.raw
	if id, ok := objects.Unquote(objects.MemberOf(out, "id")); !ok || id != planned.id {
		e.repaired(transcript.RenamedCall, r.entry, "the call %q is %q", id, planned.id)
		out = splice(out, edit{name: "id", value: objects.AppendQuote(nil, planned.id)})
	}
	name, ok := objects.Unquote(objects.MemberOf(out, "name"))
	if fit := fitName(name, "tool"); !ok || fit != name {
		e.repaired(transcript.RenamedCall, r.entry, "the tool %q is %q", name, fit)
		out = splice(out, edit{name: "name", value: objects.AppendQuote(nil, fit)})
	}
	if input := objects.MemberOf(out, "input"); len(input) == 0 || input[0] != '{' {
		e.repaired(transcript.RepairedInput, r.entry, "the arguments of %q were no object", planned.id)
		out = splice(out, edit{name: "input", value: argumentsOf(input)})
	}
	return out
}

// argumentsOf makes an object of the arguments of a call.
func argumentsOf(input []byte) []byte {
	if text, ok := objects.Unquote(input); ok { // some APIs give the JSON of an object as a string
		if inner := bytes.TrimSpace([]byte(text)); len(inner) > 0 && inner[0] == '{' && objects.Valid(inner) {
			return oneLine(inner)
		}
	}
	if len(input) == 0 || string(input) == "null" {
		return []byte("{}")
	}
	return objects.Object(objects.Field{Key: "input", Value: input})
}

// oneLine is valid JSON without line breaks between its tokens.
func oneLine(value []byte) []byte {
	return bytes.ReplaceAll(value, []byte{'\n'}, []byte{' '})
}

// repairResult gives a result the id of its call; one without a call is left out.
func (e *exporter) repairResult(r row, b block) []byte {
	id, ok := objects.Unquote(objects.MemberOf(b.raw, "tool_use_id"))
	if r.kind != "user" {
		e.repaired(transcript.DroppedResult, r.entry, "a result of %q in a reply", id)
		return nil
	}
	planned := e.plan.results[e.results]
	e.results++
	if planned.drop {
		e.repaired(transcript.DroppedResult, r.entry, "the call %q of a result is not there", id)
		return nil
	}
	out := b.raw
	if !ok || id != planned.id {
		e.repaired(transcript.RenamedCall, r.entry, "the result of %q is that of %q", id, planned.id)
		out = splice(out, edit{name: "tool_use_id", value: objects.AppendQuote(nil, planned.id)})
	}
	return e.repairResultImages(r, out)
}

// textBlock is a block of text.
func textBlock(text string) []byte {
	return objects.Object(objects.StringField("type", "text"), objects.StringField("text", text))
}
