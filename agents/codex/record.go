package codex

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"tlog/objects"
)

// The types of lines that are looked at (formats/codex.md section 2), and of what stands in them.
const (
	kindMeta      = "session_meta"
	kindItem      = "response_item"
	kindEvent     = "event_msg"
	kindTurn      = "turn_context"
	kindCompacted = "compacted"
	kindUsage     = "token_usage_record"

	eventRolledBack = "thread_rolled_back"
	eventTokens     = "token_count"
	eventStarted    = "task_started"
	eventTurn       = "turn_started"
)

// record is what is looked at of one object in a rollout. Its values are as they stand.
type record struct {
	object    []byte
	kind      string
	timestamp string // RFC 3339, or whatever string stands there; empty if none does
	payload   []byte // an object, or nil
	// compacts: the reply is the summary that a compaction asked for.
	compacts bool

	sub      string // the payload's own type
	role     string
	id       string // of a thread, in a session_meta
	thread   string // that the line says it belongs to
	model    string // of a turn_context
	content  []byte
	turns    int    // that a rollback takes back
	info     []byte // of a token count
	replaces bool   // a compaction has a replacement history
}

// readRecord reads an object of a rollout. It need not be one that the client would take.
func readRecord(object []byte) record {
	r := record{object: object}
	var inner []byte
	_ = objects.Scan(object, func(m objects.Member) {
		switch {
		case m.Is("type"):
			r.kind = objects.StringOf(m.Value)
		case m.Is("timestamp"):
			r.timestamp = timeOf(m.Value)
		case m.Is("payload"):
			r.payload = nil
			if isObject(m.Value) {
				r.payload = m.Value
			}
		case m.Is("metadata"):
			inner = m.Value
		}
	})
	if bytes.Contains(inner, []byte("compaction_output")) {
		r.compacts = string(objects.MemberOf(inner, "compaction_output")) == "true"
	}
	if r.payload != nil {
		_ = objects.Scan(r.payload, r.member)
	}
	if r.kind == kindItem && r.sub == "" && r.role != "" {
		r.sub = itemMessage // of programs that write rollouts without it
	}
	return r
}

func (r *record) member(m objects.Member) {
	switch {
	case m.Is("type"):
		r.sub = objects.StringOf(m.Value)
	case m.Is("role"):
		r.role = objects.StringOf(m.Value)
	case m.Is("id"):
		r.id = objects.StringOf(m.Value)
	case m.Is("thread_id"):
		r.thread = objects.StringOf(m.Value)
	case m.Is("model"):
		r.model = objects.StringOf(m.Value)
	case m.Is("content"):
		r.content = m.Value
	case m.Is("num_turns"):
		r.turns = countOf(m.Value)
	case m.Is("info"):
		r.info = m.Value
	case m.Is("replacement_history"):
		r.replaces = len(m.Value) > 0 && m.Value[0] == '['
	}
}

// isRecord reports whether an object is a line of a rollout and no part of one.
func isRecord(object []byte) bool {
	var payload, place bool
	_ = objects.Scan(object, func(m objects.Member) {
		switch {
		case m.Is("payload"):
			payload = true
		case m.Is("timestamp"), m.Is("record_type"):
			place = true
		}
	})
	return payload && place
}

// ordinalOf is the number of a line of a paginated rollout; ok is false if it has none.
func ordinalOf(object []byte) (n int64, ok bool) {
	n, err := strconv.ParseInt(string(objects.MemberOf(object, "ordinal")), 10, 64)
	return n, err == nil
}

// timeOf is a timestamp as an entry has it. Some programs write seconds since 1970 where the client writes a string.
func timeOf(value []byte) string {
	if s, ok := objects.Unquote(value); ok {
		return s
	}
	seconds, err := strconv.ParseFloat(string(value), 64)
	if err != nil || !isNumber(value) || seconds < 0 || seconds > 1e11 {
		return ""
	}
	whole, part := math.Modf(seconds)
	return time.Unix(int64(whole), int64(part*1e9)).UTC().Format("2006-01-02T15:04:05.000Z")
}

// countOf is a number of things, 0 for what is none.
func countOf(value []byte) int {
	n, err := strconv.ParseUint(string(value), 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }
func isString(value []byte) bool { return len(value) > 0 && value[0] == '"' }
func isArray(value []byte) bool  { return len(value) > 0 && value[0] == '[' }
func isNull(value []byte) bool   { return len(value) == 0 || string(value) == "null" }

func isNumber(value []byte) bool {
	return len(value) > 0 && (value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}
