// Package jsonout builds the objects that commands print with --json.
//
// Keys keep their order, values out of a log go in byte for byte (no number is
// respelled, no depth is too deep), and what is unknown is null.
package jsonout

import (
	"strconv"
	"time"

	"tlog/objects"
)

// TimeFormat is how times are printed: RFC 3339, UTC, milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z07:00"

// Object is a JSON object being built. The zero value is an empty one.
type Object struct{ buf []byte }

func (o *Object) key(key string) {
	if len(o.buf) == 0 {
		o.buf = append(o.buf, '{')
	} else {
		o.buf = append(o.buf, ',')
	}
	o.buf = objects.AppendQuote(o.buf, key)
	o.buf = append(o.buf, ':')
}

// String adds a string.
func (o *Object) String(key, s string) *Object {
	o.key(key)
	o.buf = objects.AppendQuote(o.buf, s)
	return o
}

// Known adds a string, null for the empty one.
func (o *Object) Known(key, s string) *Object {
	if s == "" {
		return o.Raw(key, nil)
	}
	return o.String(key, s)
}

// ID adds an id, null for the empty one.
func (o *Object) ID(key string, id objects.ID) *Object { return o.Known(key, string(id)) }

// Int adds a whole number.
func (o *Object) Int(key string, n int64) *Object {
	o.key(key)
	o.buf = strconv.AppendInt(o.buf, n, 10)
	return o
}

// Bool adds true or false.
func (o *Object) Bool(key string, b bool) *Object {
	o.key(key)
	o.buf = strconv.AppendBool(o.buf, b)
	return o
}

// Time adds a time in UTC, null for the zero one.
func (o *Object) Time(key string, t time.Time) *Object {
	if t.IsZero() {
		return o.Raw(key, nil)
	}
	return o.String(key, t.UTC().Format(TimeFormat))
}

// Raw adds a JSON value as it stands, null for none.
func (o *Object) Raw(key string, value []byte) *Object {
	o.key(key)
	if len(value) == 0 {
		value = []byte("null")
	}
	o.buf = append(o.buf, value...)
	return o
}

// Object adds a nested object; nil is null.
func (o *Object) Object(key string, v *Object) *Object {
	if v == nil {
		return o.Raw(key, nil)
	}
	return o.Raw(key, v.Bytes())
}

// Strings adds an array of strings.
func (o *Object) Strings(key string, list []string) *Object {
	var a Array
	for _, s := range list {
		a.Raw(objects.AppendQuote(nil, s))
	}
	return o.Array(key, a)
}

// Array adds an array.
func (o *Object) Array(key string, a Array) *Object { return o.Raw(key, a.Bytes()) }

// Bytes is the object. It shares memory with o until the next addition.
func (o *Object) Bytes() []byte {
	if len(o.buf) == 0 {
		return []byte("{}")
	}
	return append(o.buf[:len(o.buf):len(o.buf)], '}')
}

// Array is a JSON array being built. The zero value is an empty one.
type Array struct{ buf []byte }

// Raw adds a JSON value as it stands.
func (a *Array) Raw(value []byte) {
	if len(a.buf) == 0 {
		a.buf = append(a.buf, '[')
	} else {
		a.buf = append(a.buf, ',')
	}
	a.buf = append(a.buf, value...)
}

// Object adds an object.
func (a *Array) Object(o *Object) { a.Raw(o.Bytes()) }

// Bytes is the array.
func (a *Array) Bytes() []byte {
	if len(a.buf) == 0 {
		return []byte("[]")
	}
	return append(a.buf[:len(a.buf):len(a.buf)], ']')
}
