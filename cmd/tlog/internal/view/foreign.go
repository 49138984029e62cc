package view

import (
	"bytes"
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
	case object == nil && v.Entry.Get("layout") != nil:
		return "part of the document, " + Size(int64(len(line)))
	case object == nil:
		return "damaged line, " + Size(int64(len(line)))
	}
	row := objects.Entry{Raw: object}
	kind, _ := row.Text("type")
	if kind == "" {
		kind = keyWords(object)
	}
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

// keyWords tells of an object without a type what it is by its members: a command ("$set"), or what it says of a session.
func keyWords(object []byte) string {
	words := "line without a type"
	_ = objects.Scan(object, func(m objects.Member) {
		switch {
		case bytes.HasPrefix(m.Key, []byte("$")) && len(m.Key) < maxKey:
			words = string(m.Key)
		case m.Is("projectHash"):
			words = "session"
		case m.Is("parts"):
			words = partWords(m.Value)
		}
	})
	return words
}

// partWords tells of a message by the type of its first part.
func partWords(parts []byte) string {
	words := "message"
	objects.Elements(parts, func(part []byte) {
		if kind := objects.StringOf(objects.MemberOf(part, "type")); words == "message" && kind != "" {
			words += " " + kind
		}
	})
	return words
}

// maxKey is the longest key that is shown as words, in bytes.
const maxKey = 40

// isLine reports whether the entry is an agent's line that is neither message nor compaction; Text says what kind of line.
func (v Entry) isLine() bool { return v.Entry.Foreign() && v.Message.Role == "" && v.Compact == nil }

// Effort is how hard the model was asked to think for a reply that an agent wrote; empty where its line does not tell.
func (v Entry) Effort() string {
	effort, _ := objects.Entry{Raw: v.Entry.SourceObject()}.Text("effort")
	return effort
}

// subagent is the session of the subagent whose result the line holds; empty if it is none, or does not tell.
func (v Entry) subagent() objects.ID {
	if !v.Entry.Foreign() || len(v.Message.Results()) == 0 || !bytes.Contains(v.Entry.Raw, []byte(`"agentId"`)) {
		return ""
	}
	told := objects.Entry{Raw: v.Entry.SourceObject()}.Get("toolUseResult")
	agent, _ := objects.Entry{Raw: told}.Text("agentId")
	if id := objects.ID("agent-" + agent); agent != "" && id.Valid() {
		return id
	}
	return ""
}

// sourceLines is the line of an agent's file, or the content of one beside it, for people. Long runs in it are folded.
func (v Entry) sourceLines() []string {
	if line, ok := v.Entry.SourceLine(); ok {
		return splitLines(fold(line))
	}
	if content, ok := v.Entry.Text("content"); ok && v.Record.Type == objects.TypeMeta {
		return splitLines(fold([]byte(content)))
	}
	return nil
}

// The runs that are folded are longer than any id, hash or word.
const (
	minBase64 = 300
	minNULs   = 8
)

// fold is a text with each long run of base64 digits, and of NULs as a crash leaves them, replaced by its size.
func fold(text []byte) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		digits, nuls := run(text[i:], isBase64Digit), run(text[i:], isNUL)
		n := max(digits, nuls, 1)
		switch {
		case digits >= minBase64:
			fmt.Fprintf(&b, "[base64, %s]", Size(int64(digits)))
		case nuls >= minNULs:
			fmt.Fprintf(&b, "[%d NULs]", nuls)
		default:
			b.Write(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// run is how many bytes at the start of text are of a kind.
func run(text []byte, kind func(byte) bool) int {
	n := 0
	for n < len(text) && kind(text[n]) {
		n++
	}
	return n
}

func isNUL(c byte) bool { return c == 0 }

func isBase64Digit(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '=' || c == '-' || c == '_'
}
