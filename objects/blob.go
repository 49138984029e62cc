package objects

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Blob is a row of the table in a line: a string of the entry that lies outside of the log.
type Blob struct {
	At       string // JSON Pointer (RFC 6901) to the string in the body
	Hash     string // as it stands in the table: 64 hex digits if tlog wrote it, anything if not
	Size     int64  // of the blob, in bytes
	Lines    int    // of a text; 0 for others
	Encoding BlobEncoding
}

// BlobEncoding says how the string comes out of the blob's bytes.
type BlobEncoding string

// The encodings.
const (
	BlobText   BlobEncoding = "text"   // they are the string decoded; encoding it as JSON.stringify does gives the token
	BlobBase64 BlobEncoding = "base64" // the string is the base64 of them, in the standard alphabet and padded
	BlobJSON   BlobEncoding = "json"   // they are the token itself, quotes included
)

// BlobTable decodes the table of an entry, empty if the line has none. The error wraps [ErrInvalid].
func (e Entry) BlobTable() ([]Blob, error) {
	if e.Blobs == nil {
		return nil, nil
	}
	var table []Blob
	var failure error
	ok := Elements(e.Blobs, func(row []byte) {
		b, err := parseBlob(row)
		if err != nil && failure == nil {
			failure = fmt.Errorf("%w blob table: row %d: %w", ErrInvalid, len(table)+1, err)
		}
		table = append(table, b)
	})
	if !ok {
		return nil, fmt.Errorf("%w blob table: expected an array", ErrInvalid)
	}
	return table, failure
}

// parseBlob decodes a row of the table. Members that tlog does not know are passed over.
func parseBlob(row []byte) (b Blob, err error) {
	if row[0] != '{' {
		return b, errors.New("expected an object")
	}
	size, lines := []byte("-1"), []byte("0")
	eachMember(row, func(m Member) {
		switch string(m.name()) {
		case "at":
			b.At = tokenText(m.Value)
		case "hash":
			b.Hash = tokenText(m.Value)
		case "size":
			size = m.Value
		case "lines":
			lines = m.Value
		case "encoding":
			b.Encoding = BlobEncoding(tokenText(m.Value))
		}
	})
	if !strings.HasPrefix(b.At, "/") {
		return b, fmt.Errorf("expected a JSON Pointer as at, got %.80q", b.At)
	}
	if b.Size, err = strconv.ParseInt(string(size), 10, 64); err != nil || b.Size < 0 {
		return b, fmt.Errorf("expected a number of bytes as size, got %.40q", size)
	}
	if b.Lines, err = strconv.Atoi(string(lines)); err != nil || b.Lines < 0 {
		return b, fmt.Errorf("expected a number as lines, got %.40q", lines)
	}
	switch b.Encoding {
	case BlobText, BlobBase64, BlobJSON:
		return b, nil
	}
	return b, fmt.Errorf("expected text, base64 or json as encoding, got %.40q", b.Encoding)
}

// appendTable appends the member blobs with its key.
func appendTable(dst []byte, table []Blob) []byte {
	dst = append(dst, `"blobs":[`...)
	for i, b := range table {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendStringify(append(dst, `{"at":`...), []byte(b.At))
		dst = AppendQuote(append(dst, `,"hash":`...), b.Hash)
		dst = strconv.AppendInt(append(dst, `,"size":`...), b.Size, 10)
		if b.Lines > 0 {
			dst = strconv.AppendInt(append(dst, `,"lines":`...), int64(b.Lines), 10)
		}
		dst = AppendQuote(append(dst, `,"encoding":`...), string(b.Encoding))
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// What placeholders begin and end with.
const (
	pastedText  = "[pasted text"
	pastedImage = "[image"
	pastedEnd   = "]"
	pastedHole  = ": blob missing"
)

// appendPlaceholder appends the token that stands for a string, the n-th of its entry that is no image.
func appendPlaceholder(dst []byte, b Blob, n int, mime string) []byte {
	dst = append(dst, '"')
	switch {
	case b.Encoding == BlobBase64:
		dst = append(append(dst, pastedImage...), mime...)
		dst = AppendSize(append(dst, ' '), b.Size)
	default:
		dst = strconv.AppendInt(append(append(dst, pastedText...), " #"...), int64(n), 10)
		switch {
		case b.Encoding == BlobJSON:
			dst = AppendSize(append(dst, ", "...), b.Size)
		case b.Lines > 1:
			dst = strconv.AppendInt(append(dst, " +"...), int64(b.Lines), 10)
			dst = append(dst, " lines"...)
		default:
			dst = AppendSize(append(dst, ", "...), b.Size)
		}
	}
	return append(append(dst, pastedEnd...), '"')
}

// isPlaceholder reports whether a value is a token that appendPlaceholder may have made.
func isPlaceholder(token []byte) bool {
	if !isString(token) || bytes.IndexByte(token, '\\') >= 0 {
		return false
	}
	inner := token[1 : len(token)-1]
	return bytes.HasSuffix(inner, []byte(pastedEnd)) &&
		(bytes.HasPrefix(inner, []byte(pastedText)) || bytes.HasPrefix(inner, []byte(pastedImage)))
}

// markHole is a placeholder that says that its blob cannot be had.
func markHole(token []byte) []byte {
	head := token[:len(token)-len(pastedEnd)-len(`"`)]
	out := append(make([]byte, 0, len(token)+len(pastedHole)), head...)
	return append(append(out, pastedHole...), token[len(head):]...)
}

// imageKind is what a placeholder says of an image's type: "/png" for image/png, nothing if the type is not plain.
func imageKind(token []byte) string {
	kind := strings.TrimPrefix(tokenText(token), "image")
	if len(kind) < 2 || len(kind) > 32 {
		return ""
	}
	for _, c := range []byte(kind[1:]) {
		if !isDigit(c) && (c|0x20 < 'a' || 'z' < c|0x20) && c != '.' && c != '+' && c != '-' {
			return ""
		}
	}
	return kind
}

// AppendSize appends a number of bytes as placeholders and lists say it: 812 B, 18 kB, 2.1 MB, 1 kB being 1000.
func AppendSize(dst []byte, size int64) []byte {
	switch {
	case size < 1000:
		return append(strconv.AppendInt(dst, size, 10), " B"...)
	case size < 999_500:
		return append(strconv.AppendInt(dst, (size+500)/1000, 10), " kB"...)
	}
	megabytes := math.Round(float64(size)/1e5) / 10
	return append(strconv.AppendFloat(dst, megabytes, 'f', -1, 64), " MB"...)
}
