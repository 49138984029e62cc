package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
)

// readAll reads standard input to its end, or until the command is interrupted: a read that waits
// for a terminal or a pipe cannot be.
func (a *App) readAll(ctx context.Context) ([]byte, error) {
	type result struct {
		bytes []byte
		err   error
	}
	done := make(chan result, 1)
	go func() {
		input, err := io.ReadAll(a.IO.In)
		done <- result{input, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, fmt.Errorf("standard input: %w", r.err)
		}
		return r.bytes, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inputLine is a line of standard input, or why there are no more.
type inputLine struct {
	bytes []byte
	err   error
}

// readLines gives the lines of standard input as they come, blank ones left out. Whoever takes
// them stops when ctx ends.
func readLines(ctx context.Context, in io.Reader) <-chan inputLine {
	lines := make(chan inputLine, maxPending)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(in, 1<<16)
		for {
			line, err := r.ReadBytes('\n')
			if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 {
				select {
				case lines <- inputLine{bytes: line}:
				case <-ctx.Done():
					return
				}
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				lines <- inputLine{err: fmt.Errorf("standard input: %w", err)}
				return
			}
		}
	}()
	return lines
}
