package claudegentest

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// TestGenerate: lines are JSON, ids are new but for repeated lines, the truth counts them, and one seed gives one session.
func TestGenerate(t *testing.T) {
	branched, compacted := 0, 0
	for seed := range uint64(300) {
		o := Options{Old: seed%3 == 0, Linear: seed%5 == 0}
		data, truth := Bytes(rand.New(rand.NewPCG(seed, 0)), o)
		again, _ := Bytes(rand.New(rand.NewPCG(seed, 0)), o)
		if !bytes.Equal(data, again) {
			t.Fatalf("seed %d gives two sessions", seed)
		}
		lines := bytes.SplitAfter(data, []byte{'\n'})
		lines = lines[:len(lines)-1]
		if len(lines) != truth.Lines {
			t.Fatalf("seed %d: %d lines, the truth says %d", seed, len(lines), truth.Lines)
		}
		seen := map[string]string{}
		for i, line := range lines {
			var row struct{ UUID, Type, ParentUUID string }
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatalf("seed %d, line %d: %v", seed, i+1, err)
			}
			if first, found := seen[row.UUID]; found && row.UUID != "" && first != string(line) {
				t.Fatalf("seed %d, line %d: the id of another line", seed, i+1)
			}
			if _, found := seen[row.ParentUUID]; row.ParentUUID != "" && !found {
				t.Fatalf("seed %d, line %d: the parent is nowhere above", seed, i+1)
			}
			seen[row.UUID] = string(line)
		}
		if tips := len(truth.Tips()); tips > 1 {
			branched++
		} else if o.Linear && tips != 1 {
			t.Fatalf("seed %d: a linear session with %d branches", seed, tips)
		}
		if len(Sent(truth.Leaf)) == 0 {
			t.Fatalf("seed %d: nothing is sent", seed)
		}
		if Context(truth.Leaf)[0].boundary != nil {
			compacted++
		}
	}
	if branched < 30 || compacted < 30 {
		t.Errorf("%d of the sessions have branches, %d are compacted", branched, compacted)
	}
}

// TestSize: a session of a wanted size is that large.
func TestSize(t *testing.T) {
	data, _ := Bytes(rand.New(rand.NewPCG(1, 2)), Options{Size: 1 << 20})
	if n := len(data); n < 1<<20 || n > 2<<20 {
		t.Errorf("%d bytes", n)
	}
}
