package claude

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/agents/claude/claudegentest"
	"tlog/objects"
	"tlog/objects/sharedtest"
)

func TestKinds(t *testing.T) {
	for _, test := range []struct {
		spec   string
		kind   objects.Type
		hidden bool
	}{
		{"x<-b0 user", objects.TypeMessage, false},
		{"x<-b0 user meta", objects.TypeMessage, true},
		{"x<-b0 summary", objects.TypeMessage, true},
		{"x<-b0 summary meta", objects.TypeMessage, true},
		{"x<-u0 summary", objects.TypeMessage, true}, // the boundary is the row before
		{"x<-b0 assistant", objects.TypeMessage, false},
		{"x<-b0 queued", objects.TypeMessage, false},
		{"x<-b0 queued-other", objects.TypeCustom, false},
		{"x<-b0 attachment", objects.TypeCustom, false},
		{"x<-b0 boundary", objects.TypeCompaction, false},
		{"x<-b0 system:local_command", objects.TypeMessage, true},
		{"x<-b0 system:turn_duration", objects.TypeCustom, false},
		{"x<-b0 progress", objects.TypeMeta, false},
		{"x<-b0 hologram", objects.TypeCustom, false},
	} {
		envelopes := NewReader("s").Read(rows("u0<-- user\nb0<-- boundary lp=u0\n" + test.spec))
		if v := envelopes[2]; v.Type != test.kind || v.Hidden != test.hidden || v.ID != "x" {
			t.Errorf("%s is %s, hidden %v, id %s", test.spec, v.Type, v.Hidden, v.ID)
		}
	}
	envelopes := NewReader("s").Read(rows("u0<-- user\nx<-u0 summary"))
	if v := envelopes[1]; v.Type != objects.TypeCompaction || v.Hidden {
		t.Errorf("a summary without a boundary is %s, hidden %v", v.Type, v.Hidden)
	}
}

