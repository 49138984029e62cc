package objects

// Field is a member to be built: a key and the bytes of its JSON value.
type Field struct {
	Key   string
	Value []byte // one valid JSON value without "\n"; empty for null
}

// StringField is a Field with a string value.
func StringField(key, value string) Field {
	return Field{Key: key, Value: AppendQuote(nil, value)}
}

// IDField is a Field with an id, or null for the empty one.
func IDField(key string, id ID) Field {
	if id == "" {
		return Field{Key: key, Value: []byte("null")}
	}
	return StringField(key, string(id))
}

// Build makes the bytes of an entry with the key order of docs/format.md.
// Values of the payload are taken as they are.
func Build(t Type, id, parent ID, timestamp string, payload ...Field) []byte {
	fields := []Field{
		StringField("type", string(t)),
		IDField("id", id),
		IDField("parentId", parent),
		StringField("timestamp", timestamp),
	}
	return appendObject(nil, append(fields, payload...))
}

// Object is a JSON object of the fields.
func Object(fields ...Field) []byte { return appendObject(nil, fields) }

// appendObject appends an object with the fields to dst.
func appendObject(dst []byte, fields []Field) []byte {
	dst = append(dst, '{')
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendMember(dst, f.Key, f.Value)
	}
	return append(dst, '}')
}
