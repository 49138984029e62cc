package diff_test

import (
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tlog/checkout"
	"tlog/diff"
	"tlog/objects/sharedtest"
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

func sharedSessions(t *testing.T) (files []string) {
	t.Helper()
	for _, dir := range []string{"corpus", "samples"} {
		err := filepath.WalkDir(sharedtest.Dir(t, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains([]string{".jsonl", ".json"}, filepath.Ext(path)) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestSharedLeaves compares the leaves of every branched session with each other, and with themselves.
func TestSharedLeaves(t *testing.T) {
	if testing.Short() {
		t.Skip("it compares thousands of paths")
	}
	const maxLeaves = 40 // of a session with more, as many are chosen
	rng := rand.New(rand.NewPCG(21, 22))
	sessions, branched, pairs, differ := 0, 0, 0, 0
	for _, file := range sharedSessions(t) {
		s, ok := openShared(t, file)
		if !ok {
			continue
		}
		sessions++
		leaves := slices.Clone(s.Log.Leaves())
		if len(leaves) > 1 {
			branched++
		}
		if len(leaves) > maxLeaves {
			rng.Shuffle(len(leaves), func(i, j int) { leaves[i], leaves[j] = leaves[j], leaves[i] })
			leaves = leaves[:maxLeaves]
		}
		for n, a := range leaves {
			for _, b := range leaves[n:] {
				c := compareSides(t, diff.Side{State: s.Refs, At: a}, diff.Side{State: s.Refs, At: b})
				pairs++
				if !c.Empty() {
					differ++
				}
				if a == b && (!c.Empty() || len(c.OnlyA)+len(c.OnlyB) > 0) {
					t.Errorf("%s: %s differs from itself", file, s.Log.Short(a))
				}
				if t.Failed() {
					t.Fatalf("%s: %s against %s", file, s.Log.Short(a), s.Log.Short(b))
				}
			}
		}
	}
	t.Logf("%d sessions, %d branched, %d pairs, %d of them differ", sessions, branched, pairs, differ)
}

func compareSides(t *testing.T, a, b diff.Side) *diff.Comparison {
	t.Helper()
	c, err := diff.Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	diff.CheckParts(t, c)
	diff.CheckPairs(t, c)
	diff.CheckMirrored(t, c)
	return c
}

// head is the side that HEAD of a session is.
func head(s *checkout.Session) diff.Side { return diff.Side{State: s.Refs, At: s.Refs.Head().At} }

// tip is the side that a branch is.
func tip(t *testing.T, s *checkout.Session, branch string) diff.Side {
	t.Helper()
	b, ok := s.Refs.Branch(branch)
	if !ok {
		t.Fatalf("no branch %s", branch)
	}
	return diff.Side{State: s.Refs, At: b.At}
}
