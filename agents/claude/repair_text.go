package claude

import "tlog/agents/transcript"

// repairText is a row without lone surrogates, which the API refuses: U+FFFD stands in their places.
func (e *exporter) repairText(r row) row {
	object, n := transcript.ReplaceSurrogates(r.object)
	if n == 0 {
		return r
	}
	e.repaired(transcript.ReplacedText, r.entry, "%d lone surrogates", n)
	r.object = object
	return r.again()
}
