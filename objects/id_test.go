package objects

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestParseID(t *testing.T) {
	for _, s := range []string{"a", "0", "A-z.9_:", strings.Repeat("x", 128), "01890a5d-ac96-774b-bcce-b302099a8057"} {
		if id, err := ParseID(s); err != nil || string(id) != s {
			t.Errorf("ParseID(%q) = %q, %v", s, id, err)
		}
	}
	for _, s := range []string{"", " ", "a b", "ä", "a/b", "a\n", "[", "`", "@", "{", strings.Repeat("x", 129), "\xff"} {
		if id, err := ParseID(s); !errors.Is(err, ErrInvalid) || id != "" {
			t.Errorf("ParseID(%q) = %q, %v, want an error that wraps ErrInvalid", s, id, err)
		}
	}
}

func TestTail(t *testing.T) {
	for id, want := range map[ID]string{
		"01890a5d-ac96-774b-bcce-b302099a8057":  "b302099a8057",
		"01890A5D-AC96-774B-BCCE-B302099A8057":  "B302099A8057",
		"01890a5d-ac96-474b-bcce-b302099a8057":  "01890a5d-ac96-474b-bcce-b302099a8057", // version 4
		"01890a5d-ac96-774b-ccce-b302099a8057":  "01890a5d-ac96-774b-ccce-b302099a8057", // another variant
		"01890a5d-ac96-774b-bcce-b302099a805g":  "01890a5d-ac96-774b-bcce-b302099a805g",
		"01890a5dxac96-774b-bcce-b302099a8057":  "01890a5dxac96-774b-bcce-b302099a8057",
		"01890a5d-ac96-774b-bcce-b302099a8057x": "01890a5d-ac96-774b-bcce-b302099a8057x",
		"a1b2c3d4":                              "a1b2c3d4",
		"":                                      "",
	} {
		if got := id.Tail(); got != want {
			t.Errorf("tail of %q = %q, want %q", id, got, want)
		}
	}
}

func TestHasPrefix(t *testing.T) {
	const v7 = ID("01890a5d-ac96-774b-bcce-b302099a8057")
	for _, tt := range []struct {
		id     ID
		prefix string
		want   bool
	}{
		{v7, "01890a5", true},
		{v7, "01890A5D-AC", true},
		{v7, "b302099", true},
		{v7, "B302099A8057", true},
		{v7, "302099", false},
		{v7, string(v7), true},
		{v7, string(v7) + "0", false},
		{v7, "", true},
		{"Key_1", "kEY_", true},
		{"Key_1", "\u212aey", false}, // a Kelvin sign
		{"a_b", "a\x7f", false},      // differs from '_' in the bit of the letters' case
		{"a-b", "a\r", false},
	} {
		if got := tt.id.HasPrefix(tt.prefix); got != tt.want {
			t.Errorf("%q has prefix %q: %v", tt.id, tt.prefix, got)
		}
	}
}

// seeded is a reader of pseudo-random bytes.
type seeded struct{ *rand.ChaCha8 }

func newSeeded() seeded { return seeded{rand.NewChaCha8([32]byte{1})} }

func TestNewID(t *testing.T) {
	at := time.Date(2026, 11, 30, 10, 0, 0, 123_456_789, time.UTC)
	r := newSeeded()
	seen := map[ID]bool{}
	for range 1000 {
		id, err := NewID(at, r)
		if err != nil {
			t.Fatal(err)
		}
		u, err := uuid.Parse(string(id))
		if err != nil || u.Version() != 7 || u.Variant() != uuid.RFC4122 || string(id) != u.String() {
			t.Fatalf("%q is no UUIDv7: %v", id, err)
		}
		if ms := int64(u[0])<<40 | int64(u[1])<<32 | int64(u[2])<<24 | int64(u[3])<<16 | int64(u[4])<<8 | int64(u[5]); ms != at.UnixMilli() {
			t.Fatalf("%q tells the time %d, want %d", id, ms, at.UnixMilli())
		}
		if fraction := (int(u[6])<<8 | int(u[7])) & 0xfff; fraction != 456_789*4096/1_000_000 {
			t.Fatalf("%q tells the fraction %d of a millisecond", id, fraction)
		}
		if seen[id] || !id.Valid() || len(id.Tail()) != 12 {
			t.Fatalf("%q was made before, is invalid or has no tail", id)
		}
		seen[id] = true
	}
}

func TestNewIDSortsByTime(t *testing.T) {
	r := newSeeded()
	at := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	last := ID("")
	for range 2000 {
		id, err := NewID(at, r)
		if err != nil || id <= last {
			t.Fatalf("%q does not sort behind %q (%v)", id, last, err)
		}
		last, at = id, at.Add(time.Microsecond)
	}
}

func TestNewIDErrors(t *testing.T) {
	if _, err := NewID(time.Now(), strings.NewReader("short")); err == nil {
		t.Error("too little randomness is no error")
	}
	for _, at := range []time.Time{{}, time.Unix(-1, 0), time.UnixMilli(1 << 48)} {
		if _, err := NewID(at, newSeeded()); !errors.Is(err, ErrInvalid) {
			t.Errorf("time %v: error %v, want one that wraps ErrInvalid", at, err)
		}
	}
}

func TestDerivedID(t *testing.T) {
	// Written down, since files that were migrated rely on it.
	if got := DerivedID("s", 2); got != "cfc557f6-def5-59cf-a70d-b31c04276aaa" {
		t.Errorf("DerivedID(s, 2) = %q", got)
	}
	seen := map[ID]bool{}
	for _, session := range []ID{"s", "s.1", "", "01890a5d-ac96-774b-bcce-b302099a8057"} {
		for line := range 30 {
			id := DerivedID(session, line)
			if u, err := uuid.Parse(string(id)); err != nil || u.Version() != 5 || seen[id] || id != DerivedID(session, line) {
				t.Errorf("DerivedID(%q, %d) = %q, %v", session, line, id, err)
			}
			seen[id] = true
		}
	}
}

// TestMayBegin: where it says no, no prefix with that character fits.
func TestMayBegin(t *testing.T) {
	for _, id := range []ID{"", "a", "Zed", "0198f3c2-0000-7abc-8def-0123456789ab", "0198f3c2-0000-4abc-8def-A123456789ab", "0198F3C2-0000-7abc-8def-F123456789AB", "_x", ".y", "é"} {
		for c := range 256 {
			if id.HasPrefix(string([]byte{byte(c)})) && !id.MayBegin(byte(c)) {
				t.Errorf("%q begins with %q, and MayBegin says no", id, rune(c))
			}
		}
	}
	if ID("abc").MayBegin('b') || ID("0198f3c2-0000-7abc-8def-f123456789ab").MayBegin('c') {
		t.Error("MayBegin says yes to what no prefix has")
	}
}
