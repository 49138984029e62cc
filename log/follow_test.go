package log

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/objects"
)

func TestRefreshOfALineInPieces(t *testing.T) {
	a, b := entryLine("a", ""), entryLine("b", "a")
	path := writeLog(t, sessionLine+"\n"+a[:20])
	l := openLog(t, path)
	steps := []struct {
		add     string
		first   int
		ids     string
		damaged int
	}{
		{"", 0, "", 1},
		{a[20:40], 0, "", 1},
		{a[40:], 0, "a", 0},
		{"", 1, "a", 0},
		{"\n", 1, "a", 0},
		{b, 1, "a b", 0},
		{" \r\n", 1, "a b", 0},
		{"{", 2, "a b", 1},
		{"}x", 2, "a b", 1},
		{"\n" + entryLine("c", "b"), 2, "a b c", 1},
		{"x", 2, "a b", 2},
		{"\n\n\n", 2, "a b", 2},
	}
	for i, s := range steps {
		appendRaw(t, path, s.add)
		first, err := l.Refresh()
		if err != nil || first != s.first || len(l.Damaged()) != s.damaged {
			t.Errorf("step %d: got %d, %v, damage %v, want %d and %d damaged lines", i, first, err, l.Damaged(), s.first, s.damaged)
		}
		equal(t, "ids", recordIDs(l), strings.Fields(s.ids))
	}
}

// TestRefreshAgreesWithOpen feeds files in random pieces to a Log and compares it with one that reads them at once.
func TestRefreshAgreesWithOpen(t *testing.T) {
	files := olderFiles()
	files["v4"] = lines(sessionLine, entryLine("a", "c"), variant(1, ""), entryLine("b", "a"), "\x00", entryLine("b", "a"), "{}{}", entryLine("c", "b")+"\r")
	for name, content := range files {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 3))
			path := writeLog(t, "")
			l := openLog(t, path)
			for rest := content; rest != ""; {
				n := 1 + r.IntN(min(len(rest), 200))
				appendRaw(t, path, rest[:n])
				rest = rest[n:]
				// The first lines may not begin a session yet.
				if _, err := l.Refresh(); err != nil && !errors.Is(err, objects.ErrCorrupt) {
					t.Fatalf("%s, seed %d: %v", name, seed, err)
				}
			}
			whole := openLog(t, path)
			sameLogs(t, whole, l)
			if !slices.Equal(l.Damaged(), whole.Damaged()) || l.Size() != whole.Size() || l.Version() != whole.Version() {
				t.Errorf("damage: got %v, want %v", l.Damaged(), whole.Damaged())
			}
			if t.Failed() {
				t.Fatalf("%s, seed %d", name, seed)
			}
			_ = l.Close()
			_ = whole.Close()
		}
	}
}

func TestRefreshOfAnotherFile(t *testing.T) {
	content := lines(sessionLine, entryLine("a", ""))
	for name, change := range map[string]func(path string) error{
		"shorter": func(path string) error { return os.Truncate(path, 10) },
		"removed": os.Remove,
		"replaced": func(path string) error {
			if err := os.WriteFile(path+".new", []byte(content+content), 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
	} {
		l := openLog(t, writeLog(t, content))
		if err := change(l.Path()); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Refresh(); !errors.Is(err, objects.ErrCorrupt) {
			t.Errorf("%s: got %v, want ErrCorrupt", name, err)
		}
		if err := tryAppend(l, entryLine("b", "a")); !errors.Is(err, objects.ErrCorrupt) {
			t.Errorf("%s: update: got %v, want ErrCorrupt", name, err)
		}
	}
}

func TestFollow(t *testing.T) {
	l := createLog(t)
	appendLines(t, l, entryLine("a", ""))
	writer := openLog(t, l.Path())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tick := make(chan time.Time)
	go func() {
		for _, id := range []string{"b", "c", "d"} {
			if err := tryAppend(writer, entryLine(id, "a")); err != nil {
				t.Error(err)
			}
			tick <- time.Time{}
		}
		close(tick)
	}()
	var got []string
	for i, err := range l.Follow(ctx, tick) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(l.Record(i).ID))
	}
	equal(t, "followed", got, []string{"b", "c", "d"})
	cancel()
	for range l.Follow(ctx, nil) {
		t.Error("followed after the end")
	}
}
