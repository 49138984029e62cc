package diff

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
// together are a, the Equal and Insert ones b. The work is bounded: parts of huge texts that have few lines in common are given as replaced
// as a whole.
func Lines(a, b string) []Piece { return nil }

// Words compares two texts by words, runs of white space and marks.
func Words(a, b string) []Piece { return nil }

// UnifiedHunk is a hunk of a unified diff.
type UnifiedHunk struct {
	OldStart, OldLines, NewStart, NewLines int
	Pieces                                 []Piece
}

// Unified groups the changes with so many lines of context around them, as `diff -U` does.
func Unified(pieces []Piece, context int) []UnifiedHunk { return nil }
