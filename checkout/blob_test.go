package checkout_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/blobs"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/projection"
	"tlog/refs"
)

// withThreshold is a lab whose strings go into blobs above a threshold.
func withThreshold(t *testing.T, seed uint64, threshold int) *lab {
	t.Helper()
	l := newLab(t, seed)
	l.opt.Write.Blobs.Threshold = threshold
	l.reopen()
	return l
}

// TestBlobsChangeNothing does the same random things to a session with every string in blobs and to one
// without blobs: entries, contexts and forks are the same.
func TestBlobsChangeNothing(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			var walks [2]*walk
			for i, threshold := range []int{1, -1} {
				// Options are handed on to the session again with the next reopen, so ids and times go on as they were.
				walks[i] = &walk{lab: withThreshold(t, 3000+seed, threshold), rng: rand.New(rand.NewPCG(seed, 7)), model: newModel()}
			}
			for range 60 {
				for _, w := range walks {
					w.step()
					w.compare()
				}
			}
			walks[0].inspect()
			out, inline := walks[0].lab, walks[1].lab
			out.wantSame(inline)
			blobsSeen := 0
			for i := range out.Log.Len() {
				if out.Log.Record(i).Blobs {
					blobsSeen++
				}
			}
			if blobsSeen == 0 {
				t.Error("no line has a table")
			}
			at := out.Refs.Head().At
			if at == log.None {
				return
			}
			for _, flatten := range []bool{false, true} {
				a, err := out.Fork(at, checkout.ForkOptions{Flatten: flatten})
				b, err2 := inline.Fork(at, checkout.ForkOptions{Flatten: flatten})
				if (err == nil) != (err2 == nil) {
					t.Fatalf("fork: %v, without blobs %v", err, err2)
				}
				if err == nil {
					out.written(a, 1).wantSame(inline.written(b, -1))
				}
			}
		})
	}
}

// written is a fork as a session.
func (l *lab) written(fork checkout.Fork, threshold int) *lab {
	l.tb.Helper()
	opt := l.opt
	opt.Write.Blobs.Threshold = threshold
	w := &lab{tb: l.tb, path: filepath.Join(l.tb.TempDir(), "fork.jsonl"), opt: opt}
	w.ok(log.WriteFile(w.path, fork.Header, fork.Lines, opt.Write))
	s, err := checkout.Open(w.path, opt)
	w.ok(err)
	w.Session = s
	w.tb.Cleanup(func() { s.Close() })
	return w
}

// wantSame compares the entries of two sessions, and the contexts of all their branches.
func (l *lab) wantSame(o *lab) {
	l.tb.Helper()
	if l.Log.Len() != o.Log.Len() {
		l.tb.Fatalf("%d lines, without blobs %d", l.Log.Len(), o.Log.Len())
	}
	for i := range l.Log.Len() {
		a, err := l.Log.Body(i)
		l.ok(err)
		b, err := o.Log.Body(i)
		l.ok(err)
		if !bytes.Equal(a, b) {
			l.tb.Fatalf("entry %d is %s, without blobs %s", i, a, b)
		}
	}
	tips := []int{l.Refs.Head().At}
	for _, b := range l.Refs.Branches() {
		tips = append(tips, b.At)
	}
	for _, at := range tips {
		if a, b := l.context(at), o.context(at); a != b {
			l.tb.Errorf("context at %d is %s, without blobs %s", at, a, b)
		}
	}
}

// context is all that a context holds.
func (l *lab) context(at int) string {
	l.tb.Helper()
	h, err := refs.NewHistory(l.Log, at)
	l.ok(err)
	c, err := projection.Build(h)
	l.ok(err)
	text, err := json.Marshal(c)
	l.ok(err)
	return string(text)
}

