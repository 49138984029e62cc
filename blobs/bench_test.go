package blobs

import (
	"encoding/binary"
	"fmt"
	"testing"
)

var benchSizes = map[string]int{"1KiB": 1 << 10, "1MiB": 1 << 20}

func BenchmarkPut(b *testing.B) {
	for _, name := range []string{"1KiB", "1MiB"} {
		content := random(1, benchSizes[name])
		b.Run(name, func(b *testing.B) {
			s := newStore(b)
			b.SetBytes(int64(len(content)))
			for i := 0; b.Loop(); i++ {
				// Few different ones, so that the disk does not fill: they are deleted as they come again.
				binary.LittleEndian.PutUint64(content, uint64(i%64))
				b.StopTimer()
				remove(b, s, Sum(content))
				b.StartTimer()
				if _, err := s.Put(content, Options{NoSync: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func remove(b *testing.B, s *Store, h Hash) {
	b.Helper()
	if info, err := s.Stat(h); err == nil {
		if _, err := s.Remove(b.Context(), Garbage{Blobs: []Info{info}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPutAgain(b *testing.B) {
	for _, opt := range []Options{{}, {NoSync: true}} {
		for _, name := range []string{"1KiB", "1MiB"} {
			content := random(1, benchSizes[name])
			b.Run(fmt.Sprintf("%s/NoSync=%t", name, opt.NoSync), func(b *testing.B) {
				s := newStore(b)
				b.SetBytes(int64(len(content)))
				for b.Loop() {
					if _, err := s.Put(content, opt); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkGet(b *testing.B) {
	for _, name := range []string{"1KiB", "1MiB"} {
		content := random(1, benchSizes[name])
		b.Run(name, func(b *testing.B) {
			s := newStore(b)
			h, err := s.Put(content, Options{NoSync: true})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, err := s.Get(h); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAll(b *testing.B) {
	s := newStore(b)
	for i := range 5000 {
		mustPut(b, s, fmt.Sprint(i))
	}
	for b.Loop() {
		for _, err := range s.All() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
