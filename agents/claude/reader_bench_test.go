package claude

import (
	"math/rand/v2"
	"testing"

	"tlog/agents/claude/claudegentest"
)

func BenchmarkRead(b *testing.B) {
	data, _ := claudegentest.Bytes(rand.New(rand.NewPCG(1, 1)), claudegentest.Options{Size: 32 << 20})
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		NewReader("s").Read(data)
	}
}

func BenchmarkReadCorpus(b *testing.B) {
	data := corpusBytes(b)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		NewReader("s").Read(data)
	}
}
