package view

import (
	"fmt"
	"strings"

	"tlog/objects"
)

// foreignText is what an agent's line says: of a message its text, else what kind of line it is.
func (v Entry) foreignText() string {
	switch {
	case v.Compact != nil:
		return v.Compact.Summary
	case v.Message.Role != "":
		return v.Message.Text()
	}
	line, ok := v.Entry.SourceLine()
	object := v.Entry.SourceObject()
	switch {
	case !ok && v.Record.Blobs:
		return "damaged line" // its bytes lie in a blob
	case !ok:
		return "unreadable line"
	case object == nil && len(objects.TrimLine(line)) == 0:
		return "blank line"
	case object == nil:
		return "damaged line, " + Size(int64(len(line)))
	}
	row := objects.Entry{Raw: object}
	kind, _ := row.Text("type")
	words := []string{kind}
	if subtype, _ := row.Text("subtype"); subtype != "" {
		words = append(words, subtype)
	}
	for _, part := range []string{"attachment", "payload"} {
		if kind, _ := (objects.Entry{Raw: row.Get(part)}).Text("type"); kind != "" {
			words = append(words, kind)
		}
	}
	if name, _ := v.Entry.Text("name"); name != "" {
		words = append(words, name)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// sourceLines is the line of an agent's file, or the content of one beside it, for people. Its base64 is left out.
func (v Entry) sourceLines() []string {
	if line, ok := v.Entry.SourceLine(); ok {
		return splitLines(foldBase64(line))
	}
	if content, ok := v.Entry.Text("content"); ok && v.Record.Type == objects.TypeMeta {
		return splitLines(foldBase64([]byte(content)))
	}
	return nil
}

// minBase64 is how long a run of base64 digits must be to be taken for one: longer than any id, hash or word.
const minBase64 = 300

// foldBase64 is a text with each long run of base64 digits replaced by its size.
func foldBase64(text []byte) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && isBase64Digit(text[end]) {
			end++
		}
		switch {
		case end-i >= minBase64:
			fmt.Fprintf(&b, "[base64, %s]", Size(int64(end-i)))
		case end > i:
			b.Write(text[i:end])
		default:
			b.WriteByte(text[i])
			end++
		}
		i = end
	}
	return b.String()
}

func isBase64Digit(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '=' || c == '-' || c == '_'
}
