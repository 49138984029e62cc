package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/store"
)

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	marked := filepath.Join(dir, "marked")
	deep := filepath.Join(marked, "a", "b")
	for _, d := range []string{filepath.Join(marked, ".tlog"), deep} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(marked, "a", ".tlog"), nil) // a file is no store
	for _, test := range []struct{ name, dir, cwd, xdg, home, want string }{
		{"TLOG_DIR", "/x/y", deep, "/xdg", "/home", "/x/y"},
		{"TLOG_DIR below the working folder", "y", "/w", "/xdg", "/home", "/w/y"},
		{"a .tlog above", "", deep, "/xdg", "/home", filepath.Join(marked, ".tlog")},
		{"a .tlog here", "", marked, "/xdg", "/home", filepath.Join(marked, ".tlog")},
		{"XDG_DATA_HOME", "", "/nowhere/at/all", "/xdg", "/home", "/xdg/tlog"},
		{"a relative XDG_DATA_HOME", "", "/nowhere", "xdg", "/home", "/home/.local/share/tlog"},
		{"the home folder", "", "/nowhere", "", "/home", "/home/.local/share/tlog"},
	} {
		if got, err := store.Locate(test.dir, test.cwd, test.xdg, test.home); err != nil || got != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
	if _, err := store.Locate("", "/nowhere", "", ""); !errors.Is(err, objects.ErrInvalid) {
		t.Errorf("nothing to go by: %v", err)
	}
}

