package disk

import (
	"errors"
	"fmt"
	"runtime/debug"
	"unsafe"
)

var errNoMap = fmt.Errorf("show a file as memory: %w", errors.ErrUnsupported)

// ErrCutShort says that a file became shorter while it was read as memory.
var ErrCutShort = errors.New("the file became shorter while it was read")

// Guard runs what reads data, memory of Map, in this goroutine. If the file is cut short meanwhile the error is ErrCutShort, and read ended where it was.
func Guard(data []byte, read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		fault := recover()
		if fault == nil {
			return
		}
		if at, ok := fault.(interface{ Addr() uintptr }); ok && len(data) > 0 {
			start := uintptr(unsafe.Pointer(&data[0]))
			if at.Addr() >= start && at.Addr()-start < uintptr(len(data)) {
				err = ErrCutShort
				return
			}
		}
		panic(fault)
	}()
	return read()
}
