//go:build acceptance

package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tlog/agents/claude/claudetest"
)

// damage is a transcript as programs and crashes leave it.
type damage struct {
	name   string
	source string
	// refuses: the client sends nothing of the source, and says so. refused: the API refuses what the client sends of it. lost are
	// words that the client does not send of it. Where all are empty the client heals it by itself.
	refuses string
	refused string
	lost    []string
	// sent are the words that it sends of the export, in this order, and never those of gone.
	sent, gone []string
	// repair is of the kind that the export reports; empty for none that has to be.
	repair string
}

// wholeTalk is a conversation with two calls, whose every row has a word of its own.
func wholeTalk() []claudetest.Row {
	return []claudetest.Row{
		claudetest.User("u1", "", "ask-one"),
		claudetest.Assistant("a1", "u1", "msg_1", claudetest.Text("say-one")),
		claudetest.Assistant("a2", "a1", "msg_1", claudetest.CallWithID("toolu_1", "Bash", map[string]any{"command": "call-one"})),
		claudetest.User("u2", "a2", []claudetest.Block{claudetest.ToolResult("toolu_1", "found-one")}),
		claudetest.Assistant("a3", "u2", "msg_2", claudetest.Text("say-two")),
		claudetest.User("u3", "a3", "ask-two"),
		claudetest.Assistant("a4", "u3", "msg_3", claudetest.CallWithID("toolu_2", "Bash", map[string]any{"command": "call-two"})),
		claudetest.User("u4", "a4", []claudetest.Block{claudetest.ToolResult("toolu_2", "found-two")}),
		claudetest.Assistant("a5", "u4", "msg_4", claudetest.Text("say-three")),
	}
}

// words are those of wholeTalk, but for some.
func words(without ...string) (all []string) {
next:
	for _, word := range strings.Fields("ask-one say-one call-one found-one say-two ask-two call-two found-two say-three") {
		for _, w := range without {
			if w == word {
				continue next
			}
		}
		all = append(all, word)
	}
	return all
}

// damages are each kind that an export has to repair.
func damages() []damage {
	all := append(damagedCalls(), damagedThinking()...)
	all = append(all, damagedParents()...)
	return append(all, damagedLines()...)
}

// changed is the talk as rows with some of them changed.
func changed(change func(rows []claudetest.Row) []claudetest.Row) string {
	return claudetest.Lines(change(wholeTalk())...)
}

// without leaves out the row at i and relinks the one behind it.
func without(rows []claudetest.Row, i int) []claudetest.Row {
	rows[i+1]["parentUuid"] = rows[i-1]["uuid"]
	return append(rows[:i:i], rows[i+1:]...)
}

func damagedCalls() []damage {
	image := claudetest.Block{"type": "image", "source": map[string]any{
		"type": "base64", "media_type": "image/png", "data": base64.StdEncoding.EncodeToString(make([]byte, claudetest.ImageLimit/4*3+1)),
	}}
	return []damage{
		{
			name:   "a call without a result",
			source: changed(func(rows []claudetest.Row) []claudetest.Row { return without(rows, 3) }),
			lost:   []string{"call-one"}, sent: words("found-one"), repair: "added-result",
		}, {
			name: "one of two parallel calls without a result",
			source: changed(func(rows []claudetest.Row) []claudetest.Row {
				second := claudetest.Assistant("a2b", "a2", "msg_1", claudetest.CallWithID("toolu_1b", "Bash", map[string]any{"command": "call-lost"}))
				return append(rows[:3:3], append([]claudetest.Row{second}, rows[3:]...)...)
			}),
			lost: []string{"call-lost"}, sent: append(strings.Fields("ask-one say-one call-one call-lost"), words("ask-one", "say-one", "call-one")...), repair: "added-result",
		}, {
			name:   "a result without its call",
			source: changed(func(rows []claudetest.Row) []claudetest.Row { return without(rows, 2) }),
			lost:   []string{"found-one"}, sent: words("call-one", "found-one"), gone: []string{"found-one", "(no content)"}, repair: "dropped-result",
		}, {
			name:   "two calls of one id",
			source: strings.ReplaceAll(claudetest.Lines(wholeTalk()...), "toolu_2", "toolu_1"),
			lost:   []string{"call-two", "found-two"}, sent: words(), gone: []string{"[Tool use interrupted]"}, repair: "renamed-call",
		}, {
			name:    "arguments that are no object",
			source:  strings.Replace(claudetest.Lines(wholeTalk()...), `{"command":"call-two"}`, `"call-two"`, 1),
			refused: "is no object", sent: words(), repair: "repaired-input",
		}, {
			name:    "an id that the API refuses",
			source:  strings.ReplaceAll(claudetest.Lines(wholeTalk()...), "toolu_2", "call|2.x"),
			refused: "not allowed", sent: words(), repair: "renamed-call",
		}, {
			name: "a picture that is too large",
			source: changed(func(rows []claudetest.Row) []claudetest.Row {
				rows[0] = claudetest.User("u1", "", []claudetest.Block{claudetest.Text("ask-one"), image})
				return rows
			}),
			refuses: "image", sent: words(), repair: "dropped-image",
		}, {
			name: "a picture in a result that is too large",
			source: changed(func(rows []claudetest.Row) []claudetest.Row {
				result := claudetest.ToolResult("toolu_1", []claudetest.Block{claudetest.Text("found-one"), image})
				rows[3] = claudetest.User("u2", "a2", []claudetest.Block{result})
				return rows
			}),
			refuses: "image", sent: words(), repair: "dropped-image",
		}, {
			name:   "a lone surrogate",
			source: strings.NewReplacer("say-one", `say-one \ud83d`, "found-two", `found-two \udc00 x`).Replace(claudetest.Lines(wholeTalk()...)),
			sent:   words(), repair: "replaced-surrogate",
		},
	}
}

