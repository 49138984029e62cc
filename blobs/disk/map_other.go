//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package disk

// Map shows the first size bytes of a file as memory. It cannot be done here.
func Map(File, int64) (data []byte, unmap func() error, err error) { return nil, nil, errNoMap }
