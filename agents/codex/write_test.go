package codex

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

const writtenID = "0190a1b2-c3d4-7000-8000-000000000001"

// talk is a conversation with all that there may be in one.
func talk() transcript.Conversation {
	at := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	text := func(s string) transcript.Part { return transcript.Part{Kind: objects.BlockText, Text: s} }
	image := transcript.Part{Kind: objects.BlockImage, MimeType: "image/png", Data: "aGFsbG8="}
	call := func(id string) transcript.Part {
		return transcript.Part{Kind: objects.BlockToolCall, CallID: id, Name: "Bash", Arguments: []byte(`{"command":"` + id + `"}`)}
	}
	return transcript.Conversation{
		Session: writtenID, Now: at.Add(time.Hour), Cwd: "/srv/demo", Name: "a name",
		Messages: []transcript.Message{
			{ID: "a", Role: objects.RoleUser, Parts: []transcript.Part{text("one \u2028 \"x\""), image}},
			{ID: "b", Time: at, Role: objects.RoleAssistant, Provider: "anthropic", Model: "claude-x", Parts: []transcript.Part{text("two"), call("c1"), call("c2"), call("c3")}},
			{ID: "c", Role: objects.RoleToolResult, CallID: "c1", Tool: "Bash", Parts: []transcript.Part{text("found"), image}},
			{ID: "d", Role: objects.RoleToolResult, CallID: "c2", Tool: "Bash", Failed: true, Parts: []transcript.Part{text("lost")}},
			{ID: "e", Role: objects.RoleToolResult, CallID: "c3", Tool: "Bash", Failed: true},
			{ID: "f", Time: at.Add(time.Minute), Role: objects.RoleAssistant, Parts: []transcript.Part{text("three")}},
		},
	}
}

// TestWriteConversation: what is written is read again as it was, and each message of the user and text of a reply has its event.
func TestWriteConversation(t *testing.T) {
	var out bytes.Buffer
	report, err := Agent{}.WriteConversation(&out, talk())
	if err != nil || report.Messages != 6 || report.Lines != bytes.Count(out.Bytes(), []byte("\n")) {
		t.Fatalf("%+v, %v", report, err)
	}
	if len(report.Repairs) != 1 || report.Repairs[0].Kind != transcript.DroppedName {
		t.Errorf("repairs %v", report.Repairs)
	}
	if !(Agent{}).Detect(out.Bytes()) {
		t.Error("it is not detected")
	}
	var said, events []string
	for _, v := range NewReader(writtenID).Read(out.Bytes()) {
		e, err := objects.ParseEntry(v.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		var line struct {
			Timestamp string
			Type      string
			Payload   struct{ Type, Message, ID, Cwd, Source string }
		}
		if err := json.Unmarshal(e.SourceObject(), &line); err != nil {
			t.Fatal(err)
		}
		switch line.Type {
		case "session_meta":
			if line.Payload.ID != writtenID || line.Payload.Cwd != "/srv/demo" || line.Payload.Source != "cli" {
				t.Errorf("header %+v", line)
			}
		case "event_msg":
			events = append(events, line.Payload.Type+" "+line.Payload.Message)
		}
		m, ok := Agent{}.Message(e)
		if !ok {
			continue
		}
		for _, b := range m.Blocks {
			said = append(said, fmt.Sprint(m.Role, " ", b.Kind, " ", b.Text, b.CallID, " ", b.IsError, " ", b.Images, " ", string(b.Arguments), line.Timestamp[11:19]))
		}
	}
	want := []string{
		"user 1 one \u2028 \"x\" false 0 11:00:00", "user 3  false 0 11:00:00",
		"assistant 1 two false 0 10:00:00", `assistant 4 c1 false 0 {"command":"c1"}10:00:00`, `assistant 4 c2 false 0 {"command":"c2"}10:00:00`,
		`assistant 4 c3 false 0 {"command":"c3"}10:00:00`,
		"toolResult 5 foundc1 false 1 10:00:00", "toolResult 5 execution error: lostc2 true 0 10:00:00", "toolResult 5 execution error: c3 true 0 10:00:00",
		"assistant 1 three false 0 10:01:00",
	}
	if strings.Join(said, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
	if got, want := strings.Join(events, "|"), "user_message one \u2028 \"x\"|agent_message two|agent_message three"; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
}

// failing is a writer that fails.
type failing struct{}

var errFull = errors.New("full")

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestWriteConversationFails(t *testing.T) {
	if _, err := (Agent{}).WriteConversation(failing{}, talk()); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}
