package objects

import (
	"slices"
	"strings"
)

// Preview gives the entry without what tlog added, as [Entry.Fill] does, with the beginning of each text that lies in a blob before the placeholder
// that stands for it. head gives that beginning, empty if it cannot be had. What is no text for people keeps its placeholder alone.
func (e Entry) Preview(head func(Blob) string) Entry {
	body := e.Body()
	table, err := e.BlobTable()
	if err != nil || len(table) == 0 {
		return e.withBody(body)
	}
	pieces := make([]piece, 0, len(table))
	for i, p := range locate(body, table) {
		if table[i].Encoding != BlobText || !readByPeople(table[i].At) || p.check(body) != nil {
			continue
		}
		if text := head(table[i]); text != "" {
			token := AppendQuote(nil, text+"… "+tokenText(body[p.start:p.end]))
			pieces = append(pieces, piece{p.span, token})
		}
	}
	return e.withBody(splice(body, pieces))
}

// readByPeople reports whether the string at a JSON Pointer may be a text that people read.
func readByPeople(pointer string) bool {
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	return !slices.Contains([]string{"rawBase64", "data", "signature", "thinkingSignature", "encrypted_content", "url", "image_url"}, name)
}
