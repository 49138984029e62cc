package store

import (
	"os"
	"time"
)

// dateLog makes the time of a session's log, which an import has written to, that of what is in it: the later one of the source's and
// of before, when the log was changed last before that. So the newest session is the one that was touched last, whenever it came in. The time of a log is
// no part of the session, so that a file system that refuses costs the order of a list and not the import.
func (in *incoming) dateLog(file string, before time.Time) {
	at := in.modified
	if at.IsZero() {
		return
	}
	if now := in.opt.Now(); at.After(now) {
		at = now
	}
	if before.After(at) {
		at = before
	}
	_ = os.Chtimes(file, time.Time{}, at)
}

// modifiedAt is when a file was changed last, zero if that is not known.
func modifiedAt(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
