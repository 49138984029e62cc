package gemini

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/agents/transcript"
	"tlog/objects"
)

const (
	asked   = "6e000000-0000-4000-8000-000000000008"
	shedTmp = "74e54e36d3edb1f5c702bed0a58df8cc7737525d24ca247e5f5ece7cce807126" // SHA-256 of /home/ada/shed
)

func inHome(parts ...string) string {
	return filepath.Join(append([]string{testdata, "home", ".gemini", "tmp"}, parts...)...)
}

func homeEnv(home string) func(string) string {
	return func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
}

// TestIdentify: the sessions in a home of the client's, and those that lie elsewhere.
func TestIdentify(t *testing.T) {
	main := inHome("garden", "chats", "session-2026-05-04T09-00-6e000000.jsonl")
	for _, test := range []struct {
		path string
		want transcript.Identity
	}{
		{main, transcript.Identity{ID: asked, Cwd: "/home/ada/garden"}},
		{inHome("garden", "chats", "session-2026-05-05T10-30-6e000000.jsonl"), transcript.Identity{
			ID: asked + "_2026-05-05T10-30", Cwd: "/home/ada/garden", Parent: asked,
		}},
		{inHome("garden", "chats", asked, "investigator-1.jsonl"), transcript.Identity{
			ID: "investigator-1", Cwd: "/home/ada/garden", Parent: asked, Subagent: "investigator-1",
		}},
		{inHome(shedTmp, "chats", "session-2026-05-04T08-00-6e000000.json"), transcript.Identity{
			ID: "6e000000-0000-4000-8000-000000000009", Cwd: "/home/ada/shed", Name: "Where the leek goes",
		}},
		{filepath.Join(testdata, "simple.jsonl"), transcript.Identity{ID: "6e000000-0000-4000-8000-000000000001"}},
	} {
		data, err := os.ReadFile(test.path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Agent{}.Identify(test.path, data)
		if got.Timestamp == "" {
			t.Errorf("%s: no time", test.path)
		}
		got.Timestamp = ""
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Error(test.path, err, diff)
		}
	}
	if !(Agent{}).Supersedes(main, inHome("garden", "chats", "session-2026-05-05T10-30-6e000000.jsonl")) || (Agent{}).Thread(asked+"_2026-05-05T10-30") != asked {
		t.Error("a stub stands before the session")
	}
}

// TestIdentifyOdd: each file has an id, which stays while it grows.
func TestIdentifyOdd(t *testing.T) {
	seen := map[objects.ID]string{}
	for _, data := range []string{
		"", "x\n", "y\n", strings.Replace(head, `"s"`, `"a/b"`, 1), strings.Replace(head, `"s"`, `"a b"`, 1), head,
		`{"id":"a","type":"gemini","content":"x"}` + "\n", "{\n  \"sessionId\": \"../x\",\n  \"projectHash\": \"h\",\n  \"messages\": [",
	} {
		a, errA := Agent{}.Identify("/nowhere/chats/session-x.jsonl", []byte(data))
		b, errB := Agent{}.Identify("/nowhere/chats/session-x.jsonl", []byte(data+"\n{}\n"))
		if errA != nil || errB != nil || !a.ID.Valid() || data != "" && a.ID != b.ID {
			t.Errorf("%q is %q, and %q when it has grown: %v, %v", data, a.ID, b.ID, errA, errB)
		}
		if other, again := seen[a.ID]; again {
			t.Errorf("%q and %q are both %q", data, other, a.ID)
		}
		seen[a.ID] = data
	}
}

// TestLocate: what lies in a home, with subagents behind the sessions; a document of which there is a copy as lines is left out.
func TestLocate(t *testing.T) {
	names := func(found []transcript.Found) (names []string) {
		for _, f := range found {
			name := filepath.Base(f.Path)
			if f.Subagent {
				name += " (subagent)"
			}
			names = append(names, name)
		}
		return names
	}
	found, err := Agent{}.Locate(homeEnv(filepath.Join(testdata, "home")))
	want := []string{
		"session-2026-05-04T08-00-6e000000.json", "investigator-1.jsonl (subagent)", "session-2026-05-04T09-00-6e000000.jsonl", "session-2026-05-05T10-30-6e000000.jsonl",
	}
	if diff := cmp.Diff(want, names(found)); diff != "" || err != nil {
		t.Error(err, diff)
	}
	home := t.TempDir()
	for name, data := range map[string]string{
		"a/chats/session-1.json": "{}", "a/chats/session-1.jsonl": "{}", "a/chats/session-2.json": "{}", "a/chats/other.jsonl": "{}", "a/logs.json": "[]",
		"a/checkpoint-x.json": "{}", "bin/rg": "x", "b/chats/sub/x.json": "{}",
	} {
		put(t, home, ".gemini/tmp/"+name, data)
	}
	if err := os.Symlink("nowhere", filepath.Join(home, ".gemini/tmp/a/chats/session-3.jsonl")); err != nil {
		t.Fatal(err)
	}
	found, err = Agent{}.Locate(homeEnv(home))
	if diff := cmp.Diff([]string{"session-1.jsonl", "session-2.json"}, names(found)); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for _, env := range []func(string) string{homeEnv(""), homeEnv(filepath.Join(home, "gone"))} {
		if found, err := (Agent{}).Locate(env); len(found) > 0 || err != nil {
			t.Error(found, err)
		}
	}
}

