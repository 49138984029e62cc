package checkout_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tlog/objects"
	"tlog/projection/pitest"
)

// TestPiFindsTheActivePath opens sessions that random operations have made with the real pi, which
// takes the last line for the leaf: its path, journal entries left out, must be HEAD's, and it must change nothing.
func TestPiFindsTheActivePath(t *testing.T) {
	const sessions, operations = 100, 60
	var walks []*walk
	var files []string
	for seed := range uint64(sessions) {
		rng := rand.New(rand.NewPCG(seed, 2))
		w := &walk{lab: newLab(t, 3000+seed), rng: rng, model: newModel()}
		for range 1 + rng.IntN(operations) {
			w.step()
		}
		walks = append(walks, w)
		files = append(files, w.path)
	}
	before := readAll(t, files)
	out, err := pitest.Command(t, "paths.mjs", files).Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(answers) != len(walks) {
		t.Fatalf("pi answered for %d files of %d", len(answers), len(walks))
	}
	for i, w := range walks {
		t.Run(fmt.Sprint("seed ", i), func(t *testing.T) {
			var got struct{ Path []objects.ID }
			if err := json.Unmarshal(answers[i], &got); err != nil {
				t.Fatal(err)
			}
			path := slices.DeleteFunc(got.Path, func(id objects.ID) bool { return w.entry(id).Type.Journal() })
			if want := w.modelIDs(w.model.path(w.model.head())); !slices.Equal(path, want) {
				t.Errorf("pi's path is %v, want %v, operations: %q", path, want, w.done)
			}
		})
	}
	for i, after := range readAll(t, files) {
		if !bytes.Equal(before[i], after) {
			t.Errorf("pi changed %s", filepath.Base(files[i]))
		}
	}
}

func readAll(t *testing.T, files []string) [][]byte {
	t.Helper()
	var all [][]byte
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, content)
	}
	return all
}
