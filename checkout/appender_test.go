package checkout_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"tlog/blobs/disk/disktest"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// TestAppender: many writers at once; each entry is acknowledged once, all hang in one chain, and a line that is refused concerns nobody else.
func TestAppender(t *testing.T) {
	s, err := checkout.Create(filepath.Join(t.TempDir(), "s.jsonl"), objects.Header{}, labOptions(1))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const writers, each = 8, 50
	a := s.NewAppender(checkout.AppendOptions{})
	var mu sync.Mutex
	acknowledged := map[objects.ID]bool{}
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range each {
				if _, err := a.Append(t.Context(), []byte(`{"role":`)); !errors.Is(err, objects.ErrInvalid) {
					t.Errorf("a bad line: got %v", err)
				}
				id, err := a.Append(t.Context(), fmt.Appendf(nil, `{"role":"user","content":"%d %d"}`, w, i))
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				acknowledged[id] = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	again, err := checkout.Open(s.Log.Path(), labOptions(2))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if n := again.Log.Len(); n != writers*each || len(acknowledged) != n {
		t.Fatalf("%d entries, %d acknowledged, want %d", n, len(acknowledged), writers*each)
	}
	for i := range again.Log.Len() {
		if r := again.Log.Record(i); !acknowledged[r.ID] || r.Parent != i-1 {
			t.Errorf("entry %d: %s, acknowledged: %v, parent %d", i, r.ID, acknowledged[r.ID], r.Parent)
		}
	}
	for f := range again.Log.Check() {
		t.Errorf("%+v", f)
	}
}

// TestAppenderFails: a write that fails acknowledges nothing, and the next one goes on.
func TestAppenderFails(t *testing.T) {
	broken := errors.New("no disk")
	dir := t.TempDir()
	fsys, err := disktest.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	opt := labOptions(1)
	opt.Write = log.WriteOptions{FS: fsys}
	s, err := checkout.Create(filepath.Join(dir, "s.jsonl"), objects.Header{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a := s.NewAppender(checkout.AppendOptions{})
	line := []byte(`{"role":"user","content":"x"}`)
	fsys.FailAt(1, broken)
	if id, err := a.Append(t.Context(), line); !errors.Is(err, broken) || id != "" {
		t.Errorf("got %q, %v", id, err)
	}
	if _, err := a.Append(t.Context(), line); err != nil {
		t.Error(err)
	}
	if s.Log.Len() != 1 {
		t.Errorf("%d entries, want 1", s.Log.Len())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Append(ended, line); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := a.Append(t.Context(), line); err != nil { // behind the other one
		t.Error(err)
	}
}
