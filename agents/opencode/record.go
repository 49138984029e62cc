package opencode

import (
	"strconv"
	"time"

	"tlog/objects"
)

// The roles of messages.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
)

// record is what is looked at of an element of messages: {info, parts}. Values are as they stand; what it has not is nil or empty.
type record struct {
	known    bool // it has an info
	id       string
	role     string
	parent   string // the user's message that a reply answers
	created  string // a time as entries have it
	provider string
	model    string
	summary  bool // it is the summary of a compaction
	finished bool
	err      []byte
	tokens   []byte
	cost     []byte
	parts    []byte
}

func readRecord(object []byte) (r record) {
	_ = objects.Scan(object, func(m objects.Member) {
		switch {
		case m.Is("info") && isObject(m.Value):
			r.known = true
			_ = objects.Scan(m.Value, r.info)
		case m.Is("parts") && isArray(m.Value):
			r.parts = m.Value
		}
	})
	return r
}

func (r *record) info(m objects.Member) {
	switch value := m.Value; {
	case m.Is("id"):
		r.id = objects.StringOf(value)
	case m.Is("role"):
		r.role = objects.StringOf(value)
	case m.Is("parentID"):
		r.parent = objects.StringOf(value)
	case m.Is("time"):
		r.created = timeOf(objects.MemberOf(value, "created"))
	case m.Is("providerID"):
		r.provider = objects.StringOf(value)
	case m.Is("modelID"):
		r.model = objects.StringOf(value)
	case m.Is("summary"):
		r.summary = string(value) == "true"
	case m.Is("finish"):
		r.finished = objects.StringOf(value) != ""
	case m.Is("error") && isObject(value):
		r.err = value
	case m.Is("tokens"):
		r.tokens = value
	case m.Is("cost"):
		r.cost = value
	}
}

// summarises reports whether it is a summary that the client goes on from.
func (r record) summarises() bool {
	return r.role == roleAssistant && r.summary && r.finished && r.err == nil
}

// maxTime is the first millisecond that is no time of an entry.
const maxTime = 253402300800000 // the year 10000

// timeOf is a number of milliseconds since 1970 as entries have it; empty for what is none.
func timeOf(value []byte) string {
	ms, ok := numberOf(value)
	if !ok || ms < 0 || ms >= maxTime {
		return ""
	}
	return time.UnixMilli(int64(ms)).UTC().Format("2006-01-02T15:04:05.000Z")
}

// numberOf is the value of a JSON number.
func numberOf(value []byte) (float64, bool) {
	if len(value) == 0 || value[0] != '-' && (value[0] < '0' || value[0] > '9') {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(value), 64)
	return n, err == nil
}

func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }
func isArray(value []byte) bool  { return len(value) > 0 && value[0] == '[' }
func isString(value []byte) bool { return len(value) > 0 && value[0] == '"' }
