package checkout

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/zeebo/blake3"

	"tlog/log"
	"tlog/objects"
)

// SourceMark says how far a source was imported. It stands in the line that ends an import, so that it can be told later,
// without reading all of the source, whether that is still what it was (docs/format.md "Imports").
type SourceMark struct {
	Path string // absolute
	Size int64  // bytes that were imported
	Hash string // [HashSource] of them; empty if it is not known
}

// markBlock is how much of each end of what was imported a mark's hash covers, in bytes.
const markBlock = 4 << 10

// HashSource is the BLAKE3 hash, in hex digits, of the first 4 KiB and the last 4 KiB of the first size bytes of a
// source. The error wraps io.ErrUnexpectedEOF if it has fewer.
func HashSource(source io.ReaderAt, size int64) (string, error) {
	block := make([]byte, min(size, markBlock))
	sum := blake3.New()
	for _, offset := range []int64{0, size - int64(len(block))} {
		n, err := source.ReadAt(block, offset)
		if n < len(block) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return "", fmt.Errorf("hash source: %w", err)
		}
		_, _ = sum.Write(block) // it never fails
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// ParseSourceMark reads the mark in a line of a log; ok is false if it carries none.
func ParseSourceMark(e objects.Entry) (mark SourceMark, ok bool) {
	if e.Type != objects.TypeRef && e.Type != objects.TypeHead {
		return SourceMark{}, false
	}
	if reason, _ := e.Text("reason"); !strings.HasPrefix(reason, ImportReason) {
		return SourceMark{}, false
	}
	source, err := objects.ParseEntry(e.Get("source"))
	if err != nil {
		return SourceMark{}, false
	}
	mark.Path, _ = source.Text("path")
	mark.Hash, _ = source.Text("hash")
	mark.Size, err = strconv.ParseInt(string(source.Get("size")), 10, 64)
	return mark, err == nil && mark.Size >= 0 && mark.Path != "" && mark.Hash != ""
}

// SourceMark is what the session's last import noted. ok is false if no import did.
func (s *Session) SourceMark() (mark SourceMark, ok bool, err error) {
	mark, at, err := s.lastMark()
	return mark, at != log.None, err
}

// lastMark is what the last import noted, and the line in which it did; log.None if no import did.
func (s *Session) lastMark() (mark SourceMark, at int, err error) {
	for i := s.Log.Last(); i >= 0; i-- {
		if t := s.Log.Record(i).Type; t != objects.TypeRef && t != objects.TypeHead {
			continue
		}
		e, err := s.Log.Entry(i)
		if err != nil {
			return SourceMark{}, log.None, err
		}
		if mark, ok := ParseSourceMark(e); ok {
			return mark, i, nil
		}
	}
	return SourceMark{}, log.None, nil
}

// mark adds the mark of the source to the line that ends an import. A source that was cut while it was
// being imported gets none.
func (im *importer) mark() error {
	size, err := im.source.imported()
	hash := ""
	if err == nil {
		hash, err = HashSource(im.source, size)
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil
	case err != nil:
		return err
	}
	value := objects.AppendQuote([]byte(`{"path":`), im.source.Path())
	value = strconv.AppendInt(append(value, `,"size":`...), size, 10)
	value = append(objects.AppendQuote(append(value, `,"hash":`...), hash), '}')
	last := &im.lines[len(im.lines)-1]
	last.Bytes = objects.AppendMembers(last.Bytes, member(objects.Field{Key: "source", Value: value}))
	return nil
}

// importedSize is how many bytes of a source an import takes: all but a last line that is not complete yet.
func importedSize(source *log.Log) (int64, error) {
	size := source.Size()
	if last := source.Last(); last >= 0 {
		if r := source.Record(last); r.Offset+int64(r.Size) == size {
			return size, nil // a whole entry that only has no "\n"
		}
	}
	block := make([]byte, blockSize)
	for end := size; end > 0; {
		part := block[:min(end, int64(len(block)))]
		start := end - int64(len(part))
		if n, err := source.ReadAt(part, start); n < len(part) {
			return 0, errors.Join(err, io.ErrUnexpectedEOF)
		}
		if at := bytes.LastIndexByte(part, '\n'); at >= 0 {
			return start + int64(at) + 1, nil
		}
		end = start
	}
	return 0, nil
}
