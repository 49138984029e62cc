package objects

import (
	"errors"
	"fmt"
)

// The classes of failure. Every error that leaves a tlog package for a reason
// the caller can act on wraps one of them; use [errors.Is].
var (
	// ErrInvalid: an argument, a name or an input line breaks a rule.
	ErrInvalid = errors.New("invalid")
	// ErrNotFound: no such session, revision or entry.
	ErrNotFound = errors.New("not found")
	// ErrAmbiguous: a name stands for more than one thing.
	ErrAmbiguous = errors.New("ambiguous")
	// ErrLocked: another process holds the session's lock. Trying again may help.
	ErrLocked = errors.New("locked")
	// ErrCorrupt: damage that leaves nothing to read.
	ErrCorrupt = errors.New("damaged")
	// ErrRefused: the operation would endanger something and was not done.
	ErrRefused = errors.New("refused")
	// ErrVersion: a format version that this program reads but does not write.
	ErrVersion = errors.New("unsupported format version")
)

// CorruptError places damage in a file.
type CorruptError struct {
	File   string
	Line   int   // counted from 1
	Offset int64 // of the damage, in bytes from the start of the file
	Reason string
}

// Error names file, line and offset before the reason.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s: line %d, offset %d: %s", e.File, e.Line, e.Offset, e.Reason)
}

// Unwrap makes the error an [ErrCorrupt].
func (e *CorruptError) Unwrap() error { return ErrCorrupt }
