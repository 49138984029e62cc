package projection

import (
	"strings"

	"tlog/objects"
)

// plainWords is the text in which a model is told what is no message of a user
// in its log. ok is false if the model is not to be told.
func plainWords(m Message) (words string, ok bool) {
	switch m.Role {
	case objects.RoleBash:
		if truthy(member(m.JSON, "excludeFromContext")) {
			return "", false
		}
		return bashWords(m.JSON), true
	case roleCompaction:
		return withSummary(m.JSON, "Earlier messages of this conversation were replaced by a summary."), true
	case roleBranch:
		return withSummary(m.JSON, "The conversation went on elsewhere for a while and came back to this point. A summary of that part:"), true
	}
	return "", false
}

func withSummary(message []byte, intro string) string {
	summary := member(message, "summary")
	s, ok := objects.Unquote(summary)
	if !ok && truthy(summary) {
		s = string(summary) // no text, but something
	}
	if strings.TrimSpace(s) == "" {
		return intro + " None was recorded."
	}
	return intro + "\n\n" + s
}

// bashWords tells of a command that the user ran beside the conversation.
func bashWords(message []byte) string {
	var b strings.Builder
	b.WriteString("The user ran a shell command:\n\n")
	b.WriteString(text(message, "command"))
	output := text(message, "output")
	if strings.TrimSpace(output) == "" {
		b.WriteString("\n\nIt printed nothing.")
	} else {
		b.WriteString("\n\nIts output:\n\n" + output)
	}
	code := member(message, "exitCode")
	switch {
	case truthy(member(message, "cancelled")):
		b.WriteString("\n\nThe user stopped it before it ended.")
	case truthy(code):
		b.WriteString("\n\nExit code: " + string(code))
	}
	if file := text(message, "fullOutputPath"); file != "" && truthy(member(message, "truncated")) {
		b.WriteString("\n\nThe output is cut. All of it is in " + file)
	}
	return b.String()
}
