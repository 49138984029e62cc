package objects

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// layout is how an object stands in a document that is pretty-printed or holds more than the object: the entry has the object on one line, and
// the bytes of the document are made of it and its layout again. Only white space between tokens differs, and no layout is noted
// by which it would not come out as it was.
type layout struct {
	before, after  string
	prefix, indent string // of the lines behind the first, as json.Indent takes them; both empty for an object on one line
}

// maxPrefix is the longest white space that a line of a document begins with, in bytes; objects behind more are kept as they stand.
const maxPrefix = 256

// layout finds how the object stands in Line, and gives it on one line. ok is false where that is no way to keep it.
func (v Envelope) layout() (p layout, flat []byte, ok bool) {
	end := len(v.Line) - v.After
	if !v.Document || v.Before < 0 || v.After < 0 || v.Before > end || !utf8.Valid(v.Line) {
		return layout{}, nil, false
	}
	object := v.Line[v.Before:end]
	p = layout{before: string(v.Line[:v.Before]), after: string(v.Line[end:])}
	if bytes.IndexByte(object, '\n') < 0 {
		return p, object, cleanObject(object)
	}
	if p.prefix, p.indent, ok = indentOf(object); !ok {
		return layout{}, nil, false
	}
	var b bytes.Buffer
	if err := json.Compact(&b, object); err != nil {
		return layout{}, nil, false
	}
	again, ok := p.line(b.Bytes())
	return p, b.Bytes(), ok && bytes.Equal(again, v.Line) && cleanObject(b.Bytes())
}

// indentOf finds how the lines of a pretty-printed object are indented: its last as the prefix, its second by one indent more.
func indentOf(object []byte) (prefix, indent string, ok bool) {
	lineStart := func(from int) string {
		rest := object[from:]
		return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
	}
	prefix = lineStart(bytes.LastIndexByte(object, '\n') + 1)
	second := lineStart(bytes.IndexByte(object, '\n') + 1)
	if len(second) <= len(prefix) || len(second) > maxPrefix || second[:len(prefix)] != prefix {
		return "", "", false
	}
	return prefix, second[len(prefix):], true
}

// line is the object as it stood in its document, with what is around it.
func (p layout) line(flat []byte) (line []byte, ok bool) {
	b := bytes.NewBufferString(p.before)
	if p.prefix == "" && p.indent == "" {
		b.Write(flat)
	} else if err := json.Indent(b, flat, p.prefix, p.indent); err != nil {
		return nil, false
	}
	b.WriteString(p.after)
	return b.Bytes(), true
}

// field is the layout as a member of an entry.
func (p layout) field() Field {
	return Field{Key: "layout", Value: Object(
		StringField("before", p.before), StringField("after", p.after), StringField("prefix", p.prefix), StringField("indent", p.indent),
	)}
}

func parseLayout(value []byte) layout {
	text := func(name string) string { return StringOf(MemberOf(value, name)) }
	return layout{before: text("before"), after: text("after"), prefix: text("prefix"), indent: text("indent")}
}

// place says where in Line the record stands, in bytes, if it is not all of it, for one that layout has no way for.
func (v Envelope) place() Field {
	var at []Field
	if end := len(v.Line) - v.After; v.Before > 0 && v.Before < end || v.After > 0 && v.Before >= 0 && v.Before < end {
		at = []Field{{Key: "from", Value: strconv.AppendInt(nil, int64(v.Before), 10)}, {Key: "to", Value: strconv.AppendInt(nil, int64(end), 10)}}
	}
	return Field{Key: "layout", Value: Object(at...)}
}

// placedIn is the part of a line that holds the record; all of it, if layout does not say.
func placedIn(line, layout []byte) []byte {
	from, err := strconv.Atoi(string(MemberOf(layout, "from")))
	if err != nil {
		return line
	}
	to, err := strconv.Atoi(string(MemberOf(layout, "to")))
	if err != nil || from < 0 || to < from || to > len(line) {
		return line
	}
	return line[from:to]
}
