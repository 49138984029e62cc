package log

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/blobs"
	"tlog/objects"
)

var fastWrites = WriteOptions{Durability: DurabilityOS}

// newLog makes a log in a folder of its own.
func newLog(t testing.TB) *Log {
	t.Helper()
	l, err := Create(filepath.Join(t.TempDir(), "log.jsonl"), objects.Header{ID: "s1", Timestamp: "2026-11-30T10:00:00.000Z"}, fastWrites)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func update(t testing.TB, l *Log, opt WriteOptions, lines ...Line) {
	t.Helper()
	if err := l.Update(context.Background(), opt, func() ([]Line, error) { return lines, nil }); err != nil {
		t.Fatal(err)
	}
}

func userEntry(id, content string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":null,"timestamp":"2026-01-01T10:00:00Z","message":{"role":"user","content":%s}}`, id, content)
}

// pngToken is a picture of noise, as base64 in a token.
func pngToken(t testing.TB, side int) (token string, file []byte) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	picture := image.NewGray(image.Rect(0, 0, side, side))
	for i := range picture.Pix {
		picture.Pix[i] = byte(random.Uint32())
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return `"` + base64.StdEncoding.EncodeToString(out.Bytes()) + `"`, out.Bytes()
}

func blobFiles(t testing.TB, l *Log) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(l.Blobs().Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		files[filepath.Base(filepath.Dir(path))+filepath.Base(path)] = content
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

func findingCodes(l *Log) string {
	var codes []string
	for f := range l.Check() {
		codes = append(codes, string(f.Code))
	}
	return strings.Join(codes, " ")
}

func TestBlobsOfASession(t *testing.T) {
	l := newLog(t)
	paste := `"` + strings.Repeat(`a pasted line\n`, 150_000) + `"`
	picture, file := pngToken(t, 300)
	pictureBlock := `[{"type":"image","data":` + picture + `,"mimeType":"image/png"}]`
	bodies := []string{userEntry("a", paste), userEntry("b", pictureBlock), userEntry("c", paste), userEntry("d", pictureBlock)}
	for _, body := range bodies {
		update(t, l, WriteOptions{}, Line{Bytes: []byte(body)})
	}
	files := blobFiles(t, l)
	same(t, "blobs", len(files), 2)
	for name, content := range files {
		if sum := blobs.Sum(content).String(); sum != name {
			t.Errorf("blob %s has the hash %s", name, sum)
		}
		if bytes.HasPrefix(content, []byte("\x89PNG")) {
			if _, err := png.Decode(bytes.NewReader(content)); err != nil || !bytes.Equal(content, file) {
				t.Errorf("picture: %v", err)
			}
		}
	}
	for i, body := range bodies {
		if line, err := l.Line(i); err != nil || len(line) > 2000 {
			t.Errorf("line %d has %d bytes, %v", i, len(line), err)
		}
		if got, err := l.Body(i); err != nil || string(got) != body {
			t.Errorf("body %d: got %.200s, %v", i, got, err)
		}
	}
	e, err := l.Entry(0)
	if m, ok := objects.DecodeMessage(e); err != nil || !ok || m.Text() != "[pasted text #1 +150000 lines]" {
		t.Errorf("the listing shows %q, %v", m.Text(), err)
	}
	same(t, "findings", findingCodes(l), "")

	again := filepath.Join(t.TempDir(), "copy.jsonl")
	if err := l.Copy(again, fastWrites); err != nil {
		t.Fatal(err)
	}
	copied := openLog(t, again)
	same(t, "findings of the copy", findingCodes(copied), "")
	if got, err := copied.Body(3); err != nil || string(got) != bodies[3] {
		t.Errorf("body of the copy: %.200s, %v", got, err)
	}
}

func TestBlobMissingAndCorrupt(t *testing.T) {
	l := newLog(t)
	opt := WriteOptions{Durability: DurabilityOS, Blobs: BlobOptions{Threshold: 5}}
	body := userEntry("a", `["first text","second text"]`)
	update(t, l, opt, Line{Bytes: []byte(body)}, Line{Bytes: []byte(userEntry("b", `"first text"`))})
	first, second := blobs.Sum([]byte("first text")), blobs.Sum([]byte("second text"))
	if err := os.Remove(l.Blobs().Path(first)); err != nil {
		t.Fatal(err)
	}
	e, err := l.Whole(0)
	var blobErr *BlobError
	if !errors.As(err, &blobErr) || !errors.Is(err, objects.ErrCorrupt) || !errors.Is(err, blobs.ErrMissing) {
		t.Fatalf("got %v", err)
	}
	same(t, "error", *blobErr, BlobError{Line: 2, ID: "a", At: "/message/content/0", Hash: first.String(), Err: blobErr.Err})
	want := userEntry("a", `["[pasted text #1, 10 B: blob missing]","second text"]`)
	same(t, "entry with a hole", string(e.Raw), want)
	same(t, "findings", findingCodes(l), "blob-missing blob-missing")

	if err := os.WriteFile(l.Blobs().Path(second), []byte("second tex7"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = l.Whole(0); !errors.Is(err, blobs.ErrMissing) || !errors.Is(err, blobs.ErrCorrupt) {
		t.Errorf("got %v", err)
	}
	same(t, "findings", findingCodes(l), "blob-missing blob-corrupt blob-missing")

	// Writing the same again makes it good.
	update(t, l, opt, Line{Bytes: []byte(userEntry("c", `["first text","second text"]`))})
	same(t, "findings", findingCodes(l), "")
	if got, err := l.Body(0); err != nil || string(got) != body {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestBlobImitations: tables and hashes that somebody else wrote are text, chained or not.
func TestBlobImitations(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := newLog(t)
	table := fmt.Sprintf(`,"blobs":[{"at":"/message/content","hash":%q,"size":6,"encoding":"text"}]`, "../../"+secret)
	chain := `,"chain":"` + strings.Repeat("a", 64) + `"`
	base := userEntry("ID", `"[pasted text #1, 6 B]"`)
	base = base[:len(base)-1]
	for n, object := range []string{base + table + "}", base + table + chain + "}", base + table + chain + table + "}", base + `,"ref":"x"` + table + chain + "}"} {
		id := fmt.Sprintf("id%d", n)
		object = strings.Replace(object, "ID", id, 1)
		update(t, l, fastWrites, Line{Bytes: []byte("\x00 " + object + " \x00"), Verbatim: true})
		if got, err := l.Body(n); err != nil || string(got) != object {
			t.Errorf("got  %s, %v\nwant %s", got, err, object)
		}
		if line, err := l.Line(n); err != nil || !bytes.HasPrefix(line, []byte("\x00 {")) || !bytes.HasSuffix(line, []byte("} \x00")) {
			t.Errorf("what stood around the object changed: %q, %v", line, err)
		}
	}
	// Lines that another program appends have no table at all, unless they forge a chain: then the hash is no hash.
	plain, forged := strings.Replace(base, "ID", "p", 1)+table+"}", strings.Replace(base, "ID", "f", 1)+table+chain+"}"
	appendRaw(t, l.Path(), plain+"\n"+forged+"\n")
	first, err := l.Refresh()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := l.Body(first); err != nil || string(got) != plain {
		t.Errorf("got %s, %v", got, err)
	}
	got, err := l.Body(first + 1)
	if !errors.Is(err, blobs.ErrHash) || bytes.Contains(got, []byte("secret")) {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestBlobOfWrongEncoding: a table that calls a text a token does not fit its blob, which the check tells as the reader does.
func TestBlobOfWrongEncoding(t *testing.T) {
	l := newLog(t)
	const text = "no token"
	hash, err := l.Blobs().Put([]byte(text), blobs.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	table := fmt.Sprintf(`,"blobs":[{"at":"/message/content","hash":%q,"size":%d,"encoding":"json"}]`, hash, len(text))
	entry := userEntry("a", `"[pasted text #1, 8 B]"`)
	line := newChainer(l.Header().Chain).appendLine(nil, []byte(entry[:len(entry)-1]+table+"}"), parseLine([]byte(entry[:len(entry)-1]+table+"}"), true))
	appendRaw(t, l.Path(), string(line))
	if _, err := l.Refresh(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Whole(0); err == nil {
		t.Error("it is filled in")
	}
	if got := findingCodes(l); !strings.Contains(got, "blob-corrupt") {
		t.Errorf("findings %q", got)
	}
}

// TestBlobRepeats: lines are the same wherever their strings lie.
func TestBlobRepeats(t *testing.T) {
	l := newLog(t)
	at := func(threshold int) WriteOptions {
		return WriteOptions{Durability: DurabilityOS, Blobs: BlobOptions{Threshold: threshold}}
	}
	body := []byte(userEntry("a", `"some text that is long enough"`))
	for _, threshold := range []int{-1, 1, 20, -1} {
		update(t, l, at(threshold), Line{Bytes: body, Verbatim: true})
	}
	update(t, l, at(1), Line{Bytes: []byte(userEntry("a", `"another text that is long enough"`)), Verbatim: true})
	check := func(l *Log) {
		t.Helper()
		for i, want := range []int{None, 0, 0, 0, None} {
			if got := l.Record(i).RepeatOf; got != want {
				t.Errorf("record %d repeats %d, want %d", i, got, want)
			}
		}
	}
	check(l)
	check(openLog(t, l.Path()))
}

// TestBlobWithoutLine: a writer that is killed between blob and line leaves a blob and a log that is as it was.
func TestBlobWithoutLine(t *testing.T) {
	l := newLog(t)
	if _, err := l.Blobs().Put([]byte("some text"), blobs.Options{}); err != nil {
		t.Fatal(err)
	}
	again := openLog(t, l.Path())
	same(t, "findings", findingCodes(again), "")
	update(t, again, WriteOptions{Blobs: BlobOptions{Threshold: 3}}, Line{Bytes: []byte(userEntry("a", `"some text"`))})
	same(t, "findings", findingCodes(again), "")
	same(t, "blobs", len(blobFiles(t, again)), 1)
}

// TestBlobBeforeLine: if the blob cannot be written, no line is.
func TestBlobBeforeLine(t *testing.T) {
	l := newLog(t)
	if err := os.WriteFile(l.Blobs().Dir(), nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	size := l.Size()
	opt := WriteOptions{Durability: DurabilityOS, Blobs: BlobOptions{Threshold: 3}}
	line := Line{Bytes: []byte(userEntry("a", `"some text"`))}
	if err := l.Update(context.Background(), opt, func() ([]Line, error) { return []Line{line}, nil }); err == nil {
		t.Error("no error")
	}
	if info, err := os.Stat(l.Path()); err != nil || info.Size() != size {
		t.Errorf("the log has changed: %v, %v", info, err)
	}
	path := filepath.Join(filepath.Dir(l.Path()), "fork.jsonl")
	if err := WriteFile(path, objects.Header{ID: "s2"}, []Line{line}, opt); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
	opt.Blobs.Threshold = -1
	if err := WriteFile(path, objects.Header{ID: "s2"}, []Line{line}, opt); err != nil {
		t.Error(err)
	}
}

// TestBlobsComeAlong: a copied line takes its blobs with it.
func TestBlobsComeAlong(t *testing.T) {
	opt := WriteOptions{Durability: DurabilityOS, Blobs: BlobOptions{Threshold: 3}}
	l := newLog(t)
	path := filepath.Join(t.TempDir(), "copy.jsonl")
	if err := l.Copy(path, opt); err != nil {
		t.Fatal(err)
	}
	copied := openLog(t, path)
	update(t, l, opt, Line{Bytes: []byte(userEntry("a", `"some text"`))})
	line, err := l.Line(0)
	if err != nil {
		t.Fatal(err)
	}
	update(t, copied, opt, Line{Bytes: line, Verbatim: true, Copied: true, Source: l.Blobs()})
	same(t, "findings", findingCodes(copied), "")
	if got, err := copied.Body(0); err != nil || string(got) != userEntry("a", `"some text"`) {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestRewriteKeepsOwnTables: a line of an older file that ends like one of tlog's stays what it is.
func TestRewriteKeepsOwnTables(t *testing.T) {
	own := `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"[pasted text #1, 6 B]"},"blobs":[{"at":"/message/content","hash":"x","size":6,"encoding":"text"}]}`
	long := userEntry("b", `"`+strings.Repeat("x", 5000)+`"`)
	path := writeLog(t, lines(strings.Replace(sessionLine, `"version":4`, `"version":3`, 1), own, long))
	l := openLog(t, path)
	same(t, "version", l.Version(), 3)
	for range 2 {
		for i, want := range []string{own, long} {
			if got, err := l.Body(i); err != nil || string(got) != want {
				t.Errorf("version %d: got %.200s, %v", l.Version(), got, err)
			}
		}
		rewrite(t, l)
	}
	same(t, "blobs", len(blobFiles(t, l)), 1)
}

func BenchmarkUpdateLong(b *testing.B) {
	text := `"` + strings.Repeat(`some text\n`, 100_000) + `"`
	for _, bench := range []struct {
		name      string
		threshold int
	}{{"blobs", 0}, {"inline", -1}} {
		b.Run(bench.name, func(b *testing.B) {
			l := newLog(b)
			b.SetBytes(int64(len(text)))
			n := 0
			for b.Loop() {
				n++
				line := Line{Bytes: []byte(userEntry(fmt.Sprint("e", n), `"`+fmt.Sprint(n)+text[1:]))}
				update(b, l, WriteOptions{Durability: DurabilityOS, Blobs: BlobOptions{Threshold: bench.threshold}}, line)
			}
		})
	}
}

func same[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