func TestTitles(t *testing.T) {
	var got []string
	for _, v := range NewReader("s").Read([]byte(`{"type":"summary","summary":"a","leafUuid":"x"}
{"type":"summary","summary":"b","leafUuid":"y"}
{"type":"ai-title","aiTitle":"c"}
{"type":"summary","summary":"d"}
{"type":"custom-title","customTitle":"\u0065"}
{"type":"ai-title","aiTitle":"f"}
{"type":"custom-title","customTitle":7}
{"type":"else","customTitle":"g"}
{"type":"custom-title","customTitle":""}
`)) {
		word := "-"
		if v.Title != nil {
			word = *v.Title
		}
		got = append(got, word)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "-", "e", "-", "-", "-", ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestTimestamps(t *testing.T) {
	var got []string
	for _, v := range NewReader("s").Read(rows("title a\nu1<-- user at=1\ntitle b\nu2<-u1 user\nu3<-u2 user at=3\nu2<-u1 user\n=garbage")) {
		got = append(got, v.Timestamp)
	}
	if diff := cmp.Diff([]string{"", "1", "1", "1", "3", "1", "1"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestLineIDs checks that a line without an id of its own keeps the one that it was given when the file is written anew.
func TestLineIDs(t *testing.T) {
	before := NewReader("s").Read(rows("title a\nu1<-- user\ntitle a\n=garbage\nlast-prompt u1\n={\"uuid\":\"no id\",\"type\":\"user\"}"))
	after := NewReader("s").Read(rows("u1<-- user\nlast-prompt u1\ntitle b\n=garbage\ntitle a\ntitle a\ntitle a\n={\"uuid\":\"no id\",\"type\":\"user\"}"))
	ids := map[objects.ID]string{}
	for _, v := range after {
		if _, twice := ids[v.ID]; twice {
			t.Errorf("two lines have the id %s", v.ID)
		}
		ids[v.ID] = string(v.Line)
	}
	for _, v := range before {
		if ids[v.ID] != string(v.Line) {
			t.Errorf("%s was %q and is %q", v.ID, v.Line, ids[v.ID])
		}
	}
	if other := NewReader("t").Read(rows("title a")); other[0].ID == before[0].ID {
		t.Error("lines of two sessions have the same id")
	}
}

// TestBadUUIDs reads rows whose uuid is no id: each is an entry, and they find each other.
func TestBadUUIDs(t *testing.T) {
	r := NewReader("s")
	v := r.Read([]byte(`{"type":"user","uuid":"a b","parentUuid":null}
{"type":"user","uuid":"c d","parentUuid":"a b"}
{"type":"user","uuid":"c d","parentUuid":"c d"}
`))
	if v[1].ParentID != v[0].ID || v[2].ParentID != v[1].ID || v[2].ID == v[1].ID || r.Leaf() != v[2].ID {
		t.Errorf("%v, leaf %s", treeOf(v), r.Leaf())
	}
}

// TestPieces reads transcripts in pieces, with one reader and with a new one for each piece that is told of what came before.
func TestPieces(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		data, _ := claudegentest.Bytes(rng, claudegentest.Options{Old: seed%2 == 1})
		checkPieces(t, fmt.Sprintf("seed %d", seed), data, rng)
	}
}

func TestPiecesShared(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads every real transcript in pieces")
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for _, file := range sharedTranscripts(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkPieces(t, file, data, rng)
	}
}

func checkPieces(t *testing.T, name string, data []byte, rng *rand.Rand) {
	t.Helper()
	r := NewReader("s")
	whole := r.Read(data)
	one, told := NewReader("s"), NewReader("s")
	var byOne, byMany []objects.Envelope
	for rest := data; len(rest) > 0; {
		cut := rng.IntN(len(rest)) + 1
		if end := bytes.IndexByte(rest[cut-1:], '\n'); end >= 0 {
			cut += end
		} else {
			cut = len(rest)
		}
		byOne = append(byOne, one.Read(rest[:cut])...)
		told = NewReader("s")
		for _, v := range byMany {
			e, err := objects.ParseEntry(v.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			told.Known(e)
		}
		byMany = append(byMany, told.Read(rest[:cut])...)
		rest = rest[cut:]
	}
	checkSame(t, name+": with one reader", whole, byOne)
	checkSame(t, name+": with new readers", whole, byMany)
	if one.Leaf() != r.Leaf() || told.Leaf() != r.Leaf() {
		t.Errorf("%s: leaf %s, with one reader %s, with new readers %s", name, r.Leaf(), one.Leaf(), told.Leaf())
	}
}

func checkSame(t *testing.T, name string, want, got []objects.Envelope) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s: %d envelopes, expected %d", name, len(got), len(want))
		return
	}
	for i := range want {
		if a, b := want[i].Bytes(), got[i].Bytes(); !bytes.Equal(a, b) {
			t.Errorf("%s: entry %d is\n%.300s\nexpected\n%.300s", name, i+1, b, a)
			return
		}
	}
}

// TestCases reads damaged files that people had, with what they should have got.
func TestCases(t *testing.T) {
	const mark = "a0000000-0000-4000-8000-0000000000"
	for _, test := range []struct {
		name, tree, leaf string
		damaged          int
	}{
		{"B001", "01 02<-01 03<-02 04<-03?901 05<-04 06<-05?902 07<-06 08<-07", "08", 0},
		{"B005", "01 02<-01 05<-02 06<-05 07<-06", "07", 0},
		{"B006", "01 02<-01 03<-02 04<-03 05<-04?950 06<-05 07<-06?951 08<-07", "08", 0},
		{"B008", "01 02<-01 03<-02 04<-03 05 06<-05 07", "07", 0},
		{"B013", "01 02<-01 03<-02 04<-03", "04", 0},
		{"B045", "01 02<-01 03<-02", "03", 2},
		{"B046", "01 02<-01 03<-02 04<-03", "04", 2},
		{"B220", "01 02<-01", "02", 0},
	} {
		data, err := os.ReadFile(sharedtest.Dir(t, "cases", "bugs", test.name, "in.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader("s")
		envelopes := r.Read(data)
		tree := strings.NewReplacer("?"+mark[:len(mark)-1], "?", mark, "").Replace(treeOf(envelopes))
		if tree != test.tree || string(r.Leaf()) != mark+test.leaf || r.Damaged() != test.damaged {
			t.Errorf("%s: leaf %s, damaged %d, tree\n%s\nwant\n%s", test.name, r.Leaf(), r.Damaged(), tree, test.tree)
		}
	}
}

// TestEachTwice reads a file with each line twice.
func TestEachTwice(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		spec := "m0<-- user\n"
		if i > 0 {
			spec = fmt.Sprintf("m%d<-m%d %s\n", i, i-1, []string{"user", "assistant"}[i%2])
		}
		b.WriteString(spec + spec)
	}
	r := NewReader("s")
	envelopes := r.Read(rows(b.String()))
	for i, v := range envelopes {
		want := objects.ID("")
		if i > 1 {
			want = objects.ID(fmt.Sprintf("m%d", i/2-1))
		}
		if v.ParentID != want || i%2 == 1 && !bytes.Equal(v.Bytes(), envelopes[i-1].Bytes()) {
			t.Fatalf("line %d hangs at %s, want %s", i+1, v.ParentID, want)
		}
	}
	if r.Leaf() != "m4999" {
		t.Error(r.Leaf())
	}
}
