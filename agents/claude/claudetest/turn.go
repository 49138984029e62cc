package claudetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Block is a content block of the Messages API.
type Block map[string]any

// Text is a text block.
func Text(text string) Block { return Block{"type": "text", "text": text} }

// Thinking is a thinking block.
func Thinking(text, signature string) Block {
	return Block{"type": "thinking", "thinking": text, "signature": signature}
}

// Call is a tool_use block. The model gives it an id.
func Call(name string, input map[string]any) Block {
	return Block{"type": "tool_use", "name": name, "input": input}
}

// Turn is one answer of the model, given once.
type Turn struct {
	// When is a text that the JSON of the last user message must hold; empty for any message.
	When string
	// Side: it answers a request without tools, such as for a title or a summary; others do not.
	Side    bool
	Content []Block
	// Delay is how long the model thinks before it begins to answer.
	Delay time.Duration
	// Status other than 0 is an error of the API in place of an answer.
	Status int
	// Tokens are what the answer is said to have taken; nil for those of any answer.
	Tokens *Tokens
}

// Tokens are what an answer took.
type Tokens struct{ Input, CacheWrite, CacheRead, Output int }

// take finds the turn that answers a request, and marks it as used. Without one the answer is "pong" and a
// number, which tells apart what would else be the same.
func (m *Model) take(r Request) Turn {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, turn := range m.turns {
		if turn.Side != r.Main() && strings.Contains(r.lastUser(), turn.When) {
			m.turns = append(m.turns[:i:i], m.turns[i+1:]...)
			return turn
		}
	}
	if !r.Main() {
		return Turn{Content: []Block{Text(`{"title":"A title"}`)}}
	}
	m.pongs++
	return Turn{Content: []Block{Text(fmt.Sprint("pong ", m.pongs))}}
}

// answer is the message of a turn, with ids that no other answer of the model has.
func (m *Model) answer(turn Turn, r Request) map[string]any {
	content, stop := []Block{}, "end_turn"
	for _, block := range turn.Content {
		if block["type"] == "tool_use" {
			stop = "tool_use"
			if block["id"] == nil {
				block = Block{"type": "tool_use", "id": m.newID("toolu"), "name": block["name"], "input": block["input"]}
			}
		}
		content = append(content, block)
	}
	model := r.Body.Model
	if model == "" {
		model = "claude-fake"
	}
	tokens := Tokens{Input: 100, CacheWrite: 10, CacheRead: 20, Output: 30}
	if turn.Tokens != nil {
		tokens = *turn.Tokens
	}
	return map[string]any{
		"id": m.newID("msg"), "type": "message", "role": "assistant", "model": model, "content": content,
		"stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{
			"input_tokens": tokens.Input, "cache_creation_input_tokens": tokens.CacheWrite,
			"cache_read_input_tokens": tokens.CacheRead, "output_tokens": tokens.Output,
		},
	}
}

// lastUser is the JSON of the newest user message.
func (r Request) lastUser() string {
	for i := len(r.Body.Messages) - 1; i >= 0; i-- {
		if r.Body.Messages[i].Role == "user" {
			return string(r.Body.Messages[i].Content)
		}
	}
	return ""
}

// events are the parts in which an answer is streamed.
func events(message map[string]any) (parts []event) {
	content, _ := message["content"].([]Block)
	start := map[string]any{}
	for key, value := range message {
		start[key] = value
	}
	start["content"], start["stop_reason"] = []Block{}, nil
	parts = append(parts, event{"type": "message_start", "message": start})
	for i, block := range content {
		opening, deltas := blockParts(block)
		parts = append(parts, event{"type": "content_block_start", "index": i, "content_block": opening})
		for _, delta := range deltas {
			parts = append(parts, event{"type": "content_block_delta", "index": i, "delta": delta})
		}
		parts = append(parts, event{"type": "content_block_stop", "index": i})
	}
	delta := map[string]any{"stop_reason": message["stop_reason"], "stop_sequence": nil}
	return append(parts, event{"type": "message_delta", "delta": delta, "usage": message["usage"]}, event{"type": "message_stop"})
}

// event is the data of one server-sent event; its type names it.
type event map[string]any

// blockParts is a block as it is opened, and what is streamed into it.
func blockParts(block Block) (opening Block, deltas []Block) {
	switch block["type"] {
	case "text":
		return Text(""), []Block{{"type": "text_delta", "text": block["text"]}}
	case "thinking":
		return Thinking("", ""), []Block{
			{"type": "thinking_delta", "thinking": block["thinking"]},
			{"type": "signature_delta", "signature": block["signature"]},
		}
	case "tool_use":
		input, err := json.Marshal(block["input"])
		if err != nil {
			panic(err) // a script is written by a test
		}
		opening = Block{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}}
		return opening, []Block{{"type": "input_json_delta", "partial_json": string(input)}}
	}
	return block, nil
}
