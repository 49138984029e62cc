package codex

import (
	"tlog/objects"
)

// usageState tells which lines record the usage of a reply. Newer clients write a record for each reply, and behind it a count of tokens;
// older ones only the count, and again when nothing was said in between.
type usageState struct {
	records bool   // the client writes records
	total   string // of the last count
}

// counts reports whether the line records the usage of a reply that no line above does.
func (s *usageState) counts(rec record) bool {
	switch {
	case rec.kind == kindUsage:
		s.records = true
		return spent(objects.MemberOf(rec.payload, "usage"))
	case rec.kind != kindEvent || rec.sub != eventTokens || !isObject(rec.info):
		return false
	}
	total := objects.MemberOf(rec.info, "total_token_usage")
	again := isObject(total) && string(total) == s.total
	s.total = string(total)
	return !again && !s.records && spent(objects.MemberOf(rec.info, "last_token_usage"))
}

// spent reports whether a usage tells of any tokens in or out. What an estimate behind a compaction has is a total alone.
func spent(usage []byte) bool {
	found := false
	if !isObject(usage) {
		return false
	}
	_ = objects.Scan(usage, func(m objects.Member) {
		if (m.Is("input_tokens") || m.Is("output_tokens")) && isNumber(m.Value) && string(m.Value) != "0" {
			found = true
		}
	})
	return found
}

// Usage implements objects.UsageDecoder: what the last reply took, never a sum.
func (Agent) Usage(e objects.Entry) []byte {
	object := e.SourceObject()
	if object == nil {
		return nil
	}
	rec := readRecord(object)
	usage := objects.MemberOf(rec.payload, "usage")
	if rec.kind != kindUsage {
		usage = objects.MemberOf(rec.info, "last_token_usage")
	}
	if !isObject(usage) {
		return nil
	}
	return usage
}

// UsageReply implements objects.ReplyDecoder. The id that the server gave to the reply is not trusted alone: some number them anew.
func (Agent) UsageReply(e objects.Entry) string {
	object := e.SourceObject()
	if object == nil {
		return ""
	}
	rec := readRecord(object)
	turn, response := objects.StringOf(objects.MemberOf(rec.payload, "turn_id")), objects.StringOf(objects.MemberOf(rec.payload, "response_id"))
	if rec.kind != kindUsage || turn == "" || response == "" {
		return ""
	}
	return turn + "/" + response
}
