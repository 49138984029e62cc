package refs

import (
	"fmt"
	"testing"

	"tlog/log"
	"tlog/objects"
)

// longLog is a log of n messages in one line, every tenth followed by an undo.
func longLog(b *testing.B, n int) *log.Log {
	lines := make([]string, 0, n)
	parent := ""
	for i := range n {
		id := fmt.Sprintf("e%07d", i)
		if i%10 == 9 {
			lines = append(lines, undo(objects.TypeSkip, id, parent, parent))
		} else {
			lines = append(lines, say(id, parent, objects.RoleUser, "some text"))
		}
		parent = id
	}
	return openLog(b, lines...)
}

func BenchmarkFold(b *testing.B) {
	l := longLog(b, 100_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fold(l); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReflog(b *testing.B) {
	l := longLog(b, 100_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Reflog(l, "HEAD"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewHistory(b *testing.B) {
	l := longLog(b, 100_000)
	b.ReportAllocs()
	for b.Loop() {
		h, err := NewHistory(l, l.Len()-1)
		if err != nil {
			b.Fatal(err)
		}
		if !h.Contains(0) {
			b.Fatal("the first entry is not on the path")
		}
	}
}

func BenchmarkResolveBack(b *testing.B) {
	s := foldLog(b, longLog(b, 100_000))
	r := &Resolver{State: s}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Resolve("HEAD~1000"); err != nil {
			b.Fatal(err)
		}
	}
}
