package projection

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/agents/claude"
	"tlog/log"
	"tlog/objects"
	"tlog/objects/sharedtest"
)

// TestSharedClaudeResumes holds the contexts of real transcripts against what the client sent when it resumed them. Each recording
// was made with one more prompt: of oracle.messages.json it stands in the transcript, of resume.messages.json it does not.
func TestSharedClaudeResumes(t *testing.T) {
	for _, path := range sharedtest.Glob(t, "*/*.messages.json", "samples", "claude") {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir)+"/"+filepath.Base(path), func(t *testing.T) {
			want := readSent(t, path)
			var prompt string // that the transcript ends with for the recording
			if last := want[len(want)-1]; filepath.Base(path) == "oracle.messages.json" {
				prompt = last.Blocks[len(last.Blocks)-1]
			} else {
				want = want[:len(want)-1]
			}
			compared := 0
			for _, file := range sharedtest.Glob(t, "*/*.jsonl", "samples", "claude", filepath.Base(dir), "projects") {
				l, leaf := readTranscript(t, file)
				if prompt != "" {
					if leaf = findPrompt(t, l, prompt); leaf == log.None {
						continue // it is not the one that was resumed
					}
				}
				compared++
				request, err := buildAt(t, l, leaf).Anthropic()
				if err != nil {
					t.Fatal(err)
				}
				got := normalised(t, requestJSON(request))
				if explain, ok := explained()[filepath.Base(dir)]; ok {
					want, got = explain(want), explain(got)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-client +tlog):\n%s", filepath.Base(file), diff)
				}
			}
			if compared != 1 {
				t.Errorf("%d transcripts were compared, want 1", compared)
			}
		})
	}
}

// TestSharedClaudeRequests holds the requests at the leaves of all transcripts against the rules of the APIs.
func TestSharedClaudeRequests(t *testing.T) {
	files := append(sharedtest.Glob(t, "*.jsonl", "corpus", "claude"), sharedtest.Glob(t, "*/projects/*/*.jsonl", "samples", "claude")...)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			l, leaf := readTranscript(t, file)
			if leaf != log.None {
				checkAt(t, l, leaf)
			}
		})
	}
}

// explained are the differences that are meant, by the name of the transcript.
func explained() map[string]func([]sentMessage) []sentMessage {
	return map[string]func([]sentMessage) []sentMessage{
		// The client tells its model how a prompt came that was typed while it was busy. The prompt is all that the user said.
		"n-queue": func(messages []sentMessage) []sentMessage {
			return mapTexts(messages, func(text string) (string, bool) {
				text, _ = strings.CutPrefix(text, "The user sent a new message while you were working:\n")
				text, _, _ = strings.Cut(text, "\n\nThis is how Claude Code surfaces messages")
				return text, true
			})
		},
		// The reply that the client made up hangs behind the commands that it stepped over (docs/claude.md "The graph", 3).
		"l-rename-branch": func(messages []sentMessage) []sentMessage {
			return mapTexts(messages, func(text string) (string, bool) { return text, text != "No response requested." })
		},
	}
}

// mapTexts changes and drops blocks, and joins the messages of one role that are neighbours then.
func mapTexts(messages []sentMessage, change func(string) (text string, keep bool)) (out []sentMessage) {
	for _, m := range messages {
		for _, b := range m.Blocks {
			if text, keep := change(b); keep {
				out = appendSent(out, m.Role, text)
			}
		}
	}
	return out
}

// appendSent appends a block to the last message if that is of the role, else to a new one.
func appendSent(messages []sentMessage, role, text string) []sentMessage {
	if n := len(messages); n == 0 || messages[n-1].Role != role {
		messages = append(messages, sentMessage{Role: role})
	}
	last := &messages[len(messages)-1]
	last.Blocks = append(last.Blocks, text)
	return messages
}

// readTranscript makes a log of a transcript as an import does; leaf is where the client would go on.
func readTranscript(t *testing.T, file string) (l *log.Log, leaf int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	session := objects.ID(strings.TrimSuffix(filepath.Base(file), ".jsonl"))
	reader := claude.Agent{}.NewReader(session)
	lines := []string{`{"type":"session","version":4,"id":"` + string(session) + `","timestamp":"2026-11-30T10:00:00.000Z","agent":"claude","source":{}}`}
	for _, v := range reader.Read(data) {
		lines = append(lines, string(v.Bytes()))
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(joined(lines)), 0o600); err != nil {
		t.Fatal(err)
	}
	l = openForeign(t, path)
	if reader.Leaf() == "" {
		return l, log.None
	}
	leaf, ok := l.Find(reader.Leaf())
	if !ok {
		t.Fatalf("the leaf %q is not in the log", reader.Leaf())
	}
	return l, leaf
}

// findPrompt is the entry with a prompt of the text, log.None if there is none.
func findPrompt(t *testing.T, l *log.Log, text string) int {
	t.Helper()
	for at := range l.Len() {
		e, err := l.Entry(at)
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := l.Message(e); ok && m.Prompt() && m.Text() == text {
			return at
		}
	}
	return log.None
}

// sentMessage is a message of a request in a form to compare. Texts stand for themselves, other blocks for their JSON.
type sentMessage struct {
	Role   string
	Blocks []string
}

func readSent(t *testing.T, path string) []sentMessage {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return normalised(t, data)
}

// normalised gives the messages of a request without what is no difference: reminders, which the client makes anew at each start;
// where a user's message ends and the next begins, since it joins them, with a line feed between; whether a text
// stands in a list of blocks.
func normalised(t *testing.T, request []byte) []sentMessage {
	t.Helper()
	var messages []struct {
		Role    string
		Content any
	}
	if err := json.Unmarshal(request, &messages); err != nil {
		t.Fatal(err)
	}
	var out []sentMessage
	for _, m := range messages {
		for _, b := range blocksIn(m.Content) {
			text, isText := b["text"].(string)
			text = strings.TrimRight(text, "\n")
			if isText && strings.HasPrefix(strings.TrimSpace(text), "<system-reminder>") {
				continue
			}
			if b["type"] == "tool_result" {
				b["content"] = blocksIn(b["content"])
			}
			if !isText {
				raw, err := json.Marshal(b)
				if err != nil {
					t.Fatal(err)
				}
				text = string(raw)
			}
			out = appendSent(out, m.Role, text)
		}
	}
	return out
}

// blocksIn are the blocks of a content.
func blocksIn(content any) []map[string]any {
	var blocks []map[string]any
	switch content := content.(type) {
	case string:
		blocks = append(blocks, map[string]any{"type": "text", "text": content})
	case []any:
		for _, b := range content {
			if block, ok := b.(map[string]any); ok {
				delete(block, "cache_control")
				blocks = append(blocks, block)
			} else {
				blocks = append(blocks, map[string]any{"type": fmt.Sprint(b)})
			}
		}
	}
	return blocks
}
