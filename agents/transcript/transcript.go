// Package transcript holds what the packages of all agents share: the lines of a foreign file on their way into a
// log, and the entries of a log on their way into a foreign file.
package transcript

import (
	"io"
	"iter"
	"time"

	"tlog/objects"
)

// Reader makes envelopes of the lines of one transcript. It keeps the state that the normalised
// parents need, so a file may be given to it in pieces, as it grows.
type Reader interface {
	// Known tells of a line that the log holds already, in the order of the log. Its id and parent stay as they are. The memory
	// of e is used again afterwards.
	Known(e objects.Entry)
	// Read takes the next bytes of the file, whole lines but for the last one, which may lack its "\n" only at the
	// file's end. It gives one envelope for each line, or more where several records stand on one; their Lines, with "\n" behind each
	// that is not Joined, are the bytes again. The Lines share memory with data.
	Read(data []byte) []objects.Envelope
	// Leaf is the entry at which the agent would go on, by all that was given; empty if there is none.
	Leaf() objects.ID
	// Damaged is the number of lines given to Read that hold no whole record, or something around one.
	Damaged() int
}

// BaseReader is a Reader of an agent whose transcripts may go on from others by reference. Lines of those are told of by Known, their
// Base says whose they are.
type BaseReader interface {
	Reader
	// MissingBase tells, before all others, that what the transcript goes on from is not there.
	MissingBase(id objects.ID)
}

// DocumentReader is a Reader of an agent some of whose transcripts are one JSON document: they are written anew as a whole, and their
// last line needs no "\n".
type DocumentReader interface {
	Reader
	// Document reports whether a transcript that begins with head is one.
	Document(head []byte) bool
}

// Identity is what a transcript says of itself.
type Identity struct {
	ID        objects.ID // of the session, never empty; derived where the file names none
	Cwd       string     // absolute as recorded; empty if not recorded
	Timestamp string     // of its first record
	Name      string     // its title, as far as it can be known from what was looked at
	// Parent is the session that this one is a part of, or was forked from; empty for none.
	Parent objects.ID
	// Subagent is the id of the subagent whose transcript it is, empty for a session of its own.
	Subagent string
	// Call is the id of the tool call that started the subagent, if that is known.
	Call string
	// Meta is what the agent keeps beside the transcript about it, a JSON object, verbatim; nil for nothing.
	Meta []byte
}

// Base is what a transcript goes on from by reference: lines that stand in others.
type Base struct {
	// Lines are these, in their order, from the first of the history. Their Base is the session that they are from, their ids are those that
	// they have there.
	Lines []objects.Envelope
	// Files are those that the lines stand in, the one that the transcript names first.
	Files []string
	// Missing names the first transcript, going back, that is nowhere; empty if all are there. What stands in it and before it is
	// not in Lines.
	Missing objects.ID
}

// Found is a transcript where an agent keeps them.
type Found struct {
	Path     string
	Subagent bool // it is that of a subagent, part of another session
}

// SideFile is what an agent keeps of a session outside of its transcript.
type SideFile struct {
	Name string // by which it is known again, slashes between folders: "tool-results/ab.txt"
	Path string // where it lies; Data is nil
	// Data is the content of what is no file of its own, as the session's lines of a history of all prompts.
	Data []byte
	// Skipped is why it is there and not taken; Path and Data are empty.
	Skipped error
}

// CleanUp is what an agent deletes by itself.
type CleanUp struct {
	Days    int    // transcripts that were not changed for so many days are deleted; 0 is never
	AtStart bool   // all are deleted when the agent starts the next time; Days is 0
	By      string // what says so
}

// Entry is an entry of a log that is to be written to a transcript.
type Entry struct {
	objects.Entry            // whole: with what lies in blobs
	EffectiveID   objects.ID // what it goes by in the log
	// OnPath: it is part of the history that is exported. Others are lines of the agent's that are no nodes of
	// it, and stand between or behind them.
	OnPath bool
}

// Export is what is to be written as a transcript.
type Export struct {
	Session objects.ID // the new transcript's id
	From    objects.ID // the session that it is made of
	Now     time.Time
	Cwd     string // of the new transcript
	OldCwd  string // of the session
	Name    string // of the new transcript; empty to leave what it has
	Parent  string // the file of the agent's that it is made of; empty if there is none
	// MaxImage is the size in bytes above which an image is left out; 0 is the agent's own limit, NoImages is none at all.
	MaxImage int64
	NoImages bool
	Entries  iter.Seq2[Entry, error] // in the order of the file: parents first; it is ranged over several times
}

// Writer writes transcripts of one agent.
type Writer interface {
	// Export writes the entries so that the agent resumes them, and says what it changed and left out beyond ids.
	// The error is that of Entries or of w.
	Export(w io.Writer, x Export) (Report, error)
}

// Report is what an export did.
type Report struct {
	Lines    int // written
	Messages int // of these
	Repairs  []Repair
}

// RepairKind says what was repaired in an export.
type RepairKind string

// The kinds of repairs.
const (
	AddedResult      RepairKind = "added-result"       // a call had none
	DroppedResult    RepairKind = "dropped-result"     // a result whose call is not there
	DroppedThinking  RepairKind = "dropped-thinking"   // hollow or unsigned, which the model refuses
	ReplacedText     RepairKind = "replaced-surrogate" // a lone surrogate became U+FFFD
	DroppedImage     RepairKind = "dropped-image"      // too large, or not wanted
	RenamedCall      RepairKind = "renamed-call"       // an id that two calls have, or that the model refuses
	RepairedInput    RepairKind = "repaired-input"     // arguments that are no object
	BridgedParent    RepairKind = "bridged-parent"     // a missing parent, or a cycle
	DroppedDuplicate RepairKind = "dropped-duplicate"  // another line has the id and counts
	CleanedLine      RepairKind = "cleaned-line"       // NULs, a byte order mark or another record around an object
	DroppedLine      RepairKind = "dropped-line"       // it holds no record
	DroppedBlock     RepairKind = "dropped-block"      // a block that the agent has no form for
	MovedEnd         RepairKind = "moved-end"          // it goes further than asked for, to the results of calls
)

// Repair is one thing that an export changed or left out.
type Repair struct {
	Kind   RepairKind
	ID     objects.ID // of the entry
	Detail string
}

// Command is how an agent is started to resume a session.
type Command struct {
	Dir  string   // the folder in which it has to run
	Args []string // the program first
	Env  []string // "NAME=value" to be set besides
}
