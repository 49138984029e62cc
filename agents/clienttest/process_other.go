//go:build !unix

package clienttest

import "os/exec"

// EndWithChildren does nothing here: the command alone is ended.
func EndWithChildren(*exec.Cmd) {}
