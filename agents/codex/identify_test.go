package codex

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tlog/agents/transcript"
	"tlog/objects"
)

const (
	threadA = "019d4000-0000-7000-8000-0000000000aa"
	threadB = "019d4000-0000-7000-8000-0000000000bb"
)

func metaLine(members string) string {
	return `{"timestamp":"2026-04-01T10:00:00.000Z","type":"session_meta","payload":{` + members + "}}\n"
}

func TestIdentify(t *testing.T) {
	user := item("user", "x") + "\n"
	for _, test := range []struct {
		name, file, head string
		want             transcript.Identity
	}{
		{"a thread", "rollout-2026-04-01T10-00-00-" + threadA + ".jsonl", metaLine(`"id":"` + threadA + `","cwd":"/srv/x"`), transcript.Identity{ID: threadA, Cwd: "/srv/x"}},
		{"the first header counts", "x.jsonl", metaLine(`"id":"a1","cwd":"/a","forked_from_id":"b1"`) + metaLine(`"id":"b1","cwd":"/b"`), transcript.Identity{ID: "a1", Cwd: "/a", Parent: "b1"}},
		{"a segment", "rollout-2026-04-01T10-00-00-" + threadA + "_" + threadB + ".jsonl", metaLine(`"id":"` + threadA + `"`),
			transcript.Identity{ID: threadA + "_" + threadB, Parent: threadA}},
		{"a fork of a segment", "rollout-2026-04-01T10-00-00-" + threadB + ".jsonl.zst", metaLine(`"id":"` + threadB + `","forked_from_id":"` + threadA + `","history_base":{"thread_id":"c"}`),
			transcript.Identity{ID: threadB, Parent: threadA}},
		{"no header", "rollout-2026-04-01T10-00-00-" + threadA + ".jsonl", user, transcript.Identity{ID: threadA}},
		{"a header that says no id", "rollout-x-" + threadA + ".jsonl", metaLine(`"cwd":"/x"`), transcript.Identity{ID: threadA, Cwd: "/x"}},
		{"an id that cannot be one", "rollout-x-" + threadA + ".jsonl", metaLine(`"id":"a b"`), transcript.Identity{ID: threadA}},
		{"nothing", "x.jsonl", user, transcript.Identity{ID: derivedSession([]byte(user))}},
		{"a folder of another system", "x.jsonl", metaLine(`"id":"a","cwd":"c:\\Users\\x"`), transcript.Identity{ID: "a", Cwd: `c:\Users\x`}},
		{"no folder", "x.jsonl", metaLine(`"id":"a","cwd":"."`), transcript.Identity{ID: "a"}},
		{"a subagent", "x.jsonl", metaLine(`"id":"a","source":{"subagent":{"thread_spawn":{"parent_thread_id":"p","depth":1}}}`), transcript.Identity{ID: "a", Subagent: "a", Parent: "p"}},
		{"a source that is a word", "x.jsonl", metaLine(`"id":"a","source":"cli"`), transcript.Identity{ID: "a"}},
		{"its own parent", "x.jsonl", metaLine(`"id":"a","forked_from_id":"a"`), transcript.Identity{ID: "a"}},
	} {
		test.want.Timestamp = "2026-04-01T10:00:00.000Z"
		got, err := (Agent{}).Identify(filepath.Join("/nowhere", test.file), []byte(test.head))
		if err != nil || got.ID != test.want.ID || got.Cwd != test.want.Cwd || got.Parent != test.want.Parent || got.Subagent != test.want.Subagent || got.Timestamp != test.want.Timestamp {
			t.Errorf("%s: %+v, %v, expected %+v", test.name, got, err, test.want)
		}
	}
}

// TestIdentifyLong: a header that is longer than what is given of the file is read on, also out of a packed one.
func TestIdentifyLong(t *testing.T) {
	data := []byte(metaLine(`"base_instructions":{"text":"`+strings.Repeat("x", 100_000)+`"},"id":"a","cwd":"/srv/x"`) + item("user", "x") + "\n")
	dir := t.TempDir()
	writer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"rollout-1.jsonl": data, "rollout-2.jsonl.zst": writer.EncodeAll(data, nil)} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		id, err := (Agent{}).Identify(file, data[:16<<10])
		if err != nil || id.ID != "a" || id.Cwd != "/srv/x" {
			t.Errorf("%s: %+v, %v", name, id, err)
		}
	}
}

func TestNames(t *testing.T) {
	home := filepath.Join(testdata, "home")
	day := filepath.Join(home, "sessions", "2026", "04", "01")
	for thread, want := range map[string]string{
		"019d4000-0000-7000-8000-000000000007": "beds and paths", "019d4000-0000-7000-8000-000000000009": "other", "019d4000-0000-7000-8000-00000000000a": "",
		"beds": "", "": "",
	} {
		if got, err := nameOf(filepath.Join(day, "x.jsonl"), thread); err != nil || got != want {
			t.Errorf("%q is called %q (%v), expected %q", thread, got, err, want)
		}
	}
	if got, err := nameOf("/nowhere/x.jsonl", "019d4000-0000-7000-8000-000000000007"); err != nil || got != "" {
		t.Errorf("out of any home: %q, %v", got, err)
	}
	for id, want := range map[objects.ID]string{
		"019d4000-0000-7000-8000-000000000007": "first second", "019d4000-0000-7000-8000-000000000007_x": "first second", "019d4000-0000-7000-8000-000000000009": "in the fork", "x": "",
	} {
		files, err := (Agent{}).SideFiles(filepath.Join(day, "x.jsonl"), transcript.Identity{ID: id})
		if err != nil || (want == "") != (len(files) == 0) {
			t.Fatalf("%s: %v, %v", id, files, err)
		}
		for _, f := range files {
			var texts []string
			for line := range bytes.Lines(f.Data) {
				texts = append(texts, objects.StringOf(objects.MemberOf(bytes.TrimSuffix(line, []byte("\n")), "text")))
			}
			if got := strings.Join(texts, " "); f.Name != "history.jsonl" || got != want {
				t.Errorf("%s: %s has %q, expected %q", id, f.Name, got, want)
			}
		}
	}
}

func TestLocate(t *testing.T) {
	home, err := filepath.Abs(filepath.Join(testdata, "home"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := (Agent{}).Locate(func(name string) string { return map[string]string{"CODEX_HOME": home, "HOME": "/nowhere"}[name] })
	if err != nil || len(found) != 4 {
		t.Errorf("%v, %v", found, err)
	}
	for name, want := range map[string]string{"HOME": "/h/.codex", "CODEX_HOME": "/h"} {
		if got := (Agent{}).Folder(func(n string) string { return map[bool]string{true: "/h"}[n == name] }); got != want {
			t.Errorf("by %s: %s, expected %s", name, got, want)
		}
	}
	for name, want := range map[string]bool{
		"rollout-1.jsonl": true, "rollout-1.jsonl.zst": true, "rollout-1.json": false, "x.jsonl": false, "rollout-1.zst": false, "rollout-1.jsonl.gz": false,
	} {
		if isRollout(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	path := (Agent{}).InstallPath(func(string) string { return "/h" }, "/x", "01a22c7f-9184-78c1-8c17-1b735c648bc6")
	if dir, name := filepath.Split(path); !strings.HasPrefix(dir, "/h/sessions/2026/") || !strings.HasPrefix(name, "rollout-2026-1") || !strings.HasSuffix(name, "-01a22c7f-9184-78c1-8c17-1b735c648bc6.jsonl") {
		t.Error(path)
	}
}
