package objects

import (
	"bytes"
	"slices"
	"strings"
)

// Taken is an object out of which strings have been taken.
type Taken struct {
	Object   []byte // with placeholders and a table
	Table    []Blob
	Contents [][]byte // of the blobs, in the order of the table
}

// TakeOut takes the long strings out of an entry that is to be written: those of more than threshold bytes
// between the quotes, and the base64 of images whatever their length (of a negative threshold: none).
// The entry is one that has no chain yet; a ref at its end stays there. hash names a content. It is verified that filling
// in gives the same bytes again; what does not stays in the line.
//
// An entry whose own last member is called blobs gets an empty table behind it, so that it is never
// taken for tlog's. ok is false if nothing has to be changed.
//
// What says what an entry, a block or a call is and goes by never goes out: the graph, refs and pairing
// can go by lines alone.
func (e Entry) TakeOut(threshold int, hash func(content []byte) string) (t Taken, ok bool) {
	if e.Chain != "" { // it is the author's own, and so is all that stands before it
		e.Ref, e.Chain, e.Blobs = "", "", nil
		e.blobs, e.ref, e.chain = span{}, span{}, span{}
	}
	var found []longString
	if e.mayHoldLong(threshold) {
		found = findStrings(e, threshold)
	}
	for len(found) > 0 {
		t = e.replace(found, hash)
		holes, same := e.verify(t)
		if same {
			return t, true
		}
		before := len(found)
		if found = without(found, holes); len(found) == before { // never lose anything
			break
		}
	}
	if !e.ownBlobs {
		return Taken{}, false
	}
	return Taken{Object: e.withTable(e.Raw, e.ref, nil)}, true
}

// without is found less the strings whose places are holes: two strings that a JSON Pointer does not tell apart.
func without(found []longString, holes []Hole) []longString {
	gone := make(map[string]bool, len(holes))
	for _, h := range holes {
		gone[h.At] = true
	}
	return slices.DeleteFunc(found, func(s longString) bool { return gone[s.at] })
}

// mayHoldLong is a cheap test that most lines do not pass.
func (e Entry) mayHoldLong(threshold int) bool {
	if threshold < 0 {
		return false
	}
	switch e.Type {
	case TypeRef, TypeHead, TypeSkip, TypeUnskip, TypeLabel, TypeSessionInfo:
		return false
	}
	return len(e.Raw) > threshold || bytes.Contains(e.Raw, []byte(imagePrefix))
}

// imagePrefix is what the token of an image's type begins with.
const imagePrefix = `"image/`

// replace is the entry with placeholders for the strings and the table.
func (e Entry) replace(found []longString, hash func([]byte) string) Taken {
	t := Taken{Table: make([]Blob, len(found)), Contents: make([][]byte, len(found))}
	pieces := make([]piece, len(found))
	texts, delta := 0, 0
	for i, s := range found {
		b, content := s.encode(e.Raw)
		b.Hash = hash(content)
		if b.Encoding != BlobBase64 {
			texts++
		}
		t.Table[i], t.Contents[i] = b, content
		pieces[i] = piece{s.span, appendPlaceholder(nil, b, texts, s.image)}
		if e.ref.end > 0 && s.end <= e.ref.start {
			delta += len(pieces[i].token) - (s.end - s.start)
		}
	}
	ref := e.ref
	if ref.end > 0 {
		ref = span{ref.start + delta, ref.end + delta}
	}
	t.Object = e.withTable(splice(e.Raw, pieces), ref, t.Table)
	return t
}

// withTable is object with the table behind its last member, before the ref if there is one.
func (e Entry) withTable(object []byte, ref span, table []Blob) []byte {
	member := appendTable(nil, table)
	if ref.end == 0 {
		return AppendMembers(object, member)
	}
	return slices.Concat(object[:ref.start], []byte{','}, member, object[ref.start:])
}

// verify fills in again what was taken out; same tells whether the entry comes back as it is.
func (e Entry) verify(t Taken) (holes []Hole, same bool) {
	line := AppendMembers(t.Object, []byte(`"chain":"`+strings.Repeat("0", chainLen)+`"`))
	written, err := ParseEntry(line)
	if err != nil || written.Ref != e.Ref {
		return nil, false
	}
	contents := make(map[string][]byte, len(t.Table))
	for i, b := range t.Table {
		contents[b.Hash] = t.Contents[i]
	}
	whole, holes := written.Fill(func(b Blob) ([]byte, error) { return contents[b.Hash], nil })
	return holes, len(holes) == 0 && bytes.Equal(whole.Raw, e.Body())
}
