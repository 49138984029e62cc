// Command tlog is version control for the transcripts of coding agents.
//
// Each command is a file of this package: it parses flags, calls a package
// below, and renders. docs/architecture.md shows the way of one command.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"tlog/cmd/tlog/internal/terminal"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(run())
}

// gcPercent lets the heap grow fivefold between collections: a command ends before it has made much garbage.
const gcPercent = 400

// run is the program; tests call it in a process of their own.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	streams := terminal.System(os.Getenv, os.Stdin, os.Stdout, os.Stderr, terminal.Options{})
	cwd, err := os.Getwd()
	app := &App{
		IO: streams, Lookup: os.LookupEnv, Cwd: cwd, cwdErr: err,
		Now: time.Now, Random: rand.Reader,
	}
	return app.Run(ctx, os.Args[1:])
}

// Run executes one command line and returns the exit code.
func (a *App) Run(ctx context.Context, args []string) int {
	root := newRootCommand(a)
	root.SetArgs(gitHabits(args))
	err := checkCommand(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if ctx.Err() != nil && err != nil && !errors.Is(err, errNo) {
		err = fmt.Errorf("interrupted: %w", ctx.Err())
	}
	if closing := a.IO.Close(); err == nil {
		err = closing
	}
	a.JSON = a.JSON || asksForJSON(args)
	code := classify(err).code
	var silent silentError
	if code != exitOK && code != exitNo && code != exitPipe && !errors.As(err, &silent) {
		a.report(err)
	}
	return code
}

// asksForJSON finds --json also behind a flag that could not be read.
func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json")
}

// report tells the user of an error, as a JSON object with --json.
func (a *App) report(err error) {
	out := a.IO.Err
	if a.JSON {
		writeJSON(out, errorObject(err))
		return
	}
	out.Println(terminal.Red.Paint("tlog: "), terminal.Line(err.Error()))
	for _, line := range a.candidates(err) {
		out.Println(line)
	}
	if hint := hintOf(err); hint != "" {
		out.Println(terminal.Yellow.Paint("hint: "), terminal.Line(hint))
	}
}
