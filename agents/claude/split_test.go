package claude

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
)

func TestSplit(t *testing.T) {
	const (
		a    = `{"type":"user","uuid":"a","message":{"content":"{\"type\":1}"}}`
		b    = `{"type":"user","uuid":"b"}`
		side = `{"type":"mode","sessionId":"s","x":{"type":"user","uuid":"n"}}`
	)
	for _, test := range []struct {
		name, line string
		parts      []string // "=" before those that hold a whole object
		damaged    int
	}{
		{"one", a, []string{"=" + a}, 0},
		{"nothing", "", []string{""}, 0},
		{"blank", " \t\r", []string{" \t\r"}, 0},
		{"CR", a + "\r", []string{"=" + a + "\r"}, 0},
		{"NULs behind", a + "\x00\x00", []string{"=" + a + "\x00\x00"}, 1},
		{"NULs before", "\x00\x00" + a, []string{"=\x00\x00" + a}, 1},
		{"NULs alone", "\x00\x00", []string{"\x00\x00"}, 1},
		{"BOM", "\xEF\xBB\xBF" + a, []string{"=\xEF\xBB\xBF" + a}, 1},
		{"garbage", "what is this", []string{"what is this"}, 1},
		{"no object", "[1]", []string{"[1]"}, 1},
		{"two", a + b, []string{"=" + a, "=" + b}, 1},
		{"three with things between", a + " " + b + "\x00\x00" + side, []string{"=" + a, "= " + b, "=\x00\x00" + side}, 1},
		{"something behind", a + "oops", []string{"=" + a, "oops"}, 1},
		{"torn behind", a + b[:9], []string{"=" + a, b[:9]}, 1},
		{"torn in a string", a[:18] + b, []string{a[:18], "=" + b}, 1},
		{"torn in a key", a[:5] + b, []string{a[:5], "=" + b}, 1},
		{"torn in an escape", a[:45] + b, []string{a[:45], "=" + b}, 1},
		{"torn behind a colon", a[:8] + b, []string{a[:8], "=" + b}, 1},
		{"torn behind a comma", a[:15] + side, []string{a[:15], "=" + side}, 1},
		{"torn in a number", `{"a":12` + b, []string{`{"a":12`, "=" + b}, 1},
		{"torn in a word", `{"a":fal` + b, []string{`{"a":fal`, "=" + b}, 1},
		{"torn and NULs", a[:18] + "\x00\x00" + b, []string{a[:18] + "\x00\x00", "=" + b}, 1},
		{"torn, torn, whole", a[:18] + a[:45] + b, []string{a[:18] + a[:45], "=" + b}, 1},
		{"torn, whole, whole", a[:18] + b + a, []string{a[:18], "=" + b, "=" + a}, 1},
		{"garbage before", "12:00 " + b, []string{"12:00 ", "=" + b}, 1},
		{"what is behind is no row", a[:18] + `{"x":1}`, []string{a[:18] + `{"x":1}`}, 1},
		{"a row inside a torn one", side[:len(side)-1] + `,"more`, []string{side[:len(side)-1] + `,"more`}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var parts []string
			for _, rec := range splitLine(nil, []byte(test.line)) {
				part := string(rec.line)
				if rec.object != nil {
					part = "=" + part
					if object := objects.TrimLine(rec.line); !bytes.Equal(object, rec.object) {
						t.Errorf("the object is %q, a decoder sees %q", rec.object, object)
					}
				}
				parts = append(parts, part)
			}
			if diff := cmp.Diff(test.parts, parts); diff != "" {
				t.Error(diff)
			}
			r := NewReader("s")
			r.Read([]byte(test.line + "\n"))
			if r.Damaged() != test.damaged {
				t.Errorf("%d damaged lines, expected %d", r.Damaged(), test.damaged)
			}
		})
	}
}

// TestSplitSlow splits lines that look like many records and are none.
func TestSplitSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	const n = 100_000
	for name, line := range map[string]string{
		"opened":         strings.Repeat(`{"a":`, n),
		"closed at last": strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n-1),
		"torn":           strings.Repeat(`{"a{"type":"x"`, n),
		"rows":           strings.Repeat(`{"a{"type":"x","uuid":"y"}`, n),
		"objects":        strings.Repeat(`{}`, n),
		"braces":         strings.Repeat(`{`, n),
		"strings":        strings.Repeat(`{"`, n),
		"NULs":           strings.Repeat("{}\x00", n),
	} {
		start := time.Now()
		NewReader("s").Read([]byte(line))
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}

// FuzzRead reads anything: the bytes come back, each parent is there, and nothing is above itself.
func FuzzRead(f *testing.F) {
	f.Add(rows("u1<-- user\na1<-u1 assistant re=m\na2<-a1 assistant re=m\nr1<-a1 result\nlast-prompt a1 explicit"), 40)
	f.Add(rows("u1<-u2 user\nu2<-u1 user\nu1<-u3 user\np1<-p2 progress\np2<-p1 progress\nu3<-p1 user"), 30)
	f.Add(rows("u1<-- user\nb1<-- boundary lp=u1\nc1<-b1 summary\nx1<-- user side agent=x\nx2<-x1 assistant side agent=x"), 90)
	f.Add([]byte("{\"type\":\"user\",\"uuid\":\"a{\"type\":\"user\",\"uuid\":\"b\"}{\"type\":\"user\",\"uuid\":\"c\"}\x00\n\r\n\xEF\xBB\xBF{}"), 3)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		r := NewReader("s")
		envelopes := r.Read(data)
		if got := bytesOf(envelopes, data); !bytes.Equal(got, data) {
			t.Fatalf("got %q", got)
		}
		checkGraph(t, "fuzz", envelopes)
		if leaf := r.Leaf(); leaf != "" {
			if _, ok := parentsOf(envelopes)[leaf]; !ok {
				t.Errorf("the leaf %s is no entry", leaf)
			}
		}
		checkCut(t, "fuzz", data, cut)
	})
}

// checkCut checks that a reader which is told of the lines up to a cut reads the others as one that has read them.
func checkCut(t *testing.T, name string, data []byte, cut int) {
	t.Helper()
	at := 0
	if cut > 0 && cut < len(data) {
		at = bytes.LastIndexByte(data[:cut], '\n') + 1
	}
	one, told := NewReader("s"), NewReader("s")
	for _, v := range one.Read(data[:at]) {
		e, err := objects.ParseEntry(v.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		told.Known(e)
	}
	checkSame(t, name, one.Read(data[at:]), told.Read(data[at:]))
	if one.Leaf() != told.Leaf() {
		t.Errorf("%s: leaf %s, told %s", name, one.Leaf(), told.Leaf())
	}
}