func put(t *testing.T, root, name, data string) string {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBeside: subagents and outputs of tools of a session, and of nothing else.
func TestBeside(t *testing.T) {
	main := inHome("garden", "chats", "session-2026-05-04T09-00-6e000000.jsonl")
	subagents, err := Agent{}.Subagents(main)
	if diff := cmp.Diff([]string{inHome("garden", "chats", asked, "investigator-1.jsonl")}, subagents); diff != "" || err != nil {
		t.Error(err, diff)
	}
	files, err := Agent{}.SideFiles(main, transcript.Identity{ID: asked})
	want := []transcript.SideFile{{Name: "tool-outputs/shell_1.txt", Path: inHome("garden", "tool-outputs", "session-"+asked, "shell_1.txt")}}
	if diff := cmp.Diff(want, files); diff != "" || err != nil {
		t.Error(err, diff)
	}
	home := t.TempDir()
	hostile := put(t, home, "tmp/a/chats/session-1.jsonl", `{"sessionId":"../../x","projectHash":"p"}`)
	put(t, home, "tmp/x/y.jsonl", "{}")
	linked := put(t, home, "tmp/a/chats/session-2.jsonl", `{"sessionId":"l","projectHash":"p"}`)
	put(t, home, "tmp/a/tool-outputs/session-l/plain", "x")
	if err := os.Symlink("/etc/passwd", filepath.Join(home, "tmp/a/tool-outputs/session-l/link")); err != nil {
		t.Fatal(err)
	}
	elsewhere := put(t, home, "copy.jsonl", `{"sessionId":"l","projectHash":"p"}`)
	for path, want := range map[string]int{hostile: 0, elsewhere: 0, linked: 2} {
		subagents, err := Agent{}.Subagents(path)
		if err != nil || len(subagents) > 0 {
			t.Error(path, subagents, err)
		}
		id, err := Agent{}.Identify(path, []byte(`{"sessionId":"l","projectHash":"p"}`))
		if err != nil {
			t.Fatal(err)
		}
		files, err := Agent{}.SideFiles(path, id)
		if err != nil || len(files) != want {
			t.Error(path, files, err)
		}
		for _, f := range files {
			if (f.Skipped != nil) != strings.HasSuffix(f.Name, "link") {
				t.Error(f)
			}
		}
	}
}

// TestDetect: heads that are cut anywhere, and files that only look alike.
func TestDetect(t *testing.T) {
	document := readFile(t, "legacy.json")
	for at := 150; at <= len(document); at += 37 {
		if !(Agent{}).Detect(document[:at]) {
			t.Errorf("a document of which %d bytes are there is not known", at)
		}
	}
	for data, want := range map[string]bool{
		head: true, "\n" + head: true, "rubbish\n" + head: true, head[:60]: true, user("a", "x") + "\n" + reply("b", "y", ""): true, `{"$set":{}}`: true,
		`{"sessionId":"s"}`: false, `{"sessionId":"s","projectHash":7}`: false, user("a", "x"): false, `{"type":"user","uuid":"u","sessionId":"s","projectHash":"p"}`: false,
		`{"type":"session","id":"x","version":3}` + "\n" + reply("b", "y", ""): false, "{\n\"sessionId\": \"s\"\n}": false,
	} {
		if got := (Agent{}).Detect([]byte(data)); got != want {
			t.Errorf("%.100q: %v, expected %v", data, got, want)
		}
	}
}

// FuzzDetect: no head makes it panic, and each has an id.
func FuzzDetect(f *testing.F) {
	f.Add([]byte(head))
	f.Add([]byte("{\n\"sessionId\": \"s\", \"projectHash\": \"p\", \"messages\": [{"))
	f.Fuzz(func(t *testing.T, head []byte) {
		Agent{}.Detect(head)
		if id, err := (Agent{}).Identify("/nowhere/x.jsonl", head); err != nil || !id.ID.Valid() {
			t.Fatal(id, err)
		}
	})
}
