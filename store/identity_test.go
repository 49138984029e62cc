package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/objects"
	"tlog/store"
)

// TestProjectsStayApart makes a session in each of many working folders with names that are easily mixed up, and finds it by
// all ways that lead there, and nothing else.
func TestProjectsStayApart(t *testing.T) {
	s, _ := newStore(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	long := func(middle string) string { // 3,000 characters that differ in the middle alone
		part := strings.Repeat("/"+strings.Repeat("x", 99), 15)
		return part[:1499-len(middle)] + "/" + middle + part
	}
	real := filepath.Join(root, "real")
	link := filepath.Join(root, "link")
	for _, dir := range []string{filepath.Join(real, "sub"), filepath.Join(root, "日本 語"), filepath.Join(root, "日本_語")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	// Each row is one project, by different ways.
	rows := [][]string{
		{"/a/b-c", "/a/b-c/", "/a/./b-c", "/a/x/../b-c", "//a//b-c"},
		{"/a-b/c", "/a-b/c/."},
		{"/a/b/c"}, {"/a-b-c"}, {"/a b/c"}, {"/a  b/c"}, {"/A/b-c"},
		{long("one"), long("one") + "/"}, {long("two")},
		{filepath.Join(root, "日本 語"), root + "/日本 語/", link + "/../日本 語"}, {filepath.Join(root, "日本_語")}, {filepath.Join(root, "日本語")},
		{real, link, link + "/", link + "/sub/..", real + "/../link", root + "/real/./"},
		{filepath.Join(real, "sub"), link + "/sub"},
		{filepath.Join(root, "real-sub")},
	}
	made := make([]objects.ID, len(rows))
	for i, row := range rows {
		made[i] = newSession(t, s, row[0], fmt.Sprint("of row ", i), "hey").Log.Header().ID
	}
	for i, row := range rows {
		for _, cwd := range row {
			infos, err := s.Sessions(cwd, nil)
			if err != nil || len(infos) != 1 || infos[0].ID != made[i] {
				t.Errorf("%.80q: %d sessions, %v, expected the one of row %d", cwd, len(infos), err, i)
			}
			if newest, err := s.Newest(cwd); err != nil || newest.ID != made[i] {
				t.Errorf("%.80q: newest %s, %v", cwd, newest.ID, err)
			}
		}
	}
	// The same when the folder is gone.
	if err := os.RemoveAll(filepath.Join(root, "日本 語")); err != nil {
		t.Fatal(err)
	}
	if infos, err := s.Sessions(filepath.Join(root, "日本 語"), nil); err != nil || len(infos) != 1 {
		t.Errorf("gone: %d sessions, %v", len(infos), err)
	}
}

// TestAlias moves folders about and looks from where which sessions are seen.
func TestAlias(t *testing.T) {
	s, _ := newStore(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		newSession(t, s, "/gone/"+name, name, "hey")
	}
	seen := func(cwd string) string {
		infos, err := s.Sessions("/gone/"+cwd, nil)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, info := range infos {
			found[info.Name] = true
		}
		out := ""
		for _, name := range []string{"a", "b", "c", "d"} {
			if found[name] {
				out += name
			}
		}
		return out
	}
	move := func(from, to string) error {
		_, err := s.Alias(t.Context(), "/gone/"+from, "/gone/"+to)
		return err
	}
	for _, step := range []struct {
		from, to string
		refused  bool
		a, b, c  string // what is seen from there
	}{
		{"a", "b", false, "a", "ab", "c"},
		{"b", "a", true, "a", "ab", "c"},
		{"a", "a", true, "a", "ab", "c"},
		{"b", "c", false, "a", "ab", "abc"},
		{"c", "a", true, "a", "ab", "abc"},
		{"d", "b", false, "a", "abd", "abcd"},
		{"a", "c", false, "a", "bd", "abcd"}, // said anew
		{"a", "c/", false, "a", "bd", "abcd"},
	} {
		if err := move(step.from, step.to); errors.Is(err, objects.ErrRefused) != step.refused || err != nil && !step.refused {
			t.Fatalf("%s to %s: %v", step.from, step.to, err)
		}
		if a, b, c := seen("a"), seen("b"), seen("c"); a != step.a || b != step.b || c != step.c {
			t.Errorf("%s to %s: a sees %q, b %q, c %q, expected %q, %q, %q", step.from, step.to, a, b, c, step.a, step.b, step.c)
		}
	}
	if at, err := s.MovedTo("/gone/d"); err != nil || at != "/gone/c" {
		t.Errorf("d is at %s, %v", at, err)
	}
	if info, err := s.Newest("/gone/c"); err != nil || info.Name != "d" {
		t.Errorf("newest of c: %+v, %v", info, err)
	}
	if _, err := s.RemoveAlias(t.Context(), "/gone/b"); err != nil || seen("c") != "ac" {
		t.Errorf("b removed: c sees %q, %v", seen("c"), err)
	}
	if _, err := s.RemoveAlias(t.Context(), "/gone/b"); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	if err := move("x", "relative/../../y"); err != nil {
		t.Error(err)
	}
	if _, err := s.Alias(t.Context(), "relative", "/y"); !errors.Is(err, objects.ErrInvalid) {
		t.Errorf("a relative path: %v", err)
	}
}

// TestAliasFile reads an alias file that was edited by hand, badly, and keeps what it does not understand.
func TestAliasFile(t *testing.T) {
	s, _ := newStore(t)
	newSession(t, s, "/gone/a", "a", "hey")
	file := filepath.Join(s.Root(), "aliases")
	writeFile(t, file, lines(`{"from":"/gone/a","to":"/gone/b"}`, `nonsense`, ``, `{"from":"/gone/b","to":"/gone/a"}`, `{"from":"x","to":"y"}`))
	for _, cwd := range []string{"/gone/a", "/gone/b"} {
		if infos, err := s.Sessions(cwd, nil); err != nil || len(infos) != 1 {
			t.Errorf("%s in a circle: %d sessions, %v", cwd, len(infos), err)
		}
	}
	if _, err := s.MovedTo("/gone/a"); err != nil {
		t.Error(err)
	}
	if _, err := s.Alias(t.Context(), "/p/q\nr", "/p/ü"); err != nil {
		t.Fatal(err)
	}
	text := string(readFile(t, file))
	if !strings.Contains(text, "nonsense\n") || !strings.Contains(text, `{"from":"x","to":"y"}`+"\n") {
		t.Errorf("lines were lost: %s", text)
	}
	if list, err := s.Aliases(); err != nil || len(list) != 3 || list[2] != (store.Alias{From: "/p/q\nr", To: "/p/ü"}) {
		t.Errorf("%q, %v", list, err)
	}
}

// TestAliasTogether tells of many moves at once; none is lost.
func TestAliasTogether(t *testing.T) {
	s, _ := newStore(t)
	const n = 16
	errs := make(chan error)
	for i := range n {
		go func() {
			_, err := s.Alias(t.Context(), fmt.Sprintf("/gone/%d", i), "/new")
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if list, err := s.Aliases(); err != nil || len(list) != n {
		t.Errorf("%d moves are known, expected %d: %v", len(list), n, err)
	}
}
