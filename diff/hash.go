package diff

import (
	"encoding/binary"
	"math/bits"
)

// hash is a fold of 64 bits over what an entry says. It is the same in every run and on every machine, since what is compared goes by it; it
// is not meant to withstand somebody who looks for two texts of one hash.
type hash uint64

const (
	hashSeed hash   = 0x9e3779b97f4a7c15
	hashStep uint64 = 0xd6e8feb86659fd93
)

// add takes in a number.
func (h hash) add(v uint64) hash {
	hi, lo := bits.Mul64(uint64(h)^v, hashStep)
	return hash(hi ^ lo ^ bits.RotateLeft64(uint64(h), 23))
}

// addText takes in a text and its length, so that texts behind each other do not run together.
func (h hash) addText(s string) hash { return addBytes(h, s) }

// addBytes is addText of bytes.
func (h hash) addBytes(b []byte) hash { return addBytes(h, b) }

func addBytes[T string | []byte](h hash, s T) hash {
	h = h.add(uint64(len(s)))
	for len(s) >= 8 {
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		h = h.add(word)
		s = s[8:]
	}
	if len(s) == 0 {
		return h
	}
	var rest [8]byte
	copy(rest[:], s)
	return h.add(binary.LittleEndian.Uint64(rest[:]))
}
