package claudetest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Message is a message of a request without what the client makes anew at each start, to be compared with others.
type Message struct {
	Role    string
	Content []Block
}

// String shows a message in a line, for the output of tests.
func (m Message) String() string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m.Content); err != nil {
		return err.Error()
	}
	return m.Role + " " + strings.TrimSpace(b.String())
}

// Normalise gives the messages of a request without system messages, reminders and marks for the cache. Text alone becomes a block.
func Normalise(r Request) (messages []Message, err error) {
	for _, raw := range r.Body.Messages {
		if raw.Role == "system" {
			continue
		}
		message := Message{Role: raw.Role}
		if message.Content, err = normaliseContent(raw.Content); err != nil {
			return nil, fmt.Errorf("a message of a request: %w", err)
		}
		if len(message.Content) > 0 {
			messages = append(messages, message)
		}
	}
	return messages, nil
}

func normaliseContent(raw json.RawMessage) (kept []Block, err error) {
	blocks, err := decodeBlocks(raw)
	if err != nil {
		return nil, err
	}
	for _, block := range blocks {
		delete(block, "cache_control")
		text, _ := block["text"].(string)
		if block["type"] == "text" && strings.HasPrefix(strings.TrimSpace(text), "<system-reminder>") {
			continue
		}
		if block["is_error"] == false {
			delete(block, "is_error")
		}
		kept = append(kept, block)
	}
	return kept, nil
}

// Words is all text that the messages hold, of whatever kind, a block a line.
func Words(messages []Message) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(m.String())
		b.WriteByte('\n')
	}
	return b.String()
}
