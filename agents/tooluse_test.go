package agents

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
)

type (
	use    = objects.ToolUse
	fileOp = objects.FileOp
)

// TestToolUse: tools of pi, and of agents whose tools are known by their usual names.
func TestToolUse(t *testing.T) {
	edit := func(op fileOp) use { op.Kind, op.Plain = objects.FileEdit, true; return use{Files: []fileOp{op}} }
	read := func(op fileOp) use { return use{Files: []fileOp{op}} }
	for _, tt := range []struct {
		agent, tool, input, result, details string
		want                                use
	}{
		{"", "bash", `{"command":"ls"}`, "a", "", use{Command: "ls", HasExit: true}},
		{"", "bash", `{"command":"ls"}`, "!no\n\nCommand exited with code 2", "", use{Command: "ls", Failed: true, Exit: 2, HasExit: true}},
		{"", "bash", `{"command":"ls"}`, "!Command aborted", "", use{Command: "ls", Failed: true}},
		{"", "bash", `{"command":"ls"}`, "-", "", use{Command: "ls", Pending: true}},
		{"", "read", `{"path":"a"}`, "x\r\n", "", read(fileOp{Path: "a", Text: "x\r\n", Whole: true})},
		{"", "read", `{"path":"a","offset":3}`, "x\n", "", read(fileOp{Path: "a", Text: "x\n", FirstLine: 3})},
		{"", "read", `{"path":"a","limit":1}`, "x\n\n[7 more lines in file. Use offset=2 to continue.]", "", read(fileOp{Path: "a", Text: "x", FirstLine: 1})},
		{"", "read", `{"path":"a","limit":1}`, "x\n\n... (7 more lines not shown. Use offset=2 to continue reading)", "", read(fileOp{Path: "a", Text: "x", FirstLine: 1})},
		{"", "read", `{"path":"a"}`, "x\n\n... (Some lines were truncated to 2000 characters for display)", "", read(fileOp{Path: "a", Text: "x"})},
		{"", "read", `{"path":"a"}`, "x\n\n[Showing lines 1-1 of 9 (50.0KB limit). Use offset=2 to continue.]", `{"truncation":{}}`, read(fileOp{Path: "a", Text: "x", FirstLine: 1})},
		{"", "read", `{"path":"a"}`, "x\uFFFD", "", read(fileOp{Path: "a", Text: "x\uFFFD"})},
		{"", "read", `{"path":"a"}`, "!ENOENT", "", use{Failed: true, Files: []fileOp{{Path: "a"}}}},
		{"", "write", `{"path":"a","content":"x"}`, "ok", "", use{Files: []fileOp{{Kind: objects.FileWrite, Path: "a", Text: "x", Whole: true}}}},
		{"", "edit", `{"path":"a","oldText":"x","newText":"y"}`, "ok", `{"diff":"-1 x\n+1 y\n+2 z"}`,
			edit(fileOp{Path: "a", Edits: []objects.TextEdit{{Old: "x", New: "y"}}, Added: 2, Removed: 1, Counted: true})},
		{"", "edit", `{"path":"a","edits":[{"oldText":"x","newText":"y"},{"oldText":"p","newText":""}]}`, "ok", `{"diff":"","patch":"--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n"}`,
			edit(fileOp{
				Path: "a", Edits: []objects.TextEdit{{Old: "x", New: "y"}, {Old: "p"}}, Added: 1, Removed: 1, Counted: true,
				Hunks: []objects.Hunk{{OldStart: 1, Lines: []objects.HunkLine{{Op: '-', Text: "x"}, {Op: '+', Text: "y"}}}},
			})},
		{"", "grep", `{"pattern":"x"}`, "a", "", use{}},
		{"", "Bash", `{"command":"ls"}`, "a", "", use{Command: "ls"}},
		{"", "subagent", `{}`, "a", "", use{Opaque: true}},

		{"gemini", "run_shell_command", `{"command":"ls","dir_path":"sub"}`, "a", "", use{Command: "ls", Cwd: "sub"}},
		{"gemini", "read_file", `{"file_path":"a"}`, "x\n", "", read(fileOp{Path: "a", Text: "x\n", Whole: true, Plain: true})},
		{"gemini", "read_file", `{"file_path":"a","limit":1}`, "x\n", "", read(fileOp{Path: "a", Plain: true})},
		{"gemini", "write_file", `{"file_path":"a","content":"x\n"}`, "Successfully overwrote file: a.", "",
			use{Files: []fileOp{{Kind: objects.FileWrite, Path: "a", Text: "x\n", Whole: true, Plain: true, Existed: true}}}},
		{"gemini", "write_file", `{"file_path":"a","content":"x\n"}`, "Successfully created and wrote to new file: a.", "",
			use{Files: []fileOp{{Kind: objects.FileWrite, Path: "a", Text: "x\n", Whole: true, Plain: true, Created: true, Added: 1, Counted: true}}}},
		{"gemini", "write_file", `{"file_path":"a","content":"x\n"}`, "Successfully overwrote file: a. User modified the `content` to be: y", "",
			use{Files: []fileOp{{Kind: objects.FileEdit, Path: "a"}}}},
		{"gemini", "replace", `{"file_path":"a","old_string":"x","new_string":"y","expected_replacements":2}`, "ok", "",
			edit(fileOp{Path: "a", Edits: []objects.TextEdit{{Old: "x", New: "y", All: true}}})},
		{"opencode", "read", `{"filePath":"/a"}`, "<path>/a</path>\n<type>file</type>\n<content>1: x\n2: \ty\n\n(End of file - total 2 lines)\n</content>", "",
			read(fileOp{Path: "/a", Text: "x\n\ty", FirstLine: 1, Plain: true})},
		{"opencode", "read", `{"filePath":"/a"}`, "<file>\n00007| x\n00008| \n</file>", "", read(fileOp{Path: "/a", Text: "x\n", FirstLine: 7, Plain: true})},
		{"opencode", "write", `{"filePath":"/a","content":"x"}`, "ok", "", use{Files: []fileOp{{Kind: objects.FileWrite, Path: "/a", Text: "x", Whole: true, Plain: true, Unsure: true}}}},
		{"opencode", "apply_patch", `{"patchText":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`, "ok", "", use{Files: []fileOp{{Kind: objects.FileDelete, Path: "a"}}}},
		{"opencode", "apply_patch", `{"patchText":"what"}`, "ok", "", use{Opaque: true}},
		{"copilot", "view", `{"path":"/a"}`, "1. x\n2. y", "", read(fileOp{Path: "/a", Text: "x\ny", FirstLine: 1, Plain: true})},
		{"copilot", "create", `{"path":"/a","file_text":"x"}`, "Created file /a", "",
			use{Files: []fileOp{{Kind: objects.FileWrite, Path: "/a", Text: "x", Whole: true, Plain: true, Created: true, Added: 1, Counted: true}}}},
		{"copilot", "edit", `{"path":"/a","old_str":"x","new_str":"y\nz"}`, "ok", "", edit(fileOp{Path: "/a", Edits: []objects.TextEdit{{Old: "x", New: "y\nz"}}, Added: 2, Removed: 1, Counted: true})},
		{"copilot", "replace_string_in_file", `{"filePath":"/a","oldString":"x","newString":""}`, "ok", "",
			edit(fileOp{Path: "/a", Edits: []objects.TextEdit{{Old: "x"}}, Removed: 1, Counted: true})},
		{"copilot", "web_search", `{"query":"x"}`, "ok", "", use{}},
		{"other", "mcp__disk__move_file", `{"source":"a","destination":"b"}`, "ok", "", use{Files: []fileOp{{Kind: objects.FileMove, Path: "a", To: "b"}}}},
		{"other", "delete_file", `{"path":"a"}`, "!no", "", use{Failed: true, Files: []fileOp{{Kind: objects.FileDelete, Path: "a"}}}},
		{"other", "str_replace_based_edit_tool", `{"command":"insert","path":"a"}`, "ok", "", use{Files: []fileOp{{Kind: objects.FileEdit, Path: "a"}}}},
		{"other", "write_file", `{"content":"x"}`, "ok", "", use{Opaque: true}},
	} {
		call := objects.Block{Kind: objects.BlockToolCall, Name: tt.tool, Arguments: json.RawMessage(tt.input)}
		result := objects.Block{}
		if tt.result != "-" {
			result = resultBlock(t, tt.tool, tt.result, tt.details)
		}
		if got := ToolUse(tt.agent, call, result, objects.Entry{}); !cmp.Equal(got, tt.want) {
			t.Errorf("%s, %s %s: %s", tt.agent, tt.tool, tt.input, cmp.Diff(tt.want, got))
		}
	}
}

// resultBlock is a result in pi's words; a text that begins with "!" is one of a failure.
func resultBlock(t *testing.T, tool, text, details string) objects.Block {
	t.Helper()
	failed := text[0] == '!'
	if failed {
		text = text[1:]
	}
	message := map[string]any{"role": "toolResult", "toolName": tool, "isError": failed, "content": []any{map[string]any{"type": "text", "text": text}}}
	if details != "" {
		message["details"] = json.RawMessage(details)
	}
	raw, err := json.Marshal(map[string]any{"type": "message", "message": message})
	if err != nil {
		t.Fatal(err)
	}
	e, err := objects.ParseEntry(raw)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := objects.DecodeMessage(e)
	return m.Results()[0]
}
