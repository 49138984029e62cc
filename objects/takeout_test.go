package objects

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/zeebo/blake3"
)

func hashName(content []byte) string {
	sum := blake3.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// takeOut takes the strings out of an object as a writer does. It gives the line with ref and chain, and what the blobs hold.
func takeOut(t *testing.T, object string, threshold int) (line Entry, contents map[string][]byte) {
	t.Helper()
	e, err := ParseEntry([]byte(object))
	if err != nil {
		t.Fatalf("%.200q: %v", object, err)
	}
	written, contents := e.Raw, map[string][]byte{}
	if taken, ok := e.TakeOut(threshold, hashName); ok {
		written = taken.Object
		for i, b := range taken.Table {
			contents[b.Hash] = taken.Contents[i]
		}
	}
	if line, err = ParseEntry(AppendMembers(written, []byte(testChain))); err != nil {
		t.Fatalf("%.200q: %v", written, err)
	}
	return line, contents
}

// checkTakeOut takes strings out, fills them in again, and gives the line between.
func checkTakeOut(t *testing.T, object string, threshold int) Entry {
	t.Helper()
	line, contents := takeOut(t, object, threshold)
	e, _ := ParseEntry([]byte(object))
	want := e.Body()
	if e.Chain != "" { // the author's own, and what stands before it is no ref
		want = e.Raw
	} else if line.Ref != e.Ref {
		t.Errorf("%.200q: ref is %q in the line, want %q", object, line.Ref, e.Ref)
	}
	whole, holes := line.Fill(func(b Blob) ([]byte, error) {
		content, ok := contents[b.Hash]
		if !ok {
			return nil, fmt.Errorf("no blob %s", b.Hash)
		}
		return content, nil
	})
	if len(holes) > 0 || !bytes.Equal(whole.Raw, want) {
		t.Errorf("threshold %d: %.300q came back as %.300q, %v; line %.300q", threshold, want, whole.Raw, holes, line.Raw)
	}
	if got, want := whole.Get("message"), find(want, "message"); !bytes.Equal(got, want) {
		t.Errorf("message of the whole entry is %.200q, want %.200q", got, want)
	}
	if len(line.Places()) > 0 {
		t.Errorf("%.300q: places %v", line.Raw, line.Places())
	}
	return line
}

func TestTakeOut(t *testing.T) {
	picture := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n and so on"))
	image := `{"type":"image","data":"` + picture + `","mimeType":"image/png"}`
	tests := []struct {
		name, object, line string // the line up to ,"chain"
		threshold          int
	}{
		{"text", `{"type":"message","id":"a","message":{"content":"one\ntwo\n\"3\" \\ \u001f"}}`,
			`{"type":"message","id":"a","message":{"content":"[pasted text #1 +3 lines]"},"blobs":[{"at":"/message/content","hash":"` +
				hashName([]byte("one\ntwo\n\"3\" \\ \x1f")) + `","size":15,"lines":3,"encoding":"text"}]}`, 5},
		{"one line", `{"type":"x","a":["123456"] }`,
			`{"type":"x","a":["[pasted text #1, 6 B]"] ,"blobs":[{"at":"/a/0","hash":"` + hashName([]byte("123456")) + `","size":6,"lines":1,"encoding":"text"}]}`, 5},
		{"at the threshold", `{"type":"x","a":"12345"}`, `{"type":"x","a":"12345"}`, 5},
		{"other escapes", `{"type":"x","a":"12\/45\u000a"}`,
			`{"type":"x","a":"[pasted text #1, 14 B]","blobs":[{"at":"/a","hash":"` + hashName([]byte(`"12\/45\u000a"`)) + `","size":14,"encoding":"json"}]}`, 5},
		{"lone surrogate", `{"type":"x","a":"\ud800 1234"}`,
			`{"type":"x","a":"[pasted text #1, 13 B]","blobs":[{"at":"/a","hash":"` + hashName([]byte(`"\ud800 1234"`)) + `","size":13,"encoding":"json"}]}`, 5},
		{"image", `{"type":"x","a":[` + image + `]}`,
			`{"type":"x","a":[{"type":"image","data":"[image/png 18 B]","mimeType":"image/png"}],"blobs":[{"at":"/a/0/data","hash":"` +
				hashName([]byte("\x89PNG\r\n\x1a\n and so on")) + `","size":18,"encoding":"base64"}]}`, 5000},
		{"image, type first, odd type", `{"type":"x","a":{"media_type":"image/p\u001bng","data":"QUJD"}}`,
			`{"type":"x","a":{"media_type":"image/p\u001bng","data":"[image 3 B]"},"blobs":[{"at":"/a/data","hash":"` +
				hashName([]byte("ABC")) + `","size":3,"encoding":"base64"}]}`, 5000},
		{"no image: stray bits", `{"type":"x","a":{"mimeType":"image/png","data":"QUI9"},"b":{"mimeType":"image/png","data":"QUJ="}}`,
			`{"type":"x","a":{"mimeType":"image/png","data":"[image/png 3 B]"},"b":{"mimeType":"image/png","data":"QUJ="},"blobs":[{"at":"/a/data","hash":"` +
				hashName([]byte("AB=")) + `","size":3,"encoding":"base64"}]}`, 5000},
		{"none", `{"type":"x","a":[` + image + `,"123456"]}`, `{"type":"x","a":[` + image + `,"123456"]}`, -1},
		{"what stays", `{"type":"long type","id":"long id","parentId":"long","timestamp":"long","message":{"role":"long role","toolCallId":"long id"}}`,
			`{"type":"long type","id":"long id","parentId":"long","timestamp":"long","message":{"role":"long role","toolCallId":"long id"}}`, 1},
		{"types that stay", `{"type":"skip","targetIds":["long"]}`, `{"type":"skip","targetIds":["long"]}`, 1},
		{"before the ref", `{"type":"x","a":"123456" ,"ref":"topic"}`,
			`{"type":"x","a":"[pasted text #1, 6 B]" ,"blobs":[{"at":"/a","hash":"` + hashName([]byte("123456")) + `","size":6,"lines":1,"encoding":"text"}],"ref":"topic"}`, 3},
		{"key twice", `{"type":"x","a":{"b":"123456"},"\u0061":1,"c":"123456"}`,
			`{"type":"x","a":{"b":"123456"},"\u0061":1,"c":"[pasted text #1, 6 B]","blobs":[{"at":"/c","hash":"` + hashName([]byte("123456")) + `","size":6,"lines":1,"encoding":"text"}]}`, 5},
		{"key that is no Unicode", `{"type":"x","\ud800":"123456"}`, `{"type":"x","\ud800":"123456"}`, 5},
		{"key with escapes", `{"type":"x","a/b~":{"":"123456"}}`,
			`{"type":"x","a/b~":{"":"[pasted text #1, 6 B]"},"blobs":[{"at":"/a~1b~0/","hash":"` + hashName([]byte("123456")) + `","size":6,"lines":1,"encoding":"text"}]}`, 5},
		{"own table", `{"type":"x","blobs":[1]}`, `{"type":"x","blobs":[1],"blobs":[]}`, 5},
		{"own table before a ref", `{"type":"x","blobs":[1],"ref":"a"}`, `{"type":"x","blobs":[1],"blobs":[],"ref":"a"}`, 5},
		{"own table not at the end", `{"type":"x","blobs":[1],"a":1}`, `{"type":"x","blobs":[1],"a":1}`, 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			line := checkTakeOut(t, test.object, test.threshold)
			if got := string(line.Unchained()); got != test.line {
				t.Errorf("got  %s\nwant %s", got, test.line)
			}
		})
	}
}

