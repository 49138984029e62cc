package objects

import (
	"bytes"
	"slices"
	"strings"
)

// decodeBlock decodes one block of content.
func decodeBlock(raw []byte) Block {
	if isString(raw) {
		return textBlock(raw)
	}
	members := membersOf(raw)
	b := Block{Raw: raw, Type: tokenText(lastOf(members, "type"))}
	b.Kind = kindOf(b.Type)
	set := func(Member) {}
	switch b.Kind {
	case BlockText, BlockThinking:
		set = b.setTextMember
	case BlockImage:
		set = b.setImageMember
	case BlockToolCall:
		set = b.setCallMember
	case BlockToolResult:
		set = b.setResultMember
		b.setResultContent(lastOf(members, "content"))
	}
	for _, m := range members {
		set(m)
	}
	return b
}

// membersOf collects the members of a block, since what they mean depends on
// its type, which may stand behind them.
func membersOf(raw []byte) []Member {
	members := make([]Member, 0, 4)
	eachMember(raw, func(m Member) { members = append(members, m) })
	return members
}

// lastOf is the value of the last member called name, nil if there is none.
func lastOf(members []Member, name string) []byte {
	for _, m := range slices.Backward(members) {
		if m.Is(name) {
			return m.Value
		}
	}
	return nil
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

func (b *Block) setTextMember(m Member) {
	if m.Is(b.Type) { // {"type":"text","text":...}, {"type":"thinking","thinking":...}
		b.Text = tokenText(m.Value)
	}
}

// setImageMember reads {"data","mimeType"} of pi, {"source":{"data","media_type"}}
// of Anthropic and {"image_url":{"url":"data:..."}} of OpenAI.
func (b *Block) setImageMember(m Member) {
	switch string(m.name()) {
	case "data":
		b.Data = tokenBytes(m.Value)
	case "mimeType", "media_type":
		b.MimeType = tokenText(m.Value)
	case "source":
		eachMember(m.Value, func(inner Member) {
			if !inner.Is("source") { // deeper ones would make this recursive
				b.setImageMember(inner)
			}
		})
	case "image_url":
		url := m.Value
		if !isString(url) {
			url = lastOf(membersOf(url), "url")
		}
		b.setDataURL(url)
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

func (b *Block) setCallMember(m Member) {
	switch string(m.name()) {
	case "id":
		b.CallID = tokenText(m.Value)
	case "name":
		b.Name = tokenText(m.Value)
	case "arguments", "input":
		if arguments := decodeArguments(m.Value); arguments != nil {
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

func (b *Block) setResultMember(m Member) {
	switch string(m.name()) {
	case "toolCallId", "tool_call_id", "tool_use_id":
		b.CallID = tokenText(m.Value)
	case "toolName", "name":
		b.Name = tokenText(m.Value)
	case "isError", "is_error":
		b.IsError = string(m.Value) == "true"
	}
}

// setResultContent takes the text of a result and counts its images. It looks
// one level deep: a result inside a result is no result, and input may nest as
// deep as it likes.
func (b *Block) setResultContent(content []byte) {
	if isString(content) {
		b.Text = tokenText(content)
		return
	}
	var texts []string
	Elements(content, func(value []byte) {
		if isString(value) {
			texts = append(texts, tokenText(value))
			return
		}
		members := membersOf(value)
		switch kindOf(tokenText(lastOf(members, "type"))) {
		case BlockText:
			texts = append(texts, tokenText(lastOf(members, "text")))
		case BlockImage:
			b.Images++
		}
	})
	b.Text = strings.Join(texts, "\n")
}
