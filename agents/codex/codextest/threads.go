package codextest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"tlog/agents/clienttest"
)

// Thread is one that the client lists in its picker.
type Thread struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Preview string `json:"preview"` // its first prompt
	Cwd     string `json:"cwd"`
}

// Threads are what the client lists in its picker, as its own server for front ends tells.
func (c *Client) Threads() (threads []Thread) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), c.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.bin, "app-server")
	cmd.Dir, cmd.Env = c.Project, c.Env()
	cmd.WaitDelay = 5 * time.Second
	clienttest.EndWithChildren(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	ask := func(id int, method, params string) json.RawMessage {
		if _, err := fmt.Fprintf(in, `{"id":%d,"method":%q,"params":%s}`+"\n", id, method, params); err != nil {
			c.t.Fatalf("codex app-server: %v", err)
		}
		for {
			line, err := answers.ReadString('\n')
			if err != nil {
				c.t.Fatalf("codex app-server: no answer to %s: %v", method, err)
			}
			var answer struct {
				ID            int
				Result, Error json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.ID != id {
				continue // it tells of other things as well
			}
			if answer.Error != nil {
				c.t.Fatalf("codex app-server: %s: %s", method, answer.Error)
			}
			return answer.Result
		}
	}
	ask(1, "initialize", `{"clientInfo":{"name":"codex-tui","version":"0.171.0"},"capabilities":{"experimentalApi":true}}`)
	_, _ = fmt.Fprintln(in, `{"method":"initialized"}`)
	var list struct{ Data []Thread }
	if err := json.Unmarshal(ask(2, "thread/list", "{}"), &list); err != nil {
		c.t.Fatal(err)
	}
	_ = in.Close() // which ends it
	if err := cmd.Wait(); err != nil && !strings.Contains(err.Error(), "already closed") {
		c.t.Logf("codex app-server: %v", err)
	}
	return list.Data
}
