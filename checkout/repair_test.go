package checkout

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tlog/log"
	"tlog/objects"
)

// Whatever was done to the bytes of a log, its repaired copy has every entry that could be read, and nothing is wrong with it any more.
func TestRepair(t *testing.T) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 6))
		s := randomTalk(t, rng, false)
		data, err := os.ReadFile(s.Log.Path())
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "s1.jsonl")
		if err := os.WriteFile(path, spoil(rng, data), 0o600); err != nil {
			t.Fatal(err)
		}
		damaged, err := Open(path, s.opt)
		if err != nil {
			t.Fatal(err)
		}
		want := map[objects.ID]bool{}
		for i := range damaged.Log.Len() {
			if r := damaged.Log.Record(i); r.Tree() {
				want[r.ID] = true
			}
		}
		wrong := 0
		for f := range damaged.Log.Check() {
			if f.Code.Severity() != log.Info {
				wrong++
			}
		}
		copied, done, err := damaged.Repair()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		file := filepath.Join(t.TempDir(), "new.jsonl")
		if err := log.WriteFile(file, copied.Header, copied.Lines, s.opt.Write); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again, err := Open(file, s.opt)
		if err != nil {
			t.Fatal(err)
		}
		for i := range again.Log.Len() {
			delete(want, again.Log.Record(i).ID)
		}
		if len(want) > 0 || again.Log.Header().ID == damaged.Log.Header().ID {
			t.Errorf("seed %d: the copy lacks %v", seed, want)
		}
		for f := range again.Log.Check() {
			if f.Code.Severity() == log.Error {
				t.Errorf("seed %d: the copy: line %d: %s: %s", seed, f.Line, f.Code, f.Message)
			}
		}
		if a, b := damaged.Refs.Head(), again.Refs.Head(); damaged.idOf(a.At) != again.idOf(b.At) {
			t.Errorf("seed %d: HEAD stands at %s, before at %s (%d findings, %d repairs)", seed, again.idOf(b.At), damaged.idOf(a.At), wrong, len(done))
		}
		if err := damaged.Close(); err != nil {
			t.Fatal(err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			return
		}
	}
}

// spoil damages a log behind its header: lines lost, torn, doubled, moved, with flipped bits, with parents that are nowhere or below.
func spoil(rng *rand.Rand, data []byte) []byte {
	lines := bytes.SplitAfter(data, []byte{'\n'})
	for range 1 + rng.IntN(4) {
		at := 1 + rng.IntN(len(lines)-1)
		switch rng.IntN(6) {
		case 0:
			lines[at] = nil
		case 1:
			lines[at] = append(bytes.Clone(lines[at][:len(lines[at])/2]), '\n')
		case 2:
			lines[at] = append(bytes.Clone(lines[at]), lines[at]...)
		case 3:
			lines[at] = bytes.Replace(lines[at], []byte(`"parentId":"e`), []byte(`"parentId":"x`), 1)
		case 4:
			lines[at] = bytes.Replace(lines[at], []byte(`"parentId":"e0`), []byte(`"parentId":"e01`), 1)
		default:
			if line := bytes.Clone(lines[at]); len(line) > 1 {
				line[rng.IntN(len(line)-1)] ^= 1 << rng.IntN(7)
				lines[at] = line
			}
		}
	}
	return bytes.Join(lines, nil)
}