// TestTakeOutDeep: neither depth nor width costs more than their length.
func TestTakeOutDeep(t *testing.T) {
	const depth = 1_000_000
	for _, object := range []string{
		`{"type":"x","a":` + strings.Repeat("[", depth) + `"123456"` + strings.Repeat("]", depth) + `,"b":"123456"}`,
		`{"type":"x","a":` + strings.Repeat(`{"a":`, depth) + `"123456"` + strings.Repeat("}", depth) + `,"b":"123456"}`,
	} {
		line := checkTakeOut(t, object, 5)
		if table, err := line.BlobTable(); err != nil || len(table) != 1 || table[0].At != "/b" {
			t.Errorf("got the table %v, %v, want a row for /b", table, err)
		}
	}
	wide := `{"type":"x","a":[` + strings.Repeat(`"ab",`, 50_000) + `"ab"]}`
	if table, err := checkTakeOut(t, wide, 1).BlobTable(); err != nil || len(table) != 50_001 {
		t.Errorf("got %d rows, %v", len(table), err)
	}
	twice := `{"type":"x"` + strings.Repeat(`,"a":{"b":"ab","c":["ab"]}`, 50_000) + `}`
	if table, err := checkTakeOut(t, twice, 1).BlobTable(); err != nil || len(table) != 0 {
		t.Errorf("got %d rows, %v", len(table), err)
	}
}

