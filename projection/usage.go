package projection

import (
	"bytes"
	"fmt"
	"strconv"

	"tlog/log"
	"tlog/objects"
)

// Usage is what models were given and gave, in tokens as they are recorded.
type Usage struct {
	Input      int64 // that was in no cache
	CacheWrite int64 // input that was put into a cache
	CacheRead  int64 // input that was in a cache
	Output     int64 // reasoning included
	Reasoning  int64 // of the output, where it is told apart
	Replies    int   // answers of a model that it is recorded of
	Recorded   bool  // anything is; else all numbers are unknown and not 0
	Cost       float64
	Priced     bool // Cost is recorded somewhere
}

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

// UsageCount adds up usage over branches, copies and sessions: a reply counts once by the id that its model gave it, what has no
// such id by the id of its entry. The zero value is ready for use.
type UsageCount struct {
	index map[string]int
	list  []Usage
}

// Add counts an entry. Of two that have one id the later counts, unless it is one of a copy that tells of less output.
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
	if !bytes.Contains(e.Raw, []byte("usage")) && !bytes.Contains(e.Raw, []byte(`\u`)) {
		return nil // the most of a log
	}
	u, key := usageOf(l, e, r.ID)
	if !u.Recorded {
		return nil
	}
	i, ok := c.index[key]
	switch {
	case !ok:
		if c.index == nil {
			c.index = map[string]int{}
		}
		c.index[key] = len(c.list)
		c.list = append(c.list, u)
	case u.Output >= c.list[i].Output:
		c.list[i] = u
	}
	return nil
}

// usageOf is the usage that an entry records, and by what it is told from others.
func usageOf(l *log.Log, e objects.Entry, id objects.ID) (u Usage, key string) {
	key = "entry " + string(id)
	m, isMessage := l.Message(e)
	raw := []byte(m.Usage)
	switch {
	case isMessage:
	case e.Foreign():
		raw = l.Usage(e)
	default:
		raw = e.Get("usage")
	}
	if m.ReplyID != "" {
		key = "reply " + m.ReplyID
	}
	u = ParseUsage(raw)
	if u.Recorded && (m.Role == objects.RoleAssistant || e.Foreign() && !isMessage) {
		u.Replies = 1
	}
	return u, key
}

// Total is the sum of all that was added.
func (c *UsageCount) Total() Usage {
	var sum Usage
	for _, u := range c.list {
		sum.Input += u.Input
		sum.CacheWrite += u.CacheWrite
		sum.CacheRead += u.CacheRead
		sum.Output += u.Output
		sum.Reasoning += u.Reasoning
		sum.Replies += u.Replies
		sum.Cost += u.Cost
		sum.Recorded = sum.Recorded || u.Recorded
		sum.Priced = sum.Priced || u.Priced
	}
	return sum
}

// ParseUsage reads a usage object in the words of pi (input, output, cacheRead, cacheWrite, cost), of Anthropic (input_tokens ...)
// or of OpenAI (prompt_tokens, or input_tokens with cached_input_tokens; what was cached is in it). What is no number of tokens counts as missing.
func ParseUsage(usage []byte) Usage {
	var u Usage
	take := func(to *int64, value []byte) {
		if n, ok := tokens(value); ok {
			*to, u.Recorded = n, true
		}
	}
	if len(usage) == 0 || usage[0] != '{' {
		return u
	}
	var cached, written int64
	_ = objects.Scan(usage, func(m objects.Member) { // a value inside of a valid line is valid
		switch {
		case m.Is("input"), m.Is("input_tokens"), m.Is("prompt_tokens"):
			take(&u.Input, m.Value)
		case m.Is("cacheWrite"), m.Is("cache_creation_input_tokens"):
			take(&u.CacheWrite, m.Value)
		case m.Is("cacheRead"), m.Is("cache_read_input_tokens"):
			take(&u.CacheRead, m.Value)
		case m.Is("output"), m.Is("output_tokens"), m.Is("completion_tokens"):
			take(&u.Output, m.Value)
		case m.Is("cached_input_tokens"):
			take(&cached, m.Value)
		case m.Is("cache_write_input_tokens"):
			take(&written, m.Value)
		case m.Is("reasoning"), m.Is("reasoning_output_tokens"):
			take(&u.Reasoning, m.Value)
		case m.Is("prompt_tokens_details"):
			take(&cached, member(m.Value, "cached_tokens"))
		case m.Is("output_tokens_details"):
			take(&u.Reasoning, member(m.Value, "thinking_tokens"))
		case m.Is("completion_tokens_details"):
			take(&u.Reasoning, member(m.Value, "reasoning_tokens"))
		case m.Is("cost"):
			u.Cost, u.Priced = price(m.Value)
		}
	})
	if cached > 0 && cached <= u.Input {
		u.Input, u.CacheRead = u.Input-cached, cached
	}
	if written > 0 && written <= u.Input {
		u.Input, u.CacheWrite = u.Input-written, written
	}
	return u
}

// maxTokens is more than any count that is meant: sums of it do not run over.
const maxTokens = 1 << 48

func tokens(value []byte) (n int64, ok bool) {
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil || !isNumber(value) || f < 0 || f > maxTokens {
		return 0, false
	}
	return int64(f), true
}

func price(cost []byte) (sum float64, ok bool) {
	value := member(cost, "total")
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil || !isNumber(value) || f < 0 || f > maxTokens {
		return 0, false
	}
	return f, true
}

// isNumber reports whether a value in a line is a number, and none of the words that strconv takes for one.
func isNumber(value []byte) bool {
	return len(value) > 0 && (value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}
