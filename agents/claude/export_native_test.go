package claude

import (
	"slices"
	"strings"
	"testing"

	"tlog/agents/claude/claudetest"
	"tlog/agents/transcript"
	"tlog/objects"
)

// nativeLab are entries of tlog's own, all on the path.
func nativeLab(t testing.TB, lines string) (entries []transcript.Entry) {
	t.Helper()
	for line := range strings.Lines(lines) {
		e, err := objects.ParseEntry([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, transcript.Entry{Entry: e, EffectiveID: e.ID, OnPath: true})
	}
	return entries
}

const nativeTalk = `{"type":"message","id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"ask-one"}}
{"type":"model_change","id":"e2","parentId":"e1","timestamp":"2026-01-01T00:00:02.000Z","provider":"acme","modelId":"m"}
{"type":"message","id":"e3","parentId":"e2","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"assistant","provider":"acme","model":"acme-large","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"s"},{"type":"text","text":"say-one"},{"type":"toolCall","id":"call|1","name":"bash","arguments":{"command":"ls"}},{"type":"toolCall","id":"c2","name":"read","arguments":{"path":"x"}}],"stopReason":"toolUse"}}
{"type":"message","id":"e4","parentId":"e3","timestamp":"2026-01-01T00:00:04.000Z","message":{"role":"toolResult","toolCallId":"call|1","toolName":"bash","content":[{"type":"text","text":"found-one"}],"isError":true}}
{"type":"message","id":"e5","parentId":"e4","timestamp":"2026-01-01T00:00:05.000Z","message":{"role":"toolResult","toolCallId":"c2","content":[{"type":"text","text":"found-two"},{"type":"image","data":"QUJD","mimeType":"image/png"}]}}
{"type":"message","id":"e6","parentId":"e5","timestamp":"2026-01-01T00:00:06.000Z","message":{"role":"assistant","model":"claude-x","provider":"anthropic","content":"say-two"}}
{"type":"message","id":"e7","parentId":"e6","timestamp":"2026-01-01T00:00:07.000Z","message":{"role":"bashExecution","command":"make","output":"made-one","exitCode":2}}
{"type":"custom_message","id":"e8","parentId":"e7","timestamp":"2026-01-01T00:00:08.000Z","customType":"note","content":"note-one","display":false}
{"type":"message","id":"e9","parentId":"e8","timestamp":"2026-01-01T00:00:09.000Z","message":{"role":"user","content":"old words"}}
{"type":"message","id":"e10","parentId":"e9","timestamp":"2026-01-01T00:00:10.000Z","message":{"role":"assistant","content":[{"type":"text","text":"say-three"}]}}
{"type":"context_edit","id":"e11","parentId":"e10","timestamp":"2026-01-01T00:00:11.000Z","targetId":"e9","replacement":{"content":"ask-two"}}
{"type":"session_info","id":"e12","parentId":"e11","timestamp":"2026-01-01T00:00:12.000Z","name":"a name"}
`

const nativeCompaction = `{"type":"compaction","id":"e13","parentId":"e12","timestamp":"2026-01-01T00:00:13.000Z","summary":"summed-up","firstKeptEntryId":"e9","tokensBefore":100}
{"type":"message","id":"e14","parentId":"e13","timestamp":"2026-01-01T00:00:14.000Z","message":{"role":"user","content":[{"type":"text","text":"ask-three"}]}}
{"type":"branch_summary","id":"e15","parentId":"e14","timestamp":"2026-01-01T00:00:15.000Z","fromId":"e9","summary":"side-way"}
`

// TestExportNative: entries of tlog's own become rows of the client's kind.
func TestExportNative(t *testing.T) {
	out, report := exportLab(t, nativeLab(t, nativeTalk+nativeCompaction))
	if got, want := kinds(report), "dropped-thinking renamed-call renamed-call"; got != want {
		t.Errorf("repairs %q, expected %q: %v", got, want, report.Repairs)
	}
	for _, text := range []string{
		`"message":{"role":"user","content":[{"type":"text","text":"ask-one"}]},"uuid":"e1"`,
		`"model":"claude-x"`, `{"type":"tool_result","tool_use_id":"call-1","content":"found-one","is_error":true}`,
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}`,
		`"cwd":"/proj/garden","sessionId":"` + string(labSession) + `","version":"2.1.332","entrypoint":"cli"`,
		`Exit code: 2`, `"customTitle":"a name"`, `"preTokens":100`,
		`"uuids":["e9","e10"]`,
	} {
		if !strings.Contains(out, text) {
			t.Errorf("%s is not in\n%s", text, out)
		}
	}
	if strings.Contains(out, "acme") || strings.Contains(out, "old words") || strings.Count(out, `"id":"msg_e3"`) != 3 {
		t.Errorf("got\n%s", out)
	}
	if again, report := exportLive(t, []byte(out)); len(report.Repairs) > 0 || again != out {
		t.Errorf("repaired again: %v\n%s\n%s", report.Repairs, out, again)
	}
}

// TestClientNative: the client resumes what is made of entries of tlog's own, and the API takes it.
func TestClientNative(t *testing.T) {
	for _, tt := range []struct{ name, lines, said string }{
		{"talk", nativeTalk, "ask-one say-one call-1 found-one found-two say-two made-one note-one ask-two say-three"},
		{"compacted", nativeTalk + nativeCompaction, "summed-up ask-two say-three ask-three side-way"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, _ := exportLab(t, nativeLab(t, tt.lines))
			got, err := claudetest.Resume(t, string(labSession), []byte(out))
			if err != nil {
				t.Fatal(err)
			}
			if refused := slices.DeleteFunc(got.Refused, func(r string) bool { return strings.Contains(r, "image") }); len(refused) > 0 {
				t.Errorf("the API would refuse it: %q", refused)
			}
			rest := claudetest.Words(got.Messages)
			for word := range strings.FieldsSeq(tt.said) {
				_, behind, found := strings.Cut(rest, word)
				if !found {
					t.Fatalf("%s is not in its place:\n%s", word, claudetest.Words(got.Messages))
				}
				rest = behind
			}
		})
	}
}
