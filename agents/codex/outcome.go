package codex

import (
	"strconv"
	"strings"

	"tlog/objects"
)

// outcome is how a tool call ended, as far as its output tells, and what it put out without that.
type outcome struct {
	failed bool
	state  string // "exit 3", "interrupted"; empty for what went well or does not tell
	text   string // for people
}

// stateFailed stands in an envelope for a call that failed without saying how.
const stateFailed = "failed"

// stateOf is how the call ended whose output an item is, for its envelope.
func stateOf(r record) string {
	m, ok := decodeItem(r)
	if !ok || len(m.Blocks) == 0 {
		return ""
	}
	if b := m.Blocks[0]; b.State != "" || !b.IsError {
		return b.State
	}
	return stateFailed
}

// ended reads the outcome in the content of a result, a JSON string or a list of blocks.
func ended(content []byte) outcome {
	if isString(content) {
		return outcomeOf(objects.StringOf(content))
	}
	var texts []string
	objects.Elements(content, func(block []byte) {
		if text := objects.MemberOf(block, "text"); isString(text) {
			texts = append(texts, objects.StringOf(text))
		}
	})
	if len(texts) == 0 {
		return outcome{}
	}
	o := outcomeOf(texts[0])
	o.text = strings.Join(append([]string{o.text}, texts[1:]...), "\n")
	o.text = strings.TrimPrefix(o.text, "\n")
	return o
}

// outcomeOf reads the outcome in an output. The client tells of it above what a command printed, and older ones in an object around it
// (formats/codex.md section 5).
func outcomeOf(text string) outcome {
	if strings.HasPrefix(text, `{"output":`) {
		if o, ok := wrapped(text); ok {
			return o
		}
	}
	head, rest, found := cutHead(text)
	o := outcome{text: text}
	if found {
		o.text = rest
	}
	for line := range strings.SplitSeq(head, "\n") {
		for _, words := range []string{"Process exited with code ", "Exit code: "} {
			if code, ok := strings.CutPrefix(line, words); ok {
				o.take(strings.TrimSpace(code))
			}
		}
	}
	switch {
	case text == "aborted", text == "aborted by user", strings.HasPrefix(text, "Wall time: ") && strings.HasSuffix(text, "\naborted by user"):
		o.state, o.failed = "interrupted", true
	case strings.HasPrefix(head, "Script failed"), hasAny(text, "unsupported call: ", "unsupported custom tool call: ", "execution error: ",
		"failed to parse function arguments: ", "patch rejected: ", "apply_patch verification failed: ", "exec_command failed"):
		o.failed = true
	}
	return o
}

// cutHead takes what the client says of a command from what the command printed; found is false if it says nothing.
func cutHead(text string) (head, rest string, found bool) {
	if !hasAny(text, "Chunk ID: ", "Wall time: ", "Exit code: ", "Process exited with code ", "Script completed\n", "Script failed\n", "Script running ") {
		return "", text, false
	}
	const mark = "\nOutput:\n"
	if at := strings.Index(text, mark); at >= 0 {
		return text[:at], text[at+len(mark):], true
	}
	if head, ok := strings.CutSuffix(text, "\nOutput:"); ok {
		return head, "", true
	}
	return text, text, false
}

// wrapped reads {"output","metadata":{"exit_code"}}.
func wrapped(text string) (o outcome, ok bool) {
	object := []byte(text)
	output := objects.MemberOf(object, "output")
	if !isString(output) {
		return outcome{}, false
	}
	o.text = objects.StringOf(output)
	o.take(string(objects.MemberOf(objects.MemberOf(object, "metadata"), "exit_code")))
	return o, true
}

// take takes over an exit code.
func (o *outcome) take(code string) {
	if n, err := strconv.Atoi(code); err == nil && n != 0 {
		o.failed, o.state = true, "exit "+strconv.Itoa(n)
	}
}

func hasAny(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}
