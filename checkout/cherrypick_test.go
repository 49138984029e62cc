package checkout

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// talk writes a session for tests, an entry at a time.
type talk struct {
	lines []log.Line
	tip   objects.ID
}

func (k *talk) add(message string) objects.ID {
	id := objects.ID(fmt.Sprintf("e%03d", len(k.lines)))
	k.lines = append(k.lines, log.Line{Bytes: objects.Build(objects.TypeMessage, id, k.tip, "2026-01-01T10:00:00.000Z",
		objects.Field{Key: "message", Value: []byte(message)})})
	k.tip = id
	return id
}

func (k *talk) call(id string) objects.ID {
	return k.add(`{"role":"assistant","content":[{"type":"toolCall","id":"` + id + `","name":"bash","arguments":{}}]}`)
}

func (k *talk) result(id string) objects.ID {
	return k.add(`{"role":"toolResult","toolCallId":"` + id + `","toolName":"bash","content":[]}`)
}

// open writes the session into a file and opens it; agent is whose import it is to be.
func (k *talk) open(t *testing.T, seed byte, h objects.Header) *Session {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	opt := Options{
		Now: func() time.Time { now = now.Add(time.Second); return now }, Random: rand.NewChaCha8([32]byte{seed}),
		Write: log.WriteOptions{Durability: log.DurabilityOS, Blobs: log.BlobOptions{Threshold: 200}},
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := log.WriteFile(path, h, k.lines, opt.Write); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// randomTalk makes a session of two branches at random, with calls that have results, on the path or side by side, and such that have none. With again,
// calls of a branch have one of two ids; else each has its own.
func randomTalk(t *testing.T, rng *rand.Rand, again bool) *Session {
	t.Helper()
	var k talk
	var open []string // calls without a result on this path
	root := k.add(`{"role":"user","content":"begin"}`)
	n := 0
	for branch := range 2 {
		k.tip, open = root, nil
		for range 4 + rng.IntN(20) {
			switch rng.IntN(5) {
			case 0:
				n++
				id := n
				if again {
					id = 2*branch + rng.IntN(2)
				}
				k.add(fmt.Sprintf(`{"role":"assistant","content":[{"type":"toolCall","id":"c%d","name":"bash","arguments":{}},{"type":"toolCall","id":"d%d","name":"bash","arguments":{}}]}`, id, id))
				open = append(open, fmt.Sprintf("c%d", id), fmt.Sprintf("d%d", id))
			case 1, 2:
				if len(open) > 0 {
					at := rng.IntN(len(open))
					above := k.tip
					k.result(open[at])
					if rng.IntN(4) == 0 {
						k.tip = above // the next one hangs beside it
					}
					open = append(open[:at:at], open[at+1:]...)
				}
			default:
				k.add(fmt.Sprintf(`{"role":"user","content":"%d %d"}`, branch, len(k.lines)))
			}
		}
	}
	return k.open(t, byte(rng.Uint32()), objects.Header{ID: "s1", Cwd: "/w"})
}

// Whatever is picked, from this session or another one, among the copies is no call whose result was left behind, and no result without its call; the log is whole.
func TestCherryPickPairs(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 5))
		from := randomTalk(t, rng, seed%2 == 0)
		s := from
		leaves := from.Log.Leaves()
		source := from.Log.Ancestry(leaves[rng.IntN(len(leaves))])
		if seed%4 > 1 {
			var k talk
			k.add(`{"role":"user","content":"elsewhere"}`)
			s = k.open(t, byte(seed), objects.Header{ID: "s2", Cwd: "/w"})
		} else if source[len(source)-1] == s.Refs.Head().At {
			source = from.Log.Ancestry(leaves[0])
		}
		var entries []int
		for _, at := range source {
			if rng.IntN(3) == 0 {
				entries = append(entries, at)
			}
		}
		done, err := s.CherryPick(t.Context(), Pick{From: from.Refs, Entries: entries})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		checkCopies(t, s, done.Copies)
		if len(done.Copies)+len(done.There)+len(done.Left) < len(entries) {
			t.Errorf("seed %d: of %d entries %+v", seed, len(entries), done)
		}
		for f := range s.Log.Check() {
			if f.Code != log.UnansweredCall {
				t.Errorf("seed %d: line %d: %s: %s", seed, f.Line, f.Code, f.Message)
			}
		}
		size := s.Log.Size()
		again, err := s.CherryPick(t.Context(), Pick{From: from.Refs, Entries: entries})
		if err != nil || len(again.Copies) > 0 || s.Log.Size() != size {
			t.Errorf("seed %d: picked again: %d copies, %v", seed, len(again.Copies), err)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// checkCopies goes along HEAD's path: after each copied call comes its result, before the id is used again, and before each copied result its call.
func checkCopies(t *testing.T, s *Session, copies []Copied) {
	t.Helper()
	copied := map[objects.ID]bool{}
	for _, c := range copies {
		copied[c.ID] = true
	}
	called, answered := map[string]bool{}, map[string]bool{}
	mine := map[string]objects.ID{} // the copy that makes the newest call of an id
	unanswered := func(id string) {
		if by := mine[id]; by != "" && !answered[id] {
			t.Errorf("the call %s of the copy %s has no result", id, by)
		}
	}
	for _, at := range s.Log.Ancestry(s.Refs.Head().At) {
		_, m, _, err := s.Log.MessageAt(at)
		if err != nil {
			t.Fatal(err)
		}
		id := s.Log.Record(at).ID
		for _, b := range m.Calls() {
			unanswered(b.CallID)
			called[b.CallID], answered[b.CallID], mine[b.CallID] = true, false, ""
			if copied[id] {
				mine[b.CallID] = id
			}
		}
		for _, b := range m.Results() {
			if copied[id] && !called[b.CallID] {
				t.Errorf("the result of %s in the copy %s has no call", b.CallID, id)
			}
			answered[b.CallID] = true
		}
		delete(copied, id)
	}
	for id := range mine {
		unanswered(id)
	}
	for id := range copied {
		t.Errorf("the copy %s is not on the branch", id)
	}
}

// The results of a later call with the same id are not those of an earlier one.
func TestCherryPickSameID(t *testing.T) {
	var k talk
	root := k.add(`{"role":"user","content":"begin"}`)
	first := k.call("c")
	k.add(`{"role":"user","content":"stop"}`)
	second := k.call("c")
	result := k.result("c")
	k.tip = root
	k.add(`{"role":"user","content":"here"}`)
	s := k.open(t, 1, objects.Header{ID: "s1", Cwd: "/w"})
	at, _ := s.Log.Find(first)
	last, _ := s.Log.Find(result)
	done, err := s.CherryPick(t.Context(), Pick{From: s.Refs, Entries: []int{at, last}})
	if err != nil || len(done.Left) != 1 || done.Left[0].ID != first || len(done.Copies) != 2 || done.Copies[0].Origin != second || done.Copies[1].Origin != result {
		t.Errorf("got %+v, %v", done, err)
	}
}

// An undone copy can be brought over again, and a copy of a copy has the origin of the first one, with its blobs.
func TestCherryPickAgain(t *testing.T) {
	var k talk
	root := k.add(`{"role":"user","content":"begin"}`)
	long := fmt.Sprintf(`{"role":"user","content":"%0300d"}`, 7)
	picked := k.add(long)
	k.tip = root
	k.add(`{"role":"user","content":"here"}`)
	s := k.open(t, 1, objects.Header{ID: "s1", Cwd: "/w"})
	at, _ := s.Log.Find(picked)
	pick := func(s *Session, from *refs.State, at int) Picked {
		t.Helper()
		done, err := s.CherryPick(t.Context(), Pick{From: from, Entries: []int{at}})
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	if done := pick(s, s.Refs, at); len(done.Copies) != 1 {
		t.Fatalf("got %+v", done)
	}
	if _, err := s.Undo(t.Context(), 1, ""); err != nil {
		t.Fatal(err)
	}
	done := pick(s, s.Refs, at)
	if len(done.Copies) != 1 {
		t.Fatalf("after the undo: %+v", done)
	}
	var other talk
	other.add(`{"role":"user","content":"elsewhere"}`)
	second := other.open(t, 2, objects.Header{ID: "s2", Cwd: "/w"})
	copied, _ := s.Log.Find(done.Copies[0].ID)
	done = pick(second, s.Refs, copied)
	at, _ = second.Log.Find(done.Copies[0].ID)
	e, err := second.Log.Whole(at)
	if err != nil || e.Origin() != picked || string(e.Get("message")) != long {
		t.Errorf("the copy of a copy is %.200s, %v", e.Raw, err)
	}
	at, _ = s.Log.Find(picked)
	if done := pick(second, s.Refs, at); len(done.There) != 1 {
		t.Errorf("the origin beside its copy: %+v", done)
	}
}

// Nothing is brought over to a tracking branch, nor lines of an agent into the import of another one; nothing is written then.
func TestCherryPickRefused(t *testing.T) {
	var k talk
	k.add(`{"role":"user","content":"begin"}`)
	from := k.open(t, 1, objects.Header{ID: "s1", Cwd: "/w"})
	foreign := talk{lines: []log.Line{{Bytes: objects.Envelope{
		Type: objects.TypeMessage, ID: "u1", Timestamp: "2026-01-01T10:00:00.000Z", Agent: "claude",
		Line: []byte(`{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"hi"}}`),
	}.Bytes()}}}
	lines := foreign.open(t, 2, objects.Header{ID: "s2", Cwd: "/w"})
	imported := talk{lines: []log.Line{{Bytes: []byte(`{"type":"message","id":"p1","parentId":null,"timestamp":"2026-01-01T10:00:00.000Z","message":{"role":"user","content":"hi"},"ref":"pi"}`)}}}
	s := imported.open(t, 3, objects.Header{ID: "s3", Cwd: "/w", Agent: "pi", Source: []byte(`{"path":"/x.jsonl"}`)})
	size := s.Log.Size()
	var tracking *TrackingError
	if _, err := s.CherryPick(t.Context(), Pick{From: from.Refs, Entries: []int{0}, Branch: "pi"}); !errors.As(err, &tracking) {
		t.Errorf("to the tracking branch: %v", err)
	}
	if _, err := s.CherryPick(t.Context(), Pick{From: from.Refs, Entries: []int{0}, Branch: "pi", DryRun: true}); !errors.As(err, &tracking) {
		t.Errorf("to the tracking branch, dry: %v", err)
	}
	if _, err := s.CherryPick(t.Context(), Pick{From: lines.Refs, Entries: []int{0}}); !errors.Is(err, objects.ErrRefused) {
		t.Errorf("a line of another agent: %v", err)
	}
	if s.Log.Size() != size {
		t.Error("something was written")
	}
}

// Calls without results and results without calls, many of each, take no time.
func TestCherryPickOpen(t *testing.T) {
	const n = 20_000
	var k talk
	root := k.add(`{"role":"user","content":"begin"}`)
	var entries []int
	for i := range n {
		entries = append(entries, len(k.lines), len(k.lines)+1)
		k.call(fmt.Sprintf("c%d", i))
		k.result(fmt.Sprintf("r%d", i))
	}
	k.tip = root
	k.add(`{"role":"user","content":"here"}`)
	s := k.open(t, 1, objects.Header{ID: "s1", Cwd: "/w"})
	start := time.Now()
	done, err := s.CherryPick(t.Context(), Pick{From: s.Refs, Entries: entries})
	if err != nil || len(done.Copies) != 0 || len(done.Left) != 2*n {
		t.Errorf("%d copies, %d left, %v", len(done.Copies), len(done.Left), err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
}
