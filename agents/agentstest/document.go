package agentstest

import (
	"bytes"
	"testing"

	"tlog/agents"
	"tlog/agents/transcript"
)

// isDocument reports whether a transcript is one JSON document: it is no lines, so it does not come in pieces, and breaks as a whole.
func isDocument(agent agents.Foreign, data []byte) bool {
	r, ok := agent.NewReader("sample").(transcript.DocumentReader)
	return ok && r.Document(data)
}

// brokenDocument cuts a document off and puts rubbish into it at many places: nothing is lost, and nothing that is made of it hangs nowhere.
func (s Suite) brokenDocument(t *testing.T, data []byte) {
	t.Helper()
	const places = 40
	for k := range places + 1 {
		at := len(data) * k / places
		for how, broken := range map[string][]byte{
			"cut":         data[:at],
			"NULs":        slicesOf(data[:at], bytes.Repeat([]byte{0}, 90), data[at:]),
			"not UTF-8":   slicesOf(data[:at], "\xff\xfe\xc3", data[at:]),
			"a line feed": slicesOf(data[:at], "\n", data[at:]),
			"a bracket":   slicesOf(data[:at], "]", data[at:]),
			"twice":       slicesOf(data[:at], data),
		} {
			r := read(t, s.Agent, "sample", broken)
			r.checkBytes(t, broken)
			r.checkGraph(t)
			r.decode(t)
			if t.Failed() {
				t.Fatalf("%s at byte %d", how, at)
			}
		}
	}
}
