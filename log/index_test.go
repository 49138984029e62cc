package log

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tlog/objects"
)

// variant is the line of id a with another body.
func variant(n int, parent string) string {
	return strings.Replace(entryLine("a", parent), `"content":"a"`, fmt.Sprintf(`"content":"a%d"`, n), 1)
}

func TestDuplicates(t *testing.T) {
	const v3 = `{"type":"session","version":3,"id":"s1"}`
	tests := []struct {
		name   string
		lines  []string
		ids    string
		repeat []int
		parent int // of the last record, a child of a
	}{
		{"last counts", []string{v3, variant(1, ""), variant(2, "")}, "a.2 a b", []int{None, None, None}, 1},
		{"first counts", []string{sessionLine, variant(1, ""), variant(2, "")}, "a a.3 b", []int{None, None, None}, 0},
		{"three, last counts", []string{v3, variant(1, ""), variant(2, ""), variant(3, "")}, "a.2 a.3 a b", []int{None, None, None, None}, 2},
		{"three, first counts", []string{sessionLine, variant(1, ""), variant(2, ""), variant(3, "")}, "a a.3 a.4 b", []int{None, None, None, None}, 0},
		{"repeat of the first where the first counts", []string{sessionLine, variant(1, ""), variant(2, ""), variant(1, "")}, "a a.3 a b", []int{None, None, 0, None}, 0},
		{"repeat of the second where the first counts", []string{sessionLine, variant(1, ""), variant(2, ""), variant(2, "")}, "a a.3 a.3 b", []int{None, None, 1, None}, 0},
		{"repeat of the first where the last counts", []string{v3, variant(1, ""), variant(2, ""), variant(1, "")}, "a a.3 a b", []int{None, None, 0, None}, 0},
		{"alias is taken", []string{sessionLine, entryLine("a.4", ""), variant(1, ""), variant(2, "")},
			"a.4 a " + string(objects.DerivedID("s1", 4)) + " b", []int{None, None, None, None}, 1},
		{"alias is taken later", []string{sessionLine, variant(1, ""), variant(2, ""), entryLine("a.3", "")}, "a a.3 a.3.4 b", []int{None, None, None, None}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := append(slices.Clone(tt.lines), entryLine("b", "a"))
			path := writeLog(t, all[0]+"\n")
			stepwise := openLog(t, path)
			for _, line := range all[1:] {
				appendRaw(t, path, line+"\n")
				if _, err := stepwise.Refresh(); err != nil {
					t.Fatal(err)
				}
			}
			for _, l := range []*Log{stepwise, openLog(t, path)} {
				equal(t, "ids", recordIDs(l), strings.Fields(tt.ids))
				for i, want := range tt.repeat {
					if got := l.Record(i).RepeatOf; got != want {
						t.Errorf("RepeatOf of %d: got %d, want %d", i, got, want)
					}
				}
				if got := l.Record(l.Last()).Parent; got != tt.parent {
					t.Errorf("parent: got %d, want %d", got, tt.parent)
				}
				for i := range l.Len() {
					if r := l.Record(i); r.RepeatOf == None {
						if at, ok := l.Find(r.ID); !ok || at != i {
							t.Errorf("find %s: got %d, %v, want %d", r.ID, at, ok, i)
						}
					}
				}
			}
		})
	}
}

func TestChildrenFollowTheEntryThatCounts(t *testing.T) {
	path := writeLog(t, lines(`{"type":"session","version":3,"id":"s1"}`, variant(1, ""), entryLine("b", "a"), entryLine("c", "b")))
	l := openLog(t, path)
	if got := l.Ancestry(2); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("path before: got %v", got)
	}
	l.Children(None)
	appendRaw(t, path, variant(2, "")+"\n")
	if _, err := l.Refresh(); err != nil {
		t.Fatal(err)
	}
	if got := l.Ancestry(2); !slices.Equal(got, []int{3, 1, 2}) {
		t.Errorf("path after: got %v", got)
	}
	if got := l.Children(None); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("roots: got %v", got)
	}
}

