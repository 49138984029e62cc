package store_test

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tlog/agents/pi"
	"tlog/checkout"
	"tlog/objects/sharedtest"
	"tlog/store"
)

// piListCase is a case of kind list: files in a folder of pi's, and what pi lists of them.
type piListCase struct {
	Kind, Cwd string
	Files     []struct {
		Name         string
		Input        []string
		FinalNewline bool
		Mtime        int64 // seconds since 1970
	}
	Expected struct {
		Directory string
		piList
		ExplicitDir *piList
	}
}

type piList struct {
	Sessions   []piListed
	MostRecent string
}

// piListed is a session as pi lists it. What pi has besides is left out: allMessagesText, in which it searches, and the path of a parent, which is
// an id in a list of tlog's, once the parent is in the store.
type piListed struct {
	File, ID, Cwd, Name, FirstMessage string
	Modified                          time.Time
	MessageCount                      int
}

// Where tlog lists otherwise, and why.
var (
	// pi shows nothing of a session if one message in it has no content; a list must not hide what is there.
	piHides = map[string]piListed{"list-bad-content": {
		File: "a.jsonl", ID: "s1", Cwd: "/srv/demo", FirstMessage: "q", Modified: time.Date(2025, 3, 1, 9, 0, 1, 0, time.UTC), MessageCount: 2,
	}}
	// The name of pi's folder for a project is that of others as well, and it lists what lies there. A project of tlog's is one folder: that which the session names.
	// With a folder of sessions that the user names pi looks at that too.
	otherFolders = map[string]string{"list-other-cwd": "b.jsonl"}
)

// TestPiLists: what pi keeps is listed as pi does.
func TestPiLists(t *testing.T) {
	ran := 0
	for _, file := range sharedtest.Glob(t, "*.json", "cases", "pi") {
		var c piListCase
		if data, err := os.ReadFile(file); err != nil || json.Unmarshal(data, &c) != nil && strings.HasPrefix(filepath.Base(file), "list-") {
			t.Fatal("read ", file)
		}
		if c.Kind != "list" {
			continue
		}
		ran++
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			folder := filepath.Join(home, ".pi", "agent", "sessions", c.Expected.Directory)
			c.write(t, folder)
			want := slices.Clone(c.Expected.Sessions)
			if hidden, ok := piHides[name]; ok {
				want = append(want, hidden)
			}
			// MostRecent goes by the time of the files, and is what tlog takes as a project's newest once it was imported.
			checkPiList(t, c, map[string]string{"HOME": home}, want, "", "")
			want = slices.DeleteFunc(want, func(l piListed) bool { return l.File == otherFolders[name] })
			recent := c.Expected.MostRecent
			if recent == otherFolders[name] {
				recent = want[0].File
			}
			checkPiList(t, c, map[string]string{"HOME": home}, want, c.Cwd, recent)
			if explicit := c.Expected.ExplicitDir; explicit != nil {
				checkPiList(t, c, map[string]string{"HOME": home, "PI_CODING_AGENT_SESSION_DIR": folder}, explicit.Sessions, c.Cwd, explicit.MostRecent)
			}
		})
	}
	if ran < 5 {
		t.Errorf("%d cases", ran)
	}
}

func (c piListCase) write(t *testing.T, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Files {
		content := strings.Join(f.Input, "\n")
		if f.FinalNewline {
			content += "\n"
		}
		path := filepath.Join(folder, f.Name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(f.Mtime, 0)); err != nil {
			t.Fatal(err)
		}
	}
}

// checkPiList holds that the sessions of a folder, of all if cwd is empty, are listed in pi's order, and that recent is the newest of those that were imported.
func checkPiList(t *testing.T, c piListCase, vars map[string]string, want []piListed, cwd, recent string) {
	t.Helper()
	list, err := store.AgentSessions(pi.Agent{}, func(name string) string { return vars[name] }, func(file string, err error) { t.Errorf("%s: %v", file, err) })
	if err != nil {
		t.Fatal(err)
	}
	st := store.Open(t.TempDir())
	var got []piListed
	for _, info := range list {
		if cwd != "" && info.Cwd != cwd {
			continue
		}
		got = append(got, piListed{
			File: filepath.Base(info.File), ID: string(info.ID), Cwd: info.Cwd, Name: info.Name, FirstMessage: strings.Join(strings.Fields(info.FirstPrompt), " "), Modified: info.Modified,
			MessageCount: info.Entries - c.others(t, filepath.Base(info.File)), // tlog counts entries
		})
		if cwd != "" {
			if _, err := st.Import(t.Context(), info.File, cwd, checkout.Options{Now: time.Now, Random: rand.Reader}); err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.SortStableFunc(want, func(a, b piListed) int { return b.Modified.Compare(a.Modified) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-pi +tlog):\n%s", diff)
	}
	if cwd == "" {
		return
	}
	newest, err := st.Newest(cwd)
	for _, info := range list {
		if filepath.Base(info.File) == recent && (err != nil || newest.ID != info.ID) {
			t.Errorf("the newest is %s (%v), pi goes on with %s", newest.ID, err, info.ID)
		}
	}
}

// others counts the entries in a file of a case that are no messages.
func (c piListCase) others(t *testing.T, name string) (n int) {
	t.Helper()
	for _, f := range c.Files {
		for _, line := range f.Input {
			var e struct{ Type string }
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			if f.Name == name && e.Type != "message" && e.Type != "session" {
				n++
			}
		}
	}
	return n
}
