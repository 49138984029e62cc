package log

// Code names a kind of finding; docs/format.md lists them. Codes are stable.
type Code string

// The codes of findings.
const (
	BadLine        Code = "bad-line"
	TornTail       Code = "torn-tail"
	NULBytes       Code = "nul-bytes"
	GluedLines     Code = "glued-lines"
	InvalidUTF8    Code = "invalid-utf8"
	BOM            Code = "bom"
	SecondHeader   Code = "second-header"
	NoHeader       Code = "no-header"
	BadID          Code = "bad-id"
	DuplicateID    Code = "duplicate-id"
	RepeatedLine   Code = "repeated-line"
	ReplacedPart   Code = "replaced-part"
	MissingParent  Code = "missing-parent"
	Cycle          Code = "cycle"
	ChainBroken    Code = "chain-broken"
	Unchained      Code = "unchained"
	BlobMissing    Code = "blob-missing"
	BlobCorrupt    Code = "blob-corrupt"
	DanglingRef    Code = "dangling-ref"
	UnansweredCall Code = "unanswered-call"
	OrphanResult   Code = "orphan-result"
)

// Severity weighs a finding.
type Severity string

// The severities. Only errors and warnings make fsck answer no.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Severity is the code's weight. A code that is not known weighs as an error.
func (c Code) Severity() Severity {
	switch c {
	case InvalidUTF8, BOM, SecondHeader, BadID, UnansweredCall, OrphanResult:
		return Warning
	case RepeatedLine, ReplacedPart, Unchained:
		return Info
	}
	return Error
}

// Damage is a bad line or another finding of the reader.
type Damage struct {
	Code   Code
	Line   int
	Offset int64 // of the fault itself where it is known, else of the line
	Reason string
}

// Damaged are the lines that were skipped (codes bad-line, torn-tail, glued-lines, nul-bytes without an object), in file order.
func (l *Log) Damaged() []Damage { return l.damage }
