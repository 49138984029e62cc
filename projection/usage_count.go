package projection

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"tlog/log"
	"tlog/objects"
)

// CountUsage counts the usage of entries of a log. Lines of one reply, on whatever branch, count once.
func CountUsage(l *log.Log, entries []int) (Usage, error) {
	var c UsageCount
	for _, at := range entries {
		if err := c.Add(l, at); err != nil {
			return Usage{}, err
		}
	}
	return c.Total(), nil
}

// UsageCount adds up usage over branches, copies and sessions, each reply once (docs/projection.md "Usage"). The zero value is ready for use. The
// entries of one log should come one after the other.
type UsageCount struct {
	list  []Usage
	same  []int          // for each in list itself, or another that turned out to be of the same reply
	index map[string]int // into list, by all that a reply is known by
	raw   Usage          // the sum of all records
	count int            // of records
	log   *log.Log       // that the last entry was of
	nth   map[string]int // how many records of one time and size it had
}

// Add counts an entry. Of two records of one reply the later counts, unless it is one of a copy that tells of less output.
func (c *UsageCount) Add(l *log.Log, at int) error {
	r := l.Record(at)
	if !r.Tree() {
		return nil
	}
	switch r.Type {
	case objects.TypeMessage, objects.TypeUsage, objects.TypeCompaction, objects.TypeBranchSummary:
	default:
		return nil
	}
	e, err := l.Entry(at)
	if err != nil {
		return fmt.Errorf("count usage of entry %s: %w", r.ID, err)
	}
	if !mayTellUsage(e.Raw, e.Foreign()) {
		return nil // the most of a log
	}
	if u, reply := usageOf(l, e); u.Recorded {
		c.raw.add(u)
		c.count++
		c.take(u, c.keys(l, e, r.ID, u, reply))
	}
	return nil
}

// mayTellUsage reports whether a word by which usage is recorded stands anywhere in an entry: Gemini CLI and opencode call it tokens, Copilot CLI outputTokens.
func mayTellUsage(line []byte, foreign bool) bool {
	return bytes.Contains(line, []byte("usage")) || bytes.Contains(line, []byte(`\u`)) || foreign && bytes.Contains(line, []byte("okens"))
}

// AddAll counts every entry of a log. It reads the file once, and no line twice but those that may tell of usage.
func (c *UsageCount) AddAll(l *log.Log) error { return c.addAll(l, func(int) {}) }

// addAll is AddAll, and tells of each entry that was looked at.
func (c *UsageCount) addAll(l *log.Log, added func(at int)) error {
	for line, err := range l.Lines(0) {
		if err != nil {
			return fmt.Errorf("count usage: %w", err)
		}
		if line.Record == log.None || !mayTellUsage(line.Bytes, l.Record(line.Record).Foreign) {
			continue
		}
		if err := c.Add(l, line.Record); err != nil {
			return err
		}
		added(line.Record)
	}
	return nil
}

// usageOf is the usage that an entry records, and the reply that it is of, if it tells.
func usageOf(l *log.Log, e objects.Entry) (u Usage, reply string) {
	m, isMessage := l.Message(e)
	raw := []byte(m.Usage)
	switch {
	case isMessage:
	case e.Foreign():
		raw = l.Usage(e)
	default:
		raw = e.Get("usage")
	}
	u = ParseUsage(raw)
	if u.size() != "" && (m.Role == objects.RoleAssistant || e.Foreign() && !isMessage) {
		u.Replies = 1
	}
	return u, m.ReplyID
}

// keys are all by which a record is known again: the id of its reply alone where the message has one. Else the id of its entry, which
// a copy may have lost, what the agent says of the reply, and the time and the size of it, which an export keeps. What has these in one log is not one.
func (c *UsageCount) keys(l *log.Log, e objects.Entry, id objects.ID, u Usage, reply string) []string {
	if reply != "" {
		return []string{"reply " + reply}
	}
	keys := []string{"entry " + string(id)}
	size := u.size()
	if size == "" {
		return keys
	}
	if origin := e.Origin(); origin != "" {
		keys = append(keys, "entry "+string(origin))
	}
	if reply := l.UsageReply(e); reply != "" {
		keys = append(keys, "record "+reply+" "+size)
	}
	if at, err := time.Parse(time.RFC3339Nano, e.Timestamp); err == nil {
		key := "at " + strconv.FormatInt(at.UnixMilli(), 10) + " " + size
		keys = append(keys, key+" "+strconv.Itoa(c.next(l, key)))
	}
	return keys
}