// TestMissingBlob: the session stays readable, the context says what is missing, a fork refuses to make a hole.
func TestMissingBlob(t *testing.T) {
	l := withThreshold(t, 1, 20)
	const text = "a text that is long enough"
	l.add(say("hello"), say(text))
	if err := os.Remove(l.Log.Blobs().Path(blobs.Sum([]byte(text)))); err != nil {
		t.Fatal(err)
	}
	at := l.Refs.Head().At
	h, err := refs.NewHistory(l.Log, at)
	l.ok(err)
	c, err := projection.Build(h)
	l.ok(err)
	if len(c.Messages) != 2 || !strings.Contains(string(c.Messages[1].JSON), `"[pasted text #1, 26 B: blob missing]"`) {
		t.Errorf("messages: %+v", c.Messages)
	}
	for name, make := range map[string]func() (projection.Request, error){"anthropic": c.Anthropic, "openai": c.OpenAI} {
		r, err := make()
		l.ok(err)
		if len(r.Repairs) != 1 || r.Repairs[0].Kind != projection.MissingBlob || r.Repairs[0].At != at {
			t.Errorf("%s: repairs: %+v", name, r.Repairs)
		}
	}
	if len(c.Repairs) != 1 || c.Repairs[0].Kind != projection.MissingBlob {
		t.Errorf("repairs: %+v", c.Repairs)
	}
	_, err = l.Fork(at, checkout.ForkOptions{})
	l.fails(err, objects.ErrCorrupt, "blob is missing")
	fork, err := l.Fork(at, checkout.ForkOptions{AllowMissing: true})
	l.ok(err)
	if last := string(fork.Lines[len(fork.Lines)-1].Bytes); !strings.Contains(last, "blob missing") {
		t.Errorf("the fork ends with %s", last)
	}
	r := &refs.Resolver{State: l.Refs}
	if rev, err := r.Resolve(":/hello"); err != nil || rev.At == at {
		t.Errorf("search: %+v, %v", rev, err)
	}
}

// TestSearchInBlobs: a search finds text wherever it lies.
func TestSearchInBlobs(t *testing.T) {
	l := withThreshold(t, 1, 5)
	l.add(say("a needle in a blob"), say("other"))
	r := &refs.Resolver{State: l.Refs}
	if rev, err := r.Resolve(":/needle"); err != nil || rev.At != 0 {
		t.Errorf("got %+v, %v", rev, err)
	}
	if _, err := r.Resolve(":/pasted"); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("a placeholder was found: %v", err)
	}
}

// TestImportWithBlobs: an import whose strings lie in blobs knows its source again, gives it back, and takes a
// line in again whose blob has gone.
func TestImportWithBlobs(t *testing.T) {
	const text = "a text that is long enough"
	content := `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T10:00:00.000Z","cwd":"/w"}` + "\n" +
		`{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user","content":"` + text + `"}}` + " \r\n" +
		`{"type":"message","id":"b","parentId":"a","timestamp":"t","message":{"role":"user","content":"b"},"blobs":[{"at":"/message/content"}]}` + "\n"
	path := filepath.Join(t.TempDir(), "source.jsonl")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := log.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	for _, threshold := range []int{1, 20, -1} {
		opt := labOptions(9)
		opt.Write.Blobs.Threshold = threshold
		header, err := checkout.ImportHeader(source, path, "")
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := checkout.CreateImport(context.Background(), filepath.Join(t.TempDir(), "log.jsonl"), header, source, opt)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		wantOriginal := func() {
			t.Helper()
			var out bytes.Buffer
			if err := s.WriteOriginal(&out); err != nil || out.String() != content {
				t.Errorf("threshold %d: the original is %q, %v", threshold, out.String(), err)
			}
		}
		wantOriginal()
		size := s.Log.Size()
		if done, err := s.Import(context.Background(), source); err != nil || done.New != 0 || s.Log.Size() != size {
			t.Errorf("threshold %d: importing again: %+v, %v", threshold, done, err)
		}
		if threshold < 0 {
			continue
		}
		if err := os.Remove(s.Log.Blobs().Path(blobs.Sum([]byte(text)))); err != nil {
			t.Fatal(err)
		}
		if err := s.WriteOriginal(new(bytes.Buffer)); !errors.Is(err, blobs.ErrMissing) {
			t.Errorf("threshold %d: an original with a hole: %v", threshold, err)
		}
		// The source has all of its lines still, and no import says otherwise, now or later.
		if done, err := s.Import(context.Background(), source); err != nil || done.New == 0 || done.Missing != 0 {
			t.Errorf("threshold %d: importing where a blob is missing: %+v, %v", threshold, done, err)
		}
		if done, err := s.Import(context.Background(), source); err != nil || done.New != 0 || done.Missing != 0 {
			t.Errorf("threshold %d: importing where a blob was missing: %+v, %v", threshold, done, err)
		}
		if at, ok := s.Log.Find("a"); !ok {
			t.Error("the entry has gone")
		} else if body, err := s.Log.Body(at); err != nil || !strings.Contains(string(body), text) {
			t.Errorf("threshold %d: got %s, %v", threshold, body, err)
		}
	}
}
