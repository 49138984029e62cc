package checkout

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"tlog/log"
	"tlog/objects"
)

// randomTalk makes a session of two branches at random, with calls that have results, on the path or side by side, and such that have none.
func randomTalk(t *testing.T, rng *rand.Rand) *Session {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var seed [32]byte
	seed[0] = byte(rng.Uint32())
	opt := Options{
		Now: func() time.Time { now = now.Add(time.Second); return now }, Random: rand.NewChaCha8(seed),
		Write: log.WriteOptions{Durability: log.DurabilityOS},
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var lines []log.Line
	tip := objects.ID("")
	var open []string // calls without a result on this path
	add := func(message string) objects.ID {
		id := objects.ID(fmt.Sprintf("e%03d", len(lines)))
		lines = append(lines, log.Line{Bytes: objects.Build(objects.TypeMessage, id, tip, "2026-01-01T10:00:00.000Z",
			objects.Field{Key: "message", Value: []byte(message)})})
		tip = id
		return id
	}
	root := add(`{"role":"user","content":"begin"}`)
	n := 0
	for branch := range 2 {
		tip, open = root, nil
		for range 4 + rng.IntN(20) {
			switch rng.IntN(5) {
			case 0:
				n++
				add(fmt.Sprintf(`{"role":"assistant","content":[{"type":"toolCall","id":"c%d","name":"bash","arguments":{}},{"type":"toolCall","id":"d%d","name":"bash","arguments":{}}]}`, n, n))
				open = append(open, fmt.Sprintf("c%d", n), fmt.Sprintf("d%d", n))
			case 1, 2:
				if len(open) > 0 {
					add(fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"toolName":"bash","content":[]}`, open[0]))
					open = open[1:]
				}
			default:
				add(fmt.Sprintf(`{"role":"user","content":"%d %d"}`, branch, len(lines)))
			}
		}
	}
	if err := log.WriteFile(path, objects.Header{ID: "s1", Cwd: "/w"}, lines, opt.Write); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Whatever is picked, on the branch is no call whose result was left behind, and no result without its call; the log is whole.
func TestCherryPickPairs(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := randomTalk(t, rng)
		leaves := s.Log.Leaves()
		source := s.Log.Ancestry(leaves[0])
		if s.Refs.Head().At == leaves[0] {
			source = s.Log.Ancestry(leaves[len(leaves)-1])
		}
		var entries []int
		for _, at := range source {
			if rng.IntN(3) == 0 {
				entries = append(entries, at)
			}
		}
		before := callsOnBranch(t, s)
		done, err := s.CherryPick(t.Context(), Pick{From: s.Refs, Entries: entries})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		after := callsOnBranch(t, s)
		for id, n := range after {
			if old := before[id]; n != old && n != (pairCount{old.calls + 1, old.results + 1}) {
				t.Errorf("seed %d: call %s stands there %+v times, before %+v", seed, id, n, old)
			}
		}
		for _, c := range done.Copies {
			at, ok := s.Log.Find(c.ID)
			if !ok || !s.Log.IsAncestor(at, s.Refs.Head().At) {
				t.Errorf("seed %d: the copy %s of %s is not on the branch", seed, c.ID, c.Origin)
			}
		}
		for f := range s.Log.Check() {
			t.Errorf("seed %d: line %d: %s: %s", seed, f.Line, f.Code, f.Message)
		}
		size := s.Log.Size()
		again, err := s.CherryPick(t.Context(), Pick{From: s.Refs, Entries: entries})
		if err != nil || len(again.Copies) > 0 || s.Log.Size() != size {
			t.Errorf("seed %d: picked again: %d copies, %v", seed, len(again.Copies), err)
		}
		if t.Failed() {
			return
		}
	}
}

type pairCount struct{ calls, results int }

// callsOnBranch counts the calls and results on HEAD's path by their id.
func callsOnBranch(t *testing.T, s *Session) map[string]pairCount {
	t.Helper()
	counts := map[string]pairCount{}
	for _, at := range s.Log.Ancestry(s.Refs.Head().At) {
		_, m, _, err := s.Log.MessageAt(at)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range m.Calls() {
			n := counts[b.CallID]
			n.calls++
			counts[b.CallID] = n
		}
		for _, b := range m.Results() {
			n := counts[b.CallID]
			n.results++
			counts[b.CallID] = n
		}
	}
	return counts
}
