// Package codextest runs, in tests, the real Codex CLI against a fake model: to ask it what it makes of a rollout, and to have it write
// new ones. Nothing of the user's own is seen or touched: the client has a home in a folder for the test, and knows no address but that of
// the model, on the loopback.
package codextest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tlog/agents/clienttest"
)

// Client is an installed client with a home of its own. Its methods end the test where they cannot do their work.
type Client struct {
	Model *Model
	// Home holds the client's home and configuration; Project is a folder to run it in.
	Home, Project string
	// Timeout is how long one run may take.
	Timeout time.Duration

	t   testing.TB
	bin string
}

// config is the client's configuration (formats/codex.md section 11): a provider of its own, and nothing that talks to anybody else.
const config = `model = "gpt-5.5"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
trace_exporter = "none"
metrics_exporter = "none"
log_user_prompt = false
[features]
plugins = false
apps = false
remote_plugin = false
shell_snapshot = false
[model_providers.fake]
name = "fake"
base_url = %q
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`

// New finds the client by TLOG_CODEX_BIN, the program codex of the npm package @openai/codex. Without it the test is skipped, and with
// TLOG_REQUIRE_CLIENTS it fails. The turns are the model's script.
func New(t testing.TB, turns ...[]Item) *Client {
	t.Helper()
	bin := os.Getenv("TLOG_CODEX_BIN")
	if bin == "" {
		if os.Getenv("TLOG_REQUIRE_CLIENTS") != "" {
			t.Fatal("TLOG_REQUIRE_CLIENTS is set, but TLOG_CODEX_BIN is not")
		}
		t.Skip("Codex is not installed: TLOG_CODEX_BIN is not set (docs/testing.md)")
	}
	if _, err := os.Stat(bin); err != nil {
		t.Fatal("TLOG_CODEX_BIN: ", err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{
		Model: NewModel(t, turns...), Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "proj"), Timeout: time.Minute, t: t, bin: bin,
	}
	for _, folder := range []string{c.Config(), c.Project, filepath.Join(c.Home, "tmp")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(c.Config(), "config.toml"), fmt.Appendf(nil, config, c.Model.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// Config is the client's configuration folder.
func (c *Client) Config() string { return filepath.Join(c.Home, ".codex") }

// Env is the environment that the client runs in. Nothing of the test's own is in it but the search path.
func (c *Client) Env() []string {
	// The program from npm is a script for a Node that lies beside it.
	path := filepath.Dir(c.bin) + string(filepath.ListSeparator) + os.Getenv("PATH")
	return []string{
		"PATH=" + path, "HOME=" + c.Home, "CODEX_HOME=" + c.Config(), "TMPDIR=" + filepath.Join(c.Home, "tmp"),
		"TERM=xterm-256color", "LANG=C.UTF-8", "FAKE_KEY=none", "NO_PROXY=127.0.0.1", "RUST_LOG=error",
	}
}

// Result is how a run of the client ended.
type Result struct {
	Stdout, Stderr string
	Code           int
}

// Run runs the client once, in the project, with nothing on its standard input. A run that takes longer than Timeout is ended, with what it started,
// and fails the test.
func (c *Client) Run(args ...string) Result {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), c.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.bin, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Project, c.Env(), strings.NewReader("")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second
	clienttest.EndWithChildren(cmd)
	err := cmd.Run()
	var exit *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		c.t.Fatalf("codex %s: %v\n%s", strings.Join(args, " "), errors.Join(ctx.Err(), err), stderr.String())
	}
	return Result{Stdout: stdout.String(), Stderr: stderr.String(), Code: cmd.ProcessState.ExitCode()}
}

// Say has the client take one prompt, which must succeed.
func (c *Client) Say(prompt string, args ...string) {
	c.t.Helper()
	args = append(append([]string{"exec", "--skip-git-repo-check", "--json"}, args...), prompt)
	if r := c.Run(args...); r.Code != 0 {
		c.t.Fatalf("codex %s: exit code %d\n%s%s", strings.Join(args, " "), r.Code, r.Stdout, r.Stderr)
	}
}

// Rollouts are the files in which the client keeps its sessions.
func (c *Client) Rollouts() []string {
	c.t.Helper()
	files, err := filepath.Glob(filepath.Join(c.Config(), "sessions", "*", "*", "*", "*.jsonl"))
	if err != nil {
		c.t.Fatal(err)
	}
	return files
}

// Install puts a rollout where the client looks for it.
func (c *Client) Install(id string, data []byte) {
	c.t.Helper()
	dir := filepath.Join(c.Config(), "sessions", "2026", "01", "02")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rollout-2026-01-02T03-04-05-"+id+".jsonl"), data, 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// Ping is the prompt with which sessions are resumed: the last message of those that Resume gives.
const Ping = "ping"

// ErrNothingSent says that the client had no conversation to go on with.
var ErrNothingSent = errors.New("the client sent no request")

// Resume resumes a session with Ping, and gives the input that the client sends, without what it makes anew at each start.
func (c *Client) Resume(id string) ([]Item, error) {
	c.t.Helper()
	before := len(c.Model.Requests())
	r := c.Run("exec", "--skip-git-repo-check", "--json", "resume", id, Ping)
	requests := c.Model.Requests()
	if len(requests) == before {
		return nil, fmt.Errorf("%w: exit code %d: %s", ErrNothingSent, r.Code, strings.TrimSpace(r.Stderr+" "+r.Stdout))
	}
	return Normalise(requests[before].Body.Input), nil
}

// Normalise gives items without messages of the developer, the system and the client, and without the ids that it gives them.
func Normalise(items []Item) (kept []Item) {
	for _, item := range items {
		if role := item["role"]; role == "developer" || role == "system" || item["type"] == "additional_tools" || madeByClient(item) {
			continue
		}
		delete(item, "id")
		delete(item, "status")
		kept = append(kept, item)
	}
	return kept
}

// madeByClient reports whether a message of the user is the client's own.
func madeByClient(item Item) bool {
	content, _ := item["content"].([]any)
	if item["role"] != "user" || len(content) == 0 {
		return false
	}
	part, _ := content[0].(map[string]any)
	text, _ := part["text"].(string)
	for _, tag := range []string{"<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "<skills_instructions>", "# AGENTS.md"} {
		if strings.HasPrefix(strings.TrimSpace(text), tag) {
			return true
		}
	}
	return false
}
