package blobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

func hashes(t testing.TB, s *Store) (found []Hash) {
	t.Helper()
	for info, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, info.Hash)
	}
	return found
}

func TestAllIsSortedAndPassesOverTheRest(t *testing.T) {
	s := newStore(t)
	if got := hashes(t, s); len(got) != 0 {
		t.Fatalf("got %v in a store that is not there", got)
	}
	var want []Hash
	for i := range 600 {
		want = append(want, mustPut(t, s, fmt.Sprint(i)))
	}
	slices.SortFunc(want, func(a, b Hash) int { return slices.Compare(a[:], b[:]) })
	odd := oddFiles(t, s, want[0])
	if got := hashes(t, s); !slices.Equal(got, want) {
		t.Errorf("got %d blobs, expected %d sorted", len(got), len(want))
	}
	g, err := s.Collect(t.Context(), nil, time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Remove(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	if got := hashes(t, s); len(got) != 0 {
		t.Errorf("%d blobs are left", len(got))
	}
	for _, path := range odd {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("not a blob, but gone: %v", err)
		}
	}
	count := 0
	for range s.All() {
		count++
		break
	}
}

// oddFiles puts things into a store that are no blobs, and a whole folder of blobs that a link leads to.
func oddFiles(t *testing.T, s *Store, known Hash) []string {
	t.Helper()
	other := newStore(t)
	outside := mustPut(t, other, "outside")
	name := outside.String()
	folder := filepath.Dir(s.Path(known))
	files := []string{
		filepath.Join(s.Dir(), "README"),
		filepath.Join(s.Dir(), "AB", known.String()[2:]),
		filepath.Join(s.Dir(), "abc", known.String()[2:]),
		filepath.Join(s.Dir(), tempPrefix+"1"),
		filepath.Join(folder, "notes.txt"),
		filepath.Join(folder, known.String()),
		filepath.Join(folder, "..."+known.String()[5:]),
		filepath.Join(folder, known.String()[2:]+".png"),
		filepath.Join(folder, tempPrefix+"folder", "file"),
		filepath.Join(folder, name[2:], "file"),
	}
	for _, path := range files {
		write(t, path, "odd")
	}
	links := map[string]string{
		filepath.Join(folder, tempPrefix+"link"):                other.Path(outside),
		filepath.Join(folder, Sum([]byte("link")).String()[2:]): other.Path(outside),
	}
	if _, err := os.Lstat(filepath.Join(s.Dir(), name[:2])); err != nil {
		links[filepath.Join(s.Dir(), name[:2])] = filepath.Dir(other.Path(outside))
	}
	for path, to := range links {
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	return append(files, other.Path(outside))
}

func TestCollect(t *testing.T) {
	s := newStore(t)
	named := map[Hash]bool{}
	for name, test := range map[string]struct {
		named bool
		at    time.Time
	}{
		"named and old":        {true, longAgo},
		"named and young":      {true, time.Now()},
		"old":                  {false, longAgo},
		"older":                {false, longAgo.Add(-time.Hour)},
		"exactly at the limit": {false, limit},
		"just younger":         {false, limit.Add(time.Microsecond)},
		"of the future":        {false, time.Now().Add(1000 * time.Hour)},
	} {
		h := mustPut(t, s, name)
		age(t, s.Path(h), test.at)
		if test.named {
			named[h] = true
		}
	}
	old := filepath.Join(filepath.Dir(s.Path(Sum([]byte("old")))), tempPrefix+"old")
	write(t, old, "12345")
	age(t, old, longAgo)
	write(t, filepath.Join(filepath.Dir(old), tempPrefix+"young"), "123")

	g, err := s.Collect(t.Context(), named, limit)
	if err != nil {
		t.Fatal(err)
	}
	want := map[Hash]int64{}
	for _, name := range []string{"old", "older", "exactly at the limit"} {
		want[Sum([]byte(name))] = int64(len(name))
	}
	if len(g.Blobs) != len(want) || g.Young != 2 || g.Kept != 2 || !slices.Equal(g.Leftovers, []string{old}) || g.LeftoverSize != 5 {
		t.Errorf("got %+v", g)
	}
	total := g.LeftoverSize
	for _, blob := range g.Blobs {
		if want[blob.Hash] != blob.Size {
			t.Errorf("got %+v", blob)
		}
		total += blob.Size
	}
	if got := len(hashes(t, s)); got != 7 {
		t.Errorf("%d blobs after Collect, expected all 7", got)
	}
	freed, err := s.Remove(t.Context(), g)
	if err != nil || freed != total {
		t.Errorf("freed %d, %v, expected %d", freed, err, total)
	}
	if got := len(hashes(t, s)); got != 4 {
		t.Errorf("%d blobs are left, expected 4", got)
	}
	if left := temps(t, s); len(left) != 1 {
		t.Errorf("got temporary files %q, expected the young one", left)
	}
	if freed, err := s.Remove(t.Context(), g); err != nil || freed != 0 {
		t.Errorf("freed %d, %v the second time", freed, err)
	}
}

// The race that the grace period is for: a writer puts content that is there as old garbage, and names it a moment later.
func TestPutBetweenCollectAndRemove(t *testing.T) {
	for name, again := range map[string]func(s *Store, h Hash) error{
		"put":     func(s *Store, h Hash) error { _, err := s.Put([]byte("wanted again"), Options{}); return err },
		"touched": func(s *Store, h Hash) error { return s.Touch(h) },
		"damaged and put": func(s *Store, h Hash) error {
			write(t, s.Path(h), "damage")
			age(t, s.Path(h), longAgo)
			_, err := s.Put([]byte("wanted again"), Options{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			h, other := mustPut(t, s, "wanted again"), mustPut(t, s, "garbage")
			age(t, s.Path(h), longAgo)
			age(t, s.Path(other), longAgo)
			leftover := filepath.Join(filepath.Dir(s.Path(h)), tempPrefix+"1")
			write(t, leftover, "slow")
			age(t, leftover, longAgo)
			g, err := s.Collect(t.Context(), nil, limit)
			if err != nil || len(g.Blobs) != 2 || len(g.Leftovers) != 1 {
				t.Fatalf("got %+v, %v", g, err)
			}
			if err := again(s, h); err != nil {
				t.Fatal(err)
			}
			age(t, leftover, time.Now())
			if freed, err := s.Remove(t.Context(), g); err != nil || freed != int64(len("garbage")) {
				t.Errorf("freed %d, %v", freed, err)
			}
			checkContent(t, s, h, []byte("wanted again"))
			if _, err := s.Get(other); !errors.Is(err, ErrMissing) {
				t.Errorf("garbage is still there: %v", err)
			}
			if len(temps(t, s)) != 1 {
				t.Error("the file of a writer at work is gone")
			}
			if g, err := s.Collect(t.Context(), nil, limit); err != nil || g.Young != 1 || len(g.Blobs) != 0 {
				t.Errorf("then got %+v, %v", g, err)
			}
		})
	}
}

// The same race, step against step: whatever way Put and a collection interleave, the blob is there when
// both are done.
func TestPutAgainstRemove(t *testing.T) {
	s := newStore(t)
	content := "wanted again"
	h := mustPut(t, s, content)
	rounds := 2000
	if testing.Short() {
		rounds = 300
	}
	removed := 0
	for range rounds {
		age(t, s.Path(h), longAgo)
		g, err := s.Collect(t.Context(), nil, limit)
		if err != nil || len(g.Blobs) != 1 {
			t.Fatalf("got %+v, %v", g, err)
		}
		var wg sync.WaitGroup
		var freed int64
		wg.Go(func() {
			var err error
			if freed, err = Open(s.Dir()).Remove(t.Context(), g); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if _, err := s.Put([]byte(content), Options{NoSync: true}); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		checkContent(t, s, h, []byte(content))
		if freed > 0 {
			removed++
		}
	}
	t.Logf("the collection was first in %d of %d rounds", removed, rounds)
	checkNoTemps(t, s)
}

func TestRemoveStaysInTheStore(t *testing.T) {
	s := newStore(t)
	h := mustPut(t, s, "blob")
	outside := filepath.Join(t.TempDir(), "ab", tempPrefix+"1")
	write(t, outside, "mine")
	age(t, outside, longAgo)
	folder := filepath.Dir(s.Path(h))
	for _, path := range []string{outside, s.Path(h), filepath.Join(s.Dir(), tempPrefix+"1"), folder + "/../../../" + tempPrefix + "1", ""} {
		if freed, err := s.Remove(t.Context(), Garbage{Leftovers: []string{path}, before: limit}); err == nil || freed != 0 {
			t.Errorf("%q: freed %d, %v, expected an error", path, freed, err)
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
}

func TestCanceled(t *testing.T) {
	s := newStore(t)
	h := mustPut(t, s, "blob")
	age(t, s.Path(h), longAgo)
	g, err := s.Collect(t.Context(), nil, limit)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Collect(ctx, nil, limit); !errors.Is(err, context.Canceled) {
		t.Errorf("Collect: %v", err)
	}
	if _, err := s.Remove(ctx, g); !errors.Is(err, context.Canceled) {
		t.Errorf("Remove: %v", err)
	}
	checkContent(t, s, h, []byte("blob"))
}

func TestFailuresGoOn(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may do anything: the test needs a folder that it cannot read")
	}
	s := newStore(t)
	h, other := mustPut(t, s, "one"), mustPut(t, s, "two")
	age(t, s.Path(other), longAgo)
	folder := filepath.Dir(s.Path(h))
	if err := os.Chmod(folder, 0); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(folder, 0o700) }()
	g, err := s.Collect(t.Context(), nil, limit)
	if err == nil || len(g.Blobs) != 1 {
		t.Errorf("got %+v, %v, expected the other blob and an error", g, err)
	}
}
