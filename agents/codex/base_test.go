package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tlog/objects"
)

const day = "home/sessions/2026/04/01/"

// TestBase: a fork of a segment of a thread brings both along, each line with the id that it has in its own rollout, wherever in the client's folder it lies.
func TestBase(t *testing.T) {
	const old, segment, fork = "rollout-2026-04-01T10-00-00-019d4000-0000-7000-8000-000000000007.jsonl",
		"rollout-2026-04-01T10-05-00-019d4000-0000-7000-8000-000000000007_019d4000-0000-7000-8000-000000000008.jsonl",
		"rollout-2026-04-01T10-06-00-019d4000-0000-7000-8000-000000000009.jsonl"
	for name, place := range map[string]func(home string) string{
		"beside it": func(home string) string { return filepath.Join(home, "sessions", "2026", "04", "01", old) },
		"archived":  func(home string) string { return filepath.Join(home, "archived_sessions", old) },
		"packed":    func(home string) string { return filepath.Join(home, "sessions", "x", old+".zst") },
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			put(t, filepath.Join(home, "sessions", "2026", "05", "02", fork), readFile(t, day, fork))
			put(t, filepath.Join(home, "sessions", "2026", "04", "01", segment), readFile(t, day, segment))
			put(t, place(home), readFile(t, day, old))
			base, err := (Agent{}).Base(filepath.Join(home, "sessions", "2026", "05", "02", fork), readFile(t, day, fork))
			if err != nil || base.Missing != "" || len(base.Lines) != 7 {
				t.Fatalf("%d lines, missing %q, %v", len(base.Lines), base.Missing, err)
			}
			own := NewReader("019d4000-0000-7000-8000-000000000007").Read(readFile(t, day, old))
			for i, v := range base.Lines[:4] {
				if v.ID != own[i].ID || v.ParentID != own[i].ParentID || v.Base != "019d4000-0000-7000-8000-000000000007" {
					t.Errorf("line %d is %+v, in its own rollout %+v", i, v, own[i])
				}
			}
			if got := pathOf(t, base.Lines, base.Lines[6].ID); got != "first one second, better two, better" {
				t.Errorf("the base says %q", got)
			}
		})
	}
}

func TestBaseMissing(t *testing.T) {
	home := t.TempDir()
	line := func(thread, base string) []byte {
		return []byte(metaLine(`"id":"`+thread+`","history_base":{"thread_id":"`+base+`","end_ordinal_exclusive":9}`) + item("user", thread) + "\n")
	}
	a, b := filepath.Join(home, "sessions", "rollout-1-"+threadA+".jsonl"), filepath.Join(home, "sessions", "rollout-2-"+threadB+".jsonl")
	put(t, a, line(threadA, threadB))
	for base, want := range map[string]objects.ID{threadB: threadB, "../" + threadB: "unknown", "nowhere": "nowhere"} {
		got, err := (Agent{}).Base(a, line(threadA, base))
		if err != nil || got.Missing != want || len(got.Lines) != 0 {
			t.Errorf("%s: %+v, %v", base, got, err)
		}
	}
	// A circle ends where it closes.
	put(t, b, line(threadB, threadA))
	got, err := (Agent{}).Base(a, line(threadA, threadB))
	if err != nil || got.Missing != threadA || len(got.Lines) != 2 || got.Lines[1].Gap != threadA {
		t.Errorf("%+v, %v", got, err)
	}
	// What is there of a base is read by a new one's reader, and what is not is its gap.
	r := NewReader(threadA)
	r.MissingBase("gone")
	out := r.Read(line(threadA, "gone"))
	if last := out[len(out)-1]; last.Gap != "gone" || last.ParentID != "" {
		t.Errorf("%+v", last)
	}
	if next := r.Read([]byte(item("user", "y") + "\n")); next[0].Gap != "" || next[0].ParentID != out[1].ID {
		t.Errorf("%+v", next)
	}
}

func TestBefore(t *testing.T) {
	data := []byte("{\"ordinal\":0}\nno json\n{\"ordinal\":1}\n{}\n{\"ordinal\":2}\n{\"ordinal\":3}")
	for end, want := range map[int64]string{0: "", 1: "{\"ordinal\":0}\nno json\n", 2: "{\"ordinal\":0}\nno json\n{\"ordinal\":1}\n{}\n", 9: string(data)} {
		if got := string(before(data, end)); got != want {
			t.Errorf("before %d: %q, expected %q", end, got, want)
		}
	}
}

// put writes a file, packed if its name says so.
func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if strings.HasSuffix(path, ".zst") {
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		data = w.EncodeAll(data, nil)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
