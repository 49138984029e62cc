package log

import (
	"fmt"
	"math"
	"time"
)

// entryTime is the time of an entry in milliseconds since 1970, or noTime.
type entryTime int64

const noTime entryTime = math.MinInt64

// clockSkew is how far an entry's time may lie before its parent's without a word: agents write the parts of one reply, and results of tools that run side
// by side, in another order than they took place.
const clockSkew = 10 * time.Second

// time notes the time of the record that comes next.
func (c *checker) time(r Record, stamp string) {
	at := noTime
	if parsed, err := time.Parse(time.RFC3339Nano, stamp); err == nil {
		at = entryTime(parsed.UnixMilli())
	} else if stamp != "" {
		c.add(Finding{
			Code: BadTime, Line: r.Line, Offset: r.Offset, ID: string(r.ID),
			Message: fmt.Sprintf("expected a time as in 2026-01-31T09:00:00Z, got %.64q; the entry counts as one without time", stamp),
		})
	}
	c.times = append(c.times, at)
}

// checkTimes reports the entries that are older than the entry they stand behind. Nothing follows from it but that a clock was set back, or that
// lines were put together.
func (l *Log) checkTimes() {
	times := l.check.times
	for i := range l.records {
		r := &l.records[i]
		if !r.Tree() || r.Parent == None || times[i] == noTime || times[r.Parent] == noTime {
			continue
		}
		back := time.Duration(times[r.Parent]-times[i]) * time.Millisecond
		if back <= clockSkew {
			continue
		}
		l.check.add(Finding{
			Code: TimeBackwards, Line: r.Line, Offset: r.Offset, ID: string(r.ID),
			Message: fmt.Sprintf("the entry is %v older than the one it stands behind, %s", back.Round(time.Second), l.records[r.Parent].ID),
		})
	}
}
