package log

import "iter"

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
	BadID          Code = "bad-id"
	DuplicateID    Code = "duplicate-id"
	RepeatedLine   Code = "repeated-line"
	MissingParent  Code = "missing-parent"
	Cycle          Code = "cycle"
	ChainBroken    Code = "chain-broken"
	Unchained      Code = "unchained"
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

// Severity is the code's weight.
func (c Code) Severity() Severity { panic("todo") }

// Finding is something that fsck tells.
type Finding struct {
	Code    Code
	Line    int
	Offset  int64
	ID      string // entry id as it stands in the line; empty if it has none
	Message string
}

// Check reads the whole file again and yields what is wrong with it, in file order:
// lines, ids, parents, cycles, the chain. Findings on names and tool pairs are made above this package.
func (l *Log) Check() iter.Seq[Finding] { panic("todo") }
