package claude

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/agents/transcript"
	"tlog/objects"
	"tlog/objects/sharedtest"
)

func TestSideFiles(t *testing.T) {
	root := t.TempDir()
	session := put(t, root, "projects/-srv-a/"+someUUID+".jsonl", "{}\n")
	result := put(t, root, "projects/-srv-a/"+someUUID+"/tool-results/b1.txt", "much")
	if err := os.MkdirAll(filepath.Join(root, "projects/-srv-a", someUUID, "tool-results", "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	paste := put(t, root, "paste-cache/00ff00ff00ff00ff.txt", "pasted")
	put(t, root, "secret.txt", "not to be read")
	mine := `{"display":"one","pastedContents":{"1":{"contentHash":"00ff00ff00ff00ff"},"2":{"content":"short"},"3":{"contentHash":"../secret"},"4":{"contentHash":"beef"}},"sessionId":"` + someUUID + `"}`
	second := `{ "sessionId" : "` + someUUID + `", "display":"two ` + "\u2028" + `","pastedContents":{"1":{"contentHash":"00ff00ff00ff00ff"}}}`
	history := strings.Join([]string{
		`{"display":"other","sessionId":"other"}`, mine,
		`{"display":"names ` + someUUID + ` only","sessionId":"other","pastedContents":{"1":{"contentHash":"beef"}}}`,
		`{"display":"torn","sessionId":"` + someUUID + `"`, "", second,
	}, "\n")
	id := transcript.Identity{ID: someUUID}
	want := []transcript.SideFile{
		{Name: "tool-results/b1.txt", Path: result},
		{Name: "history.jsonl", Data: []byte(mine + "\n" + second)},
		{Name: "paste-cache/00ff00ff00ff00ff.txt", Path: paste},
	}
	again := Agent{}.SideFileReader()
	for _, end := range []string{"", "\n", "\n{\"display\":\"later\"}\n"} {
		put(t, root, "history.jsonl", history+end)
		for name, read := range map[string]func(string, transcript.Identity) ([]transcript.SideFile, error){
			"once": Agent{}.SideFiles, "with memory": again, "from memory": again,
		} {
			got, err := read(session, id)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Error(name, err, diff)
			}
		}
	}
	got, err := Agent{}.SideFiles(session, transcript.Identity{ID: "other-session"})
	if diff := cmp.Diff(want[:1], got); diff != "" || err != nil {
		t.Error("nothing in the history:", err, diff)
	}
	got, err = Agent{}.SideFiles(session, transcript.Identity{ID: someUUID, Subagent: "ab"})
	if diff := cmp.Diff(want[:1], got); diff != "" || err != nil {
		t.Error("a subagent has typed nothing:", err, diff)
	}
	// A copy elsewhere has no history.
	elsewhere := put(t, root, "copies/x/"+someUUID+".jsonl", "{}\n")
	if got, err := (Agent{}).SideFiles(elsewhere, id); got != nil || err != nil {
		t.Error("elsewhere:", got, err)
	}
	if err := os.Remove(filepath.Join(root, "history.jsonl")); err != nil {
		t.Fatal(err)
	}
	got, err = Agent{}.SideFiles(session, id)
	if diff := cmp.Diff(want[:1], got); diff != "" || err != nil {
		t.Error("no history:", err, diff)
	}
}

func TestSideFilesShared(t *testing.T) {
	for name, want := range map[string]int{"g-paste": 2, "g-huge": 1} {
		files := sharedtest.Glob(t, "projects/*/*.jsonl", "samples", "claude", name)
		id, err := Agent{}.Identify(files[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Agent{}.SideFiles(files[0], id)
		if err != nil || len(got) != want {
			t.Errorf("%s: %v, %v, want %d", name, got, err, want)
		}
	}
}

// What is remembered of a history holds only as long as that is the same.
func TestSideFileReader(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	read := Agent{}.SideFileReader()
	line := func(display string) string { return `{"display":"` + display + `","sessionId":"` + someUUID + `"}` }
	lines := func(root string) string {
		t.Helper()
		files, err := read(filepath.Join(root, "projects", "-x", someUUID+".jsonl"), transcript.Identity{ID: someUUID})
		if err != nil || len(files) > 1 {
			t.Fatal(files, err)
		}
		if len(files) == 0 {
			return ""
		}
		return string(files[0].Data)
	}
	put(t, root, "history.jsonl", line("one")+"\n")
	put(t, other, "history.jsonl", line("two")+"\n")
	for range 2 {
		if got := lines(root); got != line("one") {
			t.Errorf("got %q", got)
		}
		if got := lines(other); got != line("two") {
			t.Errorf("got %q", got)
		}
	}
	put(t, other, "history.jsonl", `{"sessionId":"x"}`+"\n"+line("two")+"\n"+line("three")+"\n")
	if got := lines(other); got != line("two")+"\n"+line("three") {
		t.Errorf("got %q", got)
	}
	put(t, other, "history.jsonl", "")
	if got := lines(other); got != "" {
		t.Errorf("got %q", got)
	}
}

// Links and what is no file are told of and not taken; what else lies there is.
func TestSideFilesSkipped(t *testing.T) {
	root := t.TempDir()
	session := put(t, root, "projects/-srv-a/"+someUUID+".jsonl", "{}\n")
	results := filepath.Join(strings.TrimSuffix(session, ".jsonl"), "tool-results")
	good := put(t, results, "good.txt", "much")
	put(t, root, "history.jsonl", `{"pastedContents":{"1":{"contentHash":"beef"}},"sessionId":"`+someUUID+`"}`)
	put(t, root, "paste-cache/other", "")
	for _, err := range []error{
		os.Symlink("/proc/kmsg", filepath.Join(results, "a")), os.Symlink("good.txt", filepath.Join(results, "b")),
		os.Symlink("/etc", filepath.Join(results, "c")), syscall.Mkfifo(filepath.Join(results, "fifo"), 0o600),
		os.Symlink("/etc/passwd", filepath.Join(root, "paste-cache/beef.txt")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...string) {
		t.Helper()
		files, err := Agent{}.SideFiles(session, transcript.Identity{ID: someUUID})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, file := range files {
			switch {
			case file.Skipped == nil && (file.Path == good || file.Data != nil):
				got = append(got, file.Name)
			case errors.Is(file.Skipped, objects.ErrInvalid) && file.Path == "" && file.Data == nil:
				got = append(got, "-"+file.Name)
			default:
				t.Errorf("%+v", file)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	check("-tool-results/a", "-tool-results/b", "-tool-results/c", "-tool-results/fifo", "tool-results/good.txt", "history.jsonl", "-paste-cache/beef.txt")
	if err := errors.Join(os.Rename(results, results+".away"), os.Symlink("tool-results.away", results)); err != nil {
		t.Fatal(err)
	}
	check("-tool-results", "history.jsonl", "-paste-cache/beef.txt")
	if err := os.Truncate(filepath.Join(root, "history.jsonl"), transcript.MaxSideFile+1); err != nil {
		t.Fatal(err)
	}
	check("-tool-results", "-history.jsonl")
}

// A link of a subagent's name is one of its transcripts only within the session's folder.
func TestSubagentLinks(t *testing.T) {
	root := t.TempDir()
	session := put(t, root, someUUID+".jsonl", "{}\n")
	folder := strings.TrimSuffix(session, ".jsonl")
	inner := put(t, folder, "subagents/agent-aa.jsonl", "{}\n")
	put(t, root, "outside.jsonl", "{}\n")
	link := filepath.Join(folder, "subagents", "agent-bb.jsonl")
	for _, err := range []error{
		os.Symlink("agent-aa.jsonl", link), os.Symlink(filepath.Join(root, "outside.jsonl"), filepath.Join(folder, "subagents", "agent-cc.jsonl")),
		os.Symlink("/", filepath.Join(folder, "subagents", "all")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := Agent{}.Subagents(session)
	if diff := cmp.Diff([]string{inner, link}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
