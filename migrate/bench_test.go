package migrate

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkEntry(b *testing.B) {
	text := strings.Repeat("some words of a reply; ", 80)
	for version, line := range []string{
		`{"role":"assistant","content":"` + text + `","timestamp":1767225600000}`,
		`{"type":"message","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"assistant","content":"` + text + `"}}`,
		`{"type":"message","id":"a","parentId":"b","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"assistant","content":"` + text + `"}}`,
		`{"type":"message","id":"a","parentId":"b","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"assistant","content":"` + text + `"}}`,
	} {
		b.Run(fmt.Sprintf("version=%d", version), func(b *testing.B) {
			m := New(version, session)
			object := []byte(line)
			b.SetBytes(int64(len(object)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.Entry(object, i+2)
			}
		})
	}
}
