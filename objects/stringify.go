package objects

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"unicode/utf8"
)

// The functions of this file turn string tokens into the bytes of blobs and back. Each way out has
// exactly one way back, else a line would not come back as it was.

// unstringify decodes what stands between the quotes of a token if JSON.stringify would encode the
// text the same way again; ok is false for any other spelling and for what is not UTF-8.
func unstringify(inner []byte) (text []byte, ok bool) {
	i := bytes.IndexByte(inner, '\\')
	if i < 0 {
		return inner, utf8.Valid(inner)
	}
	text = make([]byte, 0, len(inner))
	for ; i >= 0; i = bytes.IndexByte(inner, '\\') {
		text = append(text, inner[:i]...)
		c, n := inner[i+1], 2
		switch c {
		case '"', '\\', 'b', 'f', 'n', 'r', 't':
			c = unescape(c)
		case 'u':
			if c, ok = plainControl(inner[i+2:]); !ok {
				return nil, false
			}
			n = 6
		default: // \/
			return nil, false
		}
		text = append(text, c)
		inner = inner[i+n:]
	}
	text = append(text, inner...)
	return text, utf8.Valid(text)
}

// plainControl reads the digits of a \u escape if it is the one way to spell a control character.
func plainControl(digits []byte) (c byte, ok bool) {
	for _, d := range digits[:4] {
		if 'A' <= d && d <= 'F' {
			return 0, false
		}
	}
	r, ok := hex4(digits)
	return byte(r), ok && r < 0x20 && shortEscape(byte(r)) == 0
}

// appendStringify appends text as the string token that JSON.stringify makes of it.
func appendStringify(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0 // of what is still to be copied
	for i, c := range text {
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[start:i]...)
		start = i + 1
		if short := shortEscape(c); short != 0 {
			dst = append(dst, '\\', short)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, text[start:]...), '"')
}

// decodeImage decodes base64 of which there is only this one spelling; ok is false for anything else.
func decodeImage(inner []byte) (content []byte, ok bool) {
	if len(inner) == 0 || bytes.IndexByte(inner, '\\') >= 0 {
		return nil, false
	}
	content = make([]byte, base64.StdEncoding.DecodedLen(len(inner)))
	n, err := base64.StdEncoding.Strict().Decode(content, inner)
	return content[:n], err == nil
}

// textLines is how many lines a text has; a line feed at its end begins no further one.
func textLines(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// token is the string token that a blob's content stands for.
func (b Blob) token(content []byte) ([]byte, error) {
	if int64(len(content)) != b.Size {
		return nil, errBlobSize(b.Size, int64(len(content)))
	}
	switch b.Encoding {
	case BlobText:
		return appendStringify(make([]byte, 0, len(content)+len(content)/16+2), content), nil
	case BlobBase64:
		token := make([]byte, 0, base64.StdEncoding.EncodedLen(len(content))+2)
		return append(base64.StdEncoding.AppendEncode(append(token, '"'), content), '"'), nil
	}
	if err := checkToken(content); err != nil {
		return nil, err
	}
	return content, nil
}

// Check tells whether content can be filled in, so far as its hash leaves it open: it has the size and is what Encoding says.
func (b Blob) Check(content []byte) error {
	if int64(len(content)) != b.Size {
		return errBlobSize(b.Size, int64(len(content)))
	}
	if b.Encoding != BlobJSON {
		return nil // any bytes are
	}
	return checkToken(content)
}

func errBlobSize(expected, got int64) error {
	return fmt.Errorf("expected a blob of %d bytes, got %d", expected, got)
}

// checkToken tells whether content is the token of a string and nothing else.
func checkToken(content []byte) error {
	if !isString(content) || !Valid(content) || bytes.IndexByte(content, '\n') >= 0 {
		return errors.New("expected a blob that holds a JSON string")
	}
	if end, reason := skipString(content, 0); reason != "" || end != len(content) {
		return errors.New("expected a blob that holds nothing behind its JSON string")
	}
	return nil
}
