package claudegentest

import (
	"fmt"
	"strings"

	"tlog/agents/claude/claudetest"
)

// CheckSent compares what the client sent when it was resumed with claudetest.Ping to what it sends at a row.
func CheckSent(sent []claudetest.Message, tip *Row) error {
	want := withPing(Sent(tip))
	for i := range max(len(sent), len(want)) {
		if i >= len(sent) || i >= len(want) {
			return fmt.Errorf("%d messages were sent, expected %d", len(sent), len(want))
		}
		if got := fromClient(sent[i]); !same(got, want[i]) {
			return fmt.Errorf("message %d of %d was\n%.2000v, expected\n%.2000v", i, len(sent), got, want[i])
		}
	}
	return nil
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
