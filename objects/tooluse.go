package objects

// ToolUse is what a tool call did, as far as the call and its result tell.
type ToolUse struct {
	// Command is the command line of a call that ran one in a shell, as it was given; empty for other tools.
	Command string
	// Exit is the command's exit status where the result tells it; HasExit is false if it does not. A status that is told
	// only as a failure ("failed", "timed out") is not one.
	Exit    int
	HasExit bool
	// Cwd is the folder that the call names to run in, if it does; it may be relative to the session's. The paths of Files are relative to it then.
	Cwd string
	// Failed: the call failed, by its result; of a command, that it ended with another status than 0 or was stopped. Nothing was changed then by tools that
	// read and write files; a command may have changed anything before it failed.
	Failed bool
	// NotRun: it was refused, or could not be read, and so never began.
	NotRun bool
	// Pending: there is no result.
	Pending bool
	// Files are what it did to files, in the order in which it did so. Those of a command are not known here, but of one that does nothing else than what they
	// say, as to apply a patch or to print a file: such a use has both.
	Files []FileOp
	// Opaque: the tool may have changed files that neither the call nor its result names, as a subagent may, or a tool that is not known.
	Opaque bool
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
	// Text is the content: of a write what was written, of a read what was seen. Whole reports whether it is the whole file: a read
	// of some lines or of a cut result is not, nor one of which the agent does not record whether a "\n" ends the last line. See Plain for line ends.
	Text  string
	Whole bool
	// FirstLine is the number of the first line of Text, from 1; 0 if it is not known. Of a read that is not whole.
	FirstLine int
	// Created: the file was not there before, by the result. Existed: it was. Neither: not told.
	Created, Existed bool
	// Before is the whole file before the operation where the result holds it; HasBefore is false if it does not.
	Before    string
	HasBefore bool
	// After is the same of the file behind the operation.
	After    string
	HasAfter bool
	// Plain: the agent records the texts of files with "\n" for every line end and may leave a byte order mark out: so it is with Before and After, and with the
	// Text of a read.
	Plain bool
	// Unsure: the agent may have changed the file once more by itself right after, as one does that runs formatters.
	Unsure bool
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
	// Line: with an empty New the "\n" behind Old goes too, if Old does not end in one and one stands behind it somewhere in the file.
	Line bool
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
	Op   byte // ' ' is context, '-' removed, '+' added; '\\' says that the line before it ends the file without "\n"
	Text string
}

// A ToolDecoder is a Decoder of an agent that knows what the agent's tools did.
type ToolDecoder interface {
	// ToolUse tells of a call. result is its result, and row the entry in which that stands, which may hold more than the block: both are zero for a call without
	// one. ok is false for a tool that is not known, of which the generic reading is tried.
	ToolUse(call, result Block, row Entry) (use ToolUse, ok bool)
}
