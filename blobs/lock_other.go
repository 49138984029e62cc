//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package blobs

import "os"

// flock does nothing where folders cannot be locked.
func flock(*os.File, lockKind) error { return nil }

func funlock(*os.File) {}
