package log

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"time"

	"tlog/objects"
)

// Refresh reads what was appended since the last reading and returns the index
// of the first new record. A file that became shorter or was replaced is an error that wraps objects.ErrCorrupt.
//
// If the last line had no "\n", was an entry all the same, and has grown since, the whole file is read anew. The
// index is that of the line then, although it was there before.
func (l *Log) Refresh() (first int, err error) {
	size, err := l.sizeOnDisk()
	if err != nil {
		return None, err
	}
	first = len(l.records)
	if size == l.size {
		return first, nil
	}
	before := l.tail
	err = l.scan()
	if errors.Is(err, errReload) {
		return before.record, l.reload()
	}
	return first, err
}

// reload reads the whole file again.
func (l *Log) reload() error {
	fresh := l.fresh(l.file)
	if err := fresh.readAll(); err != nil {
		return err
	}
	*l = *fresh
	return nil
}

// sizeOnDisk is the size of the file at the log's path, which has to be the file that was read.
func (l *Log) sizeOnDisk() (int64, error) {
	mine, err := l.file.Stat()
	if err != nil {
		return 0, fmt.Errorf("refresh log: %w", err)
	}
	now, err := l.fs.Stat(l.real)
	switch {
	case err != nil:
		return 0, fmt.Errorf("refresh log: %w: the file was removed: %w", objects.ErrCorrupt, err)
	case !os.SameFile(mine, now):
		return 0, fmt.Errorf("refresh log: %w: %s was replaced by another file since it was read", objects.ErrCorrupt, l.path)
	case now.Size() < l.size:
		return 0, fmt.Errorf("refresh log: %w: %s became shorter: expected at least %d bytes, got %d",
			objects.ErrCorrupt, l.path, l.size, now.Size())
	}
	return now.Size(), nil
}

// Follow yields the index of each record appended to the file, looking again at each tick, until ctx or
// the ticks end. It ends with the error if the file cannot be read.
func (l *Log) Follow(ctx context.Context, tick <-chan time.Time) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for {
			select {
			case <-ctx.Done():
				return
			case _, ok := <-tick:
				if !ok {
					return
				}
			}
			first, err := l.Refresh()
			if err != nil {
				yield(None, err)
				return
			}
			for i := first; i < len(l.records); i++ {
				if !yield(i, nil) {
					return
				}
			}
		}
	}
}
