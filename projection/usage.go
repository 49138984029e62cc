package projection

import (
	"strconv"

	"tlog/objects"
)

// Usage is what models were given and gave, in tokens as they are recorded.
type Usage struct {
	Input      int64 // that was in no cache
	CacheWrite int64 // input that was put into a cache
	CacheRead  int64 // input that was in a cache
	Output     int64 // reasoning included
	Reasoning  int64 // of the output, where it is told apart
	Replies    int   // answers of a model that took tokens: programs write zeros where they know nothing
	Recorded   bool  // anything is; else all numbers are unknown and not 0
	Cost       float64
	Priced     bool // Cost is recorded somewhere
}

// ParseUsage reads a usage object in the words of pi (input, output, cacheRead, cacheWrite, cost), of Anthropic (input_tokens ...)
// of OpenAI (prompt_tokens, or input_tokens with cached_input_tokens; what was cached is in it), or of Gemini CLI (input, output, cached, thoughts, tool; what was
// cached is in the input, what was thought not in the output: formats/others.md). What is no number of tokens counts as missing.
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
	var cached, written, thoughts, tools int64
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
		case m.Is("cached_input_tokens"), m.Is("cached"):
			take(&cached, m.Value)
		case m.Is("thoughts"):
			take(&thoughts, m.Value)
		case m.Is("tool"):
			take(&tools, m.Value)
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
	u.Input += tools
	if thoughts > 0 {
		u.Output, u.Reasoning = u.Output+thoughts, thoughts
	}
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
