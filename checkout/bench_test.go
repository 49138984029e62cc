package checkout_test

import (
	"fmt"
	"strings"
	"testing"

	"tlog/checkout"
)

// entryLine is a reply of a usual size.
var entryLine = fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":%q}],"provider":"acme","model":"large","usage":{"input":10}}`,
	strings.Repeat("words and ", 60))

func BenchmarkAppend(b *testing.B) {
	l := newLab(b, 61)
	for b.Loop() {
		l.add(entryLine)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

func BenchmarkStream(b *testing.B) {
	for _, batch := range []int{1, 16, 256} {
		b.Run(fmt.Sprint("batch ", batch), func(b *testing.B) {
			l := newLab(b, 62)
			st := l.NewStream(checkout.AppendOptions{})
			line := []byte(entryLine)
			for b.Loop() {
				if _, err := st.Stage(line); err != nil {
					b.Fatal(err)
				}
				if st.Pending() == batch {
					l.flush(st)
				}
			}
			l.flush(st)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

// BenchmarkUndo undoes and redoes the newest entry of a long path.
func BenchmarkUndo(b *testing.B) {
	l := newLab(b, 63)
	lines := make([]string, 100000)
	for i := range lines {
		lines[i] = say("x")
	}
	l.add(lines...)
	for b.Loop() {
		_, err := l.Undo(ctx, 1, "undo 1")
		l.ok(err)
		_, err = l.Redo(ctx, "redo")
		l.ok(err)
	}
}