func TestProject(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(dir, "real")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	shape := regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*-[0-9a-f]{12}$`)
	for _, cwd := range []string{
		"/", "/a/b-c", "/a-b/c", "/a/b/c", "/a b/c", "/a_b/c", "/ü/c", "/日本", "/...", "/-rf", "/a/" + strings.Repeat("x", 300),
		"/" + strings.Repeat("deep/", 500) + "end", "/a\nb", "/a\xff", `C:\Users\me`, `\\server\share`, "/gone/for/ever",
	} {
		name, resolved, err := store.Project(cwd)
		if err != nil {
			t.Errorf("%q: %v", cwd, err)
			continue
		}
		if !shape.MatchString(name) || len(name) > 100 {
			t.Errorf("%q: folder name %q", cwd, name)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q have one folder", cwd, other)
		}
		seen[name] = cwd
		if resolved != cwd {
			t.Errorf("%q resolved to %q", cwd, resolved)
		}
	}
	want, _, _ := store.Project(real)
	for _, cwd := range []string{link, link + "/", link + "/../link", real + "/."} {
		if name, resolved, err := store.Project(cwd); err != nil || name != want || resolved != real {
			t.Errorf("%s: %s, %s, %v", cwd, name, resolved, err)
		}
	}
	if _, resolved, _ := store.Project(link + "/not/there"); resolved != real+"/not/there" {
		t.Errorf("below a link: %s", resolved)
	}
	for _, cwd := range []string{"", "relative", ".", "~"} {
		if _, _, err := store.Project(cwd); !errors.Is(err, objects.ErrInvalid) {
			t.Errorf("%q: %v", cwd, err)
		}
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Project(loop); err == nil {
		t.Error("a link to itself has a project")
	}
}

// newSession makes a session with some entries in the store.
func newSession(t *testing.T, s *store.Store, cwd, name string, texts ...string) *checkout.Session {
	t.Helper()
	seeds++
	session, err := s.Create(cwd, name, options(seeds))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	for _, text := range texts {
		say(t, session, text)
	}
	return session
}

// touch sets a file's time.
func touch(t *testing.T, file string, minute int) {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)
	if err := os.Chtimes(file, at, at); err != nil {
		t.Fatal(err)
	}
}

func TestCreate(t *testing.T) {
	s, cwd := newStore(t)
	old := syscall.Umask(0)
	session := newSession(t, s, cwd, "a name", "first prompt")
	syscall.Umask(old)
	path := session.Log.Path()
	for at := path; at != filepath.Dir(s.Root()); at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			t.Fatal(err)
		}
		want := os.FileMode(0o700)
		if at == path {
			want = 0o600
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", at, info.Mode().Perm(), want)
		}
	}
	if file, err := s.File(cwd, session.Log.Header().ID); err != nil || file != path {
		t.Errorf("File gives %s, %v, want %s", file, err, path)
	}
	if !s.Contains(path) || s.Contains(cwd) || s.Contains(s.Root()+"x/projects/y") {
		t.Error("Contains")
	}
	for _, id := range []objects.ID{"", "../x", "a/b", "a\x00"} {
		if _, err := s.File(cwd, id); !errors.Is(err, objects.ErrInvalid) {
			t.Errorf("id %q: %v", id, err)
		}
	}
}

func TestSessions(t *testing.T) {
	s, cwd := newStore(t)
	if infos, err := s.Sessions(cwd, nil); err != nil || len(infos) != 0 {
		t.Errorf("an empty store: %v, %v", infos, err)
	}
	if _, err := s.Newest(cwd); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("newest of an empty store: %v", err)
	}
	a := newSession(t, s, cwd, "", "prompt of a", "more")
	b := newSession(t, s, cwd, "header name", "prompt of b")
	if _, err := b.SetName(t.Context(), "later name"); err != nil {
		t.Fatal(err)
	}
	c := newSession(t, s, cwd, "header name")
	other := newSession(t, s, t.TempDir(), "", "elsewhere")
	dir := filepath.Dir(a.Log.Path())
	broken := []string{
		writeFile(t, filepath.Join(dir, "empty.jsonl"), nil),
		writeFile(t, filepath.Join(dir, "garbage.jsonl"), []byte("garbage\n")),
		writeFile(t, filepath.Join(dir, "long.jsonl"), bytes.Repeat([]byte("x"), 1<<18)),
		writeFile(t, filepath.Join(dir, "bare.jsonl"), []byte(`{"role":"user","content":"x"}`+"\n")),
		writeFile(t, filepath.Join(dir, "other.jsonl"), []byte(`{"type":"user","uuid":"x"}`+"\n")),
		filepath.Join(dir, "pipe.jsonl"), filepath.Join(dir, "dangling.jsonl"),
	}
	if err := syscall.Mkfifo(broken[5], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/nowhere", broken[6]); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "folder.jsonl", "x"), nil)
	writeFile(t, filepath.Join(dir, "x.jsonl.lock"), nil)
	touch(t, a.Log.Path(), 3)
	touch(t, b.Log.Path(), 1)
	touch(t, c.Log.Path(), 2)
	touch(t, other.Log.Path(), 4)

	skipped := map[string]bool{}
	infos, err := s.Sessions(cwd, func(file string, err error) { skipped[file] = err != nil })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, info := range infos {
		got = append(got, fmt.Sprintf("%s|%s|%d", info.Name, info.FirstPrompt, info.Version))
		if info.Cwd == "" || info.Created.IsZero() || info.Modified.IsZero() || info.Size == 0 || info.Project != filepath.Base(dir) {
			t.Errorf("%+v", info)
		}
	}
	if fmt.Sprint(got) != "[|prompt of a|4 header name||4 later name|prompt of b|4]" {
		t.Errorf("sessions %q", got)
	}
	for _, file := range broken {
		if !skipped[file] {
			t.Errorf("%s was not reported", file)
		}
	}
	if all, err := s.Sessions("", nil); err != nil || len(all) != 4 || all[0].ID != other.Log.Header().ID {
		t.Errorf("all: %v, %v", all, err)
	}
	newest, err := s.Newest(cwd)
	if err != nil || newest.ID != a.Log.Header().ID || newest.FirstPrompt != "prompt of a" {
		t.Errorf("newest: %+v, %v", newest, err)
	}
	last := objects.ID("")
	for _, session := range []*checkout.Session{a, b, c} {
		touch(t, session.Log.Path(), 5)
		last = max(last, session.Log.Header().ID)
	}
	if newest, _ = s.Newest(cwd); newest.ID != last {
		t.Errorf("of one time the last id counts, got %s", newest.ID)
	}
}

// TestSessionsReadsEnds lists sessions that are longer than what is read of them.
func TestSessionsReadsEnds(t *testing.T) {
	s, cwd := newStore(t)
	session := newSession(t, s, cwd, "")
	source := `{"path":"/x","version":3,"header":{"pad":"` + strings.Repeat("p", 200<<10) + `"}}`
	file, err := s.File(cwd, "long-header")
	if err != nil {
		t.Fatal(err)
	}
	header := objects.Header{ID: "long-header", Cwd: cwd, Name: "in the header", Agent: "pi", Source: []byte(source)}
	middle := `{"type":"session_info","id":"m","parentId":null,"timestamp":"","name":"in the middle"}`
	pad := func(i int) string {
		return fmt.Sprintf(`{"type":"custom","id":"pad-%d","parentId":null,"timestamp":"","data":%q}`, i, strings.Repeat("x", 100<<10))
	}
	var in []log.Line
	for _, line := range []string{piMessage("a", "", "the prompt"), pad(1), middle, pad(2)} {
		in = append(in, log.Line{Bytes: []byte(line), Verbatim: true})
	}
	if err := log.WriteFile(file, header, in, log.WriteOptions{Blobs: log.BlobOptions{Threshold: -1}}); err != nil {
		t.Fatal(err)
	}
	infos, err := s.Sessions(cwd, nil)
	if err != nil || len(infos) != 2 {
		t.Fatalf("%v, %v", infos, err)
	}
	info := infos[0]
	if info.ID == session.Log.Header().ID {
		info = infos[1]
	}
	// A name in the middle is not seen, nor a prompt behind so long a header: that is the price of reading the ends only.
	if info.ID != "long-header" || info.FirstPrompt != "" || info.Name != "in the header" || info.Agent != "pi" {
		t.Errorf("%+v", info)
	}
	long := open(t, file)
	if _, err := long.SetName(t.Context(), "at the end"); err != nil {
		t.Fatal(err)
	}
	if info, err = s.Find(cwd, "long-h"); err != nil || info.Name != "at the end" {
		t.Errorf("%+v, %v", info, err)
	}
	if _, err := long.SetName(t.Context(), ""); err == nil {
		if info, _ = s.Find(cwd, "long-h"); info.Name != "" {
			t.Errorf("a cleared name is %q", info.Name)
		}
	}
}

func TestFind(t *testing.T) {
	s, cwd := newStore(t)
	elsewhere := t.TempDir()
	put := func(cwd, name string, id objects.ID) {
		file, err := s.File(cwd, objects.ID(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := log.WriteFile(file, objects.Header{ID: id, Cwd: cwd}, nil, log.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	const v7, v7b = "01a22be5-a519-7ed0-b6d3-b6ebc224ba97", "01a22be5-a519-7ed0-b6d3-c6ebc224ba97"
	put(cwd, v7, v7)
	put(cwd, v7b, v7b)
	put(cwd, "custom", "custom")
	put(cwd, "custom-2", "custom-2")
	put(cwd, "renamed-file", "by-header")
	put(elsewhere, "far", "far")
	put(elsewhere, "custom-far", "custom-far")
	put(elsewhere, "b6eb-far", "b6eb-far")
	put(elsewhere, "twice", "twice")
	put(t.TempDir(), "twice", "twice")
	for _, test := range []struct {
		prefix string
		want   objects.ID
		err    error
	}{
		{v7, v7, nil},
		{"b6ebc22", v7, nil}, // the tail
		{"B6EB", v7, nil},    // here comes before everywhere
		{"01a22be5", "", objects.ErrAmbiguous},
		{"custom", "custom", nil}, // exact comes before a prefix
		{"custom-", "custom-2", nil},
		{"custom-f", "custom-far", nil},
		{"far", "far", nil},
		{"b6eb-far", "b6eb-far", nil},
		{"by-h", "by-header", nil},
		{"renamed-file", "", objects.ErrNotFound}, // the header counts, not the file's name
		{"twice", "", objects.ErrAmbiguous},
		{"nothing", "", objects.ErrNotFound},
		{"../far", "", objects.ErrNotFound},
		{"", "", objects.ErrInvalid},
	} {
		info, err := s.Find(cwd, test.prefix)
		if info.ID != test.want || !errors.Is(err, test.err) {
			t.Errorf("%q: %s, %v, want %s, %v", test.prefix, info.ID, err, test.want, test.err)
		}
		var ambiguous *store.AmbiguousError
		if errors.Is(test.err, objects.ErrAmbiguous) && (!errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2) {
			t.Errorf("%q: %v names no candidates", test.prefix, err)
		}
	}
}

func TestWriteFork(t *testing.T) {
	s, cwd := newStore(t)
	session := newSession(t, s, cwd, "", "one", "two")
	fork, err := session.Fork(session.Refs.Head().At, checkout.ForkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	for _, to := range []string{"", elsewhere} {
		file, err := s.WriteFork(fork, to, log.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		f := open(t, file)
		want := to
		if to == "" {
			want = session.Log.Header().Cwd
		}
		if f.Log.Header().Cwd != want || f.Log.Len() != 2 || !s.Contains(file) {
			t.Errorf("fork %s: %s", file, f.Log.Header().Raw)
		}
		info, err := s.Newest(want)
		if err != nil || to != "" && info.ParentSession != session.Log.Header().ID {
			t.Errorf("%+v, %v", info, err)
		}
	}
	if _, err := s.WriteFork(fork, "", log.WriteOptions{}); !errors.Is(err, os.ErrExist) {
		t.Errorf("twice: %v", err)
	}
}

// BenchmarkSessions lists a project with many sessions.
func BenchmarkSessions(b *testing.B) {
	s, cwd := newStore(b)
	body := bytes.Repeat([]byte(piMessage("a", "", strings.Repeat("text ", 200))+"\n"), 500)
	for i := range 200 {
		id := fmt.Sprintf("session-%d", i)
		file, err := s.File(cwd, objects.ID(id))
		if err != nil {
			b.Fatal(err)
		}
		writeFile(b, file, append([]byte(piHeader(id, cwd)+"\n"), body...))
	}
	for b.Loop() {
		if infos, err := s.Sessions(cwd, nil); err != nil || len(infos) != 200 {
			b.Fatal(len(infos), err)
		}
	}
}