// TestBadIDsAreStillNames: lines that name an id that breaks the rule find its entry.
func TestBadIDsAreStillNames(t *testing.T) {
	l := openLog(t, writeLog(t, lines(`{"type":"session","version":3,"id":"s1"}`, entryLine("ä", ""), entryLine("b", "ä"))))
	if got := l.Record(0).ID; got != objects.DerivedID("s1", 2) {
		t.Errorf("id of the entry: got %s", got)
	}
	if got := l.Ancestry(1); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("path of its child: got %v", got)
	}
	if at, ok := l.Find("ä"); !ok || at != 0 {
		t.Errorf("Find: got %d, %v", at, ok)
	}
}

// TestShortOfAlias: a short id ends in what a name ends in.
func TestShortOfAlias(t *testing.T) {
	l := openLog(t, writeLog(t, lines(`{"type":"session","version":3,"id":"s1"}`,
		strings.ReplaceAll(variant(1, ""), `"id":"a"`, `"id":"e0000002"`), strings.ReplaceAll(variant(2, ""), `"id":"a"`, `"id":"e0000002"`))))
	if got := l.Short(0); got != "e0000002.2" {
		t.Errorf("got %s", got)
	}
}

// TestManyRepeatsAreQuick must not take time by the square.
func TestManyRepeatsAreQuick(t *testing.T) {
	var b strings.Builder
	b.WriteString(sessionLine + "\n")
	for i := range 20_000 {
		b.WriteString(variant(i, "") + "\n")
	}
	l := openLog(t, writeLog(t, b.String()))
	if l.Len() != 20_000 || l.Record(19_999).ID != "a.20001" {
		t.Errorf("got %d records, last %s", l.Len(), l.Record(l.Last()).ID)
	}
}

func TestPrefixesAgreeWithModel(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		l := openLog(t, writeLog(t, randomIDs(t, r)))
		var ids []objects.ID
		for i := range l.Len() {
			ids = append(ids, l.Record(i).ID)
		}
		for round := range 2 { // in the second one the sorted index answers
			for i, id := range ids {
				short := l.Short(i)
				if want := modelShort(ids, i); short != want {
					t.Fatalf("seed %d, round %d: short of %s: got %s, want %s, among %q", seed, round, id, short, want, ids)
				}
				prefix := strings.ToUpper(string(id)[:1+r.IntN(len(id))])
				var want []int
				for j, other := range ids {
					if other.HasPrefix(prefix) {
						want = append(want, j)
					}
				}
				if got := l.FindPrefix(prefix, 0); !slices.Equal(got, want) {
					t.Fatalf("seed %d, round %d: prefix %s: got %v, want %v", seed, round, prefix, got, want)
				}
				if got := l.FindPrefix(prefix, 2); !slices.Equal(got, want[:min(2, len(want))]) {
					t.Fatalf("seed %d: prefix %s, at most 2: got %v, want of %v", seed, prefix, got, want)
				}
			}
		}
		if got := l.FindPrefix("\u212A", 0); len(got) != 0 {
			t.Errorf("Kelvin sign: got %v", got)
		}
	}
}

func randomIDs(t *testing.T, r *rand.Rand) string {
	content := lines(sessionLine)
	seen := map[string]bool{}
	for range 1 + r.IntN(40) {
		id, err := objects.NewID(time.UnixMilli(1_800_000_000_000+int64(r.IntN(5))), rand.NewChaCha8([32]byte{byte(r.IntN(256)), byte(r.IntN(2))}))
		if err != nil {
			t.Fatal(err)
		}
		s := string(id)
		switch r.IntN(4) {
		case 0:
			s = "K" + strings.Repeat("ab", r.IntN(5)) + fmt.Sprint(r.IntN(10))
		case 1:
			s = id.Tail()[:1+r.IntN(12)]
		}
		if !seen[s] {
			content += lines(`{"type":"custom","id":"` + s + `"}`)
			seen[s] = true
		}
	}
	return content
}

func modelShort(ids []objects.ID, i int) string {
	tail := ids[i].Tail()
	for n := min(objects.MinShort, len(tail)); n <= len(tail); n++ {
		unique := true
		for j, other := range ids {
			unique = unique && (j == i || !other.HasPrefix(tail[:n]))
		}
		if unique {
			return tail[:n]
		}
	}
	return string(ids[i])
}
