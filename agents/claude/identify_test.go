package claude

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/agents/transcript"
	"tlog/objects"
	"tlog/objects/sharedtest"
)

const someUUID = "0b1c2d3e-0000-4000-8000-00000000000a"

func TestIdentify(t *testing.T) {
	row := func(members string) string {
		return `{"type":"user","uuid":"u1",` + members + `,"message":{"role":"user","content":"hi"}}` + "\n"
	}
	plain := row(`"sessionId":"s1","cwd":"/srv/a","timestamp":"2026-01-02T03:04:05.678Z"`)
	side := row(`"sessionId":"s1","cwd":"/srv/a","isSidechain":true,"agentId":"ab12"`)
	for name, test := range map[string]struct {
		path, lines string
		want        transcript.Identity
	}{
		"file name":  {someUUID + ".jsonl", plain, transcript.Identity{ID: someUUID, Cwd: "/srv/a", Timestamp: "2026-01-02T03:04:05.678Z"}},
		"other name": {"in.jsonl", plain, transcript.Identity{ID: "s1", Cwd: "/srv/a", Timestamp: "2026-01-02T03:04:05.678Z"}},
		"first that can be": {"in.jsonl", row(`"sessionId":"no id","cwd":"relative","timestamp":"yesterday"`) + row(`"sessionId":7`) + plain,
			transcript.Identity{ID: "s1", Cwd: "/srv/a", Timestamp: "2026-01-02T03:04:05.678Z"}},
		"damaged lines": {"in.jsonl", "\x00\x00\xEF\xBB\xBF " + `{"type":"mode","sessionId":"s0","cwd":"/srv/b","message":{"co` + "\n\n\r\nrubbish\n" + plain,
			transcript.Identity{ID: "s0", Cwd: "/srv/b", Timestamp: "2026-01-02T03:04:05.678Z"}},
		"escaped key": {"in.jsonl", `{"sessi\u006fnId":"s2","\u0063wd":"\/srv"}`, transcript.Identity{ID: "s2", Cwd: "/srv"}},
		"windows":     {"in.jsonl", row(`"sessionId":"s1","cwd":"C:\\Users\\ada"`), transcript.Identity{ID: "s1", Cwd: `C:\Users\ada`}},
		"titles": {"in.jsonl", plain + `{"type":"summary","summary":"S"}` + "\n" + `{"type":"ai-title","aiTitle":"A1"}` + "\n" + `{"type":"ai-title","aiTitle":"A2"}` + "\n",
			transcript.Identity{ID: "s1", Cwd: "/srv/a", Timestamp: "2026-01-02T03:04:05.678Z", Name: "A2"}},
		"custom title": {"in.jsonl", `{"type":"custom-title","customTitle":"C1"}` + "\n" + `{"type":"custom-title","customTitle":"\u001b[31mC2"}` + "\n" + `{"type":"ai-title","aiTitle":"A"}` + "\n" + plain,
			transcript.Identity{ID: "s1", Cwd: "/srv/a", Timestamp: "2026-01-02T03:04:05.678Z", Name: "\x1b[31mC2"}},
		"a title in a message is none": {"in.jsonl", row(`"sessionId":"s1","cwd":"/a","summary":"no"`), transcript.Identity{ID: "s1", Cwd: "/a"}},
		"fork":                         {"in.jsonl", row(`"sessionId":"s1","cwd":"/a","forkedFrom":{"sessionId":"s0","messageUuid":"u0"}`), transcript.Identity{ID: "s1", Cwd: "/a", Parent: "s0"}},
		"fork of itself":               {"in.jsonl", row(`"sessionId":"s1","cwd":"/a","forkedFrom":{"sessionId":"s1"}`), transcript.Identity{ID: "s1", Cwd: "/a"}},
		"subagent":                     {"s9/subagents/agent-ab12.jsonl", side, transcript.Identity{ID: "agent-ab12", Cwd: "/srv/a", Parent: "s9", Subagent: "ab12"}},
		"subagent in a folder":         {"s9/subagents/workflows/w1/agent-my-run.jsonl", side, transcript.Identity{ID: "agent-my-run", Cwd: "/srv/a", Parent: "s9", Subagent: "my-run"}},
		"old subagent":                 {"agent-ab12.jsonl", side, transcript.Identity{ID: "agent-ab12", Cwd: "/srv/a", Parent: "s1", Subagent: "ab12"}},
		"renamed subagent":             {"copy.jsonl", side, transcript.Identity{ID: "agent-ab12", Cwd: "/srv/a", Parent: "s1", Subagent: "ab12"}},
		"begins with a sidechain":      {"copy.jsonl", side + plain, transcript.Identity{ID: "s1", Cwd: "/srv/a", Timestamp: "2026-01-02T03:04:05.678Z"}},
		"session called agent-":        {"agent-smith.jsonl", plain, transcript.Identity{ID: "s1", Cwd: "/srv/a", Timestamp: "2026-01-02T03:04:05.678Z"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Agent{}.Identify("/nowhere/"+test.path, []byte(test.lines))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestIdentifyDerived(t *testing.T) {
	id := func(lines string) objects.ID {
		got, err := Agent{}.Identify("/nowhere/in.jsonl", []byte(lines))
		if err != nil || !got.ID.Valid() {
			t.Fatalf("%q: %q, %v", lines, got.ID, err)
		}
		return got.ID
	}
	one := id("{\"type\":\"user\"}\n")
	if again := id("{\"type\":\"user\"}\n{\"type\":\"assistant\"}\n"); again != one {
		t.Errorf("the id changes as the file grows: %s, %s", one, again)
	}
	if id("") == one || id("rubbish") == one {
		t.Error("different files have the same id")
	}
	long := strings.Repeat("x", 100<<10)
	if id(long) != id(long[:64<<10]) {
		t.Error("the id depends on how much was looked at")
	}
}

func TestIdentifyMeta(t *testing.T) {
	root := t.TempDir()
	file := put(t, root, "s1/subagents/agent-ab.jsonl", "{}\n")
	for name, test := range map[string]struct{ meta, want, call string }{
		"plain":      {`{"toolUseId":"toolu_1","finished":true}`, `{"toolUseId":"toolu_1","finished":true}`, "toolu_1"},
		"many lines": {"{\n \"toolUseId\": \"toolu_2\"\r\n}\n", `{  "toolUseId": "toolu_2"  }`, "toolu_2"},
		"torn":       {`{"toolUseId":"toolu_1"`, "", ""},
		"no object":  {`[]`, "", ""},
		"no UTF-8":   {"{\"toolUseId\":\"\xff\"}", "", ""},
		"empty":      {"", "", ""},
	} {
		put(t, root, "s1/subagents/agent-ab.meta.json", test.meta)
		got, err := Agent{}.Identify(file, []byte("{}\n"))
		if err != nil || string(got.Meta) != test.want || got.Call != test.call {
			t.Errorf("%s: %q, %q, %v", name, got.Meta, got.Call, err)
		}
	}
}

// What lies in the place of a subagent's object and is no file of its own is none, and is not waited for.
func TestIdentifyMetaLinks(t *testing.T) {
	root := t.TempDir()
	file := put(t, root, "s1/subagents/agent-ab.jsonl", "{}\n")
	object := put(t, root, "credentials.json", `{"toolUseId":"toolu_1"}`)
	at := filepath.Join(root, "s1/subagents/agent-ab.meta.json")
	for _, target := range []string{object, "/proc/kmsg", "/dev/zero", at} {
		if err := os.Symlink(target, at); err != nil {
			t.Fatal(err)
		}
		if got, err := (Agent{}).Identify(file, []byte("{}\n")); err != nil || got.Meta != nil || got.Call != "" || got.ID != "agent-ab" {
			t.Errorf("%s: %+v, %v", target, got, err)
		}
		if err := os.Remove(at); err != nil {
			t.Fatal(err)
		}
	}
}

// A working folder that the head does not hold is looked for further down.
func TestIdentifyReadsFurther(t *testing.T) {
	root := t.TempDir()
	row := `{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/srv/a"}` + "\n"
	for size, want := range map[int]string{200 << 10: "/srv/a", maxHead: "/srv/a", 5 << 20: "/srv/a"} {
		content := `{"type":"mode","sessionId":"s1","x":"` + strings.Repeat("y", size) + `"}` + "\n" + row
		file := put(t, root, "in.jsonl", content)
		got, err := Agent{}.Identify(file, []byte(content[:64<<10]))
		if err != nil || got.Cwd != want || got.ID != "s1" {
			t.Errorf("%d bytes: %+v, %v", size, got, err)
		}
	}
}

func TestIdentifyShared(t *testing.T) {
	for _, file := range append(sharedtest.Glob(t, "*.jsonl", "corpus", "claude"), sharedtest.Glob(t, "*/projects/*/*.jsonl", "samples", "claude")...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := Agent{}.Identify(file, data)
		if err != nil || !whole.ID.Valid() {
			t.Errorf("%s: %+v, %v", file, whole, err)
		}
		head, err := Agent{}.Identify(file, data[:min(len(data), 64<<10)])
		if err != nil || head.ID != whole.ID || head.Cwd != whole.Cwd {
			t.Errorf("%s: by its head %+v, %v, by all of it %+v", file, head, err, whole)
		}
		if bytes.Contains(data, []byte(`"cwd":"/`)) && whole.Cwd == "" {
			t.Errorf("%s: no working folder", file)
		}
	}
	for _, file := range sharedtest.Glob(t, "*/projects/*/*/subagents/agent-*.jsonl", "samples", "claude") {
		got, err := Agent{}.Identify(file, nil)
		session := filepath.Base(filepath.Dir(filepath.Dir(file)))
		if err != nil || got.Call == "" || got.Meta == nil || string(got.Parent) != session || got.Cwd == "" {
			t.Errorf("%s: %+v, %v", file, got, err)
		}
	}
}

// A transcript beside that of the session it names is a session of its own.
func TestIdentifyCopy(t *testing.T) {
	root := t.TempDir()
	row := `{"type":"user","uuid":"u1","sessionId":"` + someUUID + `","cwd":"/srv/a"}` + "\n" + `{"type":"custom-title","customTitle":"T"}` + "\n"
	identify := func(path string) transcript.Identity {
		t.Helper()
		id, err := Agent{}.Identify(path, []byte(row))
		if err != nil || !id.ID.Valid() || id.Name != "T" {
			t.Fatal(id, err)
		}
		return id
	}
	copied := put(t, root, "x/"+someUUID+" copy.jsonl", row)
	if id := identify(copied); id.ID != someUUID {
		t.Errorf("alone: %s", id.ID)
	}
	session := put(t, root, "x/"+someUUID+".jsonl", row)
	one, two := identify(copied), identify(put(t, root, "x/b.jsonl", row))
	if one.ID == someUUID || two.ID == someUUID || one.ID == two.ID || one.ID != identify(copied).ID || one.Subagent != "" {
		t.Errorf("%s, %s", one.ID, two.ID)
	}
	if id := identify(session); id.ID != someUUID {
		t.Errorf("the session itself: %s", id.ID)
	}
	link := filepath.Join(root, "x/link.jsonl")
	if err := os.Symlink(session, link); err != nil {
		t.Fatal(err)
	}
	if id := identify(link); id.ID != someUUID {
		t.Errorf("a link to the session: %s", id.ID)
	}
}

// A subagent whose name can be no part of an id has another id than its session all the same.
func TestIdentifyOddSubagents(t *testing.T) {
	seen := map[objects.ID]string{}
	row := `{"type":"user","uuid":"u1","isSidechain":true,"agentId":"a b","sessionId":"s1"}` + "\n"
	for _, name := range []string{"s1/subagents/agent-.jsonl", "s1/subagents/agent-a\x1b[31m.jsonl", "s1/subagents/agent-\xff\xfe.jsonl", "s1/subagents/agent-" + strings.Repeat("x", 245) + ".jsonl", "a.jsonl"} {
		id, err := Agent{}.Identify("/nowhere/"+name, []byte(row))
		if err != nil || id.Subagent == "" || id.ID != objects.ID("agent-"+id.Subagent) || !id.ID.Valid() || id.Parent != "s1" || seen[id.ID] != "" {
			t.Errorf("%q: %+v, %v, as %q", name, id, err, seen[id.ID])
		}
		seen[id.ID] = name
	}
}

func FuzzIdentify(f *testing.F) {
	f.Add("in.jsonl", []byte(`{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/srv/a"}`))
	f.Add("agent-ab.jsonl", []byte(`{"uuid":"u1","isSidechain":true,"agentId":"ab","sessionId":"s1"}`+"\n\x00{"))
	f.Add(someUUID+".jsonl", []byte("{\"forkedFrom\":{\"sessionId\":\"x\"}}"))
	f.Fuzz(func(t *testing.T, name string, head []byte) {
		got, err := Agent{}.Identify(filepath.Join("/nowhere", strings.ReplaceAll(name, "\x00", "")), head)
		if err != nil {
			t.Skip(err) // names that the system refuses
		}
		if !got.ID.Valid() || got.Parent != "" && !got.Parent.Valid() || got.Parent == got.ID && got.Subagent == "" {
			t.Errorf("%+v", got)
		}
		if got.Cwd != "" && !isAbsolute(got.Cwd) {
			t.Errorf("working folder %q", got.Cwd)
		}
	})
}
