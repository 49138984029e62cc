package opencode_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"tlog/agents/agentstest"
	"tlog/objects"
)

type object map[string]any

const randomSession = "ses_random0000000000000000"

// history makes an export at random, and knows what its live path says.
type history struct {
	rng      *rand.Rand
	count    int
	messages []object
	path     []agentstest.Node
	texts    [][]string // of each entry of the path; what is not told there is left out
	prompt   string     // the id of the last message of the user
}

// generate writes an export, pretty-printed or on one line.
func generate(rng *rand.Rand) agentstest.Sample {
	h := &history{rng: rng, messages: []object{}}
	for range rng.IntN(30) {
		switch n := rng.IntN(12); {
		case n < 4:
			h.user()
		case n < 10:
			h.reply()
		case n < 11:
			h.compaction()
		default:
			h.add(object{"role": "gardener", "id": h.id("msg")}, agentstest.Node{})
		}
	}
	info := object{
		"id": randomSession, "slug": "random", "projectID": "global", "directory": "/home/ada", "title": "random \u2028 <b>", "version": "1.2.5",
		"time": object{"created": 1777629600000, "updated": 1777629600000},
	}
	if rng.IntN(4) == 0 && len(h.messages) > 0 {
		h.revert(info)
	}
	sample := agentstest.Sample{Name: "random", Session: randomSession, Data: h.write(info), Live: h.path, Records: len(h.messages) + 2}
	for _, texts := range h.texts {
		sample.Texts = append(sample.Texts, texts...)
	}
	return sample
}

// write writes the export.
func (h *history) write(info object) []byte {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(h.rng.IntN(2) == 0)
	w.SetIndent([]string{"", "", " "}[h.rng.IntN(3)], []string{"", "  ", "\t"}[h.rng.IntN(3)])
	if err := w.Encode(struct {
		Info     object   `json:"info"`
		Messages []object `json:"messages"`
	}{info, h.messages}); err != nil {
		panic(err)
	}
	if h.rng.IntN(4) == 0 {
		return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
	}
	return b.Bytes()
}

func (h *history) id(kind string) string {
	h.count++
	return fmt.Sprintf("%s_%012x", kind, h.count)
}

// add adds a message with its entry.
func (h *history) add(info object, n agentstest.Node, parts ...object) {
	if parts == nil {
		parts = []object{}
	}
	info["time"] = object{"created": 1777629600000 + h.count}
	h.messages = append(h.messages, object{"info": info, "parts": parts})
	n.ID = objects.ID(info["id"].(string))
	h.path = append(h.path, n)
	var texts []string
	if n.Role != "" && !n.Hidden && len(n.Results) == 0 && n.Text != "" {
		texts = []string{n.Text}
	}
	h.texts = append(h.texts, texts)
}

func (h *history) text(who string) string {
	h.count++
	return fmt.Sprintf("%s %d %s", who, h.count, []string{"ä", "\u2028", "\"{\\]", "🌱", "a\nb"}[h.rng.IntN(5)])
}

// user says something, or the client alone does.
func (h *history) user() {
	h.prompt = h.id("msg")
	n := agentstest.Node{Visible: true, Role: "user"}
	var parts []object
	added := h.rng.IntN(3) == 0
	if added {
		parts = append(parts, object{"type": "text", "text": h.text("added"), "synthetic": true})
	}
	if !added || h.rng.IntN(2) == 0 {
		n.Text = h.text("prompt")
		parts = append(parts, object{"type": "text", "text": n.Text})
		if added {
			n.Text += "\n" + parts[0]["text"].(string)
		}
	} else {
		n.Hidden = true
	}
	h.add(object{"role": "user", "id": h.prompt}, n, parts...)
}

// reply is one with or without calls.
func (h *history) reply() {
	n := agentstest.Node{Visible: true, Role: "assistant"}
	parts := []object{{"type": "step-start"}}
	said := ""
	say := func(text string) {
		if said != "" {
			said += "\n"
		}
		said += text
	}
	for range h.rng.IntN(4) {
		switch h.rng.IntN(4) {
		case 0:
			text := h.text("reply")
			say(text)
			parts = append(parts, object{"type": "text", "text": text})
		case 1:
			parts = append(parts, object{"type": "reasoning", "text": "hm"})
		default:
			call, output := h.id("call"), h.text("output")
			state := object{"status": "completed", "input": object{"a": []int{}, "b": object{}}, "output": output}
			if h.rng.IntN(4) == 0 {
				state = object{"status": "error", "input": object{}, "error": output}
			}
			say(output)
			parts = append(parts, object{"type": "tool", "tool": "dig", "callID": call, "state": state})
			n.Calls, n.Results = append(n.Calls, call), append(n.Results, call)
		}
	}
	n.Text, n.Hidden = said, len(parts) == 1
	h.add(object{"role": "assistant", "id": h.id("msg"), "parentID": h.prompt, "finish": "stop"}, n, parts...)
}

// compaction is one that was finished, or not.
func (h *history) compaction() {
	asks := h.id("msg")
	h.add(object{"role": "user", "id": asks}, agentstest.Node{}, object{"type": "compaction", "auto": true})
	info := object{"role": "assistant", "id": h.id("msg"), "parentID": asks, "summary": true}
	text := h.text("summary")
	if h.rng.IntN(3) > 0 {
		info["finish"] = "stop"
	}
	h.add(info, agentstest.Node{Visible: true, Role: "assistant", Text: text}, object{"type": "text", "text": text})
}

// revert takes messages back.
func (h *history) revert(info object) {
	at := h.rng.IntN(len(h.messages))
	revert := object{"messageID": string(h.path[at].ID)}
	if h.rng.IntN(3) == 0 {
		revert["partID"] = "prt_1"
		at++
	}
	info["revert"] = revert
	h.path, h.texts = h.path[:at], h.texts[:at]
}
