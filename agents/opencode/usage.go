package opencode

import (
	"strconv"

	"tlog/objects"
)

// usage is what a reply took and gave, in pi's words: {input, output, cacheRead, cacheWrite, reasoning, cost}; nil if nothing was counted.
// Where the total shows that what was thought is not part of the output it is added to it. A price of 0 is one that the client does not know.
func (rec record) usage() []byte {
	var input, output, reasoning, read, write, total float64
	if !isObject(rec.tokens) {
		return nil
	}
	_ = objects.Scan(rec.tokens, func(m objects.Member) {
		n, _ := numberOf(m.Value)
		switch {
		case m.Is("input"):
			input = n
		case m.Is("output"):
			output = n
		case m.Is("reasoning"):
			reasoning = n
		case m.Is("total"):
			total = n
		case m.Is("cache"):
			read, _ = numberOf(objects.MemberOf(m.Value, "read"))
			write, _ = numberOf(objects.MemberOf(m.Value, "write"))
		}
	})
	if input == 0 && output == 0 && reasoning == 0 && read == 0 && write == 0 {
		return nil
	}
	if sum := input + output + read + write; reasoning > 0 && total == sum+reasoning {
		output += reasoning
	}
	number := func(key string, n float64) objects.Field {
		return objects.Field{Key: key, Value: strconv.AppendFloat(nil, n, 'f', -1, 64)}
	}
	fields := []objects.Field{
		number("input", input), number("output", output), number("reasoning", reasoning), number("cacheRead", read), number("cacheWrite", write),
	}
	if cost, ok := numberOf(rec.cost); ok && cost > 0 {
		fields = append(fields, objects.Field{Key: "cost", Value: objects.Object(objects.Field{Key: "total", Value: rec.cost})})
	}
	return objects.Object(fields...)
}
