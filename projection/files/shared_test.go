package files_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tlog/checkout"
	"tlog/objects"
	"tlog/objects/sharedtest"
	"tlog/projection/files"
	"tlog/refs"
	"tlog/store"
)

func options() checkout.Options {
	return checkout.Options{
		Now:    func() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) },
		Random: rand.NewChaCha8([32]byte{1}),
	}
}

// openShared opens a session of the shared material; ok is false if the file is none.
func openShared(t *testing.T, path string) (s *checkout.Session, ok bool) {
	t.Helper()
	s, ok, err := store.OpenForeign(t.Context(), path, t.TempDir(), options())
	if !ok {
		s, err = checkout.Open(path, options())
	}
	if err != nil {
		return nil, false
	}
	t.Cleanup(func() { s.Close() })
	return s, true
}

// rates are what became of the operations of an agent.
type rates struct {
	changes  [3]int // by the grade of the state after them
	checked  [3]int // states that the next operation tells of, by their grade
	right    [3]int
	partly   [3]int // of them, checked by a part that was read
	sessions int
	why      map[string]int
	seen     map[string]bool
}

// TestSharedStates replays the newest leaf of each real session and holds each state against what the next operation on the file tells was in it: a whole read, a part
// that was read, or the file before an edit.
func TestSharedStates(t *testing.T) {
	all := map[string]*rates{}
	for _, dir := range []string{"corpus", "samples"} {
		root := sharedtest.Dir(t, dir)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !slices.Contains([]string{".jsonl", ".json"}, filepath.Ext(path)) {
				return err
			}
			if s, ok := openShared(t, path); ok && len(s.Log.Leaves()) > 0 {
				agent := cmp.Or(s.Log.Header().Agent, "pi")
				if all[agent] == nil {
					all[agent] = &rates{why: map[string]int{}, seen: map[string]bool{}}
				}
				all[agent].sessions++
				checkStates(t, s, all[agent], filepath.Base(path))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	names := []string{}
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	var sum rates
	for _, name := range names {
		r := all[name]
		t.Logf("%-9s %3d sessions; states after changes: exact %d, derived %d, unknown %d; checked and right: exact %d/%d, derived %d/%d (of them by parts %d and %d)", name, r.sessions,
			r.changes[files.Exact], r.changes[files.Derived], r.changes[files.Unknown], r.right[files.Exact], r.checked[files.Exact], r.right[files.Derived], r.checked[files.Derived],
			r.partly[files.Exact], r.partly[files.Derived])
		for g := range r.checked {
			sum.checked[g] += r.checked[g]
			sum.right[g] += r.right[g]
		}
		for _, why := range mostOf(r.why, 12) {
			t.Logf("          unknown by %s", why)
		}
	}
	if sum.checked[files.Exact] != sum.right[files.Exact] {
		t.Errorf("%d of %d exact states are right, expected all", sum.right[files.Exact], sum.checked[files.Exact])
	}
	if sum.right[files.Derived]*100 < sum.checked[files.Derived]*99 {
		t.Errorf("%d of %d derived states are right, expected 99 %%", sum.right[files.Derived], sum.checked[files.Derived])
	}
	if sum.checked[files.Derived] < 100 {
		t.Errorf("only %d derived states were checked", sum.checked[files.Derived])
	}
}

func mostOf(counts map[string]int, n int) (lines []string) {
	var keys []string
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
	for _, k := range keys[:min(n, len(keys))] {
		lines = append(lines, fmt.Sprintf("%q (%d)", k, counts[k]))
	}
	return lines
}

func checkStates(t *testing.T, s *checkout.Session, r *rates, name string) {
	leaf := s.Refs.Head().At
	if leaf < 0 {
		leaf = s.Log.Leaves()[len(s.Log.Leaves())-1]
	}
	h, err := refs.NewHistory(s.Log, leaf)
	if err != nil {
		t.Fatal(err)
	}
	_, err = files.New(h, files.Options{Each: func(c files.Change) error {
		if c.Failed {
			return nil
		}
		if c.Op.Kind != objects.FileRead {
			r.changes[c.After.Grade]++
			if c.After.Grade == files.Unknown {
				r.why[c.After.Why]++
			}
		}
		right, part, ok := checked(c)
		once := fmt.Sprint(callOf(t, s, c), c.Path)
		if !ok || r.seen[once] {
			return nil // copies of one session count once
		}
		r.seen[once] = true
		g := c.Prior().Grade
		r.checked[g]++
		if part {
			r.partly[g]++
		}
		if right {
			r.right[g]++
		} else {
			t.Logf("%s, line %d: %s of %s: the state is %s and wrong, from line %d", name, s.Log.Record(c.Entry).Line, c.Tool, c.Path, g, s.Log.Record(max(c.Prior().By, 0)).Line)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// callOf names a call the same in all copies of its session.
func callOf(t *testing.T, s *checkout.Session, c files.Change) string {
	t.Helper()
	e, err := s.Log.Entry(c.Entry)
	if err != nil {
		t.Fatal(err)
	}
	return e.Timestamp + c.Tool
}

// checked holds a state against what the next operation on the file tells; ok is false if it tells nothing.
func checked(c files.Change) (right, part, ok bool) {
	was := c.Prior()
	if !was.Sure() {
		return false, false, false
	}
	text := was.Text
	if c.Op.Plain {
		text = files.Plain(text)
	}
	switch {
	case c.Op.Kind == objects.FileRead && c.Op.Whole:
		return was.Exists && text == c.Op.Text, false, true
	case c.Op.Kind == objects.FileRead && c.Op.FirstLine > 0 && c.Op.Text != "":
		return was.Exists && files.HasLines(files.Plain(text), c.Op.FirstLine, files.Plain(c.Op.Text)), true, true
	case c.Op.HasBefore:
		return text == files.Plain(c.Op.Before), false, true
	case c.Op.Created:
		return !was.Exists, false, true
	}
	return false, false, false
}
