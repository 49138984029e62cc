// Package claudetest runs, in tests, the real Claude Code against a fake model: to ask it what it makes of a
// transcript, and to have it write new ones. Nothing of the user's own is seen or touched: the client has a home in a folder for the test, and
// knows no address but that of the model, on the loopback.
package claudetest

import (
	"bytes"
	"context"
	"encoding/json"
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

// New finds the client by TLOG_CLAUDE_BIN, the program `claude` of the npm package @anthropic-ai/claude-code. Without it the test is
// skipped, and with TLOG_REQUIRE_CLIENTS it fails. The turns are the model's script.
func New(t testing.TB, turns ...Turn) *Client {
	t.Helper()
	bin := os.Getenv("TLOG_CLAUDE_BIN")
	if bin == "" {
		if os.Getenv("TLOG_REQUIRE_CLIENTS") != "" {
			t.Fatal("TLOG_REQUIRE_CLIENTS is set, but TLOG_CLAUDE_BIN is not")
		}
		t.Skip("Claude Code is not installed: TLOG_CLAUDE_BIN is not set (docs/testing.md)")
	}
	if _, err := os.Stat(bin); err != nil {
		t.Fatal("TLOG_CLAUDE_BIN: ", err)
	}
	c := &Client{Model: NewModel(t, turns...), Timeout: time.Minute, t: t, bin: bin}
	dir := c.tempDir()
	c.Home, c.Project = filepath.Join(dir, "home"), filepath.Join(dir, "proj")
	for _, dir := range []string{c.Config(), c.Project, filepath.Join(c.Home, "tmp")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// tempDir is a folder with a short path, since long ones are cut in the client's names.
func (c *Client) tempDir() string {
	c.t.Helper()
	dir, err := os.MkdirTemp("", "claudetest")
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		for range 20 { // what the client started may still be writing
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		c.t.Log(err)
	})
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		c.t.Fatal(err)
	}
	return dir
}

// Config is the client's configuration folder.
func (c *Client) Config() string { return filepath.Join(c.Home, ".claude") }

// Env is the environment that the client runs in. Nothing of the test's own is in it but the search path.
func (c *Client) Env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.Home, "CLAUDE_CONFIG_DIR=" + c.Config(),
		"CLAUDE_CODE_TMPDIR=" + filepath.Join(c.Home, "tmp"), "TERM=xterm-256color", "LANG=C.UTF-8",
		"ANTHROPIC_BASE_URL=" + c.Model.URL, "ANTHROPIC_API_KEY=none", "NO_PROXY=127.0.0.1",
		"IS_SANDBOX=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_BUG_COMMAND=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}
}

// Result is how a run of the client ended.
type Result struct {
	Stdout, Stderr string
	Code           int
}

// said is what the client tells its user.
func (r Result) said() string {
	var out struct{ Result string }
	if json.Unmarshal([]byte(r.Stdout), &out) == nil && out.Result != "" {
		return out.Result
	}
	return strings.TrimSpace(r.Stderr + " " + r.Stdout)
}

// Run runs the client once, in the project, with nothing on its standard input.
func (c *Client) Run(args ...string) Result {
	c.t.Helper()
	return c.RunIn(c.Project, "", args...)
}

// RunIn runs the client once, in a folder and with an input. A run that takes longer than Timeout is ended, with what it started, and fails the test.
func (c *Client) RunIn(dir, stdin string, args ...string) Result {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), c.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.bin, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, c.Env(), strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second
	clienttest.EndWithChildren(cmd)
	err := cmd.Run()
	var exit *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		c.t.Fatalf("claude %s: %v\n%s", strings.Join(args, " "), errors.Join(ctx.Err(), err), stderr.String())
	}
	return Result{Stdout: stdout.String(), Stderr: stderr.String(), Code: cmd.ProcessState.ExitCode()}
}

// Say has the client take one prompt, which must succeed.
func (c *Client) Say(prompt string, args ...string) {
	c.t.Helper()
	args = append([]string{"-p", prompt, "--output-format", "json"}, args...)
	if r := c.Run(args...); r.Code != 0 {
		c.t.Fatalf("claude %s: exit code %d\n%s%s", strings.Join(args, " "), r.Code, r.Stdout, r.Stderr)
	}
}

// Transcript is where the client keeps a session of the project.
func (c *Client) Transcript(id string) string {
	return filepath.Join(c.projectFolder(), id+".jsonl")
}

// projectFolder is that of the client's for Project. What it makes of other paths is not known here.
func (c *Client) projectFolder() string {
	if len(c.Project) > 200 {
		c.t.Fatalf("the folder for temporary files has too long a path: %s", c.Project)
	}
	plain := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, c.Project)
	return filepath.Join(c.Config(), "projects", plain)
}

// Install puts a transcript where the client looks for a session of the project.
func (c *Client) Install(id string, data []byte) {
	c.t.Helper()
	if err := os.MkdirAll(c.projectFolder(), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.Transcript(id), data, 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// ErrNothingSent says that the client had no conversation to go on with.
var ErrNothingSent = errors.New("the client sent no request")

// Ping is the prompt with which sessions are resumed: the last message of those that Resume gives.
const Ping = "ping"

// Resumed is what the client makes of a transcript.
type Resumed struct {
	Messages []Message // as sent to the model, Ping last
	Refused  []string  // what the real API would refuse of them
}

// Resume resumes a transcript in a fresh home and an empty folder. So what the transcript says is all that counts, and what two
// of them give can be compared. The error is ErrNothingSent, with what the client said.
func Resume(t testing.TB, id string, data []byte) (Resumed, error) {
	t.Helper()
	c := New(t)
	c.Install(id, data)
	return c.Resume(id)
}

// Resume resumes a session of the project with Ping.
func (c *Client) Resume(id string) (Resumed, error) {
	c.t.Helper()
	before := len(c.Model.Requests())
	r := c.Run("-p", Ping, "--resume", id, "--output-format", "json")
	requests := c.Model.Requests()
	for i := len(requests) - 1; i >= before; i-- {
		if requests[i].Main() {
			messages, err := Normalise(requests[i])
			return Resumed{Messages: messages, Refused: Refused(requests[i])}, err
		}
	}
	return Resumed{}, fmt.Errorf("%w: exit code %d: %s", ErrNothingSent, r.Code, r.said())
}
