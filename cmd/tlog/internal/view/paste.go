package view

import (
	"strings"

	"tlog/objects"
)

// What the client of Claude Code puts around a paste in a prompt: <pasted_content id="e084">, and the same with a slash.
const (
	pasteOpens  = `<pasted_content id="`
	pasteCloses = `</pasted_content id="`
	maxPasteID  = 64 // bytes
)

// WithoutPasteTags is the text of a prompt without the tags around what was pasted, for people. A line that held nothing but a tag is gone.
func WithoutPasteTags(text string) string {
	if !strings.Contains(text, pasteOpens) {
		return text
	}
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			break
		}
		b.WriteString(text[:at])
		text = text[at:]
		if n := pasteTag(text); n > 0 {
			text = text[n:]
			continue
		}
		b.WriteByte('<')
		text = text[1:]
	}
	b.WriteString(text)
	return b.String()
}

// pasteTag is how many bytes the tag at the start of text takes, with the end of its line if it stands last in it; 0 if there is none.
func pasteTag(text string) int {
	rest, ok := strings.CutPrefix(text, pasteOpens)
	if !ok {
		rest, ok = strings.CutPrefix(text, pasteCloses)
	}
	end := strings.Index(rest[:min(len(rest), maxPasteID)], `">`)
	if !ok || end < 0 {
		return 0
	}
	rest = strings.TrimPrefix(rest[end+len(`">`):], "\n")
	return len(text) - len(rest)
}

// shownText is a text block for people; of an entry that was read whole it is as it stands.
func (v Entry) shownText(b objects.Block) string {
	if v.whole || !v.Entry.Foreign() || v.Message.Role != objects.RoleUser {
		return b.Text
	}
	return WithoutPasteTags(b.Text)
}
