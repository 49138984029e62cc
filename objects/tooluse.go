package objects

// ToolUse is what a tool call did, as far as the call and its result tell.
type ToolUse struct {
	// Command is the command line of a call that ran one in a shell, as it was given; empty for other tools.
	Command string
	// Exit is the command's exit status where the result tells it; HasExit is false if it does not. A status that is told
	// only as a failure ("failed", "timed out") is not one.
	Exit    int
	HasExit bool
	// Failed: the call failed, by its result; of a command, that it ended with another status than 0 or was stopped. Nothing was changed then by tools that
	// read and write files; a command may have changed anything before it failed.
	Failed bool
	// Pending: there is no result.
	Pending bool
	// Files are what it did to files, in the order in which it did so. Those of a command are not known here: see Command.
	Files []FileOp
}

// FileOpKind says what was done to a file.
type FileOpKind uint8

// The kinds of file operations.
const (
	FileRead   FileOpKind = iota
	FileWrite             // the whole file was written: Text is what is in it now
	FileEdit              // parts of it were replaced: Edits or Hunks
	FileDelete            //
	FileMove              // to To; edits of a move that changes the file as well stand in Hunks
)

// FileOp is one operation on one file. Failed calls have those that were asked for; who replays them looks at ToolUse.Failed.
type FileOp struct {
	Kind FileOpKind
	Path string // as recorded; relative ones are of the session's working folder at that time
	To   string // of a move
	// Text is the content: of a write what was written, of a read what was seen. Whole reports whether it is the whole file, byte for byte: a read
	// of some lines or of a cut result is not, nor one whose line ends or last line feed the agent did not record.
	Text  string
	Whole bool
	// FirstLine is the number of the first line of Text, from 1; 0 if it is not known. Of a read that is not whole.
	FirstLine int
	// Created: the file was not there before, by the result. Existed: it was. Neither: not told.
	Created, Existed bool
	// Before is the whole file before the operation where the result holds it; HasBefore is false if it does not.
	Before    string
	HasBefore bool
	// Edits are replacements of texts, to be applied one after the other; Hunks are those of a patch, which hold their context.
	Edits []TextEdit
	Hunks []Hunk
	// Added and Removed are the lines that the operation added and removed by what it records alone; Counted is false if it does not tell, as where the
	// file before a write is not known.
	Added, Removed int
	Counted        bool
}

// TextEdit replaces a text that is to be found once in the file, or with All everywhere.
type TextEdit struct {
	Old, New string
	All      bool
}

// Hunk is one of a patch's.
type Hunk struct {
	OldStart int // the line at which it applies, from 1; 0 if the patch names none
	// Anchors are lines that have to be found first, one behind the other, as the "@@" lines of apply_patch name them.
	Anchors []string
	Lines   []HunkLine
	AtEnd   bool // it applies at the end of the file
}

// HunkLine is one line of a hunk, without "\n".
type HunkLine struct {
	Op   byte // ' ' is context, '-' removed, '+' added
	Text string
}

// A ToolDecoder is a Decoder of an agent that knows what the agent's tools did.
type ToolDecoder interface {
	// ToolUse tells of a call. result is its result, and row the entry in which that stands, which may hold more than the block: both are zero for a call without
	// one. ok is false for a tool that is not known, of which the generic reading is tried.
	ToolUse(call, result Block, row Entry) (use ToolUse, ok bool)
}
