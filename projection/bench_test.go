package projection

import (
	"fmt"
	"strings"
	"testing"

	"tlog/refs"
)

// benchmarkHistory is a path of n messages of about 1 kB, with a compaction that
// keeps the last 200 of them, or none if compact is false.
func benchmarkHistory(b *testing.B, n int, compact bool) *refs.History {
	b.Helper()
	text := strings.Repeat("some words ", 90)
	lines := []string{header}
	parent := "null"
	add := func(payload string) {
		id := fmt.Sprintf(`"n%07d"`, len(lines))
		lines = append(lines, `{"type":`+payload+`,"id":`+id+`,"parentId":`+parent+`,"timestamp":"2026-11-30T10:00:00.000Z"}`)
		parent = id
	}
	for i := range n {
		if compact && i == n-100 {
			add(fmt.Sprintf(`"compaction","summary":"S","firstKeptEntryId":"n%07d","tokensBefore":1`, n-200))
		}
		if i%2 == 0 {
			add(`"message","message":{"role":"user","content":"` + text + `"}`)
		} else {
			add(`"message","message":{"role":"assistant","content":[{"type":"text","text":"` + text + `"}],"provider":"p","model":"m"}`)
		}
	}
	l := openLines(b, lines...)
	h, err := refs.NewHistory(l, l.Last())
	if err != nil {
		b.Fatal(err)
	}
	return h
}

func BenchmarkBuild(b *testing.B) {
	for _, bb := range []struct {
		name    string
		entries int
		compact bool
	}{
		{"1000", 1000, false},
		{"100000", 100_000, false},
		{"1000 compacted", 1000, true},
		{"100000 compacted", 100_000, true},
	} {
		b.Run(bb.name, func(b *testing.B) {
			h := benchmarkHistory(b, bb.entries, bb.compact)
			b.ReportAllocs()
			for b.Loop() {
				c, err := Build(h)
				if err != nil || len(c.Messages) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRequests(b *testing.B) {
	c, err := Build(benchmarkHistory(b, 1000, false))
	if err != nil {
		b.Fatal(err)
	}
	for name, request := range map[string]func() (Request, error){"anthropic": c.Anthropic, "openai": c.OpenAI} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := request(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
