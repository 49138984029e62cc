package checkout_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"tlog/objects"
)

// TestPiFindsTheActivePath opens sessions that random operations have made with pi's own session manager, which
// takes the last line for the leaf. Its path, journal entries left out, must be HEAD's.
func TestPiFindsTheActivePath(t *testing.T) {
	script := filepath.Join(sharedDir(), "oracle", "pi", "pi-context.mjs")
	if _, err := os.Stat(script); err != nil {
		t.Skip("shared/ is missing: no " + script)
	}
	if os.Getenv("PI_DIR") == "" {
		t.Skip("PI_DIR is not set to the folder of pi's package")
	}
	node := os.Getenv("NODE_BIN")
	if node == "" {
		node = "node"
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := &walk{lab: newLab(t, 3000+seed), rng: rand.New(rand.NewPCG(seed, 2)), model: newModel()}
			for range 4 {
				for range 25 {
					w.step()
				}
				out, err := exec.Command(node, script, w.path, "--no-messages").Output()
				w.ok(err)
				var got struct{ Branch []objects.ID }
				w.ok(json.Unmarshal(out, &got))
				path := slices.DeleteFunc(got.Branch, func(id objects.ID) bool { return w.entry(id).Type.Journal() })
				if want := w.modelIDs(w.model.path(w.model.head())); !slices.Equal(path, want) {
					t.Fatalf("pi's path is %v, want %v, operations: %q", path, want, w.done)
				}
			}
		})
	}
}
