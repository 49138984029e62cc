package codex

import (
	"bytes"
	"unicode/utf8"

	"tlog/agents/transcript"
	"tlog/objects"
)

// clean is a line of the legacy dialect. The client drops a line without a word whose timestamp is no string (formats/codex.md section 2): it gets its entry's.
func (e *exporter) clean(entry transcript.Entry, r record) []byte {
	line := e.text(entry.EffectiveID, r.object)
	if !isString(objects.MemberOf(line, "timestamp")) {
		at := entry.Timestamp
		if at == "" {
			at = stamp(e.time)
		}
		line = objects.ReplaceValue(line, "timestamp", objects.AppendQuote(nil, at))
		e.lose(transcript.CleanedLine, entry.EffectiveID, "a line without a time")
	}
	if bytes.IndexByte(line, '\n') >= 0 { // between tokens
		line = bytes.ReplaceAll(line, []byte{'\n'}, []byte{' '})
	}
	return objects.RemoveMember(e.renamed(line, r), "ordinal")
}

// renamed is a line that names the new thread where it named that of the session: the count of a reply's tokens does. Those of threads that the session
// goes on from stay.
func (e *exporter) renamed(line []byte, r record) []byte {
	if r.kind != kindUsage {
		return line
	}
	payload := objects.MemberOf(line, "payload")
	for _, name := range []string{"thread_id", "session_id"} {
		if old := objects.StringOf(objects.MemberOf(payload, name)); old != "" && old == e.thread {
			payload = objects.ReplaceValue(payload, name, objects.AppendQuote(nil, string(e.x.Session)))
		}
	}
	return objects.ReplaceValue(line, "payload", payload)
}

// text is a value without what the client cannot read: of bytes that are no UTF-8 it refuses the whole file, of a lone surrogate it drops the line
// (formats/codex.md section 10).
func (e *exporter) text(id objects.ID, value []byte) []byte {
	if !utf8.Valid(value) {
		value = bytes.ToValidUTF8(value, []byte("\uFFFD"))
		e.lose(transcript.ReplacedText, id, "bytes that are no UTF-8")
	}
	value, n := transcript.ReplaceSurrogates(value)
	if n > 0 {
		e.lose(transcript.ReplacedText, id, "%d lone surrogates", n)
	}
	return value
}