// TestFillHostile: what looks like a table and is none, and tables that do not fit.
func TestFillHostile(t *testing.T) {
	content := []byte("content")
	row := func(at, more string) string {
		return `{"at":"` + at + `","hash":"` + hashName(content) + `","size":7,"encoding":"text"` + more + `}`
	}
	const body = `{"type":"x","a":"[pasted text #1, 7 B]","b":{"c":"text"},"d":["[image 1 B]"],"e":1,"e":"[pasted text #2, 7 B]"`
	tests := []struct {
		table string
		holes int
		body  string // of the whole entry; empty for the body as it is
	}{
		{`[` + row("/a", "") + `]`, 0, strings.Replace(body, `[pasted text #1, 7 B]`, "content", 1)},
		{`[` + row("/a", `,"size":8`) + `]`, 1, strings.Replace(body, `7 B]`, "7 B: blob missing]", 1)},
		{`[` + row("/a", `,"hash":"../../etc/passwd"`) + `]`, 1, strings.Replace(body, `7 B]`, "7 B: blob missing]", 1)},
		{`[` + row("/a", `,"encoding":"json"`) + `]`, 1, strings.Replace(body, `7 B]`, "7 B: blob missing]", 1)},
		{`[` + row("/d/0", "") + `,` + row("/d/00", "") + `]`, 1, strings.Replace(body, `[image 1 B]`, "content", 1)},
		{`[` + row("/a", "") + `,` + row("/a", "") + `]`, 1, strings.Replace(body, `[pasted text #1, 7 B]`, "content", 1)},
		{`[` + row("/b/c", "") + `,` + row("/b", "") + `,` + row("/e", "") + `,` + row("/x", "") + `,` + row("/a/0", "") + `]`, 5, ""},
		{`[` + row("", "") + `]`, 1, ""},
		{`[` + row("a", "") + `]`, 1, ""},
		{`[` + row("/a", `,"encoding":"zip"`) + `]`, 1, ""},
		{`[` + row("/a", `,"size":-7`) + `]`, 1, ""},
		{`[` + row("/a", `,"size":7.0`) + `]`, 1, ""},
		{`[1]`, 1, ""},
	}
	for _, test := range tests {
		e, err := ParseEntry([]byte(body + `,"blobs":` + test.table + `,` + testChain + `}`))
		if err != nil {
			t.Fatal(err)
		}
		whole, holes := e.Fill(func(b Blob) ([]byte, error) {
			if b.Hash != hashName(content) {
				return nil, fmt.Errorf("no blob %s", b.Hash)
			}
			return content, nil
		})
		want := test.body
		if want == "" {
			want = body
		}
		if len(holes) != test.holes || string(whole.Raw) != want+"}" {
			t.Errorf("%s: got %s, %v, want %d holes and %s}", test.table, whole.Raw, holes, test.holes, want)
		}
	}
	for _, line := range []string{
		body + `,"blobs":[` + row("/a", "") + `]}`,                                                           // not chained
		body + `,"blobs":[` + row("/a", "") + `],"x":1,` + testChain + `}`,                                   // not last
		body + `,"blobs":{"0":` + row("/a", "") + `},` + testChain + `}`,                                     // no array
		body + `,"ref":"x","blobs":[` + row("/a", "") + `],` + strings.Replace(testChain, "0", "x", 1) + `}`, // no chain
		body + `,"blobs":[` + row("/a", "") + `],` + testChain + `,"ref":"x"}`,                               // chain not last
	} {
		e, err := ParseEntry([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if whole, holes := e.Fill(nil); e.Blobs != nil || len(holes) > 0 || !bytes.Equal(whole.Raw, e.Body()) {
			t.Errorf("%s: got the table %s, %v", line, e.Blobs, holes)
		}
	}
}

// TestTakeOutImitations: whatever a caller writes comes back, also if it looks like what tlog writes.
func TestTakeOutImitations(t *testing.T) {
	table := `"blobs":[{"at":"/a","hash":"../../../etc/passwd","size":1,"encoding":"text"}]`
	for _, members := range []string{
		table, table + `,"ref":"x"`, table + `,"ref":""`, table + `,` + testChain, table + `,"ref":"x",` + testChain,
		`"ref":"x",` + table, testChain + `,` + table, table + `,` + table, `"blob\u0073":[]`, `"blobs":{}`,
		`"ref":"0123456789",` + testChain, `"chain":"x"`,
	} {
		for _, object := range []string{
			`{"type":"x","a":"[pasted text #1, 7 B]",` + members + `}`,
			`{"type":"x","a":"a longer text",` + members + ` }`,
			`{` + members + `}`,
			`{ "message" : {"content":"a longer text"} , ` + members + `}`,
		} {
			for _, threshold := range []int{-1, 1, 5, 4096} {
				checkTakeOut(t, object, threshold)
			}
		}
	}
}

// TestSharedTakeOut takes the strings out of every line of real sessions.
func TestSharedTakeOut(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes every real line through three thresholds")
	}
	lines, tables := 0, 0
	eachSharedLine(t, func(_ string, b []byte) {
		if Scan(b, nil) != nil {
			return
		}
		lines++
		for _, threshold := range []int{1, 4096, 1_000_000} {
			if checkTakeOut(t, string(b), threshold).Blobs != nil {
				tables++
			}
		}
	})
	t.Logf("%d lines, %d tables", lines, tables)
}

func FuzzTakeOut(f *testing.F) {
	for _, object := range []string{
		`{"type":"message","message":{"content":[{"type":"image","data":"QUJD","mimeType":"image/png"},"a\nb\u001b\/"]}}`,
		`{"a":{"b":"text","b":"text"},"blobs":[],"ref":"x"}`,
		`{"blobs":[{"at":"/a"}],"ref":"x",` + testChain + `}`,
		`{"~/":{"":["\ud83d\ude00 \ud800"]}}`,
	} {
		f.Add([]byte(object), 1)
	}
	f.Fuzz(func(t *testing.T, object []byte, threshold int) {
		if Scan(object, nil) != nil {
			return
		}
		checkTakeOut(t, string(object), threshold%5000)
	})
}

func BenchmarkTakeOut(b *testing.B) {
	short := []byte(`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"` + strings.Repeat("x", 500) + `"}}`)
	long := []byte(`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"` + strings.Repeat(`some text\n`, 100_000) + `"}}`)
	for _, bench := range []struct {
		name   string
		object []byte
	}{{"short", short}, {"1MB", long}} {
		b.Run(bench.name, func(b *testing.B) {
			e, err := ParseEntry(bench.object)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(bench.object)))
			b.ReportAllocs()
			for b.Loop() {
				e.TakeOut(4096, hashName)
			}
		})
	}
}
