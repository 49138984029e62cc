package gemini

import (
	"strings"

	"tlog/objects"
)

// part is one of those that the content of a message, or a result, consists of. What it is not is nil.
type part struct {
	raw      []byte
	text     []byte // a JSON string
	thought  bool   // the text is one that the model thought
	call     []byte // functionCall
	response []byte // functionResponse
	mime     []byte // of inlineData, JSON strings
	data     []byte
	kind     string // the name of its first member
}

// eachPart calls each for the parts of a content: a string, a part, or a list of them.
func eachPart(content []byte, each func(part)) {
	if isArray(content) {
		objects.Elements(content, func(value []byte) { each(readPart(value)) })
	} else if isString(content) || isObject(content) {
		each(readPart(content))
	}
}

func readPart(value []byte) part {
	p := part{raw: value}
	if isString(value) {
		p.text = value
	}
	if !isObject(value) {
		return p
	}
	_ = objects.Scan(value, func(m objects.Member) {
		if p.kind == "" {
			p.kind = objects.StringOf(append(append([]byte{'"'}, m.Key...), '"'))
		}
		switch {
		case m.Is("text") && isString(m.Value):
			p.text = m.Value
		case m.Is("thought"):
			p.thought = string(m.Value) == "true"
		case m.Is("functionCall") && isObject(m.Value):
			p.call = m.Value
		case m.Is("functionResponse") && isObject(m.Value):
			p.response = m.Value
		case m.Is("inlineData") && isObject(m.Value):
			p.mime, p.data = objects.MemberOf(m.Value, "mimeType"), objects.MemberOf(m.Value, "data")
		}
	})
	return p
}

// image reports whether the part is an image.
func (p part) image() bool {
	return isString(p.data) && strings.HasPrefix(objects.StringOf(p.mime), "image/")
}

// block is the part as a block that objects.DecodeMessage reads; nil for one that says nothing. Calls and results are made elsewhere.
func (p part) block() []byte {
	switch {
	case len(p.text) == 2:
		return nil
	case p.text != nil && p.thought:
		return thinkingBlock(p.text)
	case p.text != nil:
		return block("text", objects.Field{Key: "text", Value: p.text})
	case p.image():
		return block("image", objects.Field{Key: "data", Value: p.data}, objects.Field{Key: "mimeType", Value: p.mime})
	case !isObject(p.raw):
		return nil
	}
	switch p.kind {
	case "functionCall", "fileData", "inlineData", "executableCode", "codeExecutionResult", "videoMetadata":
		return block(p.kind, objects.Field{Key: "part", Value: p.raw})
	}
	return block("part", objects.Field{Key: "part", Value: p.raw})
}

// block is a block of a message in tlog's words.
func block(kind string, fields ...objects.Field) []byte {
	return objects.Object(append([]objects.Field{objects.StringField("type", kind)}, fields...)...)
}

func thinkingBlock(text []byte) []byte {
	return block("thinking", objects.Field{Key: "thinking", Value: text})
}

// thoughtBlocks are the thoughts beside a reply: each has a subject and a description.
func thoughtBlocks(thoughts []byte) (blocks [][]byte) {
	objects.Elements(thoughts, func(thought []byte) {
		var lines []string
		for _, name := range []string{"subject", "description"} {
			if text := objects.StringOf(objects.MemberOf(thought, name)); text != "" {
				lines = append(lines, text)
			}
		}
		if len(lines) > 0 {
			blocks = append(blocks, thinkingBlock(objects.AppendQuote(nil, strings.Join(lines, "\n"))))
		}
	})
	return blocks
}

// callBlock is the block of a call: of an element of toolCalls, or of a functionCall.
func callBlock(call []byte) []byte {
	var id, name, arguments []byte
	_ = objects.Scan(call, func(m objects.Member) {
		switch {
		case m.Is("id"):
			id = m.Value
		case m.Is("name"):
			name = m.Value
		case m.Is("args"):
			arguments = m.Value
		}
	})
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = []byte("{}")
	}
	return block("toolCall", objects.Field{Key: "id", Value: orEmpty(id)}, objects.Field{Key: "name", Value: orEmpty(name)},
		objects.Field{Key: "arguments", Value: arguments})
}

func orEmpty(value []byte) []byte {
	if !isString(value) {
		return []byte(`""`)
	}
	return value
}

// list is a JSON array of the values.
func list(values [][]byte) []byte {
	b := []byte{'['}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, v...)
	}
	return append(b, ']')
}
