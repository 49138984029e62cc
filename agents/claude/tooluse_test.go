package claude

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
)

// useOf reads a call and the row of its result, each given as the JSON that stands in them.
func useOf(t *testing.T, name, input, result, recorded string) (objects.ToolUse, bool) {
	t.Helper()
	call := objects.Block{Kind: objects.BlockToolCall, Name: name, CallID: "c", Arguments: json.RawMessage(input)}
	if result == "" {
		return Agent{}.ToolUse(call, objects.Block{}, objects.Entry{})
	}
	line := `{"type":"user","uuid":"u","message":{"role":"user","content":[` + result + `]}`
	if recorded != "" {
		line += `,"toolUseResult":` + recorded
	}
	row, err := objects.ParseEntry(objects.Envelope{Type: objects.TypeMessage, ID: "u", Agent: "claude", Line: []byte(line + "}")}.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	m, ok := Agent{}.Message(row)
	if !ok || len(m.Results()) == 0 {
		t.Fatal("no result in ", line)
	}
	return Agent{}.ToolUse(call, m.Results()[0], row)
}

func toolSaid(text string, failed bool) string {
	b, _ := json.Marshal(map[string]any{"type": "tool_result", "tool_use_id": "c", "content": text, "is_error": failed})
	return string(b)
}

func TestToolUse(t *testing.T) {
	type (
		use = objects.ToolUse
		op  = objects.FileOp
	)
	files := func(op op) use { return use{Files: []objects.FileOp{op}} }
	for _, tt := range []struct {
		name, tool, input, result, recorded string
		want                                use
	}{
		{"a command", "Bash", `{"command":"ls"}`, toolSaid("a", false), `{"stdout":"a","stderr":"","interrupted":false}`, use{Command: "ls", HasExit: true}},
		{"that failed", "Bash", `{"command":"x"}`, toolSaid("Exit code 3\nno", true), `"Error: Exit code 3\nno"`, use{Command: "x", Failed: true, Exit: 3, HasExit: true}},
		{"that found nothing", "Bash", `{"command":"grep x"}`, toolSaid("", false), `{"stdout":"","returnCodeInterpretation":"No matches found"}`, use{Command: "grep x"}},
		{"that was stopped", "Bash", `{"command":"x"}`, toolSaid("", false), `{"stdout":"","interrupted":true}`, use{Command: "x", Failed: true}},
		{"that was refused", "Bash", `{"command":"x"}`, toolSaid("The user doesn't want to proceed with this tool use. No", true), "", use{Command: "x", Failed: true, NotRun: true}},
		{"that runs", "Bash", `{"command":"x"}`, "", "", use{Command: "x", Pending: true}},
		{"in the background", "Bash", `{"command":"x"}`, toolSaid("", false), `{"stdout":"","backgroundTaskId":"b"}`, use{Command: "x"}},

		{"a whole file", "Read", `{"file_path":"/a"}`, toolSaid("1→x", false), `{"type":"text","file":{"filePath":"/a","content":"x\n","numLines":2,"startLine":1,"totalLines":2}}`,
			files(op{Path: "/a", Text: "x\n", Whole: true, Plain: true})},
		{"a part of it", "Read", `{"file_path":"/a","offset":2}`, toolSaid("2→x", false), `{"type":"text","file":{"content":"x\n","numLines":2,"startLine":2,"totalLines":3}}`,
			files(op{Path: "/a", Text: "x\n", FirstLine: 2, Plain: true})},
		{"that is no UTF-8", "Read", `{"file_path":"/a"}`, toolSaid("1→x", false), `{"type":"text","file":{"content":"x�","numLines":1,"startLine":1,"totalLines":1}}`,
			files(op{Path: "/a", Text: "x\uFFFD", Plain: true})},
		{"an image", "Read", `{"file_path":"/a"}`, toolSaid("", false), `{"type":"image","file":{"base64":"","type":"image/png"}}`, files(op{Path: "/a", Plain: true})},
		{"without a record", "Read", `{"file_path":"/a"}`, toolSaid("     9→x\n    10→\ty\n\n<system-reminder>\n11→z", false), "",
			files(op{Path: "/a", Text: "x\n\ty", FirstLine: 9, Plain: true})},

		{"a new file", "Write", `{"file_path":"/a","content":"x  \n"}`, toolSaid("File created successfully at: /a", false),
			`{"type":"create","filePath":"/a","content":"x\n","structuredPatch":[],"originalFile":null}`,
			files(op{Kind: objects.FileWrite, Path: "/a", Text: "x\n", Whole: true, Plain: true, Created: true, Added: 1, Counted: true})},
		{"an old one", "Write", `{"file_path":"/a","content":"y\n"}`, toolSaid("ok", false),
			`{"type":"update","filePath":"/a","content":"y\n","structuredPatch":[{"oldStart":1,"lines":["-x","+y"]}],"originalFile":"x\n"}`,
			files(op{Kind: objects.FileWrite, Path: "/a", Text: "y\n", Whole: true, Plain: true, Existed: true, Before: "x\n", HasBefore: true, Added: 1, Removed: 1, Counted: true})},
		{"without a record", "Write", `{"file_path":"/a","content":"y"}`, toolSaid("File created successfully at: /a", false), "",
			files(op{Kind: objects.FileWrite, Path: "/a", Text: "y", Whole: true, Plain: true, Created: true, Added: 1, Counted: true})},

		{"an edit", "Edit", `{"file_path":"/a","old_string":"x","new_string":"y"}`, toolSaid("ok", false),
			`{"filePath":"/a","oldString":"x","newString":"y","originalFile":"\tx\n","structuredPatch":[{"oldStart":1,"lines":["-  x","+  y"]}],"replaceAll":false}`,
			files(op{Kind: objects.FileEdit, Path: "/a", Plain: true, Before: "\tx\n", HasBefore: true, Edits: []objects.TextEdit{{Old: "x", New: "y", Line: true}}, Added: 1, Removed: 1, Counted: true})},
		{"that the user changed", "Edit", `{"file_path":"/a","old_string":"x","new_string":"y"}`, toolSaid("ok", false),
			`{"filePath":"/a","oldString":"x","newString":"y","originalFile":"x\n","structuredPatch":[{"oldStart":1,"lines":["-x","+z"]}],"userModified":true}`,
			files(op{Kind: objects.FileEdit, Path: "/a", Plain: true, Before: "x\n", HasBefore: true, Added: 1, Removed: 1, Counted: true})},
		{"that failed", "Edit", `{"file_path":"/a","old_string":"x","new_string":"y"}`, toolSaid("<tool_use_error>String to replace not found", true), `"Error: String to replace not found"`,
			use{Failed: true, Files: []op{{Kind: objects.FileEdit, Path: "/a", Plain: true, Edits: []objects.TextEdit{{Old: "x", New: "y", Line: true}}, Added: 1, Removed: 1, Counted: true}}}},
		{"several edits", "MultiEdit", `{"file_path":"/a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"y","new_string":"","replace_all":true}]}`, toolSaid("ok", false), "",
			files(op{Kind: objects.FileEdit, Path: "/a", Plain: true, Edits: []objects.TextEdit{{Old: "x", New: "y", Line: true}, {Old: "y", All: true, Line: true}}})},
		{"a notebook", "NotebookEdit", `{"notebook_path":"/n"}`, toolSaid("ok", false), `{"original_file":"a","updated_file":"b"}`,
			files(op{Kind: objects.FileEdit, Path: "/n", Plain: true, Before: "a", HasBefore: true, After: "b", HasAfter: true})},

		{"a subagent", "Task", `{"subagent_type":"general-purpose"}`, toolSaid("ok", false), "", use{Opaque: true}},
		{"one that only looks", "Task", `{"subagent_type":"Explore"}`, toolSaid("ok", false), "", use{}},
		{"a search", "Grep", `{"pattern":"x"}`, toolSaid("ok", false), "", use{}},
		{"two results in a row", "Write", `{"file_path":"/a","content":"y"}`, toolSaid("ok", false) + "," + toolSaid("ok", false), `{"type":"create","content":"z"}`,
			files(op{Kind: objects.FileWrite, Path: "/a", Text: "y", Whole: true, Plain: true})},
	} {
		got, ok := useOf(t, tt.tool, tt.input, tt.result, tt.recorded)
		if !ok || !cmp.Equal(got, tt.want) {
			t.Errorf("%s, %s: %v %s", tt.tool, tt.name, ok, cmp.Diff(tt.want, got))
		}
	}
	if _, ok := useOf(t, "mcp__x__y", `{}`, toolSaid("", false), ""); ok {
		t.Error("a tool of somebody else is known")
	}
}
