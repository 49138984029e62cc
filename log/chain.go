package log

import (
	"encoding/hex"
	"fmt"
	"io"

	"github.com/zeebo/blake3"

	"tlog/objects"
)

// chainEnd is where the chain of a file stands.
type chainEnd struct {
	last   string // chain of the last chained line; empty if there is none
	behind int64  // offset behind that line's "\n", also if it has none yet
}

// pass goes on behind a line that holds an object.
func (c *chainEnd) pass(raw rawLine, e objects.Entry) {
	if e.Chain != "" {
		c.last, c.behind = e.Chain, raw.offset+int64(len(raw.bytes))+1
	}
}

// chainer computes the chains of lines one after the other: docs/format.md, "Chain".
type chainer struct {
	hash *blake3.Hasher
}

// newChainer goes on behind a line with the chain last, empty at the start of a file.
func newChainer(last string) *chainer {
	c := &chainer{hash: blake3.New()}
	c.start(last)
	return c
}

func (c *chainer) start(last string) {
	c.hash.Reset()
	c.add([]byte(last))
}

// add takes in bytes that stand before the next chained line, or parts of that line.
func (c *chainer) add(b []byte) { _, _ = c.hash.Write(b) }

// cover takes in a range of a file that holds no chained line.
func (c *chainer) cover(file io.ReaderAt, from, to int64) error {
	if _, err := io.Copy(c.hash, io.NewSectionReader(file, from, to-from)); err != nil {
		return fmt.Errorf("read what stands behind the last chained line: %w", err)
	}
	return nil
}

// seal is the chain of the line whose bytes without chain have been added last.
func (c *chainer) seal() string {
	var sum [32]byte
	return hex.EncodeToString(c.hash.Sum(sum[:0]))
}

// appendLine appends a line and its "\n" to dst, with its chain if it holds an object. Nothing
// else of the line changes.
func (c *chainer) appendLine(dst, line []byte, p parsedLine) []byte {
	c.add(line)
	if p.kind != lineObject {
		c.add([]byte{'\n'})
		return append(append(dst, line...), '\n')
	}
	sum := c.seal()
	dst = append(dst, line[:p.start]...)
	dst = append(dst, objects.AppendMembers(line[p.start:p.end], []byte(`"chain":"`+sum+`"`))...)
	dst = append(dst, line[p.end:]...)
	c.start(sum)
	return append(dst, '\n')
}

// spoiled reports whether a line, which verify has not taken in yet, has lost its chain to damage: what is left of it is the last member. Another
// program's line has none, or another by chance only.
func (c *chainer) spoiled(line []byte, p parsedLine) bool {
	if p.kind != lineObject || p.entry.Chain != "" {
		return false
	}
	rest, last := p.entry.LastMember()
	if len(last.Value) != chainDigits+2 || last.Value[0] != '"' {
		return false
	}
	if last.Is("chain") {
		return true
	}
	h := c.hash.Clone()
	for _, b := range [][]byte{line[:p.start], rest, line[p.end:]} {
		_, _ = h.Write(b)
	}
	var sum [32]byte
	return hex.EncodeToString(h.Sum(sum[:0])) == string(last.Value[1:1+chainDigits])
}

// chainDigits is the number of digits in a chain.
const chainDigits = 64

// verify takes in a line of a file, without "\n". Of a chained line it gives the
// chain that the line should have, else "".
func (c *chainer) verify(line []byte, p parsedLine) (expected string) {
	if p.kind != lineObject || p.entry.Chain == "" {
		c.add(line)
		c.add([]byte{'\n'})
		return ""
	}
	c.add(line[:p.start])
	c.add(p.entry.Unchained())
	c.add(line[p.end:])
	expected = c.seal()
	c.start(p.entry.Chain)
	return expected
}
