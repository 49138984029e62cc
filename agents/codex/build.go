package codex

import (
	"slices"

	"tlog/objects"
)

// messageOf is an item as a message that objects.DecodeMessage reads; nil for an item that is none. Its strings are those of the item,
// byte for byte, but for thoughts of several parts.
func messageOf(r record) []byte {
	switch familyOf(r.sub) {
	case said:
		return message(spokenBy(r.role), contentOf(r.content, r.payload))
	case thought:
		return message(objects.RoleAssistant, list(thinkingBlock(r.payload)))
	case called:
		return message(objects.RoleAssistant, list(callBlock(r)))
	case answered:
		return resultOf(r)
	case served, opaque:
		return message(objects.RoleAssistant, list(r.payload))
	}
	return nil
}

// spokenBy is the role in tlog's words. What the client tells its model by itself is the system's.
func spokenBy(role string) string {
	switch role {
	case objects.RoleUser, objects.RoleAssistant:
		return role
	case "":
		return objects.RoleUser
	}
	return objects.RoleSystem
}

func message(role string, content []byte) []byte {
	return objects.Object(objects.StringField("role", role), objects.Field{Key: "content", Value: content})
}

// contentOf is the content of a message in tlog's words: a string, or its parts.
func contentOf(content, payload []byte) []byte {
	switch {
	case isString(content):
		return content
	case isArray(content):
	case isString(objects.MemberOf(payload, "text")):
		return objects.MemberOf(payload, "text")
	case isString(objects.MemberOf(payload, "message")):
		return objects.MemberOf(payload, "message")
	}
	var parts [][]byte
	objects.Elements(content, func(part []byte) { parts = append(parts, partOf(part)) })
	return list(parts...)
}

// partOf is a part of a message or a tool's output in tlog's words; one that is not known stays as it is.
func partOf(part []byte) []byte {
	switch objects.StringOf(objects.MemberOf(part, "type")) {
	case "input_text", "output_text", "text", "summary_text", "reasoning_text":
		if text := objects.MemberOf(part, "text"); isString(text) {
			return textBlock(text)
		}
	case "refusal":
		if text := objects.MemberOf(part, "refusal"); isString(text) {
			return textBlock(text)
		}
	case "input_image":
		if url := objects.MemberOf(part, "image_url"); isString(url) {
			return objects.Object(objects.StringField("type", "image_url"), objects.Field{Key: "image_url", Value: url})
		}
	}
	return part
}

func textBlock(text []byte) []byte {
	return objects.Object(objects.StringField("type", "text"), objects.Field{Key: "text", Value: text})
}

// thinkingBlock is the block of a reasoning item. Of one that only the server can read nothing is told.
func thinkingBlock(payload []byte) []byte {
	texts := thoughts(payload)
	text := []byte(`""`)
	switch {
	case len(texts) == 0 && !isNull(objects.MemberOf(payload, "encrypted_content")):
		return objects.Object(objects.StringField("type", "redacted_thinking"))
	case len(texts) == 1:
		text = texts[0]
	case len(texts) > 1:
		joined := ""
		for i, part := range texts {
			if i > 0 {
				joined += "\n\n"
			}
			joined += objects.StringOf(part)
		}
		text = objects.AppendQuote(nil, joined)
	}
	return objects.Object(objects.StringField("type", "thinking"), objects.Field{Key: "thinking", Value: text})
}

// callBlock is the block of a tool call.
func callBlock(r record) []byte {
	get := func(name string) []byte { return objects.MemberOf(r.payload, name) }
	id, name, arguments := get("call_id"), get("name"), get("arguments")
	switch r.sub {
	case itemCustomCall:
		arguments = objects.Object(objects.Field{Key: "input", Value: orEmpty(get("input"))})
	case itemShellCall:
		name, arguments = []byte(`"local_shell"`), get("action")
		if !isString(id) {
			id = get("id")
		}
	case itemSearchCall:
		name = []byte(`"tool_search"`)
	}
	if arguments == nil {
		arguments = []byte("{}")
	}
	return objects.Object(objects.StringField("type", "toolCall"), objects.Field{Key: "id", Value: orEmpty(id)},
		objects.Field{Key: "name", Value: orEmpty(name)}, objects.Field{Key: "arguments", Value: arguments})
}

// resultOf is the message of a tool's output.
func resultOf(r record) []byte {
	output := objects.MemberOf(r.payload, "output")
	if r.sub == itemSearched {
		output = toolNames(objects.MemberOf(r.payload, "tools"))
	}
	failed := false
	if isObject(output) { // of older clients
		failed = string(objects.MemberOf(output, "success")) == "false"
		if content := objects.MemberOf(output, "content"); content != nil {
			output = content
		}
	}
	content := []byte(`""`)
	switch {
	case isString(output):
		content = output
	case isArray(output):
		content = contentOf(output, nil)
	case isObject(output):
		content = objects.AppendQuote(nil, string(output))
	}
	fields := []objects.Field{
		objects.StringField("role", objects.RoleToolResult), {Key: "toolCallId", Value: orEmpty(objects.MemberOf(r.payload, "call_id"))},
		{Key: "content", Value: content},
	}
	if failed || ended(content).failed {
		fields = append(fields, objects.Field{Key: "isError", Value: []byte("true")})
	}
	return objects.Object(fields...)
}

// toolNames names the tools that a search found, a JSON string.
func toolNames(tools []byte) []byte {
	names := ""
	objects.Elements(tools, func(tool []byte) {
		if name := objects.StringOf(objects.MemberOf(tool, "name")); name != "" {
			names += name + "\n"
		}
	})
	return objects.AppendQuote(nil, names)
}

func orEmpty(value []byte) []byte {
	if !isString(value) {
		return []byte(`""`)
	}
	return value
}

// list is a JSON array of the values.
func list(values ...[]byte) []byte {
	b := []byte{'['}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, v...)
	}
	return append(slices.Clip(b), ']')
}