// size is the numbers of a usage, empty if it tells of no tokens.
func (u Usage) size() string {
	if u.Input == 0 && u.CacheWrite == 0 && u.CacheRead == 0 && u.Output == 0 {
		return ""
	}
	var b []byte
	for _, n := range []int64{u.Input, u.CacheWrite, u.CacheRead, u.Output} {
		b = append(strconv.AppendInt(b, n, 10), ' ')
	}
	return string(b)
}

// next counts what has a key in the log.
func (c *UsageCount) next(l *log.Log, key string) int {
	if c.log != l || c.nth == nil {
		c.log, c.nth = l, map[string]int{}
	}
	n := c.nth[key]
	c.nth[key]++
	return n
}

// take counts what is known by the keys.
func (c *UsageCount) take(u Usage, keys []string) {
	if c.index == nil {
		c.index = map[string]int{}
	}
	at := -1
	for _, key := range keys {
		i, known := c.index[key]
		switch i = c.root(i); {
		case !known || i == at:
		case at < 0:
			at = i
		default: // a copy of both shows that they are one
			if c.list[i].Output > c.list[at].Output {
				c.list[at] = c.list[i]
			}
			c.list[i], c.same[i] = Usage{}, at
		}
	}
	switch {
	case at < 0:
		at = len(c.list)
		c.list, c.same = append(c.list, u), append(c.same, at)
	case u.Output >= c.list[at].Output:
		c.list[at] = u
	}
	for _, key := range keys {
		c.index[key] = at
	}
}

// root is what counts for an item of the list.
func (c *UsageCount) root(i int) int {
	for i < len(c.same) && c.same[i] != i {
		c.same[i] = c.same[c.same[i]]
		i = c.same[i]
	}
	return i
}

// Total is the sum of all that was added.
func (c *UsageCount) Total() Usage {
	var sum Usage
	for _, u := range c.list {
		sum.add(u)
	}
	return sum
}

// Raw is the sum as it stands on the lines, replies that are on several counted several times.
func (c *UsageCount) Raw() Usage { return c.raw }

func (u *Usage) add(more Usage) {
	u.Input += more.Input
	u.CacheWrite += more.CacheWrite
	u.CacheRead += more.CacheRead
	u.Output += more.Output
	u.Reasoning += more.Reasoning
	u.Replies += more.Replies
	u.Cost += more.Cost
	u.Recorded = u.Recorded || more.Recorded
	u.Priced = u.Priced || more.Priced
}

// tokens is how many there are of all kinds.
func (u Usage) tokens() int64 { return u.Input + u.CacheWrite + u.CacheRead + u.Output }

// CheckUsage tells, in one finding at the first line that repeats one, that usage of replies stands on several lines of a log, so
// that who adds up lines counts too much. It reads the file once.
func CheckUsage(l *log.Log) ([]log.Finding, error) {
	var c UsageCount
	first := log.None
	err := c.addAll(l, func(at int) {
		if first == log.None && c.count > len(c.list) {
			first = at
		}
	})
	if err != nil {
		return nil, err
	}
	if first == log.None || c.raw.tokens() == c.Total().tokens() {
		return nil, nil
	}
	r := l.Record(first)
	return []log.Finding{{
		Code: log.UsageRepeated, Line: r.Line, Offset: r.Offset, ID: string(r.ID),
		Message: fmt.Sprintf("the usage of %d replies stands on %d lines, here for the first time again; added up by line it is %d tokens, each reply once %d",
			len(c.list), c.count, c.raw.tokens(), c.Total().tokens()),
	}}, nil
}
