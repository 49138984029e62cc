package main

import (
	"strconv"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/view"
	"tlog/projection"
)

// tokensText is recorded usage for people: "in 12.3k  out 4.5k  cached 1.2M". What was written to a cache is in "in".
func tokensText(u projection.Usage) string {
	text := "in " + view.Count(u.Input+u.CacheWrite) + "  out " + view.Count(u.Output)
	if u.CacheRead > 0 {
		text += "  cached " + view.Count(u.CacheRead)
	}
	if u.Cost > 0 {
		text += "  cost " + strconv.FormatFloat(u.Cost, 'f', 2, 64)
	}
	return text
}

// tokensObject is usage with the fields that docs/json.md lists; nil if none is recorded.
func tokensObject(u projection.Usage) *jsonout.Object {
	if !u.Recorded {
		return nil
	}
	o := new(jsonout.Object).Int("input", u.Input).Int("cacheWrite", u.CacheWrite).Int("cacheRead", u.CacheRead)
	o.Int("output", u.Output).Int("reasoning", u.Reasoning).Int("replies", int64(u.Replies))
	if !u.Priced {
		return o.Raw("cost", nil)
	}
	return o.Raw("cost", strconv.AppendFloat(nil, u.Cost, 'g', -1, 64))
}
