package objects

import (
	"errors"
	"fmt"
	"slices"
)

// Hole is a string that could not be filled in.
type Hole struct {
	Blob // the zero value if the table itself cannot be read
	Err  error
}

// Fill gives the entry as it came in, without what tlog added: its Raw is the body with each
// string that the table names in its place again; Ref and Chain stay what they are. content gives the bytes
// of a blob. Only places that the table names are filled, and only where a placeholder stands.
//
// What cannot be filled in keeps its placeholder, marked as in "[pasted text #1 +240 lines: blob missing]", and is
// told as a Hole.
func (e Entry) Fill(content func(Blob) ([]byte, error)) (Entry, []Hole) {
	body := e.Body()
	table, err := e.BlobTable()
	if err != nil {
		return e.withBody(body), []Hole{{Err: err}}
	}
	if len(table) == 0 {
		return e.withBody(body), nil
	}
	var holes []Hole
	pieces := make([]piece, 0, len(table))
	for i, p := range locate(body, table) {
		token, err := p.fill(body, table[i], content)
		if err != nil {
			holes = append(holes, Hole{table[i], err})
		}
		if token != nil {
			pieces = append(pieces, piece{p.span, token})
		}
	}
	return e.withBody(splice(body, pieces)), holes
}

// Places reports the rows of the table that Fill could not fill in whatever their blobs hold.
func (e Entry) Places() []Hole {
	table, err := e.BlobTable()
	if err != nil {
		return []Hole{{Err: err}}
	}
	if len(table) == 0 {
		return nil
	}
	var holes []Hole
	body := e.Body()
	for i, p := range locate(body, table) {
		if err := p.check(body); err != nil {
			holes = append(holes, Hole{table[i], err})
		}
	}
	return holes
}

// check tells why nothing can be filled in at the place.
func (p place) check(body []byte) error {
	switch {
	case p.fault != "":
		return errors.New(p.fault)
	case !isPlaceholder(body[p.start:p.end]):
		return fmt.Errorf("expected a placeholder at the place, got %.80s", body[p.start:p.end])
	}
	return nil
}

// fill is the token for the place. On an error it is the marked placeholder, or nil if none stands there.
func (p place) fill(body []byte, b Blob, content func(Blob) ([]byte, error)) ([]byte, error) {
	if err := p.check(body); err != nil {
		return nil, err
	}
	bytes, err := content(b)
	if err == nil {
		var token []byte
		if token, err = b.token(bytes); err == nil {
			return token, nil
		}
	}
	return markHole(body[p.start:p.end]), err
}

// piece is what is to stand in the place of a range.
type piece struct {
	span
	token []byte
}

// splice is body with the pieces, which do not overlap, in place of their ranges.
func splice(body []byte, pieces []piece) []byte {
	slices.SortFunc(pieces, func(a, b piece) int { return a.start - b.start })
	size := len(body)
	for _, p := range pieces {
		size += len(p.token) - (p.end - p.start)
	}
	out := make([]byte, 0, size)
	from := 0
	for _, p := range pieces {
		out = append(append(out, body[from:p.start]...), p.token...)
		from = p.end
	}
	return append(out, body[from:]...)
}

// withBody is the entry with another Raw that holds nothing of what tlog adds.
func (e Entry) withBody(body []byte) Entry {
	out := e
	out.Raw, out.Blobs = body, nil
	out.blobs, out.ref, out.chain, out.ownBlobs = span{}, span{}, span{}, false
	if e.Blobs != nil && e.message.end > 0 { // its length has changed
		if fresh, err := ParseEntry(body); err == nil {
			out.message = fresh.message
		} else {
			out.message = span{}
		}
	}
	return out
}

// Whole is the entry without what tlog added: its Raw is the body. Strings that lie in blobs are not filled in.
func (e Entry) Whole() Entry { return e.withBody(e.Body()) }
