package claudetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// ImageLimit is the length of the base64 above which an image is refused: by the API, and by the client before it asks.
const ImageLimit = 5 << 20

// Refused says what of a request the real API would refuse, where the fake model takes everything: each entry is one
// reason, in words for the output of a test. The rules are those that transcripts are known to break.
func Refused(r Request) (reasons []string) {
	if at := LoneSurrogate(r.Raw); at != "" {
		reasons = append(reasons, "a lone surrogate "+at)
	}
	check := checker{calls: map[string]bool{}}
	for i, raw := range r.Body.Messages {
		if raw.Role == "system" {
			continue
		}
		blocks, err := decodeBlocks(raw.Content)
		if err != nil {
			check.refuse("message %d: %v", i, err)
			continue
		}
		check.message(i, raw.Role, blocks)
	}
	check.unanswered()
	return append(reasons, check.reasons...)
}

type checker struct {
	reasons []string
	calls   map[string]bool // every call so far
	open    []string        // those of the newest assistant message
}

func (c *checker) refuse(format string, args ...any) {
	c.reasons = append(c.reasons, fmt.Sprintf(format, args...))
}

func (c *checker) message(i int, role string, blocks []Block) {
	if len(blocks) == 0 {
		c.refuse("message %d has no content", i)
	}
	if role == "user" {
		c.answers(i, blocks)
	}
	c.unanswered()
	for _, block := range blocks {
		switch block["type"] {
		case "text":
			if text, ok := block["text"].(string); !ok || strings.TrimSpace(text) == "" {
				c.refuse("message %d has an empty text", i)
			}
		case "thinking":
			if signature, ok := block["signature"].(string); !ok || signature == "" {
				c.refuse("message %d has thinking without a signature", i)
			}
		case "tool_use":
			c.call(i, block)
		case "image":
			c.image(i, block)
		case "tool_result", "redacted_thinking", "document":
		default:
			c.refuse("message %d has a block of type %v", i, block["type"])
		}
	}
}

var allowedName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

func (c *checker) call(i int, block Block) {
	id, _ := block["id"].(string)
	name, _ := block["name"].(string)
	if !allowedName.MatchString(id) || !allowedName.MatchString(name) {
		c.refuse("message %d: the call %q of %q has a name that is not allowed", i, id, name)
	}
	if _, ok := block["input"].(map[string]any); !ok {
		c.refuse("message %d: the input of the call %q is no object", i, id)
	}
	if c.calls[id] {
		c.refuse("message %d: a second call %q", i, id)
	}
	c.calls[id] = true
	c.open = append(c.open, id)
}

// answers takes the results of a user message, which have to be those of the calls right before it, and to stand first.
func (c *checker) answers(i int, blocks []Block) {
	other := false
	for _, block := range blocks {
		if block["type"] != "tool_result" {
			other = true
			continue
		}
		id, _ := block["tool_use_id"].(string)
		at := -1
		for j, open := range c.open {
			if open == id {
				at = j
			}
		}
		switch {
		case at < 0:
			c.refuse("message %d: a result without its call %q before it", i, id)
			continue
		case other && len(c.open) > 0:
			c.refuse("message %d: the result of %q stands behind other content", i, id)
		}
		c.open = append(c.open[:at:at], c.open[at+1:]...)
		if inner, ok := block["content"].([]any); ok {
			for _, part := range inner {
				if image, ok := part.(map[string]any); ok && image["type"] == "image" {
					c.image(i, image)
				}
			}
		}
	}
}

// unanswered refuses the calls that were not answered by the message right behind them.
func (c *checker) unanswered() {
	for _, id := range c.open {
		c.refuse("the call %q has no result", id)
	}
	c.open = nil
}

func (c *checker) image(i int, block Block) {
	source, _ := block["source"].(map[string]any)
	data, ok := source["data"].(string)
	if !ok {
		return
	}
	if len(data) > ImageLimit {
		c.refuse("message %d has an image of %d bytes", i, len(data))
	}
}

func decodeBlocks(raw json.RawMessage) (blocks []Block, err error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []Block{Text(text)}, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	err = decoder.Decode(&blocks)
	return blocks, err
}

// escapes are those of JSON: a pair of surrogates as one, a lone one alone, and else two characters, so that none is seen in an escaped
// backslash and what follows.
var escapes = regexp.MustCompile(`(?i)\\ud[89ab][0-9a-f]{2}(\\ud[c-f][0-9a-f]{2})?|\\ud[c-f][0-9a-f]{2}|\\.`)

// LoneSurrogate finds the escape of half a character in JSON; empty if there is none.
func LoneSurrogate(data []byte) string {
	for _, escape := range escapes.FindAll(data, -1) {
		if len(escape) == len(`\ud83d`) {
			return string(escape)
		}
	}
	return ""
}
