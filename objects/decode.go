package objects

import "bytes"

// Roles of messages that pi makes of summaries; some programs store them.
const (
	roleCompactionSummary = "compactionSummary"
	roleBranchSummary     = "branchSummary"
)

// DecodeMessage decodes the message in an entry of type message or custom_message;
// ok is false if the entry holds none.
//
// It reads the blocks of tlog and pi (formats/pi.md section 4: text, thinking, image,
// toolCall, role toolResult) and of bare message logs as the model APIs have them:
// tool_use, tool_result, image with source, thinking (Anthropic); role "tool" with
// tool_call_id, tool_calls, image_url (OpenAI).
// A result that is a message of its own (roles toolResult and tool) is one BlockToolResult.
// bashExecution becomes two text blocks, command and output; compactionSummary
// and branchSummary one, the summary.
//
// A value of another kind than expected counts as missing.
func DecodeMessage(e Entry) (m Message, ok bool) {
	switch e.Type {
	case TypeMessage:
		raw := e.Get("message")
		if len(raw) == 0 || raw[0] != '{' {
			return Message{}, false
		}
		return decodeMessage(raw), true
	case TypeCustomMessage:
		return Message{Raw: e.Raw, Role: RoleCustom, Blocks: decodeContent(e.Get("content"))}, true
	}
	return Message{}, false
}

func decodeMessage(raw []byte) Message {
	m := Message{Raw: raw}
	var content, calls, command, output, summary []byte
	result := Block{Kind: BlockToolResult, Raw: raw}
	eachMember(raw, func(field Member) {
		value := field.Value
		switch string(field.name()) {
		case "role":
			m.Role = tokenText(value)
		case "content":
			content = value
		case "tool_calls":
			calls = value
		case "command":
			command = value
		case "output":
			output = value
		case "summary":
			summary = value
		case "provider":
			m.Provider = tokenText(value)
		case "model":
			m.Model = tokenText(value)
		case "usage":
			m.Usage = orNil(value)
		case "stopReason", "stop_reason":
			m.StopReason = tokenText(value)
		case "errorMessage":
			m.Error = tokenText(value)
		default:
			result.setResultMember(field)
		}
	})
	switch m.Role {
	case RoleToolResult, "tool":
		result.Type = m.Role
		result.setResultContent(content)
		m.Blocks = []Block{result}
	case RoleBash:
		m.Blocks = []Block{textBlock(command), textBlock(output)}
	case roleCompactionSummary, roleBranchSummary:
		m.Blocks = decodeContent(summary)
	default:
		m.Blocks = append(decodeContent(content), decodeToolCalls(calls)...)
	}
	return m
}

// decodeContent decodes the content of a message or a tool result: a string,
// a list of blocks, or one block without a list around it.
func decodeContent(content []byte) []Block {
	if len(content) == 0 {
		return nil
	}
	switch content[0] {
	case '"':
		return []Block{textBlock(content)}
	case '{':
		return []Block{decodeBlock(content)}
	case '[':
		var blocks []Block
		Elements(content, func(value []byte) {
			blocks = append(blocks, decodeBlock(value))
		})
		return blocks
	}
	return nil
}

// decodeToolCalls decodes the tool_calls of OpenAI's messages:
// [{"id","type":"function","function":{"name","arguments"}}], and
// {"type":"custom","custom":{"name","input"}}.
func decodeToolCalls(calls []byte) []Block {
	var blocks []Block
	Elements(calls, func(call []byte) {
		b := Block{Kind: BlockToolCall, Raw: call}
		eachMember(call, func(m Member) {
			switch string(m.name()) {
			case "type":
				b.Type = tokenText(m.Value)
			case "id":
				b.CallID = tokenText(m.Value)
			case "function", "custom":
				eachMember(m.Value, b.setCallMember)
			}
		})
		blocks = append(blocks, b)
	})
	return blocks
}

// textBlock is the block that a string stands for.
func textBlock(token []byte) Block {
	return Block{Kind: BlockText, Type: "text", Raw: token, Text: tokenText(token)}
}

// eachMember calls member for the members of object. Of a value that is no
// object it calls nothing.
func eachMember(object []byte, member func(Member)) {
	if len(object) > 0 && object[0] == '{' {
		// Values inside a scanned line are valid, so there is no error to look at.
		_ = Scan(object, member)
	}
}

// orNil is value, or nil for JSON's null.
func orNil(value []byte) []byte {
	if string(value) == "null" {
		return nil
	}
	return value
}

// tokenBytes is tokenText without a copy where the token has no escapes.
func tokenBytes(token []byte) []byte {
	if isString(token) && bytes.IndexByte(token, '\\') < 0 {
		return token[1 : len(token)-1]
	}
	return []byte(tokenText(token))
}
