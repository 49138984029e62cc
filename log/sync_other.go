//go:build !linux

package log

import "os"

// syncData brings a file's bytes to disk.
func syncData(f *os.File) error { return f.Sync() }
