package diff

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Op says what happened to a piece of text.
type Op uint8

// The operations.
const (
	Equal Op = iota
	Delete
	Insert
)

// Piece is a run of text.
type Piece struct {
	Op   Op
	Text string
}

// Lines compares two texts by lines: the pieces are runs of whole lines, a deletion before the insertion in its place. The Equal and Delete pieces
// together are a, the Equal and Insert ones b. The work is bounded: parts of huge texts that have few lines in common are compared block by block, so
// that the edit may be longer than it need be. A line ends at \n; the last one may have none.
func Lines(a, b string) []Piece { return compareTexts(a, b, lineEnd) }

// Words compares two texts by words, runs of white space and marks. It is bounded as Lines is.
func Words(a, b string) []Piece { return compareTexts(a, b, wordEnd) }

// lineEnd is the length of the line that s begins with.
func lineEnd(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n + 1
	}
	return len(s)
}

// wordEnd is the length of the word, the white space or the mark that s begins with.
func wordEnd(s string) int {
	n, _ := wordAt(s)
	return n
}

// wordAt is the length and the kind of the word, the white space or the mark that s begins with. A byte that is no UTF-8 is a mark.
func wordAt(s string) (n int, kind runeKind) {
	r, n := utf8.DecodeRuneInString(s)
	kind = kindOfRune(r)
	if kind == markRune || kind == wholeWord {
		return n, kind
	}
	for n < len(s) {
		next, size := utf8.DecodeRuneInString(s[n:])
		if kindOfRune(next) != kind {
			break
		}
		n += size
	}
	return n, kind
}

type runeKind uint8

const (
	markRune  runeKind = iota
	wordRune           // of a word
	wholeWord          // a word by itself, in scripts that put no space between words
	spaceRune
)

func kindOfRune(r rune) runeKind {
	switch {
	case r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'):
		return wordRune
	case unicode.IsSpace(r):
		return spaceRune
	case r < utf8.RuneSelf:
		return markRune
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return wholeWord
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return wordRune
	}
	return markRune
}

// compareTexts cuts both texts into parts and compares these.
func compareTexts(a, b string, end func(string) int) []Piece {
	if a == b {
		return appendPiece(nil, Equal, a)
	}
	n := symbolNames{}
	symbolsA, endsA := n.cut(a, end)
	symbolsB, endsB := n.cut(b, end)
	m := newMatcher(symbolsA, symbolsB, len(n))
	runs := m.match(gap{0, len(symbolsA), 0, len(symbolsB)})
	var pieces []Piece
	doneA, doneB := 0, 0
	for _, r := range append(runs, run{len(symbolsA), len(symbolsB), 0}) {
		fromA, fromB := endsA[r.a], endsB[r.b]
		pieces = appendPiece(pieces, Delete, a[doneA:fromA])
		pieces = appendPiece(pieces, Insert, b[doneB:fromB])
		doneA, doneB = endsA[r.a+r.n], endsB[r.b+r.n]
		pieces = appendPiece(pieces, Equal, a[fromA:doneA])
	}
	return pieces
}

func appendPiece(pieces []Piece, op Op, text string) []Piece {
	if text == "" {
		return pieces
	}
	return append(pieces, Piece{op, text})
}

// symbolNames are the numbers of parts of texts.
type symbolNames map[string]int32

// cut gives the parts of a text as symbols, and where they end: the n-th begins at ends[n].
func (n symbolNames) cut(s string, end func(string) int) (symbols []int32, ends []int) {
	ends = append(ends, 0)
	for at := 0; at < len(s); {
		size := end(s[at:])
		name, ok := n[s[at:at+size]]
		if !ok {
			name = int32(len(n))
			n[s[at:at+size]] = name
		}
		at += size
		symbols, ends = append(symbols, name), append(ends, at)
	}
	return symbols, ends
}
