package secrets

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"tlog/objects"
)

// kept are the members whose strings are never looked at: they tie lines, calls and replies together, prove who wrote them, or are bytes and no
// text. See formats/claude-code.md, formats/codex.md and formats/pi.md.
var kept = map[string]bool{
	"id": true, "parentId": true, "targetId": true, "targetIds": true, "firstKeptEntryId": true, "fromId": true, "chain": true, "ref": true,
	"uuid": true, "parentUuid": true, "logicalParentUuid": true, "leafUuid": true, "sessionId": true, "session_id": true, "requestId": true,
	"messageId": true, "promptId": true, "agentId": true, "tool_use_id": true, "toolUseID": true, "toolUseId": true, "sourceToolUseID": true, "sourceToolAssistantUUID": true,
	"toolCallId": true, "call_id": true, "callId": true, "turn_id": true, "responseId": true, "parentSession": true, "parentEntry": true,
	"signature": true, "thinkingSignature": true, "thoughtSignature": true, "textSignature": true, "encrypted_content": true,
	"type": true, "timestamp": true, "hash": true,
}

// Located is a secret in a string of a JSON value.
type Located struct {
	Find
	Member string // the name of the member that the string is of; empty for none
	// What stands in the value in its place: from Begin to Behind.
	Begin, Behind int
}

// InJSON gives the secrets in the strings of a valid JSON value, as they read when their escapes are resolved.
func InJSON(value []byte) []Located {
	var found []Located
	w := walker{value: value}
	for w.next() {
		if kept[w.member] && w.arguments == 0 { // a tool names its arguments as it likes
			continue
		}
		token := value[w.start:w.end]
		text, ok := objects.Unquote(token)
		switch {
		case !ok || len(text) < 8:
			continue
		case w.member == "rawBase64":
			found = append(found, inBase64(text, w)...)
			continue
		case encoded(text):
			continue
		}
		found = append(found, w.located(token, inMember(w.member, text))...)
	}
	return found
}

// located says where in the value finds in the text of a token stand.
func (w *walker) located(token []byte, finds []Find) []Located {
	var offsets []int
	for _, f := range finds {
		offsets = append(offsets, f.Start, f.End)
	}
	places := rawOffsets(token, offsets)
	list := make([]Located, len(finds))
	for i, f := range finds {
		list[i] = Located{Find: f, Member: w.member, Begin: w.start + places[2*i], Behind: w.start + places[2*i+1]}
	}
	return list
}

// inMember gives the secrets of a member's text: all of it where its name says so.
func inMember(member, text string) []Find {
	found := In(text)
	if len(found) == 0 && secretName().MatchString(member) && byChance(text) {
		found = []Find{{Kind: "member", End: len(text)}}
	}
	return found
}

// inBase64 looks into a line of an agent that is no clean text (docs/format.md "Lines of an agent"). It is masked as a whole, since what is left of it could not be read.
func inBase64(text string, w walker) []Located {
	line, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	found := In(strings.ToValidUTF8(string(line), "\uFFFD"))
	if len(found) == 0 {
		return nil
	}
	return []Located{{Find: found[0], Member: w.member, Begin: w.start + 1, Behind: w.end - 1}}
}

// RedactJSON gives a JSON value with the secrets in its strings masked, and what they were. All other bytes stay as they are. A value
// without secrets is returned itself.
func RedactJSON(value []byte) (redacted []byte, found []Located) {
	found = InJSON(value)
	if len(found) == 0 {
		return value, nil
	}
	var out bytes.Buffer
	at := 0
	for _, f := range found {
		out.Write(value[at:f.Begin])
		if f.Member == "rawBase64" {
			out.WriteString(base64.StdEncoding.EncodeToString([]byte(f.Mask())))
		} else {
			out.WriteString(f.Mask())
		}
		at = f.Behind
	}
	out.Write(value[at:])
	return out.Bytes(), found
}

// walker goes through the strings of a valid JSON value that are no names.
type walker struct {
	value      []byte
	at         int
	start, end int      // of the string, quotes included
	member     string   // the name that the string stands behind, in whatever depth of arrays
	open       []string // the names of what is open
	arguments  int      // how many of these are the arguments of a call
}

// next goes to the next string.
func (w *walker) next() bool {
	for w.at < len(w.value) {
		switch c := w.value[w.at]; c {
		case '{', '[':
			w.open = append(w.open, w.member)
			if isArguments(w.member) {
				w.arguments++
			}
			if c == '{' {
				w.member = ""
			}
		case '}', ']':
			if last := len(w.open) - 1; last >= 0 {
				w.member, w.open = w.open[last], w.open[:last]
				if isArguments(w.member) {
					w.arguments--
				}
			}
		case '"':
			w.start, w.end = w.at, stringEnd(w.value, w.at)
			w.at = w.end
			if rest := bytes.TrimLeft(w.value[w.end:], " \t\r\n"); len(rest) == 0 || rest[0] != ':' {
				return true
			}
			w.member, _ = objects.Unquote(w.value[w.start:w.end])
			continue
		}
		w.at++
	}
	return false
}

// isArguments reports whether a member holds the arguments of a tool call, by the names that Claude Code, pi and Gemini CLI give them.
func isArguments(member string) bool {
	return member == "input" || member == "arguments" || member == "args"
}

// stringEnd is where the string ends that begins at a place.
func stringEnd(b []byte, start int) int {
	for i := start + 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// rawOffsets gives for places in the text of a string token, in order, those where they stand in the token.
func rawOffsets(token []byte, offsets []int) []int {
	places := make([]int, 0, len(offsets))
	for i, text := 1, 0; len(places) < len(offsets); {
		if text >= offsets[len(places)] || i >= len(token)-1 {
			places = append(places, i)
			continue
		}
		raw, decoded := charLen(token[i:])
		i, text = i+raw, text+decoded
	}
	return places
}

// charLen is how many bytes the first character takes of what stands in a string token, and how many of its text. A byte that is not UTF-8 reads as U+FFFD.
func charLen(b []byte) (raw, text int) {
	switch {
	case b[0] != '\\':
		r, n := utf8.DecodeRune(b)
		return n, utf8.RuneLen(r)
	case b[1] != 'u':
		return 2, 1
	case len(b) >= 12 && b[6] == '\\' && b[7] == 'u':
		if pair, _ := objects.Unquote(slices.Concat([]byte{'"'}, b[:12], []byte{'"'})); len(pair) == 4 {
			return 12, 4 // a pair of surrogates
		}
	}
	one, _ := objects.Unquote(slices.Concat([]byte{'"'}, b[:6], []byte{'"'}))
	return 6, len(one)
}

// encoded reports whether a text is bytes in base64, in which anything may look like a token by chance.
func encoded(text string) bool {
	const mark = ";base64,"
	if i := strings.Index(text[:min(len(text), 100)], mark); i >= 0 {
		text = text[i+len(mark):]
	}
	if len(text) < 1000 {
		return false
	}
	return strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == "" // nothing else is in it
}
