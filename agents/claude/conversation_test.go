package claude

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

// TestWriteConversation: what is written is read again as it was, with the images of a failed call behind all results of its reply.
func TestWriteConversation(t *testing.T) {
	at := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	text := func(s string) transcript.Part { return transcript.Part{Kind: objects.BlockText, Text: s} }
	image := transcript.Part{Kind: objects.BlockImage, MimeType: "image/png", Data: "aGFsbG8="}
	call := func(id string) transcript.Part {
		return transcript.Part{Kind: objects.BlockToolCall, CallID: id, Name: "Bash", Arguments: []byte(`{}`)}
	}
	var out bytes.Buffer
	report, err := Agent{}.WriteConversation(&out, transcript.Conversation{
		Session: labSession, Now: at, Cwd: "/proj/garden", Name: "a name",
		Messages: []transcript.Message{
			{ID: "a", Time: at, Role: objects.RoleUser, Parts: []transcript.Part{text("one"), image}},
			{ID: "b", Role: objects.RoleAssistant, Provider: "openai", Model: "gpt-5.5", Parts: []transcript.Part{text("two"), call("c1"), call("c2")}},
			{ID: "c", Role: objects.RoleToolResult, CallID: "c1", Tool: "Bash", Failed: true, Parts: []transcript.Part{text("lost"), image}},
			{ID: "d", Role: objects.RoleToolResult, CallID: "c2", Tool: "Bash", Parts: []transcript.Part{image}},
			{ID: "e", Role: objects.RoleAssistant, Provider: "anthropic", Model: "claude-x", Parts: []transcript.Part{text("three")}},
		},
	})
	if err != nil || len(report.Repairs) > 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	if !strings.Contains(out.String(), `"customTitle":"a name"`) || strings.Contains(out.String(), "gpt") {
		t.Errorf("got %s", out.String())
	}
	entries, leaf := readLab(t, out.Bytes())
	var said []string
	for _, e := range pathLab(t, entries, leaf) {
		m, ok := Agent{}.Message(e.Entry)
		if !ok {
			continue
		}
		for _, b := range m.Blocks {
			said = append(said, fmt.Sprint(m.Role, " ", m.Model, " ", m.ReplyID, " ", b.Kind, " ", b.Text, b.CallID, " ", b.IsError, " ", b.Images))
		}
	}
	want := `user   1 one false 0
user   3  false 0
assistant  msg_b 1 two false 0
assistant  msg_b 4 c1 false 0
assistant  msg_b 4 c2 false 0
user   5 lostc1 true 0
user   5 c2 false 1
user   1 An image of the result of the call c1: false 0
user   3  false 0
assistant claude-x msg_e 1 three false 0`
	if got := strings.Join(said, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
