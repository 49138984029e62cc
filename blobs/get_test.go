package blobs

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
)

func TestReadErrors(t *testing.T) {
	h := Sum([]byte("content"))
	for name, test := range map[string]struct {
		prepare func(s *Store) error
		want    error
		stat    error
	}{
		"no store":       {func(*Store) error { return nil }, ErrMissing, ErrMissing},
		"no file":        {func(s *Store) error { return os.MkdirAll(filepath.Dir(s.Path(h)), 0o700) }, ErrMissing, ErrMissing},
		"file as folder": {func(s *Store) error { write(t, filepath.Dir(s.Path(h)), ""); return nil }, ErrMissing, ErrMissing},
		"folder as file": {func(s *Store) error { return os.MkdirAll(s.Path(h), 0o700) }, ErrCorrupt, ErrCorrupt},
		"truncated":      {func(s *Store) error { write(t, s.Path(h), "conten"); return nil }, ErrCorrupt, nil},
		"zero length":    {func(s *Store) error { write(t, s.Path(h), ""); return nil }, ErrCorrupt, nil},
		"changed":        {func(s *Store) error { write(t, s.Path(h), "Content"); return nil }, ErrCorrupt, nil},
		"link": {func(s *Store) error {
			write(t, filepath.Join(filepath.Dir(s.Path(h)), "x"), "content")
			return os.Symlink("x", s.Path(h))
		}, ErrCorrupt, ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			if err := test.prepare(s); err != nil {
				t.Fatal(err)
			}
			if content, err := s.Get(h); !errors.Is(err, test.want) || content != nil {
				t.Errorf("Get: %q, %v, expected %v", content, err, test.want)
			}
			if info, err := s.Stat(h); !errors.Is(err, test.stat) {
				t.Errorf("Stat: %+v, %v, expected %v", info, err, test.stat)
			}
			r, err := s.Reader(h)
			if err == nil {
				_, err = io.Copy(io.Discard, r)
				if again, same := r.Read(make([]byte, 1)); again != 0 || !errors.Is(same, test.want) {
					t.Errorf("Read after the end: %d, %v", again, same)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
			if !errors.Is(err, test.want) {
				t.Errorf("Reader: %v, expected %v", err, test.want)
			}
			if err := s.Touch(h); test.stat != nil && !errors.Is(err, test.stat) {
				t.Errorf("Touch: %v, expected %v", err, test.stat)
			}
		})
	}
}

func TestReader(t *testing.T) {
	for _, size := range []int{0, 1, 100, 64<<10 + 3} {
		s := newStore(t)
		content := random(9, size)
		h, err := s.Put(content, Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Reader(h)
		if err != nil {
			t.Fatal(err)
		}
		if err := iotest.TestReader(r, content); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestStat(t *testing.T) {
	s := newStore(t)
	h := mustPut(t, s, "content")
	age(t, s.Path(h), longAgo)
	info, err := s.Stat(h)
	if err != nil || info.Hash != h || info.Size != 7 || !info.Modified.Equal(longAgo) {
		t.Errorf("got %+v, %v", info, err)
	}
}

// What Reader gives is what Get gives, whatever bytes stand in the file.
func FuzzRead(f *testing.F) {
	f.Add([]byte("content"), []byte("content"))
	f.Add([]byte("content"), []byte("conten"))
	f.Add([]byte{}, []byte{})
	s := newStore(f)
	f.Fuzz(func(t *testing.T, content, stored []byte) {
		h := Sum(content)
		write(t, s.Path(h), string(stored))
		got, err := s.Get(h)
		if bytes.Equal(content, stored) != (err == nil && bytes.Equal(got, content)) || (err != nil && !errors.Is(err, ErrCorrupt)) {
			t.Fatalf("%q stored for %q: %v", stored, content, err)
		}
		r, openErr := s.Reader(h)
		if openErr != nil {
			t.Fatal(openErr)
		}
		defer r.Close()
		streamed, streamErr := io.ReadAll(r)
		if (streamErr == nil) != (err == nil) || !bytes.Equal(streamed, stored) {
			t.Fatalf("%q stored for %q: streamed %q, %v", stored, content, streamed, streamErr)
		}
		if _, err := s.Put(content, Options{NoSync: true}); err != nil {
			t.Fatal(err)
		}
		if got, err = s.Get(h); err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%q, %v after Put", got, err)
		}
	})
}
