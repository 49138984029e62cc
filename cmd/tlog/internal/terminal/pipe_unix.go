//go:build !windows

package terminal

import (
	"errors"
	"io"
	"os"
	"syscall"
)

func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// enableEscapes reports whether the terminal understands escape sequences.
func enableEscapes(*os.File) bool { return true }
