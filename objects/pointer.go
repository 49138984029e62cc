package objects

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// place is where in an object the string stands that a row of a table names.
type place struct {
	span
	fault string // why there is no such place; empty if there is
}

// locate finds the places of a table's rows in body, a valid object. It goes over body once, and only into
// containers that a row leads into. A place below a key that its object has twice is none.
func locate(body []byte, table []Blob) []place {
	l := locator{body: body, rows: make([]row, len(table)), places: make([]place, len(table))}
	for i, b := range table {
		l.rows[i] = row{at: b.At, index: i}
	}
	slices.SortFunc(l.rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.index, b.index)) })
	l.walk()
	for i, r := range l.rows {
		p := &l.places[r.index]
		switch {
		case i > 0 && l.rows[i-1].at == r.at:
			p.fault = "the table names the place twice"
		case r.ambiguous:
			p.fault = "the place stands below a key that is there twice"
		case p.end == 0:
			p.fault = "there is no string at the place"
		}
	}
	return l.places
}

// locator walks over an object. Rows are sorted by their pointer, so that those that lead into one
// container stand side by side.
type locator struct {
	body   []byte
	rows   []row
	places []place
	frames []frame
}

type row struct {
	at        string
	index     int // in the table
	ambiguous bool
	entered   int // depth to which the container that the row leads into was met, if it is the first of those that lead there
	flagged   int // depth at which the rows from this one on were found ambiguous
}

// frame is a container that the walk is in; rows[from:to] lead into it, and their pointers have
// the first prefix bytes in common.
type frame struct {
	object           bool
	from, to, prefix int
	index            int // of the next element
}

func (l *locator) walk() {
	b := l.body
	i := skipSpace(b, 0) + 1
	l.frames = append(l.frames, frame{object: true, to: len(l.rows)})
	for len(l.frames) > 0 {
		f := &l.frames[len(l.frames)-1]
		i = skipSpace(b, i)
		switch b[i] {
		case '}', ']':
			l.frames = l.frames[:len(l.frames)-1]
			i++
			continue
		case ',':
			i = skipSpace(b, i+1)
		}
		var name string
		if f.object {
			end, _ := skipString(b, i)
			name = tokenKey(b[i:end])
			i, _ = skipColon(b, end)
			i = skipSpace(b, i)
		} else {
			name = strconv.Itoa(f.index)
			f.index++
		}
		i = l.value(*f, name, i)
	}
}

// value goes on behind the value at b[i], or into it.
func (l *locator) value(f frame, name string, i int) int {
	l.leaf(f, name, i)
	from, to := l.below(f, name)
	c := l.body[i]
	if from < to && l.enter(from, to) && (c == '{' || c == '[') {
		l.frames = append(l.frames, frame{object: c == '{', from: from, to: to, prefix: f.prefix + 1 + len(name)})
		return i + 1
	}
	end, _ := skipValue(l.body, i)
	return end
}

// leaf notes the value at b[i] for the row that names exactly it.
func (l *locator) leaf(f frame, name string, i int) {
	at := l.search(f, name)
	if at == f.to || l.rows[at].at[f.prefix+1:] != name {
		return
	}
	r := &l.rows[at]
	p := &l.places[r.index]
	if p.end > 0 || r.entered > len(l.frames) {
		r.ambiguous = true
		return
	}
	r.entered = len(l.frames) + 1
	if l.body[i] == '"' {
		end, _ := skipString(l.body, i)
		p.span = span{i, end}
	}
}

// below are the rows that lead into the member called name.
func (l *locator) below(f frame, name string) (from, to int) {
	from = l.search(f, name+"/")
	return from, l.search(f, name+"0") // '0' comes right behind '/'
}

// search is the first row of the frame whose pointer goes on with rest or what comes behind it.
func (l *locator) search(f frame, rest string) int {
	return f.from + sort.Search(f.to-f.from, func(n int) bool { return l.rows[f.from+n].at[f.prefix+1:] >= rest })
}

// enter notes that a value was met that rows[from:to] lead into. It is false if it is not the first one: then
// its object has the key twice, and the rows are ambiguous.
func (l *locator) enter(from, to int) bool {
	depth := len(l.frames) + 1
	first := &l.rows[from]
	if first.entered < depth {
		first.entered = depth
		return true
	}
	if first.flagged == 0 || depth < first.flagged {
		first.flagged = depth
		for i := from; i < to; i++ {
			l.rows[i].ambiguous = true
		}
	}
	return false
}

// tokenKey is a key, a string token, as a step of a JSON Pointer.
func tokenKey(token []byte) string {
	inner := token[1 : len(token)-1]
	if !bytes.ContainsAny(inner, `\~/`) && utf8.Valid(inner) {
		return string(inner)
	}
	return pointerEscapes.Replace(tokenText(token))
}

// pointerEscapes are those of RFC 6901.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")
