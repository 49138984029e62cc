package objects

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// longString is a string of an entry that is to go out.
type longString struct {
	span         // of its token
	at    string // JSON Pointer
	image string // what the placeholder says of an image's type, "" or "/png"; of base64 only
	data  bool   // it is the data of an image
}

// encode is the string's row, but for the hash, and the content of its blob.
func (s longString) encode(raw []byte) (b Blob, content []byte) {
	token := raw[s.start:s.end]
	inner := token[1 : len(token)-1]
	b.At, b.Encoding, content = s.at, BlobJSON, token
	if image, ok := decodeImage(inner); s.data && ok {
		b.Encoding, content = BlobBase64, image
	} else if text, ok := unstringify(inner); ok {
		b.Encoding, content = BlobText, text
		b.Lines = textLines(text)
	}
	b.Size = int64(len(content))
	return b, content
}

// maxPointer is the longest JSON Pointer that is written, in bytes. One above minPointer must not be longer than
// what it points to: in a deep nest it would take more room than it saves.
const (
	minPointer = 256
	maxPointer = 4096
)

// findStrings finds the strings of an entry that are to go out, in order. It goes over the entry once and
// does not look below maxPointer.
func findStrings(e Entry, threshold int) []longString {
	f := finder{b: e.Raw, threshold: threshold, ref: e.ref}
	f.walk()
	slices.SortFunc(f.found, func(a, b longString) int { return a.start - b.start })
	return f.found
}

// finder walks over an entry.
type finder struct {
	b         []byte
	threshold int
	ref       span // is tlog's
	frames    []findFrame
	found     []longString
}

// findFrame is a container that the walk is in.
type findFrame struct {
	object  bool
	key     span // of the token of the member's key
	index   int  // of the element, from 0
	pointer int  // length of the pointer to the container
	data    span // of the value of the member data, a string; of the image's bytes if mime is there as well
	mime    span // of the value that names the type of an image
}

func (f *finder) walk() {
	b := f.b
	i := f.enter(0, 0)
	for len(f.frames) > 0 {
		top := &f.frames[len(f.frames)-1]
		i = skipSpace(b, i)
		switch b[i] {
		case '}', ']':
			f.leave()
			i++
			continue
		case ',':
			i = skipSpace(b, i+1)
		}
		if top.object {
			start := i
			i, _ = skipString(b, i)
			top.key = span{start, i}
			i, _ = skipColon(b, i)
			i = skipSpace(b, i)
		} else {
			top.index++
		}
		i = f.value(top, i)
	}
}

// value goes on behind the value at b[i], or into it.
func (f *finder) value(top *findFrame, i int) int {
	switch f.b[i] {
	case '"':
		end, _ := skipString(f.b, i)
		f.string(top, span{i, end})
		return end
	case '{', '[':
		if pointer := top.pointer + top.stepLen(); pointer < maxPointer && !f.unnamed(top) {
			return f.enter(i, pointer)
		}
		end, _ := skipValue(f.b, i)
		return end
	}
	end, _ := skipScalar(f.b, i)
	return end
}

// enter goes into the container at b[i].
func (f *finder) enter(i, pointer int) int {
	f.frames = append(f.frames, findFrame{object: f.b[i] == '{', index: -1, pointer: pointer})
	return i + 1
}

// leave goes out of a container. Only now is it known whether a string in it is an image.
func (f *finder) leave() {
	top := &f.frames[len(f.frames)-1]
	if top.mime.end > 0 && top.data.end > 0 {
		if at, ok := f.pointer(`data`, top.data); ok {
			f.image(top, at)
		}
	}
	f.frames = f.frames[:len(f.frames)-1]
}

// image makes the data of a container one of the strings that go out, if it is base64.
func (f *finder) image(top *findFrame, at string) {
	found := longString{
		span: top.data, at: at, data: true,
		image: imageKind(f.b[top.mime.start:top.mime.end]),
	}
	if _, ok := decodeImage(f.b[top.data.start+1 : top.data.end-1]); !ok {
		return
	}
	for i := len(f.found) - 1; i >= 0 && f.found[i].start >= top.data.start; i-- {
		if f.found[i].start == top.data.start {
			f.found[i] = found
			return
		}
	}
	f.found = append(f.found, found)
}

// string looks at a string.
func (f *finder) string(top *findFrame, s span) {
	length := s.end - s.start - 2
	if !top.object {
		if length > f.threshold {
			f.add(strconv.Itoa(top.index), s)
		}
		return
	}
	key := f.b[top.key.start+1 : top.key.end-1]
	switch string(key) {
	case "data":
		top.data = s
	case "mimeType", "media_type":
		if bytes.HasPrefix(f.b[s.start:s.end], []byte(imagePrefix)) {
			top.mime = s
		}
	}
	if length > f.threshold && !f.stays(top) {
		f.add(tokenKey(f.b[top.key.start:top.key.end]), s)
	}
}

// stays reports whether the value of the present key never goes out.
func (f *finder) stays(top *findFrame) bool {
	if f.unnamed(top) || f.ref.end > 0 && top.key.start >= f.ref.start && top.key.end <= f.ref.end {
		return true
	}
	switch tokenText(f.b[top.key.start:top.key.end]) {
	case "type", "role", "id", "targetId", "firstKeptEntryId", "fromId",
		"toolCallId", "tool_call_id", "tool_use_id":
		return true
	case "parentId", "timestamp":
		return len(f.frames) == 1
	}
	return false
}

// unnamed reports whether the present key cannot be named for certain: what is no Unicode in it looks the same decoded.
func (f *finder) unnamed(top *findFrame) bool {
	if !top.object {
		return false
	}
	name := Member{Key: f.b[top.key.start+1 : top.key.end-1]}.name()
	return !utf8.Valid(name) || bytes.ContainsRune(name, utf8.RuneError)
}

// add makes a string of the present container one that goes out.
func (f *finder) add(step string, s span) {
	if at, ok := f.pointer(step, s); ok {
		f.found = append(f.found, longString{span: s, at: at})
	}
}

// pointer is the JSON Pointer to a string of the present container; ok is false if it is too long.
func (f *finder) pointer(step string, s span) (at string, ok bool) {
	size := f.frames[len(f.frames)-1].pointer + 1 + len(step)
	if size > maxPointer || size > max(minPointer, s.end-s.start) {
		return "", false
	}
	var b strings.Builder
	b.Grow(size)
	for i := range f.frames[:len(f.frames)-1] {
		b.WriteByte('/')
		b.WriteString(f.frames[i].step(f.b))
	}
	b.WriteByte('/')
	b.WriteString(step)
	return b.String(), true
}

// step is the step of a pointer into the present member or element.
func (t *findFrame) step(b []byte) string {
	if t.object {
		return tokenKey(b[t.key.start:t.key.end])
	}
	return strconv.Itoa(t.index)
}

// stepLen is at least the length of the step and the slash before it, but for escapes in it.
func (t *findFrame) stepLen() int {
	if t.object {
		return t.key.end - t.key.start - 1
	}
	return 1 + len(strconv.Itoa(t.index))
}
