package pitest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Client is the real pi with a home of its own, and a fake model on the loopback that speaks OpenAI's Chat Completions API. Its methods end
// the test where they cannot do their work.
type Client struct {
	Home, Project string

	t        testing.TB
	dir      string
	node     string
	mu       sync.Mutex
	requests [][]byte
}

// runTime is how long one run of pi may take.
const runTime = time.Minute

// settings and models are pi's own configuration: one model, with vision.
const (
	settings = `{"defaultProvider":"fake","defaultModel":"fake-chat"}`
	models   = `{"providers":{"fake":{"baseUrl":%q,"apiKey":"none","api":"openai-completions","models":[{"id":"fake-chat","name":"fake-chat",` +
		`"reasoning":false,"input":["text","image"],"cost":{"input":1,"output":2,"cacheRead":0,"cacheWrite":0},"contextWindow":200000,"maxTokens":4096}]}}}`
)

// NewClient makes a client; what it needs is what Command does.
func NewClient(t testing.TB) *Client {
	t.Helper()
	dir, node := installed(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{Home: filepath.Join(root, "home"), Project: filepath.Join(root, "proj"), t: t, dir: dir, node: node}
	server := httptest.NewServer(http.HandlerFunc(c.serve))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	for _, folder := range []string{c.Config(), c.Project} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{"settings.json": settings, "models.json": fmt.Sprintf(models, server.URL+"/v1")} {
		if err := os.WriteFile(filepath.Join(c.Config(), name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// Config is pi's own folder.
func (c *Client) Config() string { return filepath.Join(c.Home, ".pi", "agent") }

func (c *Client) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	c.mu.Lock()
	c.requests = append(c.requests, raw)
	c.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	const chunk = `{"id":"fake","object":"chat.completion.chunk","created":1,"model":"fake-chat","choices":[{"index":0,"delta":%s,"finish_reason":%s}]%s}`
	const usage = `,"usage":{"prompt_tokens":100,"completion_tokens":7,"total_tokens":107}`
	for _, data := range []string{
		fmt.Sprintf(chunk, `{"role":"assistant","content":"pong"}`, "null", ""), fmt.Sprintf(chunk, "{}", `"stop"`, usage), "[DONE]",
	} {
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data) // pi may have gone away
	}
}

// Ping is the prompt with which sessions are resumed.
const Ping = "ping"

// Message is a message as pi sends it.
type Message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content,omitempty"`
	ToolCalls  json.RawMessage `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
}

// Resume has pi go on with the session in a file, whose working folder is Project, and gives the messages that it sends but for the
// system's; Ping is the last. The error says what pi said if it sent nothing.
func (c *Client) Resume(args ...string) ([]Message, error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), runTime)
	defer cancel()
	args = append([]string{filepath.Join(c.dir, "dist", "bundle", "cli.js"), "--offline", "-nc", "-p"}, args...)
	cmd := exec.CommandContext(ctx, c.node, append(args, Ping)...)
	cmd.Dir = c.Project
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.Home, "PI_OFFLINE=1", "PI_TELEMETRY=0", "PI_SKIP_VERSION_CHECK=1", "TERM=dumb", "TZ=UTC"}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.requests) == 0 {
		return nil, fmt.Errorf("pi sent no request: %w: %s", err, strings.TrimSpace(out.String()))
	}
	var request struct{ Messages []Message }
	err = json.Unmarshal(c.requests[len(c.requests)-1], &request)
	var kept []Message
	for _, m := range request.Messages {
		if m.Role != "system" && m.Role != "developer" {
			kept = append(kept, m)
		}
	}
	return kept, err
}
