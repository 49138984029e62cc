package blobs

import (
	"encoding/hex"
	"fmt"

	"github.com/zeebo/blake3"
)

// Hash is the BLAKE3 hash of a blob's bytes.
type Hash [32]byte

// ParseHash reads 64 lower-case hex digits and nothing else, so that what comes
// from a log never reaches a path unchecked. The error wraps ErrHash.
func ParseHash(s string) (Hash, error) {
	var h Hash
	if len(s) != 2*len(h) {
		return Hash{}, fmt.Errorf("%w: expected 64 hex digits, got %d bytes %.80q", ErrHash, len(s), s)
	}
	for i := range h {
		high, low := hexDigit(s[2*i]), hexDigit(s[2*i+1])
		if high < 0 || low < 0 {
			return Hash{}, fmt.Errorf("%w: expected 64 lower-case hex digits, got %q", ErrHash, s)
		}
		h[i] = byte(high<<4 | low)
	}
	return h, nil
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// String is the hash in 64 lower-case hex digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Sum is the hash of content.
func Sum(content []byte) Hash { return blake3.Sum256(content) }
