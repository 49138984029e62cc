package codex

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
)

func TestToolUse(t *testing.T) {
	type (
		use = objects.ToolUse
		op  = objects.FileOp
	)
	quote := func(s string) string { return string(objects.AppendQuote(nil, s)) }
	const patch = "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch"
	added := []op{{Kind: objects.FileWrite, Path: "n", Text: "x\n", Whole: true}}
	call := func(name, arguments string) string {
		return `{"type":"function_call","call_id":"c","name":"` + name + `","arguments":` + quote(arguments) + `}`
	}
	custom := func(name, input string) string {
		return `{"type":"custom_tool_call","call_id":"c","name":"` + name + `","input":` + quote(input) + `}`
	}
	for _, tt := range []struct {
		call, output string // the output is JSON
		want         use
	}{
		{call("exec_command", `{"cmd":"ls -1"}`), quote("Chunk ID: 1\nProcess exited with code 0\nOutput:\na\n"), use{Command: "ls -1", HasExit: true}},
		{call("exec_command", `{"cmd":"x","workdir":"/w"}`), quote("Process exited with code 3\nOutput:\n"), use{Command: "x", Cwd: "/w", Failed: true, Exit: 3, HasExit: true}},
		{call("exec_command", `{"cmd":"x"}`), quote("Wall time: 3 seconds\naborted by user"), use{Command: "x", Failed: true}},
		{call("exec_command", `{"cmd":"x"}`), quote("Chunk ID: 1\nProcess running with session ID 7\nOutput:\n"), use{Command: "x"}},
		{call("shell", `{"command":["bash","-lc","a | b"],"workdir":"w"}`), quote(`{"output":"y","metadata":{"exit_code":0}}`), use{Command: "a | b", Cwd: "w", HasExit: true}},
		{call("shell", `{"command":["grep","a b","f"]}`), quote(`{"output":"","metadata":{"exit_code":1}}`), use{Command: "grep 'a b' f", Failed: true, Exit: 1, HasExit: true}},
		{call("shell", `{"command":["powershell.exe","-NoProfile","-Command","dir"]}`), quote("exec command rejected by user"), use{Command: "dir", Failed: true, NotRun: true}},
		{`{"type":"local_shell_call","call_id":"c","action":{"type":"exec","command":["ls"],"working_directory":"/w"}}`, "", use{Command: "ls", Cwd: "/w", Pending: true}},
		{call("shell", `{"command":["apply_patch",`+quote(patch)+`]}`), quote(`{"output":"Success.","metadata":{"exit_code":0}}`),
			use{Command: "apply_patch '" + patch + "'", HasExit: true, Files: added}},
		{call("exec_command", `{"workdir":"/w","cmd":`+quote("cd sub && apply_patch <<'E'\n"+patch+"\nE")+`}`), quote("Process exited with code 0\nOutput:\n"),
			use{Command: "cd sub && apply_patch <<'E'\n" + patch + "\nE", Cwd: "/w/sub", HasExit: true, Files: added}},
		{call("exec_command", `{"cmd":"cat a/b.txt"}`), quote("Process exited with code 0\nOutput:\nx\ny"),
			use{Command: "cat a/b.txt", HasExit: true, Files: []op{{Path: "a/b.txt", Text: "x\ny", Whole: true}}}},
		{call("exec_command", `{"cmd":"cat a"}`), quote("Process exited with code 0\nOutput:\nWarning: truncated output (original token count: 9)\nx"),
			use{Command: "cat a", HasExit: true, Files: []op{{Path: "a"}}}},
		{call("exec_command", `{"cmd":"cat a b"}`), quote("Process exited with code 0\nOutput:\nx"), use{Command: "cat a b", HasExit: true}},
		{custom("apply_patch", patch), quote("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess."), use{Files: added}},
		{custom("apply_patch", patch), quote("apply_patch verification failed: no"), use{Failed: true, Files: added}},
		{custom("apply_patch", "what"), quote("ok"), use{Opaque: true}},
		{custom("exec", `const r = await tools.exec_command({cmd:"echo \"hi\""}); text(r)`),
			`[{"type":"input_text","text":"Script completed\nOutput:\n"},{"type":"input_text","text":"{\"exit_code\":2,\"output\":\"\"}"}]`,
			use{Command: `echo "hi"`, Failed: true, Exit: 2, HasExit: true}},
		{custom("exec", "await tools.apply_patch(`"+patch+"`)"), quote("Script completed\nOutput:\n"), use{Files: added}},
		{custom("exec", `await tools.apply_patch(patchText);`), quote("Script completed"), use{Opaque: true}},
		{custom("exec", `text(1+1)`), quote("Script completed"), use{}},
		{call("update_plan", `{}`), quote("ok"), use{}},
		{call("write_stdin", `{"session_id":1,"chars":"y\n"}`), quote("ok"), use{Opaque: true}},
		{call("write_stdin", `{"session_id":1,"chars":""}`), quote("ok"), use{}},
	} {
		c, _ := itemOf(t, tt.call)
		result, row := objects.Block{}, objects.Entry{}
		if tt.output != "" {
			result, row = itemOf(t, `{"type":"function_call_output","call_id":"c","output":`+tt.output+`}`)
		}
		got, ok := Agent{}.ToolUse(c, result, row)
		if !ok || !cmp.Equal(got, tt.want) {
			t.Errorf("%s: %v %s", tt.call, ok, cmp.Diff(tt.want, got))
		}
	}
}

// itemOf is the block of an item, and the entry in which that stands.
func itemOf(t *testing.T, payload string) (objects.Block, objects.Entry) {
	t.Helper()
	if !json.Valid([]byte(payload)) {
		t.Fatal("no JSON: ", payload)
	}
	line := `{"timestamp":"t","type":"response_item","payload":` + payload + `}`
	e, err := objects.ParseEntry(objects.Envelope{Type: objects.TypeMessage, ID: "i", Agent: "codex", Line: []byte(line)}.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	m, ok := Agent{}.Message(e)
	if !ok {
		t.Fatal("no message in ", line)
	}
	return m.Blocks[0], e
}
