package log

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tlog/objects"
)

// A root that was written down is found as long as the log holds what it held, and no longer.
func TestVerify(t *testing.T) {
	l := createLog(t)
	appendLines(t, l, entryLine("a", ""), entryLine("b", "a"))
	before, err := l.Verify("")
	if err != nil || before.Root == "" || before.Chained != 3 || before.Behind != 0 || before.Line != 0 || len(before.Broken) > 0 {
		t.Fatalf("got %+v, %v", before, err)
	}
	appendLines(t, l, entryLine("c", "b"))
	data, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.SplitAfter(string(data), "\n")
	tests := []struct {
		name         string
		content      string
		line, broken int
		behind       int
	}{
		{"grown", string(data), 3, 0, 0},
		{"as it was", strings.Join(whole[:3], ""), 3, 0, 0},
		{"cut before", strings.Join(whole[:2], ""), 0, 0, 0},
		{"changed before", strings.Replace(string(data), `"user"`, `"USER"`, 1), 0, 1, 0},
		{"changed behind", strings.Join(whole[:3], "") + strings.Replace(whole[3], `"user"`, `"USER"`, 1), 3, 1, 0},
		{"another program's line behind", string(data) + entryLine("x", "c") + "\n", 3, 0, 1},
		{"written anew", lines(sessionLine, entryLine("a", ""), entryLine("b", "a")), 0, 0, 3},
	}
	for _, tt := range tests {
		got, err := openLog(t, writeLog(t, tt.content)).Verify(before.Root)
		if err != nil || got.Line != tt.line || len(got.Broken) != tt.broken || got.Behind != tt.behind {
			t.Errorf("%s: got %+v, %v", tt.name, got, err)
		}
	}
	const v3 = `{"type":"session","version":3,"id":"s1","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}`
	if _, err := openLog(t, writeLog(t, lines(v3))).Verify(""); !errors.Is(err, objects.ErrVersion) {
		t.Errorf("version 3: %v", err)
	}
}
