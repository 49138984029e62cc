//go:build acceptance

package claudegentest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"tlog/agents/claude/claudetest"
)

// TestClient asks the real client (TLOG_CLAUDE_BIN) whether it sends what the generator says. TLOG_CLAUDE_SEEDS is the number of sessions.
func TestClient(t *testing.T) {
	seeds, err := strconv.ParseUint(os.Getenv("TLOG_CLAUDE_SEEDS"), 10, 64)
	if err != nil {
		seeds = 12
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			data, truth := Bytes(rand.New(rand.NewPCG(seed, 0)), Options{Old: seed%3 == 0})
			resumed, err := claudetest.Resume(t, truth.Session, data)
			if err != nil {
				t.Fatal(err)
			}
			want := withPing(Sent(truth.Leaf))
			got := make([]Message, 0, len(resumed.Messages))
			for _, m := range resumed.Messages {
				got = append(got, fromClient(m))
			}
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || !same(got[i], want[i]) {
					if dir := os.Getenv("TLOG_CLAUDE_KEEP"); dir != "" {
						os.WriteFile(fmt.Sprintf("%s/seed%d.jsonl", dir, seed), data, 0o600)
					}
					t.Fatalf("message %d of %d, expected %d:\n got %.2000v\nwant %.2000v", i, len(got), len(want), at(got, i), at(want, i))
				}
			}
		})
	}
}

func at(messages []Message, i int) any {
	if i < len(messages) {
		return messages[i]
	}
	return "none"
}

// withPing adds the prompt of the resume. Behind a user's message the client makes up a reply first, but not behind the output of a command.
func withPing(messages []Message) []Message {
	ping := Part{Kind: "text", Text: claudetest.Ping}
	last := &messages[len(messages)-1]
	if last.Role == "user" {
		if strings.HasPrefix(last.Parts[len(last.Parts)-1].Text, "<local-command-stdout>") {
			last.Parts = append(last.Parts, ping)
			return messages
		}
		messages = append(messages, Message{Role: "assistant", Parts: []Part{{Kind: "text", Text: "No response requested."}}})
	}
	return append(messages, Message{Role: "user", Parts: []Part{ping}})
}

// fromClient is a message that the client sent.
func fromClient(m claudetest.Message) Message {
	out := Message{Role: m.Role}
	for _, b := range m.Content {
		part := Part{}
		switch b["type"] {
		case "text":
			part = Part{Kind: "text", Text: b["text"].(string)}
		case "thinking":
			part = Part{Kind: "thinking", Text: b["thinking"].(string)}
		case "image":
			part = Part{Kind: "image"}
		case "tool_use":
			part = Part{Kind: "call", ID: b["id"].(string)}
		case "tool_result":
			part = Part{Kind: "result", ID: b["tool_use_id"].(string), Text: resultText(b["content"])}
		default:
			part.Kind = fmt.Sprint(b["type"])
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

func resultText(content any) string {
	if text, ok := content.(string); ok {
		return text
	}
	var texts []string
	list, _ := content.([]any)
	for _, block := range list {
		text, _ := block.(map[string]any)["text"].(string)
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}

// same compares two messages; the client ends texts that others follow with a line feed, and leaves out its reminders.
func same(got, want Message) bool {
	var parts []Part
	for _, part := range want.Parts {
		if !strings.HasPrefix(part.Text, "<system-reminder>") {
			parts = append(parts, part)
		}
	}
	if got.Role != want.Role || len(got.Parts) != len(parts) {
		return false
	}
	for i, part := range parts {
		text := strings.TrimSuffix(got.Parts[i].Text, "\n")
		if part.Within && strings.Contains(text, part.Text) {
			text = part.Text
		}
		if got.Parts[i].Kind != part.Kind || got.Parts[i].ID != part.ID || text != strings.TrimSuffix(part.Text, "\n") {
			return false
		}
	}
	return true
}
