package checkout_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// TestTrackingBranch: only an import moves the tracking branch of a session.
func TestTrackingBranch(t *testing.T) {
	const row = `{"parentUuid":null,"type":"user","uuid":"u1","message":{"role":"user","content":"one"}}` + "\n" +
		`{"parentUuid":"u1","type":"user","uuid":"u2","message":{"role":"user","content":"two"}}` + "\n"
	say := [][]byte{[]byte(`{"role":"user","content":"mine"}`)}
	inOwnLine := [][]byte{[]byte(`{"type":"message","message":{"role":"user","content":"mine"},"ref":"claude"}`)}
	attach := []byte(`{"type":"head","id":"h1","parentId":"u2","name":"claude"}` + "\n")
	start := func(t *testing.T, attached bool) *checkout.Session {
		lab := newForeignLab(t, 1)
		lab.create([]byte(row))
		if attached { // as older versions left it
			f, err := os.OpenFile(lab.path, os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = f.Write(attach)
			}
			if err = errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
		}
		s, err := checkout.Open(lab.path, lab.opt)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	at := func(s *checkout.Session, id objects.ID) int { i, _ := s.Log.Find(id); return i }

	t.Run("to go there detaches", func(t *testing.T) {
		for _, attached := range []bool{false, true} {
			s := start(t, attached)
			if err := s.Switch(t.Context(), "claude"); err != nil {
				t.Fatal(err)
			}
			if head := s.Refs.Head(); !head.Detached() || s.Log.Record(head.At).ID != "u2" {
				t.Fatalf("HEAD %+v", head)
			}
			if _, err := s.Append(t.Context(), say, checkout.AppendOptions{}); err != nil {
				t.Fatal(err)
			}
			if tracked, _ := s.Refs.Branch("claude"); s.Log.Record(tracked.At).ID != "u2" {
				t.Errorf("claude at %+v", tracked)
			}
		}
	})
	for name, change := range map[string]func(*checkout.Session) error{
		"append": func(s *checkout.Session) error {
			_, err := s.Append(t.Context(), say, checkout.AppendOptions{})
			return err
		},
		"a stream": func(s *checkout.Session) error {
			_, err := s.NewStream(checkout.AppendOptions{}).Stage(say[0])
			return err
		},
		"undo":  func(s *checkout.Session) error { _, err := s.Undo(t.Context(), 1, ""); return err },
		"label": func(s *checkout.Session) error { _, err := s.SetLabel(t.Context(), at(s, "u1"), "x"); return err },
	} {
		t.Run(name, func(t *testing.T) { refusesTracking(t, start(t, true), change) })
	}
	for name, change := range map[string]func(*checkout.Session) error{
		"append to it": func(s *checkout.Session) error {
			_, err := s.Append(t.Context(), say, checkout.AppendOptions{Branch: "claude"})
			return err
		},
		"an entry that names it": func(s *checkout.Session) error {
			_, err := s.Append(t.Context(), inOwnLine, checkout.AppendOptions{})
			return err
		},
		"move it":    func(s *checkout.Session) error { return s.CreateBranch(t.Context(), "claude", at(s, "u1"), true) },
		"move to it": func(s *checkout.Session) error { return s.SwitchNew(t.Context(), "claude", at(s, "u1"), true) },
	} {
		t.Run(name, func(t *testing.T) { refusesTracking(t, start(t, false), change) })
	}
}

func refusesTracking(t *testing.T, s *checkout.Session, change func(*checkout.Session) error) {
	t.Helper()
	before, err := os.ReadFile(s.Log.Path())
	if err != nil {
		t.Fatal(err)
	}
	var refused *checkout.TrackingError
	if err := change(s); !errors.As(err, &refused) || refused.Branch != "claude" || !errors.Is(err, objects.ErrRefused) {
		t.Errorf("got %v", err)
	}
	if after, err := os.ReadFile(s.Log.Path()); err != nil || !bytes.Equal(before, after) {
		t.Errorf("something was written: %v", err)
	}
	if s.Refs.Head().At == log.None {
		t.Error("no HEAD")
	}
}
