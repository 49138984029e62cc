package main

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/objects"
)

// The exit codes; `tlog help exit-codes` explains them.
const (
	exitOK          = 0
	exitNo          = 1 // a negative answer: fsck with findings, nothing found
	exitUsage       = 2
	exitNotFound    = 3 // no such or ambiguous revision or session
	exitLocked      = 4
	exitCorrupt     = 5
	exitRefused     = 6
	exitVersion     = 7
	exitIO          = 8 // the operating system refused: disk full, no permission ...
	exitInterrupted = 130
	exitPipe        = 141
)

var (
	// errNo ends a command with a negative answer that has been printed already.
	errNo = errors.New("no")
	// errPipe ends a command whose reader has gone.
	errPipe = terminal.ErrClosedPipe
)

// usageError is a call that breaks the command's grammar.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// hintError adds advice to an error.
type hintError struct {
	err  error
	hint string
}

func (e hintError) Error() string { return e.err.Error() }
func (e hintError) Unwrap() error { return e.err }

func withHint(err error, hint string) error { return hintError{err, hint} }

// A failure is what the caller of the program learns of an error.
type failure struct {
	code      int
	kind      string // stable, for programs
	retryable bool
}

// classify maps every error to its exit code; it is the only place that does.
func classify(err error) failure {
	var usage usageError
	var program programError
	switch {
	case err == nil:
		return failure{code: exitOK}
	case errors.As(err, &program):
		return failure{code: program.code, kind: "program"}
	case errors.Is(err, errNo):
		return failure{code: exitNo, kind: "no"}
	case errors.Is(err, terminal.ErrPagerQuit):
		return failure{code: exitOK}
	case errors.Is(err, errPipe):
		return failure{code: exitPipe, kind: "closed-pipe"}
	case errors.Is(err, context.Canceled):
		return failure{code: exitInterrupted, kind: "interrupted", retryable: true}
	case errors.As(err, &usage):
		return failure{code: exitUsage, kind: "usage"}
	case errors.Is(err, objects.ErrLocked):
		return failure{code: exitLocked, kind: "locked", retryable: true}
	case errors.Is(err, objects.ErrVersion):
		return failure{code: exitVersion, kind: "version"}
	case errors.Is(err, objects.ErrRefused):
		return failure{code: exitRefused, kind: "refused"}
	case errors.Is(err, objects.ErrCorrupt):
		return failure{code: exitCorrupt, kind: "damaged"}
	case errors.Is(err, objects.ErrAmbiguous):
		return failure{code: exitNotFound, kind: "ambiguous"}
	case errors.Is(err, objects.ErrNotFound), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENAMETOOLONG):
		return failure{code: exitNotFound, kind: "not-found"}
	case errors.Is(err, objects.ErrInvalid):
		return failure{code: exitUsage, kind: "invalid"}
	}
	return failure{code: exitIO, kind: "io", retryable: true}
}

// hintOf is the advice that goes with an error, if any.
func hintOf(err error) string {
	var h hintError
	if errors.As(err, &h) {
		return h.hint
	}
	var tracking *checkout.TrackingError
	if errors.As(err, &tracking) {
		return "'tlog checkout -b NAME " + tracking.Branch + "' makes a branch of your own there"
	}
	return ""
}

// errorObject is an error as --json prints it.
func errorObject(err error) *jsonout.Object {
	f := classify(err)
	inner := new(jsonout.Object)
	inner.String("kind", f.kind).String("message", err.Error()).Known("hint", hintOf(err))
	inner.Bool("retryable", f.retryable).Int("code", int64(f.code))
	return new(jsonout.Object).Object("error", inner)
}

// silentError keeps its exit code and says nothing.
type silentError struct{ err error }

func (e silentError) Error() string { return e.err.Error() }
func (e silentError) Unwrap() error { return e.err }

// programError is the exit code of a program that ran in tlog's place.
type programError struct {
	code int
	err  error
}

func (e programError) Error() string { return e.err.Error() }
func (e programError) Unwrap() error { return e.err }
