package claude

import (
	"math/rand/v2"
	"testing"
)

// TestForest compares the forest with a plain list of parents.
func TestForest(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 4))
		f, parents := newForest(), []int32{0}
		descends := func(node, ancestor int32) bool {
			for ; node != 0; node = parents[node] {
				if node == ancestor {
					return true
				}
			}
			return false
		}
		for range 400 {
			if len(parents) < 3 || rng.IntN(4) == 0 {
				f.add()
				parents = append(parents, 0)
				continue
			}
			a, b := int32(1+rng.IntN(len(parents)-1)), int32(1+rng.IntN(len(parents)-1))
			if got, want := f.descends(a, b), descends(a, b); got != want {
				t.Fatalf("seed %d: %d below %d: %v", seed, a, b, got)
			}
			switch {
			case parents[a] != 0 && rng.IntN(3) == 0:
				f.cut(a)
				parents[a] = 0
			case parents[a] == 0 && !descends(b, a):
				f.link(a, b)
				parents[a] = b
			}
		}
	}
}
