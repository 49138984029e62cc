//go:build !unix

package claudetest

import "os/exec"

// endWithChildren does nothing here: the command alone is ended.
func endWithChildren(*exec.Cmd) {}
