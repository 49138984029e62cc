package claude

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"tlog/objects/sharedtest"
)

func TestDetect(t *testing.T) {
	for _, test := range []struct {
		head string
		want bool
	}{
		{"", false},
		{"\n\n", false},
		{"hello\n", false},
		{line("u1<-- user") + "\n", true},
		{line("u1<-- user"), true},
		{line("u1 user") + "\n", true},
		{`{"parentUuid":null,"isSidechain":false,"sessionId":"s","type":"user","message":{"role":"user","content":"cut he`, true},
		{`{"sessionId":"s","type":"user","message":{"role":"user","content":"cut he`, true},
		{`{"parentUuid":null,"isSidechain":false,"promptId":"p","type":"user","message":{"role":"user","content":"cut he`, true},
		{"\xEF\xBB\xBF" + line("u1<-- user") + "\n", true},
		{"\x00\x00\x00\n" + line("u1<-- user") + "\n", true},
		{"\x00\x00\x00" + line("u1<-- user") + "\n", true},
		{"not json\n\r\n" + line("u1<-- user") + "\n", true},
		{line("u1<-- user")[:40] + line("u2<-- user") + "\n", true},
		{strings.Repeat("\x00\x01{garbage\n", 200) + line("u1<-- user") + "\n", true},
		{strings.Repeat("{\"a\":1}\n", 200) + line("u1<-- user") + "\n", false},
		{`{"type":"summary","summary":"x","leafUuid":"y"}` + "\n", true},
		{`{"type":"mode","mode":"normal","sessionId":"s"}` + "\n", true},
		{`{"type":"file-history-snapshot","messageId":"m","snapshot":{}}` + "\n", true},
		{`{"type":"session","version":3,"id":"x","cwd":"/"}` + "\n" + line("u1<-- user") + "\n", false},
		{`{"type":"session","id":"x"}` + "\n" + `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"x"}}` + "\n", false},
		{`{"type":"message","id":"a","parentId":null,"agent":"claude","raw":` + line("u1<-- user") + "}\n", false},
		{`{"role":"user","content":"x"}` + "\n", false},
		{`{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}` + "\n", false},
		{`{"type":"mode","mode":"normal"}` + "\n", false},
	} {
		if got := (Agent{}).Detect([]byte(test.head)); got != test.want {
			t.Errorf("%.120q: %v", test.head, got)
		}
	}
}

func TestDetectShared(t *testing.T) {
	check := func(files []string, want bool) {
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{len(data), 64 << 10, 4 << 10} {
				if got := (Agent{}).Detect(data[:min(n, len(data))]); got != want {
					t.Errorf("%s, %d bytes: %v", file, n, got)
				}
			}
		}
	}
	check(sharedtest.Glob(t, "*.jsonl", "corpus", "claude"), true)
	check(sampleTranscripts(t), true)
	check(sharedtest.Glob(t, "*.jsonl", "corpus", "pi"), false)
	check(sharedtest.Glob(t, "*.jsonl", "corpus", "codex"), false)
	for _, file := range sharedtest.Glob(t, "B*/in.jsonl", "cases", "bugs") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if want := bytes.Contains(data, []byte(`"uuid"`)); (Agent{}).Detect(data) != want {
			t.Errorf("%s: %v", file, !want)
		}
	}
	for _, folder := range []string{"copilot", "gemini", "opencode", "others"} {
		for _, file := range sharedtest.Glob(t, "*", "corpus", folder) {
			if data, err := os.ReadFile(file); err == nil && (Agent{}).Detect(data) {
				t.Logf("taken for a transcript: %s", strings.TrimPrefix(file, folder))
			}
		}
	}
}
