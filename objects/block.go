package objects

import (
	"bytes"
	"strings"
)

// decodeBlock decodes one block of content.
func decodeBlock(raw []byte) Block {
	if isString(raw) {
		return textBlock(raw)
	}
	b := Block{Raw: raw, Type: tokenText(typeMember(raw))}
	b.Kind = kindOf(b.Type)
	switch b.Kind {
	case BlockText, BlockThinking:
		eachMember(raw, b.setTextMember)
	case BlockImage:
		eachMember(raw, b.setImageMember)
	case BlockToolCall:
		eachMember(raw, b.setCallMember)
	case BlockToolResult:
		var content []byte
		eachMember(raw, func(name string, value []byte) {
			if name == "content" {
				content = value
				return
			}
			b.setResultMember(name, value)
		})
		b.setResultContent(content)
	}
	return b
}

// typeMember is the value of the member type of a block, nil if it is no object.
func typeMember(raw []byte) []byte {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	return find(raw, "type")
}

// kindOf is the kind of the blocks of a type, in pi's, Anthropic's or OpenAI's words.
func kindOf(blockType string) BlockKind {
	switch blockType {
	case "text":
		return BlockText
	case "thinking", "redacted_thinking":
		return BlockThinking
	case "image", "image_url":
		return BlockImage
	case "toolCall", "tool_use":
		return BlockToolCall
	case "toolResult", "tool_result":
		return BlockToolResult
	}
	return BlockOther
}

func (b *Block) setTextMember(name string, value []byte) {
	if name == b.Type { // {"type":"text","text":...}, {"type":"thinking","thinking":...}
		b.Text = tokenText(value)
	}
}

// setImageMember reads {"data","mimeType"} of pi, {"source":{"data","media_type"}}
// of Anthropic and {"image_url":{"url":"data:..."}} of OpenAI.
func (b *Block) setImageMember(name string, value []byte) {
	switch name {
	case "data":
		b.Data = tokenBytes(value)
	case "mimeType", "media_type":
		b.MimeType = tokenText(value)
	case "source":
		eachMember(value, func(name string, value []byte) {
			if name != "source" { // deeper ones would make this recursive
				b.setImageMember(name, value)
			}
		})
	case "image_url":
		if isString(value) {
			b.setDataURL(value)
		} else if len(value) > 0 && value[0] == '{' {
			b.setDataURL(find(value, "url"))
		}
	}
}

// setDataURL takes type and data from a base64 data: URL; another URL leaves
// both empty.
func (b *Block) setDataURL(token []byte) {
	rest, ok := bytes.CutPrefix(tokenBytes(token), []byte("data:"))
	if !ok {
		return
	}
	head, data, ok := bytes.Cut(rest, []byte(","))
	if !ok {
		return
	}
	mime, ok := strings.CutSuffix(string(head), ";base64")
	if ok {
		b.MimeType, _, _ = strings.Cut(mime, ";")
		b.Data = data
	}
}

func (b *Block) setCallMember(name string, value []byte) {
	switch name {
	case "id":
		b.CallID = tokenText(value)
	case "name":
		b.Name = tokenText(value)
	case "arguments", "input":
		if arguments := decodeArguments(value); arguments != nil {
			b.Arguments = arguments
		}
	}
}

// decodeArguments gives the arguments of a call; of a string that holds JSON,
// as OpenAI sends them, what it holds.
func decodeArguments(value []byte) []byte {
	if isString(value) {
		if inner := tokenBytes(value); Valid(inner) {
			return bytes.TrimSpace(inner)
		}
	}
	return orNil(value)
}

func (b *Block) setResultMember(name string, value []byte) {
	switch name {
	case "toolCallId", "tool_call_id", "tool_use_id":
		b.CallID = tokenText(value)
	case "toolName", "name":
		b.Name = tokenText(value)
	case "isError", "is_error":
		b.IsError = string(value) == "true"
	}
}

// setResultContent takes the text of a result and counts its images.
func (b *Block) setResultContent(content []byte) {
	var texts []string
	for _, part := range decodeResultParts(content) {
		switch part.Kind {
		case BlockText:
			texts = append(texts, part.Text)
		case BlockImage:
			b.Images++
		}
	}
	b.Text = strings.Join(texts, "\n")
}

// decodeResultParts decodes the content of a result one level deep: a result
// inside a result is no result, and input may nest as deep as it likes.
func decodeResultParts(content []byte) []Block {
	if len(content) > 0 && content[0] == '"' {
		return []Block{textBlock(content)}
	}
	var parts []Block
	Elements(content, func(value []byte) {
		part := Block{Raw: value, Type: tokenText(typeMember(value))}
		switch part.Kind = kindOf(part.Type); {
		case isString(value):
			part = textBlock(value)
		case part.Kind == BlockText:
			eachMember(value, part.setTextMember)
		}
		parts = append(parts, part)
	})
	return parts
}
