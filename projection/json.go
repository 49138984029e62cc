package projection

import (
	"encoding/json"
	"slices"
	"strconv"

	"tlog/objects"
)

// member is the value of an object's member, the last of duplicates; nil if
// there is none or value is no object.
func member(value []byte, name string) []byte { return objects.Entry{Raw: value}.Get(name) }

// text is the string value of an object's member, decoded; empty if it is none.
func text(value []byte, name string) string {
	s, _ := objects.Unquote(member(value, name))
	return s
}

// missing reports whether a value is not there or null.
func missing(value []byte) bool { return value == nil || string(value) == "null" }

// truthy is the truth of a value where JavaScript decides, as pi does.
func truthy(value []byte) bool {
	if len(value) == 0 {
		return false
	}
	switch value[0] {
	case '{', '[', 't':
		return true
	case '"':
		return len(value) > len(`""`)
	case 'n', 'f':
		return false
	}
	f, _ := strconv.ParseFloat(string(value), 64)
	return f != 0 // out of range is an infinity or a zero, as in JavaScript
}

// field is a member of an object to be built; one without a value is left out.
type field struct {
	name  string
	value []byte
}

// object builds an object of the fields. Values are taken as they are.
func object(fields ...field) json.RawMessage {
	size := len("{}")
	for _, f := range fields {
		size += len(f.name) + len(`"":,`) + len(f.value)
	}
	out := append(make([]byte, 0, size), '{')
	for _, f := range fields {
		if f.value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(objects.AppendQuote(out, f.name), ':')
		out = append(out, f.value...)
	}
	return append(out, '}')
}

// array builds an array of the values.
func array[V ~[]byte](values []V) []byte {
	out := []byte{'['}
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}

// quote is s as a JSON string. What is no Unicode, lone surrogates among it,
// has become U+FFFD: APIs refuse a request with it.
func quote(s string) []byte { return objects.AppendQuote(nil, s) }

// decode gives the normalised form of a message of a context; of a value that
// is no object one without role and blocks.
func decode(message []byte) objects.Message {
	raw := slices.Concat([]byte(`{"message":`), message, []byte(`}`))
	m, _ := objects.DecodeMessage(objects.Entry{Type: objects.TypeMessage, Raw: raw})
	return m
}

// decodeContent gives the blocks of a content value.
func decodeContent(content []byte) []objects.Block {
	if content == nil {
		return nil
	}
	return decode(object(field{"content", content})).Blocks
}
