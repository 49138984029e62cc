//go:build acceptance

package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tlog/agents/claude/claudetest"
	"tlog/agents/codex/codextest"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/projection/pitest"
)

const (
	matrixID    = claudetest.SessionID
	matrixImage = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

// matrixSent are the words of the session that a model is to get, in this order; IMAGE stands for the picture. Of the two calls each
// has its result behind it.
var matrixSent = strings.Fields("in-short ask-one IMAGE say-one call-one call-two found-one found-two say-two ask-last say-last")

// matrixGone are those that no model may get: what was compacted, thought, undone, and said by the program.
var matrixGone = strings.Fields("ask-old say-old think-one ask-undone say-undone from-the-program")

// matrixSources are the session in the words of each agent.
func matrixSources() map[string]string {
	return map[string]string{"claude": matrixClaude(), "codex": matrixCodex(), "pi": matrixPi()}
}

func matrixClaude() string {
	boundary := claudetest.NewRow("system", "b1", "")
	boundary["subtype"], boundary["logicalParentUuid"], boundary["content"] = "compact_boundary", "a0", "Conversation compacted"
	boundary["compactMetadata"] = map[string]any{"trigger": "manual", "preTokens": 10}
	summary := claudetest.User("s1", "b1", "in-short")
	summary["isCompactSummary"], summary["isVisibleInTranscriptOnly"] = true, true
	meta := claudetest.User("m1", "s1", "<system-reminder>from-the-program</system-reminder>")
	meta["isMeta"] = true
	failed := claudetest.ToolResult("toolu_2", "found-two")
	failed["is_error"] = true
	return claudetest.Lines(
		claudetest.User("u0", "", "ask-old"), claudetest.Assistant("a0", "u0", "msg_0", claudetest.Text("say-old")),
		boundary, summary, meta,
		claudetest.User("u1", "m1", []claudetest.Block{claudetest.Text("ask-one"), {
			"type": "image", "source": map[string]any{"type": "base64", "media_type": "image/png", "data": matrixImage},
		}}),
		claudetest.Assistant("a1", "u1", "msg_1", claudetest.Thinking("think-one", "c2ln")),
		claudetest.Assistant("a2", "a1", "msg_1", claudetest.Text("say-one")),
		claudetest.Assistant("a3", "a2", "msg_1", claudetest.CallWithID("toolu_1", "Bash", map[string]any{"command": "call-one"})),
		claudetest.Assistant("a4", "a3", "msg_1", claudetest.CallWithID("toolu_2", "mcp.x/odd name", map[string]any{"command": "call-two"})),
		claudetest.User("u2", "a3", []claudetest.Block{claudetest.ToolResult("toolu_1", "found-one")}),
		claudetest.User("u3", "a4", []claudetest.Block{failed}),
		claudetest.Assistant("a5", "u3", "msg_2", claudetest.Text("say-two")),
		claudetest.User("u4", "a5", "ask-undone"), claudetest.Assistant("a6", "u4", "msg_3", claudetest.Text("say-undone")),
	)
}

// jsonLines writes objects, a line each.
func jsonLines(objects ...map[string]any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // as the agents do
	for _, o := range objects {
		if err := encoder.Encode(o); err != nil {
			panic(err)
		}
	}
	return b.String()
}

func matrixCodex() string {
	at := 0
	line := func(kind string, payload map[string]any) map[string]any {
		at++
		return map[string]any{"timestamp": fmt.Sprintf("2026-05-04T10:00:%02d.000Z", at), "type": kind, "payload": payload}
	}
	say := func(role, kind, text string, more ...map[string]any) map[string]any {
		content := append([]map[string]any{{"type": kind, "text": text}}, more...)
		return map[string]any{"type": "message", "role": role, "content": content}
	}
	user := func(text string, more ...map[string]any) []map[string]any {
		return []map[string]any{
			line("response_item", say("user", "input_text", text, more...)), line("event_msg", map[string]any{"type": "user_message", "message": text}),
		}
	}
	item := func(payload map[string]any) map[string]any { return line("response_item", payload) }
	call := func(id, name, command string) map[string]any {
		return item(map[string]any{"type": "function_call", "name": name, "arguments": `{"cmd":"` + command + `"}`, "call_id": id})
	}
	output := func(id, text string) map[string]any {
		return item(map[string]any{"type": "function_call_output", "call_id": id, "output": text})
	}
	var all []map[string]any
	add := func(lines ...map[string]any) { all = append(all, lines...) }
	add(line("session_meta", map[string]any{
		"id": matrixID, "timestamp": "2026-05-04T10:00:00.000Z", "cwd": "/somewhere/else", "originator": "codex_cli_rs", "cli_version": "0.171.0", "source": "cli",
	}))
	add(item(say("developer", "input_text", "from-the-program")), item(say("user", "input_text", "<environment_context>from-the-program</environment_context>")))
	add(user("ask-old")...)
	add(item(say("assistant", "output_text", "say-old")))
	add(line("compacted", map[string]any{"message": "in-short", "replacement_history": []map[string]any{
		say("user", "input_text", "<environment_context>from-the-program</environment_context>"), say("user", "input_text", "in-short"),
	}}))
	add(user("ask-one", map[string]any{"type": "input_image", "image_url": "data:image/png;base64," + matrixImage})...)
	add(item(map[string]any{"type": "reasoning", "summary": []map[string]any{{"type": "summary_text", "text": "think-one"}}, "encrypted_content": nil}))
	add(item(say("assistant", "output_text", "say-one")), call("call_1", "exec_command", "call-one"), call("call_2", "exec_command", "call-two"))
	add(output("call_1", "found-one"), output("call_2", "execution error: found-two"))
	add(item(say("assistant", "output_text", "say-two")))
	add(user("ask-undone")...)
	add(item(say("assistant", "output_text", "say-undone")))
	return jsonLines(all...)
}

func matrixPi() string {
	at := 0
	parent := any(nil)
	all := []map[string]any{{"type": "session", "version": 3, "id": matrixID, "timestamp": "2026-05-04T10:00:00.000Z", "cwd": "/somewhere/else"}}
	entry := func(kind string, fields map[string]any) string {
		at++
		id := fmt.Sprintf("%08x", at)
		line := map[string]any{"type": kind, "id": id, "parentId": parent, "timestamp": fmt.Sprintf("2026-05-04T10:00:%02d.000Z", at)}
		for key, value := range fields {
			line[key] = value
		}
		parent = id
		all = append(all, line)
		return id
	}
	text := func(s string) map[string]any { return map[string]any{"type": "text", "text": s} }
	say := func(role string, blocks ...map[string]any) {
		message := map[string]any{"role": role, "content": blocks, "timestamp": 1777888800000 + at}
		if role == "assistant" {
			cost := map[string]any{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
			message["api"], message["provider"], message["model"], message["stopReason"] = "openai-completions", "other", "other-model", "stop"
			message["usage"] = map[string]any{"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2, "cost": cost}
		}
		entry("message", map[string]any{"message": message})
	}
	call := func(id, command string) map[string]any {
		return map[string]any{"type": "toolCall", "id": id, "name": "bash", "arguments": map[string]any{"command": command}}
	}
	result := func(id, found string, failed bool) {
		entry("message", map[string]any{"message": map[string]any{
			"role": "toolResult", "toolCallId": id, "toolName": "bash", "content": []any{text(found)}, "isError": failed, "timestamp": 1777888800000 + at,
		}})
	}
	entry("message", map[string]any{"message": map[string]any{"role": "system", "content": "from-the-program", "timestamp": 1777888800000}})
	say("user", text("ask-old"))
	say("assistant", text("say-old"))
	entry("compaction", map[string]any{"summary": "in-short", "firstKeptEntryId": "00000004", "tokensBefore": 10})
	say("user", text("ask-one"), map[string]any{"type": "image", "data": matrixImage, "mimeType": "image/png"})
	say("assistant", map[string]any{"type": "thinking", "thinking": "think-one"}, text("say-one"), call("call_1|x", "call-one"), call("call_2", "call-two"))
	result("call_1|x", "found-one", false)
	result("call_2", "found-two", true)
	say("assistant", text("say-two"))
	say("user", text("ask-undone"))
	say("assistant", text("say-undone"))
	return jsonLines(all...)
}

// run runs a command with an input; it must succeed.
func (in imported) run(stdin string, args ...string) string {
	in.t.Helper()
	streams, out, errs := terminal.Test(strings.NewReader(stdin))
	app := &App{IO: streams, Cwd: in.dir, Now: time.Now, Random: rand.Reader, Lookup: func(name string) (string, bool) {
		home, ok := map[string]string{"HOME": in.dir}[name]
		return home, ok
	}}
	if code := app.Run(in.t.Context(), args); code != exitOK {
		in.t.Fatalf("tlog %s: exit code %d: %s", strings.Join(args, " "), code, errs)
	}
	return out.String()
}

// matrixSession imports the session in an agent's words, undoes its last turn, and goes on.
func matrixSession(t *testing.T, source string) imported {
	t.Helper()
	in := imported{t: t, dir: t.TempDir(), session: matrixID}
	name := map[string]string{"codex": "rollout-2026-05-04T10-00-00-" + matrixID + ".jsonl"}[source]
	if name == "" {
		name = matrixID + ".jsonl"
	}
	file := filepath.Join(in.dir, name)
	if err := os.WriteFile(file, []byte(matrixSources()[source]), 0o600); err != nil {
		t.Fatal(err)
	}
	in.run("", "import", file)
	in.run("", "-s", matrixID, "undo", "--turns", "1")
	in.run(`{"role":"user","content":"ask-last"}`+"\n"+`{"role":"assistant","content":[{"type":"text","text":"say-last"}]}`+"\n", "-s", matrixID, "append")
	return in
}

// matrixResumed is what the real client of an agent sends of an export, as JSON, and the results of calls by the words of these.
type matrixResumed struct {
	sent    string
	results map[string]string
}

func (in imported) installed(agent, home, cwd string, flags ...string) (session, file string) {
	in.t.Helper()
	out := filepath.Join(in.t.TempDir(), "out.jsonl")
	var report struct{ Session string }
	args := append([]string{"-s", in.session, "export", "--to", agent, "--cwd", cwd, "-o", out, "--json"}, flags...)
	if err := json.Unmarshal([]byte(in.run("", args...)), &report); err != nil {
		in.t.Fatal(err)
	}
	return report.Session, out
}

func resumeClaude(t *testing.T, in imported, flags ...string) matrixResumed {
	c := claudetest.New(t)
	session, file := in.installed("claude", c.Home, c.Project, flags...)
	c.Install(session, readFile(t, file))
	got, err := c.Resume(session)
	if err != nil {
		t.Fatal(err)
	}
	if got.Refused != nil {
		t.Errorf("refused: %q", got.Refused)
	}
	r := matrixResumed{sent: claudetest.Words(got.Messages), results: map[string]string{}}
	calls := map[any]string{}
	for _, m := range got.Messages {
		for _, b := range m.Content {
			switch b["type"] {
			case "tool_use":
				calls[b["id"]] = asJSON(t, b["input"])
			case "tool_result":
				r.results[calls[b["tool_use_id"]]] = fmt.Sprint(b["is_error"] == true, " ", asJSON(t, b["content"]))
			}
		}
	}
	return r
}

func resumeCodex(t *testing.T, in imported, flags ...string) matrixResumed {
	c := codextest.New(t)
	session, file := in.installed("codex", c.Home, c.Project, flags...)
	c.Install(session, readFile(t, file))
	got, err := c.Resume(session)
	if err != nil {
		t.Fatal(err)
	}
	r := matrixResumed{results: map[string]string{}}
	calls := map[any]string{}
	for _, item := range got {
		r.sent += asJSON(t, item) + "\n"
		switch item["type"] {
		case "function_call":
			calls[item["call_id"]] = asJSON(t, item["arguments"])
		case "function_call_output":
			text := asJSON(t, item["output"])
			r.results[calls[item["call_id"]]] = fmt.Sprint(strings.Contains(text, "execution error: "), " ", text)
		}
	}
	return r
}

func resumePi(t *testing.T, in imported, flags ...string) matrixResumed {
	c := pitest.NewClient(t)
	_, file := in.installed("pi", c.Home, c.Project, flags...)
	got, err := c.Resume("--session", file)
	if err != nil {
		t.Fatal(err)
	}
	r := matrixResumed{results: map[string]string{}}
	calls := map[string]string{}
	for _, m := range got {
		r.sent += asJSON(t, m) + "\n"
		var toolCalls []struct {
			ID       string
			Function struct{ Arguments string }
		}
		if m.ToolCalls != nil {
			if err := json.Unmarshal(m.ToolCalls, &toolCalls); err != nil {
				t.Fatal(err)
			}
		}
		for _, call := range toolCalls {
			calls[call.ID] = call.Function.Arguments
		}
		if m.Role == "tool" { // whose API has no word for a failure
			r.results[calls[m.ToolCallID]] = string(m.Content)
		}
	}
	return r
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestAcceptanceHandoff: from each agent to each, the client of the other goes on with the whole conversation.
func TestAcceptanceHandoff(t *testing.T) {
	targets := map[string]func(*testing.T, imported, ...string) matrixResumed{"claude": resumeClaude, "codex": resumeCodex, "pi": resumePi}
	for source := range matrixSources() {
		for target, resume := range targets {
			t.Run(source+" to "+target, func(t *testing.T) {
				gone := matrixGone
				if source == target { // goes on as its own: with what its model thought
					gone = strings.Fields("ask-old say-old ask-undone say-undone")
				}
				in := matrixSession(t, source)
				got := resume(t, in)
				matrixOrder(t, got.sent, gone)
				matrixResults(t, target, got.results)
				if source == target {
					return
				}
				got = resume(t, in, "--thinking", "text", "--tools", "text", "--no-images")
				for _, word := range strings.Fields("think-one call-one call-two found-one found-two say-last") {
					if !strings.Contains(got.sent, word) {
						t.Errorf("as text %s is missing in %.3000s", word, got.sent)
					}
				}
				if len(got.results) > 0 || strings.Contains(got.sent, matrixImage) {
					t.Errorf("as text there are %d calls, or the image: %.3000s", len(got.results), got.sent)
				}
			})
		}
	}
}

// matrixOrder holds that what is sent has all the words in their order, and none of those that are gone.
func matrixOrder(t *testing.T, sent string, gone []string) {
	t.Helper()
	rest := sent
	for _, word := range append(matrixSent[:len(matrixSent):len(matrixSent)], claudetest.Ping) {
		if word == "IMAGE" {
			word = matrixImage
		}
		_, after, ok := strings.Cut(rest, word)
		if !ok {
			t.Errorf("%s is not sent in its place:\n%.4000s", word, sent)
			return
		}
		rest = after
	}
	for _, word := range gone {
		if strings.Contains(sent, word) {
			t.Errorf("%s is sent:\n%.4000s", word, sent)
		}
	}
}

// matrixResults holds that each call has its result, and that the failed one failed.
func matrixResults(t *testing.T, target string, results map[string]string) {
	t.Helper()
	if len(results) != 2 {
		t.Errorf("results %q", results)
	}
	for call, result := range results {
		want, failed := "found-one", "false "
		if strings.Contains(call, "call-two") {
			want, failed = "found-two", "true "
		}
		if !strings.Contains(result, want) || target != "pi" && !strings.HasPrefix(result, failed) {
			t.Errorf("the result of %s is %s", call, result)
		}
	}
}
