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
	BadTime        Code = "bad-time"
	TimeBackwards  Code = "time-backwards"
	UsageRepeated  Code = "usage-repeated"
)

// Severity weighs a finding.
type Severity string

// The severities. Only errors and warnings make fsck answer no, if it is not strict.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// codes is what is to be known of each code; docs/format.md "Damage" has the same table.
var codes = []struct {
	code     Code
	severity Severity
	hint     string
}{
	{BadLine, Error, hintRepair},
	{TornTail, Error, "a write was cut off; the next append starts a new line, and nothing that was acknowledged is in it"},
	{NULBytes, Error, "a crash of the machine left them; what stands beside them is read"},
	{GluedLines, Error, hintRepair},
	{InvalidUTF8, Warning, "whoever wrote the line cut a character in two; it is shown with a replacement character"},
	{BOM, Warning, "an editor or a copy between systems put it there; it does no harm"},
	{NoHeader, Error, hintRepair},
	{SecondHeader, Warning, "two sessions were put into one file; all entries are read as of the first"},
	{BadID, Warning, "the entry goes by a derived id, which 'tlog log' shows"},
	{DuplicateID, Error, "each goes by an id of its own, which 'tlog log' shows; find out which program wrote both"},
	{RepeatedLine, Info, "nothing: the line counts once"},
	{ReplacedPart, Info, "nothing: the later form counts"},
	{MissingParent, Error, "what stands before it is lost or in another file; 'tlog log --all' shows it as a root, and it can be checked out"},
	{Cycle, Error, "the entry is read as a root; 'tlog log --all' shows it"},
	{ChainBroken, Error, "bytes changed after they were written: compare with a copy from before ('tlog verify' says up to where the log holds)"},
	{Unchained, Info, "nothing: the next append of tlog secures them"},
	{BlobMissing, Error, "put the blob back from a copy of the store, or import the source again"},
	{BlobCorrupt, Error, "put the blob back from a copy of the store, or import the source again"},
	{DanglingRef, Error, "nothing moves: the branch stays where it was, 'tlog branch' shows where"},
	{UnansweredCall, Warning, "nothing: exports and contexts put a result in"},
	{OrphanResult, Warning, "nothing: exports and contexts leave it out"},
	{BadTime, Info, "nothing: times are notes, the order is that of the graph"},
	{TimeBackwards, Info, "nothing: times are notes, the order is that of the graph"},
	{UsageRepeated, Info, "nothing: tlog counts each reply once; a program that adds up lines counts too much"},
}

const hintRepair = "'tlog repair' writes a copy of all that can be read as a new session"

// Severity is the code's weight. A code that is not known weighs as an error.
func (c Code) Severity() Severity {
	for _, known := range codes {
		if known.code == c {
			return known.severity
		}
	}
	return Error
}

// Hint is what to do about a finding of the code, in a line without a full stop.
func (c Code) Hint() string {
	for _, known := range codes {
		if known.code == c {
			return known.hint
		}
	}
	return ""
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