func damagedThinking() []damage {
	think := func(text, signature string) func(rows []claudetest.Row) []claudetest.Row {
		return func(rows []claudetest.Row) []claudetest.Row {
			row := claudetest.Assistant("t1", "u1", "msg_1", claudetest.Thinking(text, signature))
			rows[1]["parentUuid"] = "t1"
			return append(rows[:1:1], append([]claudetest.Row{row}, rows[1:]...)...)
		}
	}
	return []damage{
		{name: "unsigned thinking", source: changed(think("hm", "")), refused: "without a signature", sent: words(), repair: "dropped-thinking"},
		{name: "hollow thinking", source: changed(think("", "")), refused: "without a signature", sent: words(), repair: "dropped-thinking"},
		{
			name:    "thinking without the member signature",
			source:  strings.Replace(changed(think("hm", "none")), `"signature":"none",`, "", 1),
			refused: "without a signature", sent: words(), repair: "dropped-thinking",
		}, {
			name: "a reply of unsigned thinking alone",
			source: changed(func(rows []claudetest.Row) []claudetest.Row {
				rows[4] = claudetest.Assistant("a3", "u2", "msg_2", claudetest.Thinking("say-two", ""))
				return rows
			}),
			sent: words("say-two"), repair: "dropped-thinking",
		},
	}
}

func damagedParents() []damage {
	parent := func(i int, id string) func(rows []claudetest.Row) []claudetest.Row {
		return func(rows []claudetest.Row) []claudetest.Row {
			rows[i]["parentUuid"] = id
			return rows
		}
	}
	// The client goes on at the row before if that is at most five seconds older; else all before is lost to it.
	slowly := func(change func(rows []claudetest.Row) []claudetest.Row) string {
		rows := change(wholeTalk())
		for i, row := range rows {
			row["timestamp"] = fmt.Sprintf("2026-05-04T10:%02d:00.000Z", i)
		}
		return claudetest.Lines(rows...)
	}
	return []damage{
		{name: "a missing parent seconds ago", source: changed(parent(5, "nowhere")), sent: words(), repair: "bridged-parent"},
		{name: "a missing parent of a result seconds ago", source: changed(parent(3, "nowhere")), sent: words(), repair: "bridged-parent"},
		{name: "a cycle within seconds", source: changed(parent(1, "u4")), sent: words(), repair: "bridged-parent"},
		{name: "a missing parent", source: slowly(parent(5, "nowhere")), lost: words()[:5], sent: words(), repair: "bridged-parent"},
		{name: "a missing parent of a result", source: slowly(parent(3, "nowhere")), lost: words()[:4], sent: words(), repair: "bridged-parent"},
		{name: "a missing parent of the root", source: slowly(parent(0, "nowhere")), sent: words()},
		{name: "a cycle", source: slowly(parent(1, "u4")), lost: words()[:1], sent: words(), repair: "bridged-parent"},
		{name: "a row that is its own parent", source: slowly(parent(5, "u3")), lost: words()[:5], sent: words(), repair: "bridged-parent"},
		{
			name: "no parents at all",
			source: changed(func(rows []claudetest.Row) []claudetest.Row {
				for _, row := range rows {
					row["parentUuid"] = nil
				}
				return rows
			}),
			lost: words("say-three"), sent: words(),
		}, {
			name: "no member parentUuid at all",
			source: changed(func(rows []claudetest.Row) []claudetest.Row {
				for _, row := range rows {
					delete(row, "parentUuid")
				}
				return rows
			}),
			lost: words("say-three"), sent: words(),
		}, {
			name: "an id that two rows have",
			source: changed(func(rows []claudetest.Row) []claudetest.Row {
				first := claudetest.Assistant("a3", "u2", "msg_2", claudetest.Text("say-early"))
				return append(rows[:4:4], append([]claudetest.Row{first}, rows[4:]...)...)
			}),
			lost: []string{"say-early"}, sent: words(), gone: []string{"say-early"},
		},
	}
}

