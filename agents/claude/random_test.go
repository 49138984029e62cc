package claude

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomRows is a transcript in which everything that can be wrong with parents is wrong, all the time.
func randomRows(rng *rand.Rand) []byte {
	kinds := []string{"user", "result", "assistant re=m1", "assistant re=m2", "assistant", "thinking re=m1", "synthetic", "boundary", "summary",
		"progress", "attachment", "queued", "user meta", "system:local_command", "user side", "assistant side agent=x re=m1", "result side agent=y"}
	var b strings.Builder
	names := 2 + rng.IntN(12)
	name := func() string { return fmt.Sprintf("u%d", rng.IntN(names)) }
	for range rng.IntN(30) {
		switch n := rng.IntN(20); n {
		case 0:
			fmt.Fprintf(&b, "last-prompt %s%s\n", name(), []string{"", " explicit"}[rng.IntN(2)])
			continue
		case 1:
			b.WriteString("title x\n")
			continue
		}
		b.WriteString(name())
		switch rng.IntN(8) {
		case 0:
			b.WriteString("<--")
		case 1:
		case 2:
			b.WriteString("<-gone")
		default:
			b.WriteString("<-" + name())
		}
		b.WriteString(" " + kinds[rng.IntN(len(kinds))])
		if rng.IntN(4) == 0 {
			fmt.Fprintf(&b, " lp=%s", name())
		}
		if rng.IntN(3) == 0 {
			fmt.Fprintf(&b, " at=%d", rng.IntN(9))
		}
		b.WriteString("\n")
	}
	return rows(b.String())
}

// TestRandomRows reads random rows: each parent is there, nothing is above itself, and each piece is read as it was before.
func TestRandomRows(t *testing.T) {
	seeds := uint64(5_000)
	if testing.Short() {
		seeds = 500
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 5))
		data := randomRows(rng)
		r := NewReader("s")
		envelopes := r.Read(data)
		checkGraph(t, fmt.Sprintf("seed %d", seed), envelopes)
		if leaf := r.Leaf(); leaf != "" {
			if _, ok := parentsOf(envelopes)[leaf]; !ok {
				t.Errorf("seed %d: the leaf %s is no entry", seed, leaf)
			}
		}
		if len(data) > 0 {
			checkCut(t, fmt.Sprintf("seed %d", seed), data, rng.IntN(len(data)))
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, data)
		}
	}
}
