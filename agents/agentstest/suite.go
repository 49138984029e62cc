// Package agentstest holds the tests that every agent has to pass whose lines tlog keeps in envelopes: what is read is all
// that was there, once, whatever its damage, and what is written is read again.
package agentstest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tlog/agents"
	"tlog/objects"
)

// Suite is an agent and what is known about its transcripts.
type Suite struct {
	Agent agents.Foreign
	// Samples are transcripts written for the project.
	Samples []Sample
	// Generate writes an undamaged transcript at random; Seeds is how many are made.
	Generate func(rng *rand.Rand) Sample
	Seeds    uint64
	// Others are transcripts of other agents.
	Others []Sample
	// Env is an environment in which the agent keeps all its files below a folder.
	Env func(home string) func(string) string
	// Shared are files of others: they are read, nothing else is known of them.
	Shared []string
	// NoExport says why nothing is written for the agent; empty where it is.
	NoExport string
}

// Sample is a transcript with what is expected of it.
type Sample struct {
	Name    string
	Data    []byte
	Session objects.ID
	Cwd     string
	// Damaged: it holds broken lines; its calls and results need not pair up.
	Damaged bool
	// Repaired: its rows do not hang together, so that an export has something to repair.
	Repaired bool
	// Records is the number of envelopes, Branches that of entries of the history that nothing hangs at; 0 is not said.
	Records, Branches int
	// Live are the entries of the path to where the agent goes on, oldest first; nil is not said.
	Live []Node
	// Texts are what the prompts and replies on that path say, one after another; nil is not said.
	Texts []string
}

// Node is an entry of a path.
type Node struct {
	ID      objects.ID
	Visible bool // a message or a compaction
	Hidden  bool
	Role    string   // of the message; empty if it is none
	Text    string   // what is said in text blocks and results; it is not compared where nobody said it
	Calls   []string // ids
	Results []string
}

// Run runs the tests.
func Run(t *testing.T, s Suite) {
	t.Run("Detect", s.detect)
	t.Run("Samples", func(t *testing.T) {
		for _, sample := range s.Samples {
			t.Run(sample.Name, func(t *testing.T) { s.sample(t, sample) })
		}
	})
	t.Run("Generated", s.generated)
	t.Run("Damage", s.damage)
	t.Run("Deep", s.deep)
	t.Run("Shared", s.shared)
	t.Run("Install", s.install)
	t.Run("Resume", s.resume)
}

// Files are the samples in a folder, with nothing said about them.
func Files(t testing.TB, pattern string) (samples []Sample) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, Sample{Name: filepath.Base(file), Data: data})
	}
	return samples
}

const headSize = 64 << 10

func head(data []byte) []byte { return data[:min(len(data), headSize)] }

// detect: the agent knows its own transcripts, and nobody else's.
func (s Suite) detect(t *testing.T) {
	for _, sample := range s.Samples {
		if !s.Agent.Detect(head(sample.Data)) {
			t.Errorf("%s is not known", sample.Name)
		}
		if got, ok := agents.Detect(head(sample.Data)); !ok || got.Name() != s.Agent.Name() {
			t.Errorf("%s is taken for another agent's", sample.Name)
		}
	}
	for _, other := range s.Others {
		if s.Agent.Detect(head(other.Data)) {
			t.Errorf("%s is taken for one of %s", other.Name, s.Agent.Name())
		}
	}
	for _, nothing := range []string{"", "\n", "{}", "[]", "null", "text\n", "{\"type\":\"user\"", "\x00\x00", "\xff"} {
		if s.Agent.Detect([]byte(nothing)) {
			t.Errorf("%q is taken for one of %s", nothing, s.Agent.Name())
		}
	}
}

func (s Suite) generated(t *testing.T) {
	if s.Generate == nil {
		t.Skip("no generator")
	}
	seeds := s.Seeds
	if testing.Short() {
		seeds = min(seeds, 15)
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 0))
		sample := s.Generate(rng)
		if !s.Agent.Detect(head(sample.Data)) {
			t.Errorf("seed %d: the transcript is not known", seed)
		}
		if seed%3 == 0 {
			s.sample(t, sample)
		} else {
			s.read(t, sample)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// shared: what others wrote is read whole and without a panic.
func (s Suite) shared(t *testing.T) {
	if len(s.Shared) == 0 {
		t.Skip("no shared material")
	}
	for _, file := range s.Shared {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := read(t, s.Agent, "shared", data)
		r.checkBytes(t, data)
		r.checkGraph(t)
		r.decode(t)
		if isDocument(s.Agent, data) {
			if t.Failed() {
				t.Fatal(file)
			}
			continue
		}
		pieces := s.inPieces(t, rand.New(rand.NewPCG(uint64(len(data)), 1)), "shared", data, false)
		if len(pieces.entries) != len(r.entries) {
			t.Fatalf("%s: %d entries at once, %d in pieces", file, len(r.entries), len(pieces.entries))
		}
		for i, e := range pieces.entries {
			if e.ID != r.entries[i].ID {
				t.Errorf("%s: entry %d has the id '%s' at once, '%s' in pieces", file, i, r.entries[i].ID, e.ID)
				break
			}
		}
		if t.Failed() {
			t.Fatal(file)
		}
	}
}
