package opencode

import (
	"strings"
	"testing"

	"tlog/agents/transcript"
)

func TestDetect(t *testing.T) {
	for head, want := range map[string]bool{
		`{"info":{"id":"ses_a","slug":"x"`:                                        true,
		"\n{\r\n  \"info\": {\n    \"id\": \"ses_a\",\n    \"directory\": \"/a\"": true,
		`{"info":{"id":"ses_a"},"messages":[`:                                     true,
		`{"info":{"id":"ses_a"},"messages":[]}`:                                   true,
		`{"messages":[{"info":{"role":"user","sessionID":"ses_a"}`:                true,
		`{"messages":[{"info":{"sessionID":"ses_a"},"parts":[]}]}`:                false,
		`{"info":{"id":"ses_a"}}`:                                                 false,
		`{"info":{"id":"ses_","slug":"x"}}`:                                       false,
		`{"info":{"id":"abc","slug":"x"},"messages":[]}`:                          false,
		`{"info":"ses_a","messages":[]}`:                                          false,
		`[{"info":{"id":"ses_a","slug":"x"},"messages":[]}]`:                      false,
		`{"id":"ses_a","slug":"x","directory":"/a"}`:                              false,
		`{"type":"session","info":{"title":"x"}}`:                                 false,
		`{"messages":[`: false,
		`{"info"`:       false,
		`{"info":`:      false,
		`{"a":1`:        false,
		`{"a":`:         false,
	} {
		if got := (Agent{}).Detect([]byte(head)); got != want {
			t.Errorf("%s: %v", head, got)
		}
	}
	for _, name := range []string{"simple.json", "tools.json", "compacted.json", "subagent.json", "damaged.json"} {
		data := readFile(t, name)
		for _, cut := range []int{200, 1000, len(data)} {
			if !(Agent{}).Detect(data[:cut]) {
				t.Errorf("%s is not known by its first %d bytes", name, cut)
			}
		}
	}
}

func TestIdentify(t *testing.T) {
	for _, test := range []struct {
		head string
		want transcript.Identity
	}{
		{`{"info":{"id":"ses_a","directory":"/home/ada","title":"T","time":{"created":1777629600001}},"messages":[`,
			transcript.Identity{ID: "ses_a", Cwd: "/home/ada", Name: "T", Timestamp: "2026-05-01T10:00:00.001Z"}},
		{`{"info":{"id":"ses_a","directory":"here","parentID":"ses_b"`, transcript.Identity{ID: "ses_a", Parent: "ses_b", Subagent: "ses_a"}},
		{`{"info":{"id":"ses_a","parentID":"ses_a","time":{"created":-1}}`, transcript.Identity{ID: "ses_a"}},
		{`{"messages":[{"info":{"sessionID":"ses_a","role":"user"}`, transcript.Identity{ID: "ses_a"}},
		{`{"info":{"id":"ses a"}`, transcript.Identity{ID: derived("ses a")}},
	} {
		id, err := (Agent{}).Identify("/x.json", []byte(test.head))
		if err != nil || id.ID != test.want.ID || id.Cwd != test.want.Cwd || id.Name != test.want.Name || id.Timestamp != test.want.Timestamp ||
			id.Parent != test.want.Parent || id.Subagent != test.want.Subagent {
			t.Errorf("%s: %+v (%v), expected %+v", test.head, id, err, test.want)
		}
	}
}

func TestFolder(t *testing.T) {
	for _, test := range []struct{ data, home, want string }{
		{"", "", ""}, {"", "/h", "/h/.local/share/opencode"}, {"/d", "/h", "/d/opencode"}, {"here", "/h", "/h/.local/share/opencode"},
	} {
		env := func(name string) string {
			return map[string]string{"HOME": test.home, "XDG_DATA_HOME": test.data}[name]
		}
		if got := (Agent{}).Folder(env); got != test.want {
			t.Errorf("%+v: '%s'", test, got)
		}
	}
}

// FuzzDetect: no head makes it panic, and each has an id.
func FuzzDetect(f *testing.F) {
	f.Add([]byte(`{"info":{"id":"ses_a","slug":"x"`))
	f.Add([]byte(`{"messages":[{"info":{"role":"user","sessionID":"ses_a"}`))
	f.Add([]byte(strings.Repeat("[", 1000)))
	f.Fuzz(func(t *testing.T, head []byte) {
		Agent{}.Detect(head)
		if id, err := (Agent{}).Identify("/nowhere/x.json", head); err != nil || !id.ID.Valid() {
			t.Fatal(id, err)
		}
	})
}