func damagedLines() []damage {
	at := func(i int, change func(lines []string) string) string {
		lines := strings.SplitAfter(claudetest.Lines(wholeTalk()...), "\n")
		return strings.Join(lines[:i], "") + change(lines[i:])
	}
	before := func(text string) func(lines []string) string {
		return func(lines []string) string { return text + strings.Join(lines, "") }
	}
	glued := func(cut int) func(lines []string) string { // the first line up to cut, without a line break
		return func(lines []string) string {
			first := strings.TrimSuffix(lines[0], "\n")
			if cut > 0 {
				first = first[:cut]
			}
			return first + strings.Join(lines[1:], "")
		}
	}
	return []damage{
		{name: "NULs before a row", source: at(4, before(strings.Repeat("\x00", 300))), lost: []string{"say-two"}, sent: words(), repair: "cleaned-line"},
		{name: "NULs before a call", source: at(6, before("\x00")), lost: []string{"call-two", "found-two"}, sent: words(), repair: "cleaned-line"},
		{name: "a byte order mark before a row", source: at(4, before("\ufeff")), lost: []string{"say-two"}, sent: words(), repair: "cleaned-line"},
		{name: "two rows on a line", source: at(4, glued(0)), lost: []string{"ask-two"}, sent: words()},
		{name: "a call on the line of the text", source: at(1, glued(0)), lost: []string{"call-one", "found-one"}, sent: words()},
		{
			name: "a torn row and a whole one on a line", source: at(4, glued(150)),
			lost: []string{"say-two", "ask-two"}, sent: words("say-two"),
		}, {
			name:   "a torn row",
			source: at(4, func(lines []string) string { return lines[0][:150] + "\n" + strings.Join(lines[1:], "") }),
			lost:   []string{"say-two"}, sent: words("say-two"),
		}, {
			name:   "a torn call",
			source: at(6, func(lines []string) string { return lines[0][:150] + "\n" + strings.Join(lines[1:], "") }),
			lost:   []string{"call-two", "found-two"}, sent: words("call-two", "found-two"), gone: []string{"(no content)"}, repair: "dropped-result",
		}, {
			name:   "a torn last row",
			source: at(8, func(lines []string) string { return lines[0][:150] }),
			lost:   []string{"say-three"}, sent: words("say-three"),
		},
		{name: "line ends of another system", source: strings.ReplaceAll(claudetest.Lines(wholeTalk()...), "\n", "\r\n"), sent: words()},
		{name: "blank lines and rubbish", source: at(4, before("\n  \nno JSON\n[1]\nnull\n")), sent: words()},
	}
}

// TestAcceptanceRepairs: what kills a session or costs the client a part of it is repaired in the export, which
// the client then resumes with all that should be there, and the API takes.
func TestAcceptanceRepairs(t *testing.T) {
	for _, d := range damages() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			askSource(t, d)
			in := importText(t, d.source)
			got, report := in.resume()
			if got.Refused != nil {
				t.Errorf("the API would refuse the export: %q", got.Refused)
			}
			inOrder(t, got.Messages, d.sent, d.gone)
			if !strings.Contains(report, d.repair) {
				t.Errorf("the repair %s is not reported: %s", d.repair, report)
			}
			if data, _ := in.export(); claudetest.LoneSurrogate(data) != "" {
				t.Error("the export has a lone surrogate")
			}
		})
	}
}

// askSource holds that the client has the trouble with the source that is expected.
func askSource(t *testing.T, d damage) {
	t.Helper()
	found, err := claudetest.Resume(t, claudetest.SessionID, []byte(d.source))
	if d.refuses != "" {
		if !errors.Is(err, claudetest.ErrNothingSent) || !strings.Contains(err.Error(), d.refuses) {
			t.Errorf("the client does not refuse the source: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal("the source: ", err)
	}
	if text := claudetest.Words(found.Messages); !d.suffers(found.Refused, text) {
		t.Errorf("the client does not suffer from the source as expected: refused %q, sent\n%s", found.Refused, text)
	}
}

// suffers reports whether the client has exactly the trouble with the source that is expected.
func (d damage) suffers(refused []string, text string) bool {
	if (d.refused != "") != (len(refused) > 0) || !strings.Contains(strings.Join(refused, "\n"), d.refused) {
		return false
	}
	for _, word := range d.lost {
		if strings.Contains(text, word) {
			return false
		}
	}
	for _, word := range words(d.lost...) {
		lostToAll := !strings.Contains(strings.Join(d.sent, " "), word)
		if !strings.Contains(text, word) && !lostToAll {
			return false
		}
	}
	return true
}

// inOrder holds that messages have words in this order, and none of others.
func inOrder(t *testing.T, messages []claudetest.Message, sent, gone []string) {
	t.Helper()
	text := claudetest.Words(messages)
	rest := text
	for _, word := range append(sent, claudetest.Ping) {
		_, after, ok := strings.Cut(rest, word)
		if !ok {
			t.Errorf("%s is not resumed in its place:\n%.3000s", word, text)
			return
		}
		rest = after
	}
	for _, word := range gone {
		if strings.Contains(text, word) {
			t.Errorf("%s is sent:\n%.3000s", word, text)
		}
	}
}
